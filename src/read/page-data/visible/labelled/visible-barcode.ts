// Finds the barcode that a page shows next to a label: "EAN: 4006381333931", a table row. A number without a label is never a
// barcode, regardless of its digits.

import { readGtin } from '../../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../../base/identifiers/gtin.ts';
import { labelOf, valuesOfOthers } from './labelled-values.ts';
import type { LabelledLine } from './labelled-values.ts';

const LABEL = labelOf('barcode');
const CODE = /^\d[\d\s-]{6,20}$/;

/** Returns the barcode if all those shown around the heading are the same; null otherwise. */
export function visibleBarcode(lines: readonly LabelledLine[]): Gtin14 | null {
  const codes = valuesOfOthers(lines, LABEL, (text) => (CODE.test(text) ? readGtin(text) : null));
  const [first = null, ...others] = codes;
  return others.every((code) => code === first) ? first : null;
}
