// The store API of WooCommerce shops: recognizes such a shop on one of its pages, and creates the requests.

import type { Page, PageRequest } from '../../base/listing/page.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { decodedText } from '../page-data/variants/asked-address.ts';

const SOFTWARE = Buffer.from('woocommerce');
const REST_LINK = 'https://api.w.org/';

/** Checks quickly whether a page may belong to a shop with a store API. */
export function mayNameStoreApi({ body }: Page): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(SOFTWARE);
}

/**
 * Returns the root of the REST API that a page of a WooCommerce shop names in its `Link` header or a `<link>`; null for
 * other pages, and if the API is on another origin.
 */
export function storeApiRootOf(page: Page): string | null {
  if (page.status !== 200 || !mayNameStoreApi(page)) return null;
  const { text } = decodeBody(page.body, page.headers['content-type']);
  const at = text.indexOf(REST_LINK);
  const element = at < 0 ? '' : text.slice(Math.max(0, text.lastIndexOf('<', at)), at + 500);
  const [, inElement] = /^<link\b[^>]*?\shref=["']([^"'<>]{1,500})["']/i.exec(element) ?? [];
  const header = page.headers['link'] ?? '';
  const [, inHeader] = /<([^<>]{1,500})>;\s*rel="?https:\/\/api\.w\.org\/"?/.exec(header) ?? [];
  const base = URL.parse(page.url);
  const address = inHeader ?? inElement?.replaceAll('&amp;', '&');
  const root = address === undefined || base === null ? null : absoluteUrl(address, base);
  return root !== null && root.origin === base?.origin ? root.href : null;
}

/** The path of products below the root. If the shop does not rewrite addresses, the path is a parameter of the root. */
export const STORE_PRODUCTS = 'wc/store/v1/products';

function endpoint(
  root: string,
  below: string,
  query: Readonly<Record<string, string>>,
): PageRequest {
  const url = new URL(root);
  if (url.searchParams.has('rest_route'))
    url.searchParams.set('rest_route', `/${STORE_PRODUCTS}${below}`);
  else url.pathname = `${url.pathname.replace(/\/*$/, '')}/${STORE_PRODUCTS}${below}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { url: url.href, accept: 'json' };
}

/**
 * Returns the request for the product at a page's address, by its slug or number, or for a variation whose number is known; null
 * if the address names none.
 */
export function storeApiRequest(
  root: string,
  pageUrl: URL,
  variationId: string | null,
): PageRequest | null {
  const id = variationId ?? pageUrl.searchParams.get('p');
  if (id !== null && /^\d{1,15}$/.test(id)) return endpoint(root, `/${id}`, {});
  const slug = slugIn(pageUrl);
  return slug === null ? null : endpoint(root, '', { slug });
}

function slugIn(url: URL): string | null {
  const last = url.pathname.split('/').findLast((part) => part !== '');
  const slug = url.searchParams.get('product') ?? (last === undefined ? null : decodedText(last));
  return slug === null || slug.length > 200 || slug.includes('.') ? null : slug;
}

/** Returns the request for a variation of the product in an answer to `url`. */
export function variationRequest(url: string, id: string): PageRequest {
  const root = new URL(url);
  root.searchParams.delete('slug');
  const below = (path: string) => path.slice(0, path.indexOf(STORE_PRODUCTS));
  const route = root.searchParams.get('rest_route');
  if (route === null) root.pathname = below(root.pathname);
  return endpoint(root.href, `/${id}`, {});
}
