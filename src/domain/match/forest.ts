// The trees of the model. Every level of a tree asks one question of the features, so a tree is six
// questions without a branch, and 64 answers.

export const TREE_DEPTH = 6;
export const TREE_LEAVES = 1 << TREE_DEPTH;

/** Answers are whole numbers in 1/`LEAF_STEPS` of a logit: sums are the same on every machine. */
export const LEAF_STEPS = 256;

export type Forest = {
  readonly bias: number;
  readonly trees: number;
  /** Six of each a tree: is feature `features[i]` above `thresholds[i]`? The first is the highest bit. */
  readonly features: Uint8Array;
  readonly thresholds: Uint8Array;
  readonly leaves: Int8Array;
  /**
   * After each `STOP_EVERY` trees: a pair whose score is below is not asked further, because no pair that was
   * below became a match. May be shorter than the forest.
   */
  readonly stops: Int32Array;
};

/** Trees between two looks at whether a pair is hopeless. */
export const STOP_EVERY = 50;

/** The forest's score of a pair's features, in 1/`LEAF_STEPS` of a logit. */
export function forestScore(forest: Forest, row: Int32Array): number {
  const { stops, trees } = forest;
  let score = forest.bias;
  let from = 0;
  for (let at = 0; at < stops.length; at += 1) {
    score += sumOf(forest, row, from, from + STOP_EVERY);
    from += STOP_EVERY;
    if (score < (stops[at] as number)) return score;
  }
  return score + sumOf(forest, row, from, trees);
}

/** What the trees from `from` up to `to` say together. */
export function sumOf(forest: Forest, row: Int32Array, from: number, to: number): number {
  const { features, thresholds, leaves } = forest;
  let sum = 0;
  let at = from * TREE_DEPTH;
  for (let tree = from; tree < to; tree += 1) {
    // A value above its threshold makes the difference negative, and its sign the bit.
    const leaf =
      ((((thresholds[at] as number) - (row[features[at] as number] as number)) >>> 31) << 5) |
      ((((thresholds[at + 1] as number) - (row[features[at + 1] as number] as number)) >>> 31) <<
        4) |
      ((((thresholds[at + 2] as number) - (row[features[at + 2] as number] as number)) >>> 31) <<
        3) |
      ((((thresholds[at + 3] as number) - (row[features[at + 3] as number] as number)) >>> 31) <<
        2) |
      ((((thresholds[at + 4] as number) - (row[features[at + 4] as number] as number)) >>> 31) <<
        1) |
      (((thresholds[at + 5] as number) - (row[features[at + 5] as number] as number)) >>> 31);
    sum += leaves[(tree << 6) | leaf] as number;
    at += TREE_DEPTH;
  }
  return sum;
}
