// Addresses of retailer_a: product pages and their ASINs in both directions (D3, D9), lists, official APIs, and the
// retailer's own names and ids as a seller.

import { isIsbn10 } from '../../../base/identifiers/check-digit.ts';
import type { AddressBook } from '../adapter.ts';
import { pathOf, pathOn, type PathSegments } from '../addresses/product-path.ts';

const HOSTS = ['amazon.com'] as const;
/** A host with the same catalog, for charities until 2023. */
const OTHER_HOSTS = ['smile.amazon.com'] as const;
const ITEM_HOSTS = [...HOSTS, ...OTHER_HOSTS];
/** The host of short links consisting only of an ASIN. */
const ASIN_LINK_HOSTS = ['amzn.com'] as const;
const ORIGIN = 'https://www.amazon.com';

/** Path segments right before the ASIN. */
const MARKERS = [
  ['dp'],
  ['dp', 'product'],
  ['d'],
  ['gp', 'product'],
  ['gp', 'product', 'product-description'],
  ['gp', 'aw', 'd'],
  ['gp', 'aw', 'ol'],
  ['gp', 'aw', 'reviews'],
  ['gp', 'offer-listing'],
  ['exec', 'obidos', 'asin'],
  ['exec', 'obidos', 'tg', 'detail', '-'],
  ['o', 'asin'],
  ['product-reviews'],
  ['review', 'product'],
  ['ask', 'questions', 'asin'],
] as const;

/** The markers that may follow the product title, `/<slug>/dp/<ASIN>`. */
const AFTER_SLUG: ReadonlySet<string> = new Set(['dp', 'product-reviews']);

export const retailerAAddressBook = {
  slug: 'retailer_a',
  hosts: HOSTS,
  shortLinkHosts: ['a.co', 'amzn.to', ...ASIN_LINK_HOSTS, ...OTHER_HOSTS],
  reduce: (url) => {
    const path = pathOn(ITEM_HOSTS, url);
    const asin = path === null ? asinOfLink(url) : asinAt(path);
    return asin === null ? null : { kind: 'asin', value: asin, retailer: 'retailer_a' };
  },
  // Advertising links of the retailer, `/sspa/click` and `/gp/slredirect/...`.
  carried: (url) => {
    const path = pathOn(HOSTS, url) ?? [];
    const isAdvertisement = path[0] === 'sspa' || (path[0] === 'gp' && path[1] === 'slredirect');
    return isAdvertisement ? url.searchParams.get('url') : null;
  },
  productUrl: (identifier) => {
    if (identifier.kind !== 'asin' || !isAsin(identifier.value)) return null;
    return `${ORIGIN}/dp/${identifier.value}`;
  },
} as const satisfies AddressBook;

/** Returns the first page of the list of all sellers of an ASIN, an HTML fragment. */
export function offersUrl(asin: string): string {
  const list = `${ORIGIN}/gp/product/ajax/ref=dp_aod_ALL_mbc`;
  return `${list}?asin=${asin}&pc=dp&experienceId=aodAjaxMain`;
}

/** Returns the page search address; a barcode is searched like any other word. */
export function searchUrl(text: string): string {
  return `${ORIGIN}/s?k=${encodeURIComponent(text)}`;
}

/** Official APIs: addresses, marketplace and token endpoints. */
/** How credentials of one version obtain a token: through Cognito (2.x) or Login with Amazon (3.x). */
type CreatorsToken = {
  readonly url: string;
  readonly scope: string;
  readonly body: 'form' | 'json';
};

const cognito = (region: string): CreatorsToken => ({
  url: `https://creatorsapi.auth.${region}.amazoncognito.com/oauth2/token`,
  scope: 'creatorsapi/default',
  body: 'form',
});

const login = (host: string): CreatorsToken => ({
  url: `https://${host}/auth/o2/token`,
  scope: 'creatorsapi::default',
  body: 'json',
});

/** The token services by version of the credentials: each for America, Europe and the Far East. */
const CREATORS_TOKENS = {
  '2.1': cognito('us-east-1'),
  '2.2': cognito('eu-south-2'),
  '2.3': cognito('us-west-2'),
  '3.1': login('api.amazon.com'),
  '3.2': login('api.amazon.co.uk'),
  '3.3': login('api.amazon.co.jp'),
} as const;

export type CreatorsVersion = keyof typeof CREATORS_TOKENS;

export const CREATORS_API = {
  origin: 'https://creatorsapi.amazon',
  marketplace: 'www.amazon.com',
  tokens: CREATORS_TOKENS,
} as const;

export const SELLING_PARTNER_API = {
  origin: 'https://sellingpartnerapi-na.amazon.com',
  marketplaceId: 'ATVPDKIKX0DER',
  tokenUrl: 'https://api.amazon.com/auth/o2/token',
} as const;

/** The retailer's own seller ids: its store and its outlet for returned goods. */
const OWN_SELLER_IDS: ReadonlySet<string> = new Set(['ATVPDKIKX0DER', 'A2L77EE7U53NWQ']);
const OWN_SELLER_NAME =
  /^amazon(?:\.[a-z]{2,3}(?:\.[a-z]{2})?)?(?: (?:services|eu s(?:\.\s?)?à(?:\.\s?)?r(?:\.\s?)?l\.?|eu sarl|resale|warehouse|digital services))?(?:,? (?:llc|inc)\.?)?$/i;

/** Whether this seller (or sender) is the retailer itself; null when neither id nor name is known. */
export function isOwnSeller(id: string | null, name: string | null): boolean | null {
  if (id !== null && OWN_SELLER_IDS.has(id)) return true;
  if (name !== null && OWN_SELLER_NAME.test(name.trim())) return true;
  return id === null && name === null ? null : false;
}

/** Returns the ASIN in a path; anything after it (`/ref=...`) is tracking. */
function asinAt(path: PathSegments): string | null {
  return markedAsin(path) ?? (isTranslated(path) ? markedAsin(path.slice(2)) : null);
}

/** Whether `/-/es` precedes the path, which is the shop in another language; `/-/dp` has a title of one hyphen. */
function isTranslated(path: PathSegments): boolean {
  return path[0] === '-' && /^[a-z]{2}(?:_[a-z]{2})?$/.test(path[1] ?? '');
}

function markedAsin(path: PathSegments): string | null {
  for (const marker of MARKERS) {
    const starts = AFTER_SLUG.has(marker[0]) ? [0, 1] : [0];
    for (const start of starts) {
      const fits = marker.every((word, at) => path[start + at] === word);
      const asin = fits ? asinOf(path[start + marker.length]) : null;
      if (asin !== null) return asin;
    }
  }
  // `/d/<department>/<title>/<ASIN>`.
  return path[0] === 'd' ? asinOf(path[3]) : null;
}

function asinOf(segment: string | undefined): string | null {
  const asin = (segment ?? '').toUpperCase();
  return isAsin(asin) ? asin : null;
}

function asinOfLink(url: URL): string | null {
  const path = pathOn(ASIN_LINK_HOSTS, url) ?? [];
  return (path.length === 1 ? asinOf(path[0]) : null) ?? asinAt(path);
}

/** Returns the ASIN in an address on any host: the retailer's hosts in other countries use the same paths. */
export function asinIn(url: URL): string | null {
  return asinAt(pathOf(url));
}

/** Whether a text is an ASIN: B and nine more characters, or a printed book's ISBN-10. */
export function isAsin(text: string): boolean {
  return /^B[0-9A-Z]{9}$/.test(text) || isIsbn10(text);
}
