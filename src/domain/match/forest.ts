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
};

/** The forest's score of a pair's features, in 1/`LEAF_STEPS` of a logit. */
export function forestScore(forest: Forest, row: Int32Array): number {
  const { features, thresholds, leaves, trees } = forest;
  let score = forest.bias;
  let at = 0;
  for (let tree = 0; tree < trees; tree += 1) {
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
    score += leaves[(tree << 6) | leaf] as number;
    at += TREE_DEPTH;
  }
  return score;
}
