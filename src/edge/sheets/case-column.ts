// Finds a sheet's columns of case codes: codes of boxes in which the products are sold to shops. The product in the case has
// its own code, which is the one that shops list. Pure.

import { isBarcode } from './mend-code.ts';

/** Checks for a GTIN whose packaging indicator denotes a case, an inner pack or a pallet of the product (GS1). */
export function isCaseCode(text: string): boolean {
  return /^[1-8]\d{13}$/.test(text) && isBarcode(text);
}

/**
 * Words for packages of products in suppliers' headings in several languages, and the codes that only such packages have.
 */
const CASE_WORD =
  /(?<!\p{L})(?:cases?|cartons?|ctns?|masters?|inners?|outers?|shippers?|pallets?|bundles?|(?:dun|itf|scc|tun)[ -]?(?:14)?|umkartons?|\p{L}*kartons?|vpe|gebinde|verpackungseinheit|paletten?|colis|caisses?|cajas?|bultos?|embalajes?|cartone|cartoni|collo|colli|imballo|imballi|caixas?|doos|omdoos|dozen|kolli|karton\p{L}*|opakowanie zbiorcze)(?!\p{L})|箱|集合包装|ケース/iu;
/** Words that denote the code of a single piece, whatever else the heading contains. */
const PIECE_WORD =
  /(?<!\p{L})(?:each|units?|single|piece|consumer|einzel\p{L}*|st(?:ü|ue)ck|pi(?:è|e)ce|unit(?:é|e|aire)|unidad|unit(?:à|a)|pezzo|pe(?:ç|c)a|stuk|sztuka)(?!\p{L})|単品|单品/iu;

/** Checks whether a heading denotes case codes. */
function isCaseHeading(heading: string): boolean {
  return CASE_WORD.test(heading) && !PIECE_WORD.test(heading);
}

export type CodeColumn = {
  readonly at: number;
  /** Share of its filled cells that are barcodes, including those whose digits a spreadsheet has damaged. */
  readonly barcodes: number;
  /** Share of its filled cells that are ASINs. */
  readonly asins: number;
  /** Share of its complete barcodes that are case codes by their packaging indicator. */
  readonly cases: number;
};

/**
 * The minimum share of codes in a column without such a heading: one in ten numbers of any kind has a correct check digit.
 */
const ENOUGH_CODES = 0.3;
const ENOUGH_UNDER_HEADING = 0.1;
const CODE_HEADING = /(?:\b(?:upc|ean|gtin|isbn|bar ?code|asin)|条码|バーコード|\bjan\b)/i;

/**
 * Returns the columns of case codes that are skipped, because another column has codes of the cases' contents, however clean
 * either is; empty if there is no such column.
 */
export function caseColumns<C extends CodeColumn>(
  columns: readonly C[],
  headings: readonly string[],
): { readonly cases: readonly C[]; readonly pieces: readonly C[] } {
  const headingOf = ({ at }: C) => headings[at] ?? '';
  const isCase = (column: C) =>
    column.barcodes >= ENOUGH_UNDER_HEADING &&
    (column.cases >= 0.5 || isCaseHeading(headingOf(column)));
  const isPiece = (column: C) =>
    !isCase(column) &&
    column.barcodes + column.asins >=
      (CODE_HEADING.test(headingOf(column)) ? ENOUGH_UNDER_HEADING : ENOUGH_CODES);
  const [cases, pieces] = [columns.filter(isCase), columns.filter(isPiece)];
  return pieces.length === 0 ? { cases: [], pieces: [] } : { cases, pieces };
}
