// A shop whose pages a test writes: JSON-LD of one product each, for facts that no simulated shop states.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Reserved names never belong to a real shop. */
export const OWN_SHOP = 'https://www.writtenpages.example';
export const OWN_SLUG = 'writtenpages';

export type OwnShop = { readonly url: string; readonly close: () => Promise<void> };

/** Its pages by path and query, and the addresses that it redirects to. */
type OwnPages = Readonly<Record<string, string | { readonly location: string }>>;

export async function openShop(pages: OwnPages): Promise<OwnShop> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (typeof page === 'object') {
      response.writeHead(302, page);
      response.end();
      return;
    }
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(page ?? '<h1>not here</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a product page; `product` has schema.org properties, `offer` those of its one offer. */
export function productPage(
  product: Readonly<Record<string, unknown>>,
  offer: Readonly<Record<string, unknown>> = {},
): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    ...product,
    offers: {
      '@type': 'Offer',
      price: '12.50',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      ...offer,
    },
  };
  const name = String(product['name']);
  return `<!doctype html><html lang="en"><head><title>${name}</title>
<script type="application/ld+json">${JSON.stringify(data)}</script></head>
<body><h1>${name}</h1></body></html>`;
}
