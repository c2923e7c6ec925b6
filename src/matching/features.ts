// What the model sees of two listings: small integers, each between 0 and 255. Order does not matter: the
// listing that says less is always the first of the two. Adding a feature means training again.

import { codeFeatures } from './code-features.ts';
import { factFeatures } from './fact-features.ts';
import { FEATURE_COUNT } from './feature-names.ts';
import { At } from './layout.ts';
import type { Prepared } from './prepared.ts';
import { wordFeatures } from './word-features.ts';
import { overlapOf } from './word-overlap.ts';
import type { Overlap } from './word-overlap.ts';

/** True when `a` says less than `b`; a total order, so that a pair is always looked at the same way. */
export function saysLess(a: Prepared, b: Prepared): boolean {
  const one = a.numbers;
  const two = b.numbers;
  const rarer = (one[At.totalRarity] as number) - (two[At.totalRarity] as number);
  if (rarer !== 0) return rarer < 0;
  if (one.length !== two.length) return one.length < two.length;
  if (a.squeezed !== b.squeezed) return a.squeezed < b.squeezed;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== two[at]) return (one[at] as number) < (two[at] as number);
  }
  return `${a.brand} ${a.squeezedTold}` <= `${b.brand} ${b.squeezedTold}`;
}

/** Room for the features of one pair. */
export function featureRow(): Int32Array {
  return new Int32Array(FEATURE_COUNT);
}

/** The features of a pair into `row`; the overlap they were read from, valid until the next pair. */
export function measurePair(a: Prepared, b: Prepared, row: Int32Array): Overlap {
  const overlap = measureNames(a, b, row);
  measureFacts(a, b, row);
  return overlap;
}

/** The features of words and model numbers only. */
export function measureNames(a: Prepared, b: Prepared, row: Int32Array): Overlap {
  const first = saysLess(a, b);
  const short = first ? a : b;
  const long = first ? b : a;
  const overlap = overlapOf(short, long);
  wordFeatures(short.numbers, long.numbers, overlap, row);
  codeFeatures(short, long, row);
  return overlap;
}

/** All others. */
export function measureFacts(a: Prepared, b: Prepared, row: Int32Array): void {
  if (saysLess(a, b)) factFeatures(a, b, row);
  else factFeatures(b, a, row);
}
