// The barcode that a page prints next to a label: "EAN: 4006381333931", a row of a table. A number without a label is not one, whatever
// its digits are.

import { readGtin } from '../../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../../base/identifiers/gtin.ts';
import { labelOf, valuesOfOthers } from './labelled-values.ts';
import type { LabelledLine } from './labelled-values.ts';

const LABEL = labelOf('barcode');
const CODE = /^\d[\d\s-]{6,20}$/;

/** The barcode, when all that the page shows around its heading are the same; null otherwise. */
export function visibleBarcode(lines: readonly LabelledLine[]): Gtin14 | null {
  const codes = valuesOfOthers(lines, LABEL, (text) => (CODE.test(text) ? readGtin(text) : null));
  const [first = null, ...others] = codes;
  return others.every((code) => code === first) ? first : null;
}
