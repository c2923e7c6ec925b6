// Finds a sheet's columns of case codes: codes of boxes in which the products are sold to shops. The product in the case has
// its own code, which is the one that shops list. Pure.

import { headingUnit, namesCode } from './heading-words.ts';
import { isBarcode } from './repair-code.ts';

/** Checks for a GTIN whose packaging indicator denotes a case, an inner pack or a pallet of the product (GS1). */
export function isCaseCode(text: string): boolean {
  return /^[1-8]\d{13}$/.test(text) && isBarcode(text);
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

/** Checks for a column of codes that name products: a heading of codes suffices for a few of them. */
export function hasCodes(
  { at, barcodes, asins }: CodeColumn,
  headings: readonly string[],
): boolean {
  const enough = namesCode(headings[at] ?? '') ? ENOUGH_UNDER_HEADING : ENOUGH_CODES;
  return barcodes + asins >= enough;
}

/** Checks for a column of codes of cases, by their packaging indicators or by its heading. */
export function isCaseColumn(column: CodeColumn, headings: readonly string[]): boolean {
  const isNamed = headingUnit(headings[column.at] ?? '') === 'package';
  return column.barcodes + column.asins >= ENOUGH_UNDER_HEADING && (column.cases >= 0.5 || isNamed);
}
