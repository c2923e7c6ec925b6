// Finds the numbers that a page shows next to their labels: the shop's own ("Art.-Nr.: 4711"), the maker's ("Manufacturer part
// number: AB-12") and the barcode ("EAN: 4006381333931"). A number without a label is never a barcode, regardless of its digits.

import { labelOf, valuesOfOthers, type Label, type LabelledLine } from './labelled-values.ts';
import { readGtin, type Gtin14 } from '../../../../base/identifiers/gtin.ts';

const OF_SHOP = labelOf('shopNumber');
const OF_MAKER = labelOf('makerNumber');

/** One word with a digit, or in capitals: "in stock" next to a label is not a number. */
const CODE = /^(?=.*\d|[^\p{Ll}]{2,}$)[\p{L}\d][\p{L}\d._/#+-]{0,39}$/u;

function codeBeside(lines: readonly LabelledLine[], label: Label): string | null {
  const codes = valuesOfOthers(lines, label, (text) => {
    const code = text.replace(/^#\s?/, '');
    return CODE.test(code) ? code : null;
  });
  return new Set(codes).size === 1 ? (codes[0] ?? null) : null;
}

/** Returns the shop's and the maker's product numbers; null when the page shows none or several. */
export function visibleCodes(lines: readonly LabelledLine[]): {
  sku: string | null;
  mpn: string | null;
} {
  return { sku: codeBeside(lines, OF_SHOP), mpn: codeBeside(lines, OF_MAKER) };
}

const OF_ITEM = labelOf('barcode');
const BARCODE = /^\d[\d\s-]{6,20}$/;

/** Returns the barcode if all those shown around the heading are the same; null otherwise. */
export function visibleBarcode(lines: readonly LabelledLine[]): Gtin14 | null {
  const codes = valuesOfOthers(lines, OF_ITEM, (text) =>
    BARCODE.test(text) ? readGtin(text) : null,
  );
  const [first = null, ...others] = codes;
  return others.every((code) => code === first) ? first : null;
}
