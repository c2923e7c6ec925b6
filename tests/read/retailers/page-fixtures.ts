// Invented product pages, one idea each, and helpers to write them: shared by the reader tests.

import type { Page } from '../../../src/base/listing/page.ts';

export const ADDRESS = 'https://shop.example/p/blue-mug';

export type PageOptions = {
  readonly url?: string;
  readonly requestedUrl?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns a page as the fetcher delivers it. */
export function pageOf(body: string | Uint8Array, options: PageOptions = {}): Page {
  const url = options.url ?? ADDRESS;
  return {
    requestedUrl: options.requestedUrl ?? url,
    url,
    status: options.status ?? 200,
    headers: options.headers ?? { 'content-type': 'text/html; charset=utf-8' },
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    fetchedAtMs: Date.UTC(2026, 10, 20),
  };
}

/** Returns a page for a page reader, or an API answer: the reader's name says which. */
export function answerOf(reader: string, text: string, url: string): Page {
  const type = reader.startsWith('api:') ? 'application/json' : 'text/html';
  return pageOf(text, { url, headers: { 'content-type': type } });
}

/** Returns a JSON-LD script block. */
export function ld(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `<script type="application/ld+json">${text}</script>`;
}

/** Returns meta tags by property. */
export function metas(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([name, content]) => `<meta property="${name}" content="${content}">`)
    .join('\n');
}

/** Returns a whole page with a title and a heading. */
export function html(head: string, body = '', title = 'Blue Mug | Example Shop'): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

const OFFER = {
  '@type': 'Offer',
  price: '12.50',
  priceCurrency: 'USD',
  availability: 'https://schema.org/InStock',
};

export const MUG = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Blue Mug',
  sku: 'BM-1',
  gtin13: '4006381333931',
  brand: { '@type': 'Brand', name: 'Acme' },
  image: ['https://cdn.example/mug.jpg'],
  description: 'A mug that is blue.',
  offers: OFFER,
};

/** A product with some properties changed; `undefined` removes one. */
export function mug(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...MUG, ...changes };
}

export function offer(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...OFFER, ...changes };
}

/** What a reader is expected to return; absent names are not compared. */
type Expected = {
  readonly kind?: string;
  readonly title?: string | null;
  readonly brand?: string | null;
  /** "12.50 USD"; "12.50 -" without a currency; null for no price. */
  readonly price?: string | null;
  readonly listPrice?: string | null;
  readonly inStock?: boolean | null;
  readonly unavailable?: boolean | null;
  readonly condition?: string | null;
  readonly gtin?: string | null;
  readonly sku?: string | null;
  readonly mpn?: string | null;
  readonly model?: string | null;
  readonly itemId?: string | null;
  readonly variantId?: string | null;
  readonly rating?: number | null;
  readonly reviewCount?: number | null;
  readonly sellerName?: string | null;
  readonly imageUrl?: string | null;
  readonly url?: string | null;
  readonly description?: string | null;
  readonly categories?: readonly string[];
};

export type Case = {
  readonly name: string;
  readonly page: Page;
  readonly expect: Expected;
};
