// Gradient boosting of symmetric trees on small integers: all nodes of a level share one comparison, so a tree of depth
// 6 has 6 comparisons and 64 leaves. Sums are of integers, so the order of additions does not matter: the same rows and
// seed give the same trees on every machine.

import { NAME_FEATURES } from '../../src/rules/matching/features/feature-names.ts';
import {
  LEAF_STEPS,
  questionsOf,
  TREE_DEPTH,
  TREE_LEAVES,
  NAME_TREES,
} from '../../src/rules/matching/model/forest.ts';
import type { Forest } from '../../src/rules/matching/model/forest.ts';
import { directionOf } from './directions.ts';
import { randomFrom } from '../../tests/support/random.ts';

export type Rows = {
  /** One column for each feature, with values from 0 to 255. */
  readonly columns: readonly Uint8Array[];
  /** 0 or 1 for each row. */
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
};

export type BoostingOptions = {
  readonly trees: number;
  readonly rate: number;
  /** Shares of the rows and of the features that each tree uses. */
  readonly rowShare: number;
  readonly featureShare: number;
  /** Added to the weight of every leaf, so that a leaf with few rows moves less. */
  readonly smoothing: number;
  readonly seed: number;
};

type Tree = {
  readonly features: readonly number[];
  readonly thresholds: readonly number[];
  readonly leaves: readonly number[];
};

const GRADIENT_STEPS = 65_536;

/** Trains a forest on the rows. */
export function boost(rows: Rows, options: BoostingOptions): Forest {
  const count = rows.labels.length;
  const random = randomFrom(options.seed);
  const steps = rows.columns.map(stepsOf);
  let positive = 0;
  let total = 0;
  for (let row = 0; row < count; row += 1) {
    const weight = rows.weights[row] as number;
    total += weight;
    if (rows.labels[row] === 1) positive += weight;
  }
  const bias = Math.round(Math.log(positive / (total - positive)) * LEAF_STEPS);
  const scores = new Float64Array(count).fill(bias);
  const gradients = new Float64Array(count);
  const curvatures = new Float64Array(count);
  const trees: Tree[] = [];
  for (let round = 0; round < options.trees; round += 1) {
    for (let row = 0; row < count; row += 1) {
      const chance = 1 / (1 + Math.exp(-(scores[row] as number) / LEAF_STEPS));
      const weight = rows.weights[row] as number;
      gradients[row] = Math.round(
        ((rows.labels[row] as number) - chance) * weight * GRADIENT_STEPS,
      );
      curvatures[row] = Math.round(Math.max(chance * (1 - chance), 1e-4) * weight * GRADIENT_STEPS);
    }
    const sample: number[] = [];
    for (let row = 0; row < count; row += 1) if (random() < options.rowShare) sample.push(row);
    const asked = round < NAME_TREES ? NAME_FEATURES : rows.columns.length;
    const features = rows.columns.flatMap((_, at) =>
      random() < options.featureShare && at < asked ? [at] : [],
    );
    const tree = grow(
      { steps, gradients, curvatures, sample: Int32Array.from(sample), features },
      options,
    );
    trees.push(tree);
    addTo(scores, tree, rows);
  }
  return {
    bias,
    trees: trees.length,
    questions: questionsOf(
      trees.flatMap(({ features }) => features),
      trees.flatMap(({ thresholds }) => thresholds),
    ),
    leaves: Int8Array.from(trees.flatMap(({ leaves }) => leaves)),
    stops: new Int32Array(0),
  };
}

type Steps = { readonly column: Uint8Array; readonly shift: number };

/** Features with small values are unchanged, all others are in steps of four. */
function stepsOf(column: Uint8Array): Steps {
  const shift = column.every((value) => value < BINS) ? 0 : 2;
  return { column: column.map((value) => value >> shift), shift };
}

type Ground = {
  readonly steps: readonly Steps[];
  readonly gradients: Float64Array;
  readonly curvatures: Float64Array;
  readonly sample: Int32Array;
  readonly features: readonly number[];
};

/** Number of bins per feature: finer thresholds do not help, and the sums fit the fastest cache. */
const BINS = 64;
const BIN_BITS = 6;

/** Gradient and curvature of each bin, alternating; one leaf after another. */
const LEAF_SUMS = 2 * BINS;

