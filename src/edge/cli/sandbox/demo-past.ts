// A past for the demo: the simulated retailers' prices on the days before today, as if the service had checked once a day. A
// chart of one day would not show its purpose. The prices are the market's, each kept for some days: the market has another
// price on most days, and seven lines that change so often are unreadable. The last price is the shop's current one, so that no
// line ends in a jump.

import { DAY_MS } from '../../../base/clock.ts';
import { toGtin14, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import { KNOWN_SLUGS } from '../../../base/retailer.ts';
import { listingViewAt } from '../../../../sandbox/market/listing-view.ts';
import type { CatalogProduct } from '../../../../sandbox/market/catalog.ts';
import type { Market } from '../../../../sandbox/market/market.ts';
import {
  barcodeKey,
  insertImported,
  type ImportedEntry,
} from '../../../data/history/imported-history.ts';
import type { Sql } from '../../../data/sql.ts';

const DAYS = 120;
/** The time of day at which the service would have checked. */
const HOUR_OF_LOOK_MS = 9 * 3_600_000;

/** Number of products with a past besides the one shown in the demo. */
const OTHERS = 9;
const LOOKED_THROUGH = 200;

/**
 * Writes the past of the product with this barcode, and of the nine that most retailers sell. Existing days are not changed.
 * Returns their barcodes, the given one first.
 */
export async function insertDemoPast(
  sql: Sql,
  market: Market,
  upc: string,
  nowMs: number,
): Promise<readonly Gtin14[]> {
  const first = toGtin14(upc);
  const sellersOf = (product: CatalogProduct): number =>
    KNOWN_SLUGS.filter((slug) => market.listingsOf(slug, product).length > 0).length;
  const others = market.catalog
    .filter(({ trouble, gtin14 }) => trouble === null && gtin14 !== first)
    .slice(0, LOOKED_THROUGH)
    .toSorted((a, b) => sellersOf(b) - sellersOf(a))
    .slice(0, OTHERS)
    .map(({ gtin14 }) => toGtin14(gtin14));
  const gtins = [first, ...others].filter((each) => each !== null);
  for (const gtin of gtins) await insertImported(sql, pastOf(market, gtin, nowMs));
  return gtins;
}

function pastOf(market: Market, gtin: Gtin14, nowMs: number): readonly ImportedEntry[] {
  const product = market.productOf(gtin);
  if (product === null) return [];
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  return KNOWN_SLUGS.flatMap((retailer, shop) => {
    const [listing] = market.listingsOf(retailer, product);
    if (listing === undefined) return [];
    return Array.from({ length: DAYS }, (_, at): ImportedEntry => {
      const observedAtMs = today - (at + 1) * DAY_MS + HOUR_OF_LOOK_MS;
      const sinceMs = storedSince(observedAtMs, shop);
      const isLast = sinceMs === storedSince(today - DAY_MS + HOUR_OF_LOOK_MS, shop);
      const statedAtMs = isLast ? nowMs : sinceMs;
      const { cents, currency, inStock } = listingViewAt(market, listing, statedAtMs);
      const price = cents === null || !inStock ? null : { cents, currency };
      return { retailer, key: barcodeKey(gtin), url: '', gtin, observedAtMs, price, inStock };
    });
  });
}

/**
 * Returns the time since when that day's price has been unchanged: for up to five to seventeen days, differing by shop, and
 * not all from the same day.
 */
function storedSince(atMs: number, shop: number): number {
  const day = Math.floor(atMs / DAY_MS);
  return atMs - ((day + 3 * shop) % (5 + 2 * shop)) * DAY_MS;
}

/** Returns the anchor's current price in cents; null if the product is not sold. */
export function demoPriceCents(market: Market, gtin: Gtin14, nowMs: number): number | null {
  const product = market.productOf(gtin);
  const [listing] = product === null ? [] : market.listingsOf('retailer_w', product);
  return listing === undefined ? null : listingViewAt(market, listing, nowMs).cents;
}
