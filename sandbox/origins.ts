// The public origins of the simulated retailers: those given by the caller, otherwise invented ones. `.example` is reserved
// (RFC 2606), so an invented origin is never that of a real shop.

import type { KnownSlug } from '../src/base/retailer.ts';
import { KNOWN_SLUGS } from '../src/base/retailer.ts';
import type { RetailerOrigins } from './market/market.ts';

export type OriginsOfRetailers = Readonly<Record<KnownSlug, RetailerOrigins>>;

/** The APIs of each retailer; each origin of a retailer answers for all of them. */
const APIS: Readonly<Record<KnownSlug, readonly string[]>> = {
  retailer_w: ['affiliate', 'marketplace'],
  retailer_a: [
    'creators',
    'creators-token',
    'creators-token-eu',
    'creators-token-fe',
    'login',
    'login-eu',
    'login-fe',
    'selling-partner',
  ],
  retailer_e: ['browse'],
  retailer_l: [],
  retailer_t: [],
  retailer_b: ['products'],
  retailer_h: ['gateway'],
};

export const SEARCH_ORIGINS: Readonly<Record<string, string>> = {
  searxng: 'https://search.example',
  brave: 'https://api.search.example',
};

/** Returns the given origins, and invented ones for the retailers that are omitted. */
export function retailerOrigins(given: Partial<OriginsOfRetailers> = {}): OriginsOfRetailers {
  return Object.fromEntries(
    KNOWN_SLUGS.map((slug) => [slug, given[slug] ?? invented(slug)]),
  ) as Record<KnownSlug, RetailerOrigins>;
}

function invented(slug: KnownSlug): RetailerOrigins {
  const label = slug.replace('_', '-');
  return {
    page: `https://www.${label}.example`,
    api: Object.fromEntries(APIS[slug].map((name) => [name, `https://${name}.${label}.example`])),
  };
}

/** The API that serves a retailer's own site; every other one is official. */
const OF_THE_SITE = 'gateway';

/** Returns the distinct origins of a retailer; with `isApisOnly`, of its pages and its official APIs. */
export function originsOf({ page, api }: RetailerOrigins, isApisOnly = false): readonly string[] {
  const apis = Object.entries(api).filter(([name]) => !isApisOnly || name !== OF_THE_SITE);
  const origins = [page, ...apis.map(([, origin]) => origin)].map((each) => new URL(each).origin);
  return [...new Set(origins)];
}
