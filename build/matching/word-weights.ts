// What single words say beyond their rarity: "upgrade" on one side only speaks against a match, "box" says
// nothing. A logistic regression over all features, cut into steps, and the words of each pair; only
// the weights of the words are kept.

import { randomFrom } from './chance.ts';
import type { Rows } from './boosting.ts';

/**
 * Keys of the words of each pair, one list after the other; `starts[i]` to `starts[i + 1]` are pair i's. A
 * key is twice the hash of the word, plus 1 where both titles have it.
 */
export type WordKeys = { readonly starts: Int32Array; readonly keys: Float64Array };

export type WordWeightOptions = {
  readonly rounds: number;
  readonly rate: number;
  /** Pull towards 0 for words, and for everything else. */
  readonly pull: number;
  readonly seed: number;
  /** Words of fewer pairs are left out. */
  readonly leastPairs: number;
};

const BIN_SHIFT = 4;

/** Weights in logits by word key, trained on the rows with these numbers. */
export function wordWeights(
  rows: Rows,
  words: WordKeys,
  chosen: Int32Array,
  options: WordWeightOptions,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of chosen) {
    for (let at = words.starts[row] as number; at < (words.starts[row + 1] as number); at += 1) {
      const key = words.keys[at] as number;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const kept = [...counts].filter(([, count]) => count >= options.leastPairs).map(([key]) => key);
  const place = new Map(kept.toSorted((a, b) => a - b).map((key, at) => [key, at]));
  const dense = new Float64Array(rows.columns.length * 16 + 1);
  const denseSquares = new Float64Array(dense.length).fill(1);
  const sparse = new Float64Array(place.size);
  const squares = new Float64Array(place.size).fill(1);
  const random = randomFrom(options.seed);
  const order = Int32Array.from(chosen);
  const active: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    shuffle(order, random);
    for (const row of order) {
      let score = dense[dense.length - 1] as number;
      for (let f = 0; f < rows.columns.length; f += 1) {
        score += dense[
          (f << 4) | (((rows.columns[f] as Uint8Array)[row] as number) >> BIN_SHIFT)
        ] as number;
      }
      active.length = 0;
      for (let at = words.starts[row] as number; at < (words.starts[row + 1] as number); at += 1) {
        const found = place.get(words.keys[at] as number);
        if (found === undefined) continue;
        active.push(found);
        score += sparse[found] as number;
      }
      const chance = 1 / (1 + Math.exp(-score));
      const gradient = ((rows.labels[row] as number) - chance) * (rows.weights[row] as number);
      for (let f = 0; f < rows.columns.length; f += 1) {
        const slot = (f << 4) | (((rows.columns[f] as Uint8Array)[row] as number) >> BIN_SHIFT);
        step(dense, denseSquares, slot, gradient, options.rate * 0.3, 1e-4);
      }
      step(dense, denseSquares, dense.length - 1, gradient, options.rate * 0.3, 0);
      for (const slot of active) step(sparse, squares, slot, gradient, options.rate, options.pull);
    }
  }
  return new Map([...place].map(([key, at]) => [key, sparse[at] as number]));
}

function step(
  weights: Float64Array,
  squares: Float64Array,
  at: number,
  gradient: number,
  rate: number,
  pull: number,
): void {
  const slope = gradient - pull * (weights[at] as number);
  squares[at] = (squares[at] as number) + slope * slope;
  weights[at] = (weights[at] as number) + (rate * slope) / Math.sqrt(squares[at] as number);
}

function shuffle(order: Int32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] as number;
    order[at] = order[other] as number;
    order[other] = kept;
  }
}
