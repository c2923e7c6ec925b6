// Turns labelled pairs into training rows: their features, and the words that one or both titles have.

import type { LabelledPair } from '../../eval/matching-data.ts';
import { F, FEATURE_NAMES } from '../../src/matching/feature-names.ts';
import { featureRow, measurePair, saysLess } from '../../src/matching/features.ts';
import { swayValues } from '../../src/matching/word-features.ts';
import { At } from '../../src/matching/layout.ts';
import { prepareListing } from '../../src/matching/prepared.ts';
import type { MatchInput, Prepared } from '../../src/matching/prepared.ts';
import { hashesOfTitle, SWAY_STEPS } from '../../src/matching/vocabulary.ts';
import type { Idf, Sway } from '../../src/matching/vocabulary.ts';
import { hashOf } from '../../src/matching/words.ts';
import { FoundAs } from '../../src/matching/word-overlap.ts';
import type { Rows } from './boosting.ts';
import type { WordKeys } from './word-weights.ts';

/** A pair with the number of its dataset. An extra pair is used for training and not measured. */
export type TrainingPair = LabelledPair & { readonly dataset: number; readonly isExtra: boolean };

/** Counts the words of every distinct record. Words of fewer than `least` titles are left out, like unknown words. */
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

export type TrainingRows = Rows & { readonly words: WordKeys };

/** The rows in the order of the pairs; the features of word weights are still empty. */
export function rowsOf(
  pairs: readonly TrainingPair[],
  idf: Idf,
  weightOf: (pair: TrainingPair) => number,
): TrainingRows {
  const prepare = preparer(idf);
  const columns = FEATURE_NAMES.map(() => new Uint8Array(pairs.length));
  const row = featureRow();
  const starts = [0];
  const keys: number[] = [];
  for (const [at, { left, right }] of pairs.entries()) {
    const [one, two] = [prepare(left), prepare(right)];
    const overlap = measurePair(one, two, row);
    for (const [feature, column] of columns.entries()) column[at] = checked(row, feature);
    const [short, long] = saysLess(one, two) ? [one, two] : [two, one];
    for (const [side, own] of [
      [overlap.short, short],
      [overlap.long, long],
    ] as const) {
      for (let place = 0; place < side.leftCount; place += 1) {
        const word = side.left[place] as number;
        if (side.found[word] === FoundAs.not) keys.push(hashAt(own, word) * 2);
      }
    }
    for (let place = 0; place < overlap.sharedCount; place += 1) {
      keys.push(hashAt(short, overlap.shared[place] as number) * 2 + 1);
    }
    starts.push(keys.length);
  }
  return {
    columns,
    labels: Uint8Array.from(pairs, ({ isMatch }) => (isMatch ? 1 : 0)),
    weights: Float64Array.from(pairs, weightOf),
    words: { starts: Int32Array.from(starts), keys: Float64Array.from(keys) },
  };
}

function preparer(idf: Idf): (input: MatchInput) => Prepared {
  const known = new Map<string, Prepared>();
  const vocabulary = { idf, sways: new Map<number, Sway>() };
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

function hashAt({ numbers }: Prepared, place: number): number {
  return numbers[At.startWords + place] as number;
}

/** Rounds word weights to the steps of the model file. */
export function swaysOf(weights: ReadonlyMap<number, number>): ReadonlyMap<number, Sway> {
  const sways = new Map<number, Sway>();
  for (const [key, weight] of weights) {
    const steps = Math.max(-127, Math.min(127, Math.round(weight * SWAY_STEPS)));
    if (Math.abs(steps) < LEAST_STEPS) continue;
    const isShared = key % 2 !== 0;
    const hash = Math.floor(key / 2);
    const known = sways.get(hash) ?? { shared: 0, alone: 0 };
    sways.set(hash, isShared ? { ...known, shared: steps } : { ...known, alone: steps });
  }
  return sways;
}

/** Smaller weights are not worth their space in the file. */
const LEAST_STEPS = 2;

/** Fills the features of word weights in the chosen rows. */
export function fillSways(
  rows: TrainingRows,
  sways: ReadonlyMap<number, Sway>,
  chosen: Iterable<number>,
): void {
  const { starts, keys } = rows.words;
  const row = featureRow();
  for (const at of chosen) {
    let shared = 0;
    let alone = 0;
    let worst = 0;
    for (let place = starts[at] as number; place < (starts[at + 1] as number); place += 1) {
      const key = keys[place] as number;
      const sway = sways.get(Math.floor(key / 2));
      if (sway === undefined) continue;
      const steps = key % 2 === 0 ? sway.alone : sway.shared;
      if (key % 2 === 0) alone += steps;
      else shared += steps;
      if (steps < worst) worst = steps;
    }
    swayValues({ shared, alone, worst }, row);
    for (const feature of [F.swaySum, F.swayShared, F.swayAlone, F.swayWorst]) {
      (rows.columns[feature] as Uint8Array)[at] = row[feature] as number;
    }
  }
}

/** The chosen rows, in the order of `chosen`. */
export function subsetOf(rows: Rows, chosen: Int32Array): Rows {
  return {
    columns: rows.columns.map((column) => Uint8Array.from(chosen, (at) => column[at] as number)),
    labels: Uint8Array.from(chosen, (at) => rows.labels[at] as number),
    weights: Float64Array.from(chosen, (at) => rows.weights[at] as number),
  };
}

/** The part of `parts` that a pair belongs to. Pairs of one product stay in one part when the product is known. */
export function partOf({ cluster, id }: TrainingPair, parts: number, turn: number): number {
  return (Math.imul(hashOf(cluster ?? id), turn === 0 ? 1 : 0x9e37_79b1) >>> 5) % parts;
}
