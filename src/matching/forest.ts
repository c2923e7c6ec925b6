// The trees of the model. Every level of a tree asks one question of the features, so a tree is six
// questions without a branch, and 64 answers.

export const TREE_DEPTH = 6;
export const TREE_LEAVES = 1 << TREE_DEPTH;

/** Answers are whole numbers in 1/`LEAF_STEPS` of a logit: sums are the same on every machine. */
export const LEAF_STEPS = 256;

export type Forest = {
  readonly bias: number;
  readonly trees: number;
  /** Six of each tree, as `questionsOf` packs them. The answer to the first is the highest bit of the leaf. */
  readonly questions: Int32Array;
  readonly leaves: Int8Array;
  /**
   * After each `STOP_EVERY` trees: a pair whose score is below is not asked further, because no pair that was
   * below became a match. May be shorter than the forest.
   */
  readonly stops: Int32Array;
};

/** Trees between two looks at whether a pair is hopeless. */
export const STOP_EVERY = 25;

/**
 * Is feature `features[i]` above `thresholds[i]`? Two such questions in one number, from the lowest byte: threshold,
 * feature, threshold, feature. A tree is three reads then instead of twelve, which takes a fifth off its time.
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

/** What `questionsOf` packed. */
export function askedBy(questions: Int32Array): { features: Uint8Array; thresholds: Uint8Array } {
  const features = new Uint8Array(questions.length * 2);
  const thresholds = new Uint8Array(questions.length * 2);
  for (const [at, packed] of questions.entries()) {
    thresholds.set([packed & 255, (packed >> 16) & 255], 2 * at);
    features.set([(packed >> 8) & 255, packed >>> 24], 2 * at);
  }
  return { features, thresholds };
}

/** So many trees ask of words and model numbers alone: half of the pairs are left before facts are compared. */
export const NAME_TREES = 50;
const NAME_STOPS = NAME_TREES / STOP_EVERY;

/** What the trees say that ask of words and model numbers alone, in 1/`LEAF_STEPS` of a logit. */
export function nameScore(forest: Forest, row: Int32Array): number {
  return forest.bias + sumOf(forest, row, 0, NAME_TREES);
}

/** Whether a pair of this `nameScore` is left. */
export function isHopeless({ stops }: Forest, score: number): boolean {
  return score < (stops[NAME_STOPS - 1] as number);
}

/** The score of all trees, or of those up to the stop at which the pair is left, where `nameScore` gave `score`. */
export function scoreFrom(forest: Forest, row: Int32Array, score: number): number {
  const { stops, trees } = forest;
  let sum = score;
  for (let at = NAME_STOPS; at < stops.length; at += 1) {
    sum += sumOf(forest, row, at * STOP_EVERY, (at + 1) * STOP_EVERY);
    if (sum < (stops[at] as number)) return sum;
  }
  return sum + sumOf(forest, row, stops.length * STOP_EVERY, trees);
}

/** What the trees from `from` up to `to` say together. */
export function sumOf(forest: Forest, row: Int32Array, from: number, to: number): number {
  const { questions, leaves } = forest;
  let sum = 0;
  let at = from * (TREE_DEPTH / 2);
  for (let tree = from; tree < to; tree += 1) {
    const top = questions[at] as number;
    const middle = questions[at + 1] as number;
    const low = questions[at + 2] as number;
    // A value above its threshold makes the difference negative, and its sign the bit.
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
