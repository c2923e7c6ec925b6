// The trees of the model. Each of a tree's six levels compares one feature with one threshold for the whole level, so a
// tree is six comparisons without a branch and 64 leaves.

export const TREE_DEPTH = 6;
export const TREE_LEAVES = 1 << TREE_DEPTH;

/** Leaves are integers in 1/`LEAF_STEPS` of a logit, so that sums are equal on every machine. */
export const LEAF_STEPS = 256;

export type Forest = {
  readonly bias: number;
  readonly trees: number;
  /** Six per tree, as packed by `questionsOf`. The first gives the highest bit of the leaf index. */
  readonly questions: Int32Array;
  readonly leaves: Int8Array;
  /**
   * Minimum scores after each `STOP_EVERY` trees. The evaluation of a pair with a lower score stops there, because no such
   * pair became a match. May end before the forest does.
   */
  readonly stops: Int32Array;
};

/** Number of trees between two checks for an early stop. */
export const STOP_EVERY = 25;

/**
 * Packs "is feature `features[i]` above `thresholds[i]`" two to a number, from the lowest byte: threshold, feature,
 * threshold, feature. A tree then takes three reads instead of twelve, which saves a fifth of its time.
 */
export function questionsOf(
  features: ArrayLike<number>,
  thresholds: ArrayLike<number>,
): Int32Array {
  return Int32Array.from({ length: features.length / 2 }, (_, at) => {
    const half = (place: number): number =>
      (thresholds[place] as number) | ((features[place] as number) << 8);
    return half(2 * at) | (half(2 * at + 1) << 16);
  });
}

/** The inverse of `questionsOf`. */
export function askedBy(questions: Int32Array): { features: Uint8Array; thresholds: Uint8Array } {
  const features = new Uint8Array(questions.length * 2);
  const thresholds = new Uint8Array(questions.length * 2);
  for (const [at, packed] of questions.entries()) {
    thresholds.set([packed & 255, (packed >> 16) & 255], 2 * at);
    features.set([(packed >> 8) & 255, packed >>> 24], 2 * at);
  }
  return { features, thresholds };
}

/** The first trees use only features of words and model numbers: for half of the pairs evaluation stops after them. */
export const NAME_TREES = 50;
const NAME_STOPS = NAME_TREES / STOP_EVERY;

/** Returns the score of the trees that use only words and model numbers, in 1/`LEAF_STEPS` of a logit. */
export function nameScore(forest: Forest, row: Int32Array): number {
  return forest.bias + sumOf(forest, row, 0, NAME_TREES);
}

/** Returns whether the evaluation of a pair stops at this `nameScore`. */
export function isHopeless({ stops }: Forest, score: number): boolean {
  return score < (stops[NAME_STOPS - 1] as number);
}

/**
 * Continues `nameScore`, whose result is `score`, to the score of all trees or to the stop where the evaluation ends.
 */
export function scoreFrom(forest: Forest, row: Int32Array, score: number): number {
  const { stops, trees } = forest;
  let sum = score;
  for (let at = NAME_STOPS; at < stops.length; at += 1) {
    sum += sumOf(forest, row, at * STOP_EVERY, (at + 1) * STOP_EVERY);
    if (sum < (stops[at] as number)) return sum;
  }
  // A newly trained forest has no stops.
  return sum + sumOf(forest, row, Math.max(NAME_STOPS, stops.length) * STOP_EVERY, trees);
}

/** Returns the sum of the trees from `from` up to but excluding `to`. */
export function sumOf(forest: Forest, row: Int32Array, from: number, to: number): number {
  const { questions, leaves } = forest;
  let sum = 0;
  let at = from * (TREE_DEPTH / 2);
  for (let tree = from; tree < to; tree += 1) {
    const top = questions[at] as number;
    const middle = questions[at + 1] as number;
    const low = questions[at + 2] as number;
    // A value above its threshold makes the difference negative; its sign bit is the bit of the leaf index.
    const leaf =
      ((((top & 255) - (row[(top >> 8) & 255] as number)) >>> 31) << 5) |
      (((((top >> 16) & 255) - (row[top >>> 24] as number)) >>> 31) << 4) |
      ((((middle & 255) - (row[(middle >> 8) & 255] as number)) >>> 31) << 3) |
      (((((middle >> 16) & 255) - (row[middle >>> 24] as number)) >>> 31) << 2) |
      ((((low & 255) - (row[(low >> 8) & 255] as number)) >>> 31) << 1) |
      ((((low >> 16) & 255) - (row[low >>> 24] as number)) >>> 31);
    sum += leaves[(tree << 6) | leaf] as number;
    at += TREE_DEPTH / 2;
  }
  return sum;
}
