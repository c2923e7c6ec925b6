// Turns labelled pairs into training rows: their features.

import { has, readPairs } from '../eval/matching/data.ts';
import type { LabelledPair, Split } from '../eval/matching/data.ts';
import { FEATURE_NAMES } from '../../src/rules/matching/features/feature-names.ts';
import { featureRow, measurePair } from '../../src/rules/matching/features/features.ts';
import { prepareListing } from '../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../src/rules/matching/prepared/prepared.ts';
import { hashesOfTitle } from '../../src/rules/matching/words/vocabulary.ts';
import type { Idf } from '../../src/rules/matching/words/vocabulary.ts';
import type { Rows } from './boosting.ts';

/** A pair with the number of its dataset. An extra pair is used for training and not measured. */
export type TrainingPair = LabelledPair & { readonly dataset: number; readonly isExtra: boolean };

/** Returns the pairs of these splits of the datasets, in the order of their names. */
export function labelledPairs(
  folder: string,
  names: readonly string[],
  splits: readonly Split[],
): readonly TrainingPair[] {
  return names.flatMap((name, dataset) =>
    splits
      .filter((split) => has(folder, name, split))
      .flatMap((split) =>
        readPairs(folder, name, split).map((pair) => ({ ...pair, dataset, isExtra: false })),
      ),
  );
}

/** Counts the words of every distinct record. Words in fewer than `least` titles are omitted, like unknown words. */
export function countWords(pairs: readonly TrainingPair[], least: number): Idf {
  const seen = new Set<string>();
  const counts = new Map<number, number>();
  for (const { left, right } of pairs) {
    for (const side of [left, right]) {
      const key = JSON.stringify(side);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const hash of hashesOfTitle(side.title ?? '')) {
        counts.set(hash, (counts.get(hash) ?? 0) + 1);
      }
    }
  }
  const kept = new Map([...counts].filter(([, count]) => count >= least));
  return { documents: seen.size, counts: kept, scale: seen.size };
}

/** Returns the rows in the order of the pairs. */
export function rowsOf(
  pairs: readonly TrainingPair[],
  idf: Idf,
  weightOf: (pair: TrainingPair) => number,
): Rows {
  const prepare = preparer(idf);
  const columns = FEATURE_NAMES.map(() => new Uint8Array(pairs.length));
  const row = featureRow();
  for (const [at, pair] of pairs.entries()) {
    const [one, two] = [prepare(pair.left), prepare(pair.right)];
    measurePair(one, two, row);
    for (const [feature, column] of columns.entries()) column[at] = checked(row, feature);
  }
  return {
    columns,
    labels: Uint8Array.from(pairs, ({ isMatch }) => (isMatch ? 1 : 0)),
    weights: Float64Array.from(pairs, weightOf),
  };
}

function preparer(idf: Idf): (input: MatchInput) => Prepared {
  const known = new Map<string, Prepared>();
  const vocabulary = { idf };
  return (input) => {
    const key = JSON.stringify(input);
    const found = known.get(key) ?? prepareListing(input, vocabulary);
    known.set(key, found);
    return found;
  };
}

function checked(row: Int32Array, feature: number): number {
  const value = row[feature] as number;
  if (value < 0 || value > 255) {
    throw new RangeError(`${FEATURE_NAMES[feature] ?? feature} is ${value}, outside 0 to 255`);
  }
  return value;
}
