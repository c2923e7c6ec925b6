// The page and API origins of each known retailer, from the address books. The simulated market replaces exactly these, so
// the service sends the same requests as on the internet.

import { KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import { bookOf } from './address-books.ts';
import { CREATORS_API, SELLING_PARTNER_API } from '../retailer-a/address-book.ts';
import { API_ORIGIN as PRODUCTS_API } from '../retailer-b/address-book.ts';
import { API_ORIGIN as BROWSE_API } from '../retailer-e/address-book.ts';
import { retailerHGatewayUrl } from '../retailer-h/address-book.ts';
import { AFFILIATE_BASE, MARKETPLACE_BASE } from '../retailer-w/address-book.ts';

type PublicOrigins = {
  /** The origin of product pages. */
  readonly page: string;
  /** Origins by API name; some are equal. */
  readonly api: Readonly<Record<string, string>>;
};

const APIS: Readonly<Record<KnownSlug, Readonly<Record<string, string>>>> = {
  retailer_w: { affiliate: AFFILIATE_BASE, marketplace: MARKETPLACE_BASE },
  retailer_a: {
    creators: CREATORS_API.origin,
    'creators-token': CREATORS_API.tokens['2.1'].url,
    'creators-token-eu': CREATORS_API.tokens['2.2'].url,
    'creators-token-fe': CREATORS_API.tokens['2.3'].url,
    login: SELLING_PARTNER_API.tokenUrl,
    'login-eu': CREATORS_API.tokens['3.2'].url,
    'login-fe': CREATORS_API.tokens['3.3'].url,
    'selling-partner': SELLING_PARTNER_API.origin,
  },
  retailer_e: { browse: BROWSE_API },
  retailer_l: {},
  retailer_t: {},
  retailer_b: { products: PRODUCTS_API },
  retailer_h: { gateway: retailerHGatewayUrl('') },
};

/** Returns the origins of every known retailer. */
export function publicOrigins(): Readonly<Record<KnownSlug, PublicOrigins>> {
  const rows = KNOWN_SLUGS.map((slug): readonly [KnownSlug, PublicOrigins] => {
    const api = Object.entries(APIS[slug]).map(([name, url]) => [name, new URL(url).origin]);
    const page = `https://www.${bookOf(slug).hosts[0] ?? ''}`;
    return [slug, { page, api: Object.fromEntries(api) as Record<string, string> }];
  });
  return Object.fromEntries(rows) as Record<KnownSlug, PublicOrigins>;
}

/** Returns the host of each retailer's product pages by its slug, as people know it. */
export function shopHosts(): Readonly<Record<string, string>> {
  const origins = Object.entries(publicOrigins());
  return Object.fromEntries(
    origins.map(([slug, { page }]) => [slug, new URL(page).host.replace(/^www\./, '')]),
  );
}
