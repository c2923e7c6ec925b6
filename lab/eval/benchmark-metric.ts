// The metric of the public product-extraction benchmark: an attribute may have several correct values and one predicted
// value. A prediction that matches none of them counts against precision, and against recall if a value was to be found.

type Counts = { readonly tp: number; readonly fp: number; readonly fn: number };

export type Scores = { readonly f1: number; readonly precision: number; readonly recall: number };

/** Adds one page. `right` are the annotated values, `predicted` is the reader's or null. */
export function countsOf(right: readonly string[], predicted: string | null): Counts {
  const isExpected = right.length > 0;
  if (predicted === null) return { tp: 0, fp: 0, fn: isExpected ? 1 : 0 };
  if (right.includes(predicted)) return { tp: 1, fp: 0, fn: 0 };
  return { tp: 0, fp: 1, fn: isExpected ? 1 : 0 };
}

function share(hits: number, misses: number, other: number): number {
  if (misses === 0 && other === 0) return 1;
  return hits + misses === 0 ? 0 : hits / (hits + misses);
}

/** Computes F1, precision and recall over pages. */
export function scoresOf(pages: readonly Counts[]): Scores {
  const sum = (key: keyof Counts): number => pages.reduce((total, page) => total + page[key], 0);
  const [tp, fp, fn] = [sum('tp'), sum('fp'), sum('fn')];
  const precision = share(tp, fp, fn);
  const recall = share(tp, fn, fp);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1, precision, recall };
}

/** Normalizes a decimal number, so that "12.50" equals "12.5"; null for anything else. */
export function decimalOf(text: string): string | null {
  const match = /^\s*(-?)0*(\d*)(?:\.(\d*?)0*)?\s*$/.exec(text);
  if (match === null || !/\d/.test(text)) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  return `${sign}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}
