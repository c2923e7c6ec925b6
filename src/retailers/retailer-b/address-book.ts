// Addresses of retailer_b: which page belongs to which SKU or product id, and back (D3, D9). An
// address with both stands for its SKU: it is the narrower one (a product id opens one of its
// SKUs). The site wants a slug in the path and does not check its text, so `-` stands for it in
// canonical addresses.

import type { Candidate } from '../../domain/identifier.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../product-path.ts';

const SHOP_HOSTS = ['bestbuy.com'] as const;
/** Click-through addresses that the retailer's own API hands out. */
const LINK_HOSTS = ['api.bestbuy.com'] as const;
const SKU = /^[0-9]{7,8}$/;
const SKU_PAGE = /^([0-9]{1,20})\.p$/;
const PRODUCT_ID = /^(?=.*[A-Z])[0-9A-Z]{10}$/;

export const retailerBAddressBook = {
  slug: 'retailer_b',
  hosts: [...SHOP_HOSTS, ...LINK_HOSTS],
  shortLinkHosts: [],
  reduce: (url) => {
    const path = pathOn(SHOP_HOSTS, url);
    if (path !== null) return siteCandidate(path, url) ?? productCandidate(path);
    return linkCandidate(pathOn(LINK_HOSTS, url) ?? []);
  },
  productUrl: ({ kind, value }) => {
    if (kind === 'retailer_b_sku' && SKU.test(value)) {
      return `https://www.bestbuy.com/site/-/${value}.p`;
    }
    if (kind === 'retailer_b_product_id' && PRODUCT_ID.test(value)) {
      return `https://www.bestbuy.com/product/-/${value}`;
    }
    return null;
  },
} as const satisfies AddressBook;

/** `/site/<slug>/<sku>.p`, `/site/<sku>.p` and `/site/questions/<slug>/<sku>`. */
function siteCandidate(path: readonly string[], url: URL): Candidate | null {
  if (path[0] !== 'site') return null;
  if (path[1] === 'questions') return path.length === 4 ? skuCandidate(path[3]) : null;
  const page = path.length <= 3 ? SKU_PAGE.exec(path.at(-1) ?? '')?.[1] : undefined;
  if (page === undefined) return null;
  // The oldest pages are named by another number and carry the SKU in the query only.
  return skuCandidate(page) ?? skuCandidate(url.searchParams.get('skuId') ?? undefined);
}

/** `/product/<slug>/<product id>`, `.../sku/<sku>`, each also with `/openbox`. */
function productCandidate(path: readonly string[]): Candidate | null {
  if (path[0] !== 'product') return null;
  const productId = (path[2] ?? '').toUpperCase();
  if (!PRODUCT_ID.test(productId)) return null;
  const rest = path.at(-1) === 'openbox' ? path.slice(3, -1) : path.slice(3);
  if (rest.length === 0) {
    return { kind: 'retailer_b_product_id', value: productId, retailer: 'retailer_b' };
  }
  return rest.length === 2 && rest[0] === 'sku' ? skuCandidate(rest[1]) : null;
}

/** `/click/-/<sku>/pdp` of the API's host. */
function linkCandidate(path: readonly string[]): Candidate | null {
  const fits = path.length === 4 && path[0] === 'click' && path[3] === 'pdp';
  return fits ? skuCandidate(path[2]) : null;
}

function skuCandidate(sku: string | undefined): Candidate | null {
  if (sku === undefined || !SKU.test(sku)) return null;
  return { kind: 'retailer_b_sku', value: sku, retailer: 'retailer_b' };
}
