// The last step of a single lookup that found nothing: gets the maker and the name of the product from a barcode database
// (D86). If none knows the barcode, the fault remains.

import { dayOf } from '../../../base/clock.ts';
import { FaultError, type FaultCode } from '../../../base/fault.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { currencyThrough } from '../../../base/listing/lens.ts';
import { asListing, identityOnly } from '../../../rules/product/identity-only.ts';
import type { Product } from '../../../rules/product/product.ts';
import type { AskDatabases } from '../../collect/asking/ask-databases.ts';
import type { StoredAddOns } from '../add-ons/product-add-ons.ts';
import type { ReadSession } from '../cache/read-session.ts';
import { silentRetailers } from '../stored/is-answered.ts';
import { readStoredForBarcode } from '../stored/stored-for-barcode.ts';
import type { FindStoredParts } from './find-stored.ts';
import type { ParsedLookup } from './parse-lookup.ts';

/** Throws `error`, or the same fault with the answers of the databases. */
export type Identify<Found> = (
  store: ReadSession,
  lookup: ParsedLookup,
  missed: { readonly error: unknown; readonly context: FetchContext },
) => Promise<Found>;

type IdentifyParts = Omit<FindStoredParts, 'store'> & {
  readonly askDatabases: AskDatabases;
  readonly storedAddOns: StoredAddOns;
};

/** The faults for a product that no retailer has, or for which no retailer that could have it answers or can be asked. */
const MISSED: ReadonlySet<FaultCode> = new Set([
  'not_found',
  'upstream_unavailable',
  'source_unusable',
]);

export function createIdentify(made: IdentifyParts): Identify<Product> {
  return async (store, lookup, { error, context }) => {
    const gtin = barcodeOf(lookup);
    if (gtin === null || !(error instanceof FaultError) || !MISSED.has(error.fault.code))
      throw error;
    const found = await made.askDatabases(gtin, context);
    if (found.facts === null) throw withSaid(error, found.said);
    const parts = { ...made, store };
    const forBarcode = await readStoredForBarcode(parts, gtin);
    const nowMs = made.clock.now();
    const currency = currencyThrough(lookup.lens, null);
    const silent = silentRetailers(forBarcode, { canAsk: made.canAskByBarcode, nowMs });
    const identified = { ...found, gtin, currency, today: dayOf(nowMs), silent };
    const stored = {
      ...forBarcode,
      anchor: asListing(identified),
      isOwn: false,
      disagreements: [],
      currency,
      carriers: [],
      sources: [],
      onlyRetailer: null,
      observedUntilMs: 0,
    };
    const added = await made.storedAddOns(store, stored, lookup.addOns, lookup.identifierMatch);
    return { ...identityOnly(identified), ...added };
  };
}

/** The barcode that was looked up at all retailers; null for any other lookup. */
function barcodeOf({ keys: [first], retailer, isForced, anchorOnly }: ParsedLookup): Gtin14 | null {
  if (retailer !== null || isForced || anchorOnly || first?.by !== 'barcode') return null;
  return first.gtin;
}

function withSaid(error: FaultError, said: string | null): FaultError {
  if (said === null) return error;
  const { fault, cause } = error;
  return new FaultError({ ...fault, detail: `${fault.detail} ${said}` }, { cause });
}
