// Derives from the scores of held-out pairs what the model ships besides trees: the calibration of a score to a
// probability, the threshold for a match, and the threshold above which no further sign is needed.

import { LEAF_STEPS } from '../../src/matching/forest.ts';
import type { Calibration } from '../../src/matching/model.ts';

export type Scored = {
  readonly dataset: number;
  readonly isMatch: boolean;
  readonly weight: number;
  /** In logits, from a forest that was trained without the pair. */
  readonly score: number;
  /** In 1/`LEAF_STEPS` of a logit, after each `STOP_EVERY` trees. */
  readonly early: Int32Array;
};

/** Logistic regression on the score alone (Platt scaling), by Newton's method, rounded to four decimals. */
export function calibrationOf(pairs: readonly Scored[]): Calibration {
  let slope = 1;
  let offset = 0;
  for (let round = 0; round < 50; round += 1) {
    let [gs, go, hss, hso, hoo] = [0, 0, 1e-6, 0, 1e-6];
    for (const { score, isMatch, weight } of pairs) {
      const chance = 1 / (1 + Math.exp(-(slope * score + offset)));
      const error = ((isMatch ? 1 : 0) - chance) * weight;
      const curve = chance * (1 - chance) * weight;
      gs += error * score;
      go += error;
      hss += curve * score * score;
      hso += curve * score;
      hoo += curve;
    }
    const determinant = hss * hoo - hso * hso;
    slope += (gs * hoo - go * hso) / determinant;
    offset += (go * hss - gs * hso) / determinant;
  }
  return { slope: rounded(slope, 4), offset: rounded(offset, 4) };
}

/** The similarity of a score in logits. */
export function similarityOf(score: number, { slope, offset }: Calibration): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)));
}

export type Tally = { readonly f1: number; readonly p: number; readonly r: number };

/** Precision, recall and F1 when pairs at or above `threshold` are matches; pairs count by weight. */
export function tallyOf(
  pairs: readonly { isMatch: boolean; similarity: number; weight: number }[],
  threshold: number,
): Tally {
  let [right, wrong, missed] = [0, 0, 0];
  for (const { isMatch, similarity, weight } of pairs) {
    if (similarity >= threshold) {
      if (isMatch) right += weight;
      else wrong += weight;
    } else if (isMatch) missed += weight;
  }
  return {
    f1: (2 * right) / Math.max(1e-9, 2 * right + wrong + missed),
    p: right / Math.max(1e-9, right + wrong),
    r: right / Math.max(1e-9, right + missed),
  };
}

/** The threshold, in hundredths, with the highest mean F1 of the datasets. */
export function thresholdOf(pairs: readonly Scored[], calibration: Calibration): number {
  const groups = [...Map.groupBy(pairs, ({ dataset }) => dataset).values()].map((group) =>
    group.map((pair) => ({ ...pair, similarity: similarityOf(pair.score, calibration) })),
  );
  let best = { threshold: 0.5, mean: 0 };
  for (let step = 15; step <= 75; step += 1) {
    const threshold = step / 100;
    const sum = groups.reduce((total, group) => total + tallyOf(group, threshold).f1, 0);
    if (sum / groups.length > best.mean) best = { threshold, mean: sum / groups.length };
  }
  return best.threshold;
}

/**
 * The lowest threshold, in thousandths, whose precision over all datasets needs no further sign. The forests of
 * held-out pairs were trained with fewer pairs than the shipped one and are less sure, so the required precision is a
 * little lower.
 */
export function strongPoint(pairs: readonly Scored[], calibration: Calibration): number {
  const all = pairs.map((pair) => ({ ...pair, similarity: similarityOf(pair.score, calibration) }));
  for (let step = 500; step < 1000; step += 5) {
    if (tallyOf(all, step / 1000).p >= STRONG_PRECISION) return step / 1000;
  }
  return 0.999;
}

/**
 * The scores after each `STOP_EVERY` trees below which the evaluation of a pair stops: one in two thousand of the pairs
 * that end with at least half the threshold is below.
 */
export function stopsOf(
  pairs: readonly Scored[],
  threshold: number,
  calibration: Calibration,
): Int32Array {
  const likely = pairs.filter(({ score }) => similarityOf(score, calibration) >= threshold / 2);
  const stops = Array.from(likely[0]?.early ?? [], (_, stop) => {
    const scores = Int32Array.from(likely, ({ early }) => early[stop] as number).sort();
    return (scores[Math.floor(scores.length / 2000)] as number) - STOP_MARGIN;
  });
  // Stopping after the last trees saves nothing.
  return Int32Array.from(stops.slice(0, -1));
}

/** A quarter of a logit. */
const STOP_MARGIN = LEAF_STEPS / 4;

const STRONG_PRECISION = 0.965;

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
