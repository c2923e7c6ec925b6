// What `retailer=` allows (D13, D46): which readings are left, or the fault.

import { FaultError } from '../core/fault.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import { isKnownSlug } from '../core/retailer.ts';
import { bareOnly } from './forced-lookup.ts';
import type { ParsedInput } from './identify.ts';

type IdentifiedText = Extract<ParsedInput, { ok: true }>;

/** The readings that remain under `retailer=<slug>`; all of them without it. Throws the fault. */
export function checkRetailer(
  { identifiers, fromUrl }: IdentifiedText,
  retailer: string | null,
): readonly Identifier[] {
  if (retailer === null) return identifiers;
  const [first] = identifiers;
  if (first === undefined || first.kind === 'url') return identifiers;
  if (fromUrl && 'retailer' in first && first.retailer === retailer) return identifiers;
  if (first.kind === 'retailer_b_product_id' && !fromUrl) throw bareOnly(first);
  // Another shop is asked by address, or found by barcode where a search engine is configured (D46).
  const barcodes = identifiers.filter((each) => 'gtin14' in each);
  if (!isKnownSlug(retailer)) {
    if (barcodes.length > 0) return barcodes;
    throw needsUrl(retailer);
  }
  const sku = identifiers.find((each) => each.kind === 'retailer_b_sku');
  if (retailer === 'retailer_b' && sku !== undefined) throw bareOnly(sku);
  const left = identifiers.filter(
    (each) =>
      each.kind !== 'retailer_b_sku' &&
      each.kind !== 'retailer_b_product_id' &&
      (!fromUrl || !('retailer' in each) || each.retailer === retailer),
  );
  if (left.length > 0) return left;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: identifiers.flatMap((each) => ('retailer' in each ? [each.retailer] : [])),
    detail: `This address does not belong to ${retailer}. Leave out retailer=.`,
  });
}

function needsUrl(retailer: string): FaultError {
  return new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail: `"${retailer}" cannot be searched by identifier. Send the URL of a product page of that shop.`,
  });
}

/** D46: throws for a URL whose host does not belong to the slug that was named; null: none was. */
export function refuseOtherShop(
  named: string | null,
  identifier: Identifier,
  retailer: string,
): void {
  if (named === null || named === retailer) return;
  if (identifier.kind !== 'url') return;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: [retailer],
    detail: `This address belongs to "${retailer}". Send retailer=${retailer}, or leave out retailer=.`,
  });
}
