// Addresses of retailer_b: product pages and their SKUs or product ids in both directions (D3, D9). An address with both
// represents its SKU, the more specific one. The site requires a slug in the path but does not check it, so canonical
// addresses use `-`.

import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOn } from '../addresses/product-path.ts';

const SHOP_HOSTS = ['bestbuy.com'] as const;
/** Hosts of the click-through addresses in the retailer's own API answers. */
const LINK_HOSTS = ['api.bestbuy.com'] as const;
/** The origin of the official API. */
export const API_ORIGIN = 'https://api.bestbuy.com';
const SITE_ORIGIN = 'https://www.bestbuy.com';
const SKU = /^[0-9]{7,8}$/;
const SKU_PAGE = /^([0-9]{1,20})\.p$/;
/** Pages about a product, with its SKU after the slug. */
const SKU_TOPICS: ReadonlySet<string> = new Set(['questions', 'reviews']);
const PRODUCT_ID = /^(?=.*[A-Z])[0-9A-Z]{10}$/;

export const retailerBAddressBook = {
  slug: 'retailer_b',
  hosts: [...SHOP_HOSTS, ...LINK_HOSTS],
  shortLinkHosts: [],
  reduce: (url) => {
    const path = pathOn(SHOP_HOSTS, url);
    if (path !== null) return siteIdentifier(path, url) ?? productIdentifier(path);
    return linkIdentifier(pathOn(LINK_HOSTS, url) ?? []);
  },
  productUrl: ({ kind, value }) => {
    if (kind === 'retailer_b_sku' && SKU.test(value)) {
      return `${SITE_ORIGIN}/site/-/${value}.p`;
    }
    if (kind === 'retailer_b_product_id' && PRODUCT_ID.test(value)) {
      return `${SITE_ORIGIN}/product/-/${value}`;
    }
    return null;
  },
} as const satisfies AddressBook;

/** Parses `/site/<slug>/<sku>.p`, `/site/<sku>.p`, `/site/questions/<slug>/<sku>` and `/site/reviews/<slug>/<sku>`. */
function siteIdentifier(path: readonly string[], url: URL): Identifier | null {
  if (path[0] !== 'site') return null;
  if (SKU_TOPICS.has(path[1] ?? '')) return skuIdentifier(path[3]);
  const page = path.length <= 3 ? SKU_PAGE.exec(path.at(-1) ?? '')?.[1] : undefined;
  if (page === undefined) return null;
  // The oldest pages have a different number in the path and the SKU only in the query.
  return skuIdentifier(page) ?? skuIdentifier(url.searchParams.get('skuId') ?? undefined);
}

/** Parses `/product/<slug>/<product id>`, `.../sku/<sku>`, each also with `/openbox`. */
function productIdentifier(path: readonly string[]): Identifier | null {
  if (path[0] !== 'product') return null;
  const productId = (path[2] ?? '').toUpperCase();
  if (!PRODUCT_ID.test(productId)) return null;
  const rest = path.at(-1) === 'openbox' ? path.slice(3, -1) : path.slice(3);
  if (rest.length === 0) {
    return { kind: 'retailer_b_product_id', value: productId, retailer: 'retailer_b' };
  }
  return rest.length === 2 && rest[0] === 'sku' ? skuIdentifier(rest[1]) : null;
}

/** Parses `/click/-/<sku>/pdp` on the API host. */
function linkIdentifier(path: readonly string[]): Identifier | null {
  const fits = path.length === 4 && path[0] === 'click' && path[3] === 'pdp';
  return fits ? skuIdentifier(path[2]) : null;
}

function skuIdentifier(sku: string | undefined): Identifier | null {
  if (sku === undefined || !SKU.test(sku)) return null;
  return { kind: 'retailer_b_sku', value: sku, retailer: 'retailer_b' };
}

/** Returns the numbers in a product address; both null for other pages. */
export function idsIn(address: string | null): {
  readonly itemId: string | null;
  readonly productId: string | null;
} {
  const url = address === null ? null : URL.parse(address);
  const identifier = url === null ? null : retailerBAddressBook.reduce(url);
  if (url === null || identifier === null) return { itemId: null, productId: null };
  const path = pathOn(SHOP_HOSTS, url) ?? [];
  const third = path[0] === 'product' ? (path[2] ?? '').toUpperCase() : '';
  return {
    itemId: identifier.kind === 'retailer_b_sku' ? identifier.value : null,
    productId: PRODUCT_ID.test(third) ? third : null,
  };
}

/** Returns the product page of a SKU, otherwise of a product id. */
export function pageUrl(itemId: string | null, productId: string | null): string | null {
  const bySku = itemId === null ? null : skuIdentifier(itemId);
  if (bySku !== null) return retailerBAddressBook.productUrl(bySku);
  if (productId === null) return null;
  return retailerBAddressBook.productUrl({
    kind: 'retailer_b_product_id',
    value: productId,
    retailer: 'retailer_b',
  });
}

export function isSku(text: string): boolean {
  return SKU.test(text);
}

export function isProductId(text: string): boolean {
  return PRODUCT_ID.test(text);
}

/** Whether an address is the page of a product's open-box offers. */
export function isOpenBoxUrl(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && pathOn(SHOP_HOSTS, url)?.at(-1) === 'openbox';
}

/** Returns the search page for a text. */
export function searchUrl(text: string): string {
  return `${SITE_ORIGIN}/site/searchpage.jsp?${new URLSearchParams({ st: text }).toString()}`;
}

/** Whether an address is a page of several products sold together, with one price and no SKU. */
export function isComboUrl(address: string): boolean {
  const url = URL.parse(address);
  const path = url === null ? null : pathOn(SHOP_HOSTS, url);
  return path?.[0] === 'combo' || path?.[1] === 'combo';
}
