// Possible concerns about a product's listing, wherever its row is shown: a comparison, a sheet, the console. Pure.

/** In the order in which they are shown. */
export const WARNINGS = [
  'no_fees',
  'other_pack',
  'disputed',
  'unconfirmed',
  'out_of_stock',
  'stale',
  'suspect_price',
  'foreign_currency',
  'hazmat',
  'restricted',
] as const;
export type Warning = (typeof WARNINGS)[number];

/** The warnings in words for a person. The console has a copy, because it loads no code of the service. */
export const WARNING_WORDS: Readonly<Record<Warning, string>> = {
  no_fees: 'fees not known',
  other_pack: 'another pack size',
  disputed: 'contradicted by the others',
  unconfirmed: 'barcode not confirmed',
  out_of_stock: 'out of stock',
  stale: 'older than a day',
  suspect_price: 'price looks wrong',
  foreign_currency: 'in another currency',
  hazmat: 'dangerous goods',
  restricted: 'selling is restricted',
};

/** Returns the warnings that apply, in order. */
export function warningsThatHold(
  holds: Readonly<Partial<Record<Warning, boolean>>>,
): readonly Warning[] {
  return WARNINGS.filter((each) => holds[each] === true);
}

/** Adds a warning, keeping the order. */
export function withWarning(warnings: readonly Warning[], added: Warning): readonly Warning[] {
  return WARNINGS.filter((each) => each === added || warnings.includes(each));
}
