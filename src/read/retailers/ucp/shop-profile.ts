// Reads the profile that a shop publishes at `/.well-known/ucp` (Universal Commerce Protocol): whether the shop has a
// catalogue in the version that openshelf speaks, how to query it, and whether its address belongs to the shop (D82).

import { parsedUrl, isPlainText } from '../addresses/shop-url.ts';
import { domainOf } from '../addresses/shop-slug.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import type { Page } from '../../../base/listing/page.ts';
import { jsonBody } from '../json-body.ts';

/** The version of the protocol: shop and agent must state the same one. */
export const UCP_VERSION = '2026-04-08';
export const UCP_PATH = '/.well-known/ucp';
export const UCP_SERVICE = 'dev.ucp.shopping';
export const UCP_LOOKUP = 'dev.ucp.shopping.catalog.lookup';
export const UCP_SEARCH = 'dev.ucp.shopping.catalog.search';

/** A shop's catalogue. */
export type UcpCatalog = {
  readonly transport: 'mcp' | 'rest';
  /** An https address of the shop, or of its store platform. */
  readonly endpoint: string;
};

type ReadProfile =
  | { readonly kind: 'catalog'; readonly catalog: UcpCatalog }
  /** Another document of the shop is its profile in the version that openshelf speaks. */
  | { readonly kind: 'follow'; readonly url: string }
  | { readonly kind: 'none'; readonly why: string };

/** Maximum bytes of a profile. Real ones have a few kilobytes. */
const PROFILE_BYTES = 262_144;

const none = (why: string): ReadProfile => ({ kind: 'none', why });

/**
 * Reads the answer to a request for the profile of the shop at `shop`. `isFollowed`: another document of the shop named
 * this one as its profile in that version. No further reference is followed.
 */
export function readShopProfile(page: Page, shop: URL, isFollowed = false): ReadProfile {
  if (!isShopAddress(page.url, shop)) return none('the profile is at another host');
  if (page.status !== 200) return none(`the profile answered ${page.status}`);
  if (page.body.length > PROFILE_BYTES) return none('the profile is too large');
  const ucp = at(jsonBody(page), 'ucp');
  const version = textAt(ucp, 'version');
  if (version === null) return none('no profile');
  if (version !== UCP_VERSION) {
    const next = ownEntry(at(ucp, 'supported_versions'), UCP_VERSION);
    return !isFollowed && typeof next === 'string' && isShopAddress(next, shop)
      ? { kind: 'follow', url: next }
      : none('the profile is of another version');
  }
  // A catalogue needs both operations: barcodes are searched for, and products are looked up.
  if (![UCP_LOOKUP, UCP_SEARCH].every((name) => hasCapability(ucp, name))) {
    return none('the profile states no catalogue');
  }
  return catalogIn(ucp, shop);
}

function catalogIn(ucp: unknown, shop: URL): ReadProfile {
  const services = listAt(ownEntry(at(ucp, 'services'), UCP_SERVICE), '', 20).filter(
    (service) => textAt(service, 'version') === UCP_VERSION,
  );
  for (const transport of ['mcp', 'rest'] as const) {
    for (const service of services) {
      const endpoint = textAt(service, 'endpoint');
      const isIt = textAt(service, 'transport') === transport && endpoint !== null;
      if (isIt && isShopAddress(endpoint, shop)) {
        const { href } = new URL(endpoint);
        return { kind: 'catalog', catalog: { transport, endpoint: href.replace(/\/+$/, '') } };
      }
    }
  }
  return none('the profile names no address of the shop');
}

/** Returns a property whose name may contain dots. */
function ownEntry(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** Checks for a capability in the version that openshelf speaks, whose schema belongs to the owner of its name. */
function hasCapability(ucp: unknown, name: string): boolean {
  return listAt(ownEntry(at(ucp, 'capabilities'), name), '', 20).some((capability) => {
    if (textAt(capability, 'version') !== UCP_VERSION) return false;
    const schema = textAt(capability, 'schema');
    return schema === null || isOfOwner(name, URL.parse(schema));
  });
}

/** `dev.ucp.shopping.x` belongs to ucp.dev: the labels of the host, reversed, are the beginning of the name. */
function isOfOwner(name: string, schema: URL | null): boolean {
  if (schema?.protocol !== 'https:' || schema.username !== '') return false;
  const labels = schema.hostname.split('.').toReversed();
  return labels.length >= 2 && `${name}.`.startsWith(`${labels.join('.')}.`);
}

/** Each shop of this platform is served from its own subdomain. */
const PLATFORM = '.myshopify.com';

/**
 * Whether an address may be asked about a shop: https, a public name, the shop's own domain or its name at the store
 * platform. Otherwise a profile could name any other host, which would then speak for the shop.
 */
function isShopAddress(text: string, shop: URL): boolean {
  const url = parsedUrl(text);
  if (url === null || url.protocol !== 'https:' || url.port !== '' || !isPlainText(text)) {
    return false;
  }
  if (!/\.[a-z][a-z0-9-]*$/.test(url.hostname)) return false;
  return domainOf(url) === domainOf(shop) || url.hostname.endsWith(PLATFORM);
}