/** A feature that a tree may use: its bins in the sampled rows, and their sums in each leaf of the level. */
type Asked = {
  readonly feature: number;
  readonly column: Uint8Array;
  sums: Float64Array;
};

function grow(ground: Ground, options: BoostingOptions): Tree {
  const { sample, steps } = ground;
  const count = sample.length;
  const leafOf = new Uint8Array(count);
  const features: number[] = [];
  const thresholds: number[] = [];
  const sampleG = Float64Array.from(sample, (row) => ground.gradients[row] as number);
  const sampleH = Float64Array.from(sample, (row) => ground.curvatures[row] as number);
  const smoothing = options.smoothing * GRADIENT_STEPS;
  const directions: number[] = [];
  const everyRow = Int32Array.from({ length: count }, (_, at) => at);
  const asked = ground.features.map((feature): Asked => {
    const { column } = steps[feature] as Steps;
    const own = new Uint8Array(count);
    for (let at = 0; at < count; at += 1) own[at] = column[sample[at] as number] as number;
    const sums = new Float64Array(LEAF_SUMS);
    addRows({ sums, column: own, rows: everyRow, leafOf, sampleG, sampleH });
    return { feature, column: own, sums };
  });
  for (let level = 0; level < TREE_DEPTH; level += 1) {
    let best = { gain: 0, threshold: 0, asked: null as Asked | null };
    for (const one of asked) {
      const direction = directionOf(one.feature);
      const found = bestQuestion(one.sums, { leaves: 1 << level, smoothing, direction });
      if (found.gain > best.gain) best = { ...found, asked: one };
    }
    // No useful comparison is left: uses one that is false for every row.
    const feature = best.asked?.feature ?? 0;
    const { column, shift } = steps[feature] as Steps;
    const threshold = best.asked === null ? 255 >> shift : best.threshold;
    features.push(feature);
    directions.push(directionOf(feature));
    thresholds.push(Math.min(255, ((threshold + 1) << shift) - 1));
    for (let at = 0; at < count; at += 1) {
      const answer = (column[sample[at] as number] as number) > threshold ? 1 : 0;
      leafOf[at] = ((leafOf[at] as number) << 1) | answer;
    }
    if (level + 1 < TREE_DEPTH) descend(asked, { leafOf, sampleG, sampleH, leaves: 2 << level });
  }
  const size = TREE_LEAVES;
  const sumG = new Float64Array(size);
  const sumH = new Float64Array(size);
  for (let at = 0; at < count; at += 1) {
    const leaf = leafOf[at] as number;
    sumG[leaf] = (sumG[leaf] as number) + (sampleG[at] as number);
    sumH[leaf] = (sumH[leaf] as number) + (sampleH[at] as number);
  }
  const answers = Array.from(sumG, (sum, leaf) =>
    clipped(Math.round((options.rate * LEAF_STEPS * sum) / ((sumH[leaf] as number) + smoothing))),
  );
  return { features, thresholds, leaves: directed(answers, directions) };
}

type Addition = {
  readonly sums: Float64Array;
  readonly column: Uint8Array;
  readonly rows: Int32Array;
  readonly leafOf: Uint8Array;
  readonly sampleG: Float64Array;
  readonly sampleH: Float64Array;
};

function addRows({ sums, column, rows, leafOf, sampleG, sampleH }: Addition): void {
  for (let place = 0; place < rows.length; place += 1) {
    const at = rows[place] as number;
    const slot = (((leafOf[at] as number) << BIN_BITS) | (column[at] as number)) << 1;
    sums[slot] = (sums[slot] as number) + (sampleG[at] as number);
    sums[slot + 1] = (sums[slot + 1] as number) + (sampleH[at] as number);
  }
}

type Level = {
  readonly leafOf: Uint8Array;
  readonly sampleG: Float64Array;
  readonly sampleH: Float64Array;
  readonly leaves: number;
};

/**
 * Computes the sums of the next level: the half of each leaf with fewer rows is added up, and the other half is the
 * remainder of the leaf. The sums are of integers, so the remainder is exact.
 */
