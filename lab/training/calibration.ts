// Derives from the scores of pairs of unseen kinds of goods what the model ships besides trees: the calibration of a score
// to a probability, the threshold for a match, and the threshold above which no further evidence is needed. Every dataset
// has the same weight, whatever its size.

import { MOST_UNKNOWN, SAME_TITLE, VETOED } from '../../src/rules/matching/pair/compare.ts';
import { LEAF_STEPS } from '../../src/rules/matching/model/forest.ts';
import type { Calibration } from '../../src/rules/matching/model/model.ts';
import type { LeftOut, ScoredPair } from './left-out.ts';

/** The scored pairs of one dataset with one table of rarities. */
type ScoredSet = readonly ScoredPair[];

/**
 * The weight of scores with a dataset's own titles counted in, relative to those without: the service counts its stored
 * titles, and a new one has none.
 */
const OWN_WEIGHT = 3;

/** If a dataset has a larger share of matches, its pairs were not found by a product search. */
const MOST_MATCHES = 0.3;

type WeightedSet = {
  readonly set: ScoredSet;
  readonly weight: number;
  /** Whether its share of matches is typical of searches: the match rate of other sets is not informative. */
  readonly isUsual: boolean;
};

/** Returns the sets used to choose calibration and threshold. */
export function choosingSets(leftOut: readonly LeftOut[]): readonly WeightedSet[] {
  return leftOut.flatMap(({ pairs: { shipped, own } }) => {
    const isUsual = own.filter(({ isMatch }) => isMatch).length <= MOST_MATCHES * own.length;
    return [
      { set: shipped, weight: 1, isUsual },
      { set: own, weight: OWN_WEIGHT, isUsual },
    ];
  });
}

/**
 * Fits a logistic regression of the trees' decision on the score and the share of unknown words (Platt scaling with a
 * second term), by Newton's method with halved steps, rounded to four decimals.
 */
export function calibrationOf(sets: readonly WeightedSet[]): Calibration {
  const usual = sets.filter(({ isUsual }) => isUsual);
  const rows = (usual.length === 0 ? sets : usual).flatMap(({ set, weight: ofSet }) => {
    const weight = ofSet / set.length;
    return set.flatMap(({ score, least, unknown, isMatch }) =>
      score === null || least > 0
        ? []
        : [{ x: [score, 1, Math.min(MOST_UNKNOWN, unknown)], y: isMatch ? 1 : 0, weight }],
    );
  });
  let found = [0.5, 0, 0];
  let least = lossOf(rows, found);
  for (let round = 0; round < 50; round += 1) {
    const gradient = [0, 0, 0];
    const curvature = [1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9];
    for (const { x, y, weight } of rows) {
      const chance = 1 / (1 + Math.exp(-dot(found, x)));
      const error = (y - chance) * weight;
      const curve = chance * (1 - chance) * weight;
      for (let i = 0; i < 3; i += 1) {
        gradient[i] = (gradient[i] as number) + error * (x[i] as number);
        for (let j = 0; j < 3; j += 1) {
          const at = 3 * i + j;
          curvature[at] = (curvature[at] as number) + curve * (x[i] as number) * (x[j] as number);
        }
      }
    }
    const step = solved(curvature, gradient);
    let share = 1;
    const moved = (): number[] => found.map((value, at) => value + share * (step[at] as number));
    while (share > 1e-6 && lossOf(rows, moved()) > least) share /= 2;
    found = moved();
    const now = lossOf(rows, found);
    if (least - now < 1e-12) break;
    least = now;
  }
  const [slope = 0, offset = 0, unknown = 0] = found.map((value) => rounded(value, 4));
  return { slope, offset, unknown };
}

type CalibrationRow = {
  readonly x: readonly number[];
  readonly y: number;
  readonly weight: number;
};

function dot(one: readonly number[], two: readonly number[]): number {
  return one.reduce((sum, value, at) => sum + value * (two[at] as number), 0);
}

function lossOf(rows: readonly CalibrationRow[], by: readonly number[]): number {
  return rows.reduce((sum, { x, y, weight }) => {
    const z = dot(by, x);
    return sum + weight * (Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))) - y * z);
  }, 0);
}

/** Solves three equations by Cramer's rule. */
function solved(matrix: readonly number[], right: readonly number[]): readonly number[] {
  const whole = determinant(matrix);
  return [0, 1, 2].map((column) => {
    const changed = matrix.map((value, at) =>
      at % 3 === column ? (right[Math.floor(at / 3)] as number) : value,
    );
    return determinant(changed) / whole;
  });
}

