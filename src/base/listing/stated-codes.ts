// The numbers with which a page identifies its product: barcodes, SKUs and part numbers of all variants it lists, normalized
// for comparing two readings of an address (D90). Two readings of one product share at least one of them.

import type { Listing } from './listing.ts';

type CodeKind = 'gtin' | 'sku' | 'mpn';

/** The numbers printed in one part of a page; null where there is none. */
type PrintedCodes = {
  readonly gtins: readonly (string | null)[];
  readonly skus: readonly (string | null)[];
  readonly mpns: readonly (string | null)[];
};

/** Words that shops write where a product has no number. */
const NO_CODES = new Set(
  'NA NONE NULL NIL NAN UNDEFINED UNKNOWN DEFAULT DOESNOTAPPLY NOTAPPLICABLE NOTAVAILABLE NOSKU SKU MPN GTIN TBD TEST'.split(
    ' ',
  ),
);

/** Maximum number of codes stored per page. From the codes that two readings share, both select the same ones. */
const MOST_CODES = 300;
const LONGEST_CODE = 80;

/**
 * Returns `kind:CODE` with letters and digits only; numbers lose their leading zeros, so that a SKU equals the same barcode.
 * Null for text that is not an identifying number.
 */
function comparable(kind: CodeKind, printed: string | null): string | null {
  const plain = (printed ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const code = /^\d+$/.test(plain) ? plain.replace(/^0+/, '') : plain;
  if (code === '' || code.length > LONGEST_CODE || NO_CODES.has(code)) return null;
  return `${kind}:${code}`;
}

/** Returns the codes of a page in normalized form: deduplicated, sorted by text, at most 300. */
export function comparableCodes(parts: readonly PrintedCodes[]): readonly string[] {
  const codes = parts.flatMap(({ gtins, skus, mpns }) => [
    ...gtins.map((code) => comparable('gtin', code)),
    ...skus.map((code) => comparable('sku', code)),
    ...mpns.map((code) => comparable('mpn', code)),
  ]);
  return sampled(codes.filter((code) => code !== null));
}

/** Combines the codes of several sources of one page. */
export function joinedCodes(lists: readonly (readonly string[])[]): readonly string[] {
  return sampled(lists.flat());
}

/** Sorted before truncating: a variant that moves up in the page's list must not change which codes are kept. */
function sampled(codes: readonly string[]): readonly string[] {
  return [...new Set(codes)].toSorted().slice(0, MOST_CODES);
}

/** Returns the codes of a listing, including those of its selected variant. */
export function printedCodesOf({ codes, gtin, sku, mpn }: Listing): readonly string[] {
  return joinedCodes([codes, comparableCodes([{ gtins: [gtin], skus: [sku], mpns: [mpn] }])]);
}

/** The result of comparing the codes of two readings. */
type CodesCompared =
  /** They share a code, even if they assign different kinds to it. */
  | 'shared'
  /** Both have codes of the same kind, but share none. */
  | 'none_shared'
  /** Both have codes, but of different kinds. */
  | 'not_comparable'
  /** At least one has no codes. */
  | 'missing';

export function compareCodes(one: readonly string[], two: readonly string[]): CodesCompared {
  if (one.length === 0 || two.length === 0) return 'missing';
  const codes = new Set(one.map(codeIn));
  if (two.some((each) => codes.has(codeIn(each)))) return 'shared';
  const kinds = new Set(one.map(kindOf));
  return two.some((each) => kinds.has(kindOf(each))) ? 'none_shared' : 'not_comparable';
}

function kindOf(text: string): string {
  return text.slice(0, text.indexOf(':'));
}

function codeIn(text: string): string {
  return text.slice(text.indexOf(':') + 1);
}