function descend(asked: readonly Asked[], level: Level): void {
  const { leafOf, leaves } = level;
  const sizes = new Int32Array(leaves);
  for (const leaf of leafOf) sizes[leaf] = (sizes[leaf] as number) + 1;
  const isSmaller = sizes.map((size, leaf) => {
    const other = sizes[leaf ^ 1] as number;
    return size < other || (size === other && leaf % 2 === 1) ? 1 : 0;
  });
  const rows: number[] = [];
  for (let at = 0; at < leafOf.length; at += 1) {
    if (isSmaller[leafOf[at] as number] === 1) rows.push(at);
  }
  const chosen = Int32Array.from(rows);
  for (const one of asked) {
    const before = one.sums;
    const sums = new Float64Array(leaves * LEAF_SUMS);
    addRows({ ...level, sums, column: one.column, rows: chosen });
    for (let leaf = 0; leaf < leaves; leaf += 1) {
      if (isSmaller[leaf] === 1) continue;
      const [parent, own, other] = [leaf >> 1, leaf, leaf ^ 1].map((of) => of * LEAF_SUMS) as [
        number,
        number,
        number,
      ];
      for (let at = 0; at < LEAF_SUMS; at += 1) {
        sums[own + at] = (before[parent + at] as number) - (sums[other + at] as number);
      }
    }
    one.sums = sums;
  }
}

const GAINS = new Float64Array(BINS);

/**
 * Returns the answers with every pair of leaves that differ in one comparison ordered in the direction of its feature.
 * Violating pairs get their mean, round by round; the error after the last round is small.
 */
function directed(answers: readonly number[], directions: readonly number[]): readonly number[] {
  const found = [...answers];
  for (let round = 0; round < ROUNDS; round += 1) {
    let isDirected = true;
    for (const [level, direction] of directions.entries()) {
      if (direction === 0) continue;
      const bit = 1 << (directions.length - 1 - level);
      for (let leaf = 0; leaf < found.length; leaf += 1) {
        if ((leaf & bit) !== 0) continue;
        const [no, yes] = [found[leaf] as number, found[leaf | bit] as number];
        if (direction * (yes - no) >= 0) continue;
        isDirected = false;
        const mean = Math.round((no + yes) / 2);
        found[leaf] = mean;
        found[leaf | bit] = mean;
      }
    }
    if (isDirected) break;
  }
  return found;
}

const ROUNDS = 20;

type Question = {
  readonly leaves: number;
  readonly smoothing: number;
  /** 1 or -1 if a larger value can only be evidence for or against a match, otherwise 0. */
  readonly direction: number;
};

function bestQuestion(
  sums: Float64Array,
  { leaves, smoothing, direction }: Question,
): { gain: number; threshold: number } {
  GAINS.fill(0);
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    const from = leaf * LEAF_SUMS;
    let allG = 0;
    let allH = 0;
    for (let at = from; at < from + LEAF_SUMS; at += 2) {
      allG += sums[at] as number;
      allH += sums[at + 1] as number;
    }
    if (allH === 0) continue;
    const whole = (allG * allG) / (allH + smoothing);
    let g = 0;
    let h = 0;
    for (let bin = 0; bin < BINS - 1; bin += 1) {
      g += sums[from + 2 * bin] as number;
      h += sums[from + 2 * bin + 1] as number;
      const restG = allG - g;
      // Against the direction, both halves would get the same answer: there is no gain.
      if (
        direction !== 0 &&
        direction * (restG * (h + smoothing) - g * (allH - h + smoothing)) < 0
      ) {
        continue;
      }
      const gain = (g * g) / (h + smoothing) + (restG * restG) / (allH - h + smoothing) - whole;
      GAINS[bin] = (GAINS[bin] as number) + gain;
    }
  }
  let best = { gain: 0, threshold: 0 };
  for (let bin = 0; bin < BINS - 1; bin += 1) {
    // A gain of less than a whole step is a tie, and the first one is kept.
    if ((GAINS[bin] as number) > best.gain + 1)
      best = { gain: GAINS[bin] as number, threshold: bin };
  }
  return best;
}

function addTo(scores: Float64Array, tree: Tree, rows: Rows): void {
  const columns = tree.features.map((feature) => rows.columns[feature] as Uint8Array);
  for (let row = 0; row < scores.length; row += 1) {
    let leaf = 0;
    for (let at = 0; at < columns.length; at += 1) {
      leaf =
        (leaf << 1) |
        (((columns[at] as Uint8Array)[row] as number) > (tree.thresholds[at] as number) ? 1 : 0);
    }
    scores[row] = (scores[row] as number) + (tree.leaves[leaf] as number);
  }
}

function clipped(answer: number): number {
  return Math.max(-127, Math.min(127, answer));
}