function determinant(matrix: readonly number[]): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = matrix;
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

/** Returns the similarity of a scored pair; for a pair settled by rules, that of a veto. */
export function similarityOf(
  { score, least, unknown: share }: ScoredPair,
  { slope, offset, unknown }: Calibration,
): number {
  if (score === null) return VETOED;
  const logit = slope * score + offset + unknown * Math.min(MOST_UNKNOWN, share);
  return Math.max(least, 1 / (1 + Math.exp(-logit)));
}

type Tally = { readonly f1: number; readonly p: number; readonly r: number };

/** Returns precision, recall and F1 of a set if pairs at or above `threshold` are matches; every pair counts the same. */
export function tallyOf(set: ScoredSet, calibration: Calibration, threshold: number): Tally {
  let [right, wrong, missed] = [0, 0, 0];
  for (const pair of set) {
    const { isMatch } = pair;
    if (similarityOf(pair, calibration) >= threshold) {
      if (isMatch) right += 1;
      else wrong += 1;
    } else if (isMatch) missed += 1;
  }
  return {
    f1: (2 * right) / Math.max(1e-9, 2 * right + wrong + missed),
    p: right / Math.max(1e-9, right + wrong),
    r: right / Math.max(1e-9, right + missed),
  };
}

/** Returns the threshold, in hundredths, with the highest mean F1 of the sets by their weights. */
export function thresholdOf(sets: readonly WeightedSet[], calibration: Calibration): number {
  let best = { threshold: 0.5, mean: 0 };
  for (let step = 15; step <= 75; step += 1) {
    const threshold = step / 100;
    const mean = sets.reduce(
      (sum, { set, weight }) => sum + weight * tallyOf(set, calibration, threshold).f1,
      0,
    );
    if (mean > best.mean) best = { threshold, mean };
  }
  return best.threshold;
}

/**
 * Returns the lowest threshold, in thousandths, above which every set except the worst is precise enough that no further
 * evidence is needed: one dataset calls identical titles different products, and no mean hides a failing kind of goods.
 * Pairs that a rule lifts are left to that rule, and one title is certain enough whatever the others are.
 */
export function strongPoint(sets: readonly ScoredSet[], calibration: Calibration): number {
  const sorted = sets.map((set) =>
    set
      .filter(({ least }) => least === 0)
      .map((pair) => ({ isMatch: pair.isMatch, similarity: similarityOf(pair, calibration) }))
      .toSorted((a, b) => b.similarity - a.similarity),
  );
  for (let step = LEAST_STRONG; step < 1000 * SAME_TITLE; step += 1) {
    const precisions = sorted.map((set) => {
      const end = set.findIndex(({ similarity }) => similarity * 1000 < step);
      const taken = end < 0 ? set : set.slice(0, end);
      const right = taken.filter(({ isMatch }) => isMatch).length;
      return taken.length < FEWEST_STRONG ? 1 : right / taken.length;
    });
    const [, second = 1] = precisions.toSorted((a, b) => a - b);
    if (second >= STRONG_PRECISION) return step / 1000;
  }
  return SAME_TITLE;
}

const STRONG_PRECISION = 0.96;
/** Thousandths. */
const LEAST_STRONG = 600;
/** Fewer pairs are not enough to measure precision. */
const FEWEST_STRONG = 20;

/**
 * Returns the scores after each `STOP_EVERY` trees below which the evaluation of a pair stops: one in two thousand of the
 * pairs that end with at least half the threshold is below.
 */
export function stopsOf(
  sets: readonly WeightedSet[],
  threshold: number,
  calibration: Calibration,
): Int32Array {
  const likely = sets
    .flatMap(({ set }) => set)
    .filter((pair) => pair.score !== null && similarityOf(pair, calibration) >= threshold / 2);
  const stops = Array.from(likely[0]?.early ?? [], (_, stop) => {
    const scores = Int32Array.from(likely, ({ early }) => early[stop] as number).sort();
    return (scores[Math.floor(scores.length / 2000)] as number) - STOP_MARGIN;
  });
  // Stopping after the last trees saves nothing.
  return Int32Array.from(stops.slice(0, -1));
}

/** A quarter of a logit. */
const STOP_MARGIN = LEAF_STEPS / 4;

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
