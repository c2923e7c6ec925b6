// Where the simulated retailers are: at the origins that the caller names, else at invented ones. `.example` is
// reserved (RFC 2606), so an invented origin can never be a real shop's.

import type { KnownSlug } from '../core/retailer.ts';
import { KNOWN_SLUGS } from '../core/retailer.ts';
import type { RetailerOrigins } from './market/market.ts';

export type Retailers = Readonly<Record<KnownSlug, RetailerOrigins>>;

/** Names of the APIs that a retailer has here; any of its origins answers for all of them. */
const APIS: Readonly<Record<KnownSlug, readonly string[]>> = {
  retailer_w: ['affiliate', 'marketplace'],
  retailer_a: ['creators', 'creators-token', 'login', 'selling-partner'],
  retailer_e: ['browse'],
  retailer_l: [],
  retailer_t: ['redsky'],
  retailer_b: ['products'],
  retailer_h: ['gateway'],
};

export const SEARCH_ORIGINS: Readonly<Record<string, string>> = {
  searxng: 'https://search.example',
  brave: 'https://api.search.example',
};

/** The caller's origins; what the caller leaves out is invented. */
export function retailerOrigins(given: Partial<Retailers> = {}): Retailers {
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

/** Every origin of a retailer once. */
export function originsOf({ page, api }: RetailerOrigins): readonly string[] {
  return [...new Set([page, ...Object.values(api)].map((origin) => new URL(origin).origin))];
}
