// What a word says beyond its rarity: "upgrade" on one side only contradicts a match, "box" does not. A logistic
// regression over all features, in steps, and the words of each pair, of which only the weights of words are kept.

import { randomFrom } from './chance.ts';
import type { Rows } from './boosting.ts';

/**
 * Keys of the words of each pair, one list after another; those of pair i are at `starts[i]` to before `starts[i + 1]`.
 * A key is twice the hash of the word, plus 1 when both titles have it.
 */
export type WordKeys = { readonly starts: Int32Array; readonly keys: Float64Array };

export type WordWeightOptions = {
  readonly rounds: number;
  readonly rate: number;
  /** Regularization of word weights towards 0. */
  readonly pull: number;
  readonly seed: number;
  /** Words of fewer pairs are left out. */
  readonly leastPairs: number;
};

const BIN_SHIFT = 4;

/**
 * Weights with the sums of their squared gradients: the step of a weight shrinks with the steps it has made (AdaGrad).
 */
type Weights = {
  readonly values: Float64Array;
  readonly squares: Float64Array;
  readonly rate: number;
  readonly pull: number;
};

function weightsOf(count: number, rate: number, pull: number): Weights {
  return { values: new Float64Array(count), squares: new Float64Array(count).fill(1), rate, pull };
}

/** The learning rate of features is lower than that of words: they are few, and each is in every pair. */
const FEATURE_RATE = 0.3;
const FEATURE_PULL = 1e-4;

/** Word key -> weight in logits, trained on the chosen rows. */
export function wordWeights(
  rows: Rows,
  words: WordKeys,
  chosen: Int32Array,
  options: WordWeightOptions,
): ReadonlyMap<number, number> {
  const place = placesOf(words, chosen, options.leastPairs);
  const features = weightsOf(rows.columns.length * 16, options.rate * FEATURE_RATE, FEATURE_PULL);
  const bias = weightsOf(1, options.rate * FEATURE_RATE, 0);
  const sparse = weightsOf(place.size, options.rate, options.pull);
  const random = randomFrom(options.seed);
  const order = Int32Array.from(chosen);
  const slots = new Int32Array(rows.columns.length);
  const active: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    shuffle(order, random);
    for (const row of order) {
      let score = bias.values[0] as number;
      for (let f = 0; f < slots.length; f += 1) {
        const slot = (f << 4) | (((rows.columns[f] as Uint8Array)[row] as number) >> BIN_SHIFT);
        slots[f] = slot;
        score += features.values[slot] as number;
      }
      active.length = 0;
      for (let at = words.starts[row] as number; at < (words.starts[row + 1] as number); at += 1) {
        const found = place.get(words.keys[at] as number);
        if (found === undefined) continue;
        active.push(found);
        score += sparse.values[found] as number;
      }
      const chance = 1 / (1 + Math.exp(-score));
      const error = ((rows.labels[row] as number) - chance) * (rows.weights[row] as number);
      move(bias, 0, error);
      for (const slot of slots) move(features, slot, error);
      for (const slot of active) move(sparse, slot, error);
    }
  }
  return new Map([...place].map(([key, at]) => [key, sparse.values[at] as number]));
}

/** The words of enough pairs, numbered in the order of their keys. */
function placesOf(
  words: WordKeys,
  chosen: Int32Array,
  leastPairs: number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of chosen) {
    for (let at = words.starts[row] as number; at < (words.starts[row + 1] as number); at += 1) {
      const key = words.keys[at] as number;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const kept = [...counts].filter(([, count]) => count >= leastPairs).map(([key]) => key);
  return new Map(kept.toSorted((a, b) => a - b).map((key, at) => [key, at]));
}

function move({ values, squares, rate, pull }: Weights, at: number, error: number): void {
  const value = values[at] as number;
  const slope = error - pull * value;
  const square = (squares[at] as number) + slope * slope;
  squares[at] = square;
  values[at] = value + (rate * slope) / Math.sqrt(square);
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] as number;
    order[at] = order[other] as number;
    order[other] = kept;
  }
}
