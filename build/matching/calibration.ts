// From scores of held-out pairs to the points that the model ships: likeness as a probability, the one threshold,
// and where the strong band begins.

import { LEAF_STEPS } from '../../src/matching/forest.ts';
import type { Calibration } from '../../src/matching/model.ts';

export type Scored = {
  readonly dataset: number;
  readonly isMatch: boolean;
  readonly weight: number;
  /** In logits, by a forest that did not see the pair. */
  readonly score: number;
  /** In 1/`LEAF_STEPS` of a logit, after each `STOP_EVERY` trees. */
  readonly early: Int32Array;
};

/** Logistic regression on the score alone (Platt), by Newton's method; four decimals are kept. */
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

/** The similarity that a score stands for. */
export function similarityOf(score: number, { slope, offset }: Calibration): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)));
}

export type Tally = { readonly f1: number; readonly p: number; readonly r: number };

/** Precision, recall and F1 of taking pairs from `threshold` on for matches; matches count as they are weighted. */
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

/** Where the mean F1 of the datasets is highest, in hundredths. */
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
 * Where precision over all datasets together is high enough to need no further sign, in thousandths. The forests
 * of held-out pairs saw fewer pairs than the shipped one, which is surer: so their precision is asked a little less.
 */
export function strongPoint(pairs: readonly Scored[], calibration: Calibration): number {
  const all = pairs.map((pair) => ({ ...pair, similarity: similarityOf(pair.score, calibration) }));
  for (let step = 500; step < 1000; step += 5) {
    if (tallyOf(all, step / 1000).p >= STRONG_PRECISION) return step / 1000;
  }
  return 0.999;
}

/**
 * The scores after each `STOP_EVERY` trees below which a pair is left: of the pairs that are taken for matches
 * in the end, and of those that are half as likely, one in two thousand is below.
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
  // After the last trees there is nothing left to spare.
  return Int32Array.from(stops.slice(0, -1));
}

/** A quarter of a logit. */
const STOP_MARGIN = LEAF_STEPS / 4;

const STRONG_PRECISION = 0.965;

function rounded(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
