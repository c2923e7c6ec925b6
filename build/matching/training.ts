// Trains a model from labelled pairs. Calibration and thresholds are derived from the scores that pairs get from
// forests trained without them.

import type { MatchModel } from '../../src/matching/model.ts';
import { LEAF_STEPS, STOP_EVERY, sumOf } from '../../src/matching/forest.ts';
import type { Forest } from '../../src/matching/forest.ts';
import { featureRow } from '../../src/matching/features.ts';
import type { Idf } from '../../src/matching/vocabulary.ts';
import { boost } from './boosting.ts';
import type { BoostingOptions, Rows } from './boosting.ts';
import { calibrationOf, stopsOf, strongPoint, thresholdOf } from './calibration.ts';
import type { Scored } from './calibration.ts';
import { extraPairs } from './extra-pairs.ts';
import type { ExtraOptions } from './extra-pairs.ts';
import { countWords, fillSways, partOf, rowsOf, subsetOf, swaysOf } from './training-rows.ts';
import type { TrainingPair, TrainingRows } from './training-rows.ts';
import { wordWeights } from './word-weights.ts';
import type { WordWeightOptions } from './word-weights.ts';

export type TrainingOptions = {
  readonly boosting: BoostingOptions;
  readonly words: WordWeightOptions;
  readonly extra: ExtraOptions;
  /** Number of parts of which each is held out in turn, for the trees and for the word weights. */
  readonly parts: number;
  readonly wordParts: number;
  /** The share of matches to which datasets with too many are weighted down. */
  readonly matchShare: number;
  /** Mean weight of a row of such a dataset. */
  readonly rowWeight: number;
  /** Words of fewer titles count as unknown. */
  readonly leastTitles: number;
};

export const OPTIONS: TrainingOptions = {
  boosting: {
    trees: 600,
    rate: 0.08,
    rowShare: 0.5,
    featureShare: 0.4,
    smoothing: 5,
    seed: 20_261_120,
  },
  words: { rounds: 5, rate: 0.15, pull: 0.01, seed: 5, leastPairs: 4 },
  extra: { unrelated: 0.15, seed: 9 },
  parts: 5,
  wordParts: 5,
  matchShare: 0.115,
  rowWeight: 1,
  leastTitles: 3,
};

export type Trained = {
  readonly model: MatchModel;
  /** Every pair with its score from a forest that was trained without it. */
  readonly heldOut: readonly Scored[];
};

/** The same pairs in the same order with the same options give the same model. */
export function train(
  labelled: readonly TrainingPair[],
  options: TrainingOptions,
  tell: (line: string) => void,
): Trained {
  const idf = countWords(labelled, options.leastTitles);
  const pairs = [...labelled, ...extraPairs(labelled, options.extra)];
  const { rows, heldOut } = crossValidate(pairs, idf, options, tell);
  const calibration = calibrationOf(heldOut);
  const threshold = thresholdOf(heldOut, calibration);
  const forest = {
    ...boost(rows, options.boosting),
    stops: stopsOf(heldOut, threshold, calibration),
  };
  const numbers = Int32Array.from(pairs.keys());
  const sways = swaysOf(wordWeights(rows, rows.words, numbers, options.words));
  return {
    model: {
      forest,
      vocabulary: { idf, sways },
      calibration,
      threshold,
      strong: strongPoint(heldOut, calibration),
      number: 0,
    },
    heldOut,
  };
}

/** The rows with their word features, and the score of each pair from a forest that was trained without it. */
export function crossValidate(
  pairs: readonly TrainingPair[],
  idf: Idf,
  options: TrainingOptions,
  tell: (line: string) => void,
): { readonly rows: TrainingRows; readonly heldOut: readonly Scored[] } {
  const weights = weightsOf(pairs, options);
  const rows = rowsOf(pairs, idf, ({ dataset, isMatch }) => weights(dataset, isMatch));
  tell(`${pairs.length} pairs, ${idf.documents} records, ${idf.counts.size} words`);
  fillHeldOut(pairs, rows, options);
  const scores = heldOutScores(pairs, rows, options, tell);
  const heldOut = pairs.map(({ dataset, isMatch }, at) => ({
    dataset,
    isMatch,
    weight: weights(dataset, isMatch),
    early: scores.early[at] as Int32Array,
    score: (scores.all[at] as number) / LEAF_STEPS,
  }));
  return { rows, heldOut };
}

