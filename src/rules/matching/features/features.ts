// The model's features of two listings: integers from 0 to 255. Symmetric: the listing with less text always comes first.
// Adding a feature requires retraining the model.

import { changeFeatures } from './change-features.ts';
import { codeFeatures } from './code-features.ts';
import { factFeatures } from './fact-features.ts';
import { FEATURE_COUNT } from './feature-names.ts';
import { At } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';
import { wordFeatures } from './word-features.ts';
import { overlapOf } from './word-overlap.ts';
import type { Overlap } from './word-overlap.ts';

/** Returns whether `a` has less text than `b`. A total order, so that both orders of a pair give the same features. */
function saysLess(a: Prepared, b: Prepared): boolean {
  const one = a.numbers;
  const two = b.numbers;
  const rarer = (one[At.totalRarity] as number) - (two[At.totalRarity] as number);
  if (rarer !== 0) return rarer < 0;
  if (one.length !== two.length) return one.length < two.length;
  if (a.squeezed !== b.squeezed) return a.squeezed < b.squeezed;
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] !== two[at]) return (one[at] as number) < (two[at] as number);
  }
  return `${a.brand} ${a.squeezedDescription}` <= `${b.brand} ${b.squeezedDescription}`;
}

/** Creates an array for the features of one pair. */
export function featureRow(): Int32Array {
  return new Int32Array(FEATURE_COUNT);
}

/** Writes all features of a pair into `row`. Returns their word overlap, which is valid until the next pair. */
export function measurePair(a: Prepared, b: Prepared, row: Int32Array): Overlap {
  const overlap = measureNames(a, b, row);
  measureFacts(a, b, overlap, row);
  return overlap;
}

/** Writes the features of words and model numbers only. */
export function measureNames(a: Prepared, b: Prepared, row: Int32Array): Overlap {
  const first = saysLess(a, b);
  const short = first ? a : b;
  const long = first ? b : a;
  const overlap = overlapOf(short, long);
  wordFeatures(short.numbers, long.numbers, overlap, row);
  codeFeatures(short, long, row);
  return overlap;
}

/** Writes all other features. `overlap` is the result of `measureNames` for the same two. */
export function measureFacts(a: Prepared, b: Prepared, overlap: Overlap, row: Int32Array): void {
  const first = saysLess(a, b);
  const short = first ? a : b;
  const long = first ? b : a;
  factFeatures(short, long, row);
  changeFeatures(short, long, overlap, row);
}
