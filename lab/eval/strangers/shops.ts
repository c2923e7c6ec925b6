// Shops that anybody could set up: pages on loopback that print the barcode, title, brand and picture of products that
// others sell, at prices of their own.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type StrangerPage = {
  readonly origin: string;
  readonly path: string;
  readonly title: string;
  readonly brand: string;
  readonly imageUrl: string;
  /** As printed: 12, 13 or 14 digits. */
  readonly code: string;
  readonly cents: number;
  readonly inStock: boolean;
  /** A text that is on no other page. */
  readonly mark: string;
};

export type StrangerShops = AsyncDisposable & {
  /** Public origin → loopback origin, as text for OPENSHELF_ORIGINS. */
  readonly origins: string;
};

/** Two of them share a label, so that their slugs depend on which is met first. */
export const STRANGER_ORIGINS = [
  'https://www.dollarbarn.example',
  'https://www.dollarbarn.test',
  'https://copycatgoods.example',
  'https://shop.thriftharbor.example',
  'https://allforless.test',
] as const;

export function addressOf({ origin, path }: StrangerPage): string {
  return origin + path;
}

/** Starts one server for each origin that has pages. */
export async function startStrangers(pages: readonly StrangerPage[]): Promise<StrangerShops> {
  const servers: Server[] = [];
  const origins: string[] = [];
  for (const [origin, own] of Map.groupBy(pages, (page) => page.origin)) {
    const byPath = new Map(own.map((page) => [page.path, page]));
    const server = createServer((request, response) => {
      const page = byPath.get((request.url ?? '').split('?')[0] ?? '');
      const isRobots = request.url === '/robots.txt';
      const type = isRobots ? 'text/plain' : 'text/html; charset=utf-8';
      response.writeHead(isRobots || page !== undefined ? 200 : 404, { 'content-type': type });
      response.end(isRobots ? 'User-agent: *\nDisallow:\n' : page === undefined ? '' : html(page));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origins.push(`${origin}=http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  return {
    origins: origins.join(','),
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      }
    },
  };
}

function html(page: StrangerPage): string {
  const { title, brand, imageUrl, code, cents, inStock, mark } = page;
  const price = (cents / 100).toFixed(2);
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: title,
    image: [imageUrl],
    description: `Best price. ${mark}`,
    sku: mark,
    [`gtin${code.length}`]: code,
    brand: { '@type': 'Brand', name: brand },
    aggregateRating: { '@type': 'AggregateRating', ratingValue: 5, reviewCount: 9_999 },
    offers: {
      '@type': 'Offer',
      url: addressOf(page),
      price,
      priceCurrency: 'USD',
      availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name: `Seller ${mark}` },
    },
  };
  const data = JSON.stringify(product).replaceAll('<', String.raw`\u003c`);
  const shown = escaped(title);
  return `<!doctype html>
<html lang="en-US">
<head><meta charset="utf-8"><title>${shown}</title>
<link rel="canonical" href="${addressOf(page)}">
<script type="application/ld+json">${data}</script></head>
<body><h1>${shown}</h1><p class="price">$${price}</p><p>${inStock ? 'In stock' : 'Out of stock'}</p></body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
