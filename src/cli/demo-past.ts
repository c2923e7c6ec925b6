// A past for the demo: what the simulated retailers asked on the days before today, as if the service had looked once a day. A
// chart of one day would show nobody what it is for. The prices are those that the market states for these days.

import { DAY_MS } from '../core/clock.ts';
import { toGtin14 } from '../identifiers/gtin.ts';
import { KNOWN_SLUGS } from '../core/retailer.ts';
import { listingViewAt } from '../sandbox/market/listing-view.ts';
import type { Market } from '../sandbox/market/market.ts';
import { barcodeKey, insertImported, type ImportedEntry } from '../store/imported-history.ts';
import type { Sql } from '../store/sql.ts';

const DAYS = 120;
/** Once a day the service would look at this time. */
const HOUR_OF_LOOK_MS = 9 * 3_600_000;

/** Writes the past of the product with this barcode; days that are there already stay as they are. */
export async function insertDemoPast(
  sql: Sql,
  market: Market,
  upc: string,
  nowMs: number,
): Promise<void> {
  const gtin = toGtin14(upc);
  const product = gtin === null ? null : market.productOf(gtin);
  if (gtin === null || product === null) return;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const entries = KNOWN_SLUGS.flatMap((retailer) => {
    const [listing] = market.listingsOf(retailer, product);
    if (listing === undefined) return [];
    return Array.from({ length: DAYS }, (_, at): ImportedEntry => {
      const observedAtMs = today - (at + 1) * DAY_MS + HOUR_OF_LOOK_MS;
      const { cents, currency, inStock } = listingViewAt(market, listing, observedAtMs);
      const price = cents === null || !inStock ? null : { cents, currency };
      return { retailer, key: barcodeKey(gtin), url: '', gtin, observedAtMs, price, inStock };
    });
  });
  await insertImported(sql, entries);
}
