// Forced lookups: what is asked now, whatever is held (D13, D18, D19). Of a barcode it is the listing that anchors what
// is held, and nobody else.

import { FaultError } from '../core/fault.ts';
import { tie } from '../product/identity.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import { isKnownSlug } from '../core/retailer.ts';
import {
  askByBarcode,
  type Anchor,
  type AnchorOutcome,
  type BarcodeLookup,
} from './ask-by-barcode.ts';
import { listingKeyOf } from '../collect/listing-key.ts';

/**
 * The anchor's page, fetched now. When it is gone, or became another product's, its retailer is asked for the
 * barcode: the listing may stand elsewhere now.
 */
export async function askAnchor(
  ask: BarcodeLookup,
  { stored }: Anchor,
  signal: AbortSignal,
): Promise<AnchorOutcome> {
  const target = listingKeyOf({ kind: 'url', value: stored.url });
  const collected = target === null ? null : await ask.collect.collect(target, ask.sinceMs, signal);
  if (collected?.kind === 'failed') return collected;
  if (collected?.kind === 'read') {
    const { listing, fetchedAtMs } = collected.stored;
    const identity = tie(ask.gtin, stored.retailer, listing.gtin, fetchedAtMs);
    if (identity.state !== 'mismatch') {
      return { kind: 'read', anchor: { stored: collected.stored, identity } };
    }
  }
  if (isKnownSlug(stored.retailer)) return askByBarcode(ask, stored.retailer, signal);
  const detail = `${stored.retailer} no longer shows this product at ${stored.url}.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/** Identifiers of retailer_b's own, which are looked up bare and never with a forced fetch (D13). */
export function isRetailerB({ kind }: Identifier): boolean {
  return kind === 'retailer_b_sku' || kind === 'retailer_b_product_id';
}

/** The fault of such an identifier with a forced fetch or `retailer=`; its detail shows what works (D13). */
export function bareOnly(identifier: Identifier): FaultError {
  const url = listingKeyOf(identifier)?.url ?? null;
  const id = url === null ? '{address of the product page}' : encodeURIComponent(url);
  return new FaultError({
    code: 'bare_identifier_required',
    parameter: 'retailer',
    detail:
      `"${identifier.value}" is an identifier of retailer_b and cannot be sent with retailer= or a forced fetch. To use ` +
      `those, send the address of its product page: /v1/products/${id}?retailer=retailer_b&force_refresh=true`,
  });
}
