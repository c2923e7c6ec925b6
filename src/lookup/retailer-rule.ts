// What `retailer=` allows (D13, D46): which readings are left, or the fault.

import { FaultError } from '../domain/fault.ts';
import type { Candidate } from '../domain/identifier.ts';
import { isKnownSlug } from '../domain/retailer.ts';
import type { Identified } from './identify.ts';

type IdentifiedText = Extract<Identified, { ok: true }>;

/** The readings that remain under `retailer=<slug>`; all of them without it. Throws the fault. */
export function checkRetailer(
  { candidates, fromUrl }: IdentifiedText,
  retailer: string | null,
): readonly Candidate[] {
  if (retailer === null) return candidates;
  const [first] = candidates;
  if (first === undefined || first.kind === 'url') return candidates;
  if (fromUrl && 'retailer' in first && first.retailer === retailer) return candidates;
  if (first.kind === 'retailer_b_product_id' && !fromUrl) throw bareIdentifier(first.value);
  // Another shop is asked by address, or found by barcode where a search engine is configured (D46).
  const barcodes = candidates.filter((each) => 'gtin14' in each);
  if (!isKnownSlug(retailer)) {
    if (barcodes.length > 0) return barcodes;
    throw needsUrl(retailer);
  }
  const hasSku = candidates.some((each) => each.kind === 'retailer_b_sku');
  if (retailer === 'retailer_b' && hasSku) throw bareIdentifier(first.value);
  const left = candidates.filter(
    (each) =>
      each.kind !== 'retailer_b_sku' &&
      each.kind !== 'retailer_b_product_id' &&
      (!fromUrl || !('retailer' in each) || each.retailer === retailer),
  );
  if (left.length > 0) return left;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: candidates.flatMap((each) => ('retailer' in each ? [each.retailer] : [])),
    detail: `This address belongs to another retailer than ${retailer}: leave retailer= out.`,
  });
}

function bareIdentifier(value: string): FaultError {
  return new FaultError({
    code: 'bare_identifier_required',
    parameter: 'retailer',
    detail:
      `"${value}" is taken without retailer=. To anchor or force a fetch, send the address of the ` +
      'product page with retailer=retailer_b.',
  });
}

function needsUrl(retailer: string): FaultError {
  return new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail: `"${retailer}" is asked by address: send the URL of a product page on that shop.`,
  });
}