/** Fills the word features of every row from weights learned on other parts, so that the trees learn their worth. */
function fillHeldOut(
  pairs: readonly TrainingPair[],
  rows: TrainingRows,
  options: TrainingOptions,
): void {
  for (let part = 0; part < options.wordParts; part += 1) {
    const [rest, held] = split(pairs, options.wordParts, part, 1);
    fillSways(rows, swaysOf(wordWeights(rows, rows.words, rest, options.words)), held);
  }
}

/** Scores in 1/`LEAF_STEPS` of a logit: after each `STOP_EVERY` trees, and after all. */
type HeldOutScores = { readonly early: Int32Array[]; readonly all: Float64Array };

function heldOutScores(
  pairs: readonly TrainingPair[],
  rows: Rows,
  options: TrainingOptions,
  tell: (line: string) => void,
): HeldOutScores {
  const scores = {
    early: pairs.map(() => new Int32Array(0)),
    all: new Float64Array(pairs.length),
  };
  for (let part = 0; part < options.parts; part += 1) {
    const [rest, held] = split(pairs, options.parts, part, 0);
    const forest = boost(subsetOf(rows, rest), options.boosting);
    scoreInto(scores, forest, rows, held);
    tell(`part ${part + 1} of ${options.parts} held out and scored`);
  }
  return scores;
}

function scoreInto(scores: HeldOutScores, forest: Forest, rows: Rows, chosen: Int32Array): void {
  const row = featureRow();
  for (const at of chosen) {
    for (const [feature, column] of rows.columns.entries()) row[feature] = column[at] as number;
    const early = new Int32Array(Math.floor(forest.trees / STOP_EVERY));
    let score = forest.bias;
    for (let stop = 0; stop < early.length; stop += 1) {
      score += sumOf(forest, row, stop * STOP_EVERY, (stop + 1) * STOP_EVERY);
      early[stop] = score;
    }
    scores.early[at] = early;
    scores.all[at] = score + sumOf(forest, row, early.length * STOP_EVERY, forest.trees);
  }
}

function split(
  pairs: readonly TrainingPair[],
  parts: number,
  part: number,
  turn: number,
): readonly [rest: Int32Array, held: Int32Array] {
  const rest: number[] = [];
  const held: number[] = [];
  for (const [at, pair] of pairs.entries()) {
    (partOf(pair, parts, turn) === part ? held : rest).push(at);
  }
  return [Int32Array.from(rest), Int32Array.from(held)];
}

/** A larger share of matches in a dataset is an artefact of how its pairs were chosen. */
const BALANCED = 0.3;

function weightsOf(
  pairs: readonly TrainingPair[],
  { matchShare, rowWeight }: TrainingOptions,
): (dataset: number, isMatch: boolean) => number {
  const counts = new Map<number, { matches: number; all: number }>();
  for (const { dataset, isMatch } of pairs.filter(({ isExtra }) => !isExtra)) {
    const { matches, all } = counts.get(dataset) ?? { matches: 0, all: 0 };
    counts.set(dataset, { matches: matches + (isMatch ? 1 : 0), all: all + 1 });
  }
  return (dataset, isMatch) => {
    const { matches, all } = counts.get(dataset) ?? { matches: 0, all: 1 };
    if (matches / all <= BALANCED) return 1;
    const share = isMatch ? matchShare / matches : (1 - matchShare) / (all - matches);
    return rowWeight * share * all;
  };
}
