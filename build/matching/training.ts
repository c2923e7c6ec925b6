// Pairs -> a model. Every point at which a likeness means something (calibration, threshold, strong) is read
// off scores of pairs by forests that did not see them.

import type { MatchModel } from '../../src/domain/match/model.ts';
import { forestScore, LEAF_STEPS } from '../../src/domain/match/forest.ts';
import type { Forest } from '../../src/domain/match/forest.ts';
import { featureRow } from '../../src/domain/match/features.ts';
import { boost } from './boosting.ts';
import type { BoostingOptions, Rows } from './boosting.ts';
import { calibrationOf, strongPoint, thresholdOf } from './calibration.ts';
import type { Scored } from './calibration.ts';
import { countWords, fillSways, partOf, rowsOf, subsetOf, swaysOf } from './training-rows.ts';
import type { TrainingPair, TrainingRows } from './training-rows.ts';
import { wordWeights } from './word-weights.ts';
import type { WordWeightOptions } from './word-weights.ts';

export type TrainingOptions = {
  readonly boosting: BoostingOptions;
  readonly words: WordWeightOptions;
  /** Parts that are held out in turn. */
  readonly parts: number;
  /** Share of matches that a dataset with more of them is weighted down to. */
  readonly matchShare: number;
  /** Weight of a row of such a dataset, on average. */
  readonly rowWeight: number;
  /** Words of fewer titles are as good as unknown and are not kept. */
  readonly leastTitles: number;
};

export const OPTIONS: TrainingOptions = {
  boosting: {
    trees: 700,
    rate: 0.07,
    rowShare: 0.6,
    featureShare: 0.4,
    smoothing: 3,
    seed: 20_261_120,
  },
  words: { rounds: 5, rate: 0.15, pull: 0.01, seed: 5, leastPairs: 4 },
  parts: 5,
  matchShare: 0.115,
  rowWeight: 1,
  leastTitles: 2,
};

export type Trained = {
  readonly model: MatchModel;
  /** Every pair with the score of a forest that did not see it. */
  readonly heldOut: readonly Scored[];
};

/** Trains on the pairs. The same pairs in the same order and the same options give the same model. */
export function train(
  pairs: readonly TrainingPair[],
  options: TrainingOptions,
  tell: (line: string) => void,
): Trained {
  const weights = weightsOf(pairs, options);
  const idf = countWords(pairs);
  const rows = rowsOf(pairs, idf, ({ dataset, isMatch }) => weights(dataset, isMatch));
  tell(`${pairs.length} pairs, ${idf.documents} records, ${idf.counts.size} words`);
  const numbers = Int32Array.from(pairs.keys());
  fillHeldOut(pairs, rows, options);
  const scores = heldOutScores(pairs, rows, options, tell);
  const heldOut = pairs.map(({ dataset, isMatch }, at) => ({
    dataset,
    isMatch,
    weight: weights(dataset, isMatch),
    score: (scores[at] as number) / LEAF_STEPS,
  }));
  const calibration = calibrationOf(heldOut);
  const forest = boost(rows, options.boosting);
  const sways = swaysOf(wordWeights(rows, rows.words, numbers, options.words));
  const kept = new Map([...idf.counts].filter(([, count]) => count >= options.leastTitles));
  return {
    model: {
      forest,
      vocabulary: { idf: { ...idf, counts: kept }, sways },
      calibration,
      threshold: thresholdOf(heldOut, calibration),
      strong: strongPoint(heldOut, calibration),
    },
    heldOut,
  };
}

/** Word features of every row from the words of other parts, so that the trees learn what they are worth. */
function fillHeldOut(
  pairs: readonly TrainingPair[],
  rows: TrainingRows,
  options: TrainingOptions,
): void {
  for (let part = 0; part < options.parts; part += 1) {
    const [rest, held] = split(pairs, options.parts, part, 1);
    fillSways(rows, swaysOf(wordWeights(rows, rows.words, rest, options.words)), held);
  }
}

function heldOutScores(
  pairs: readonly TrainingPair[],
  rows: Rows,
  options: TrainingOptions,
  tell: (line: string) => void,
): Float64Array {
  const scores = new Float64Array(pairs.length);
  for (let part = 0; part < options.parts; part += 1) {
    const [rest, held] = split(pairs, options.parts, part, 0);
    const forest = boost(subsetOf(rows, rest), options.boosting);
    scoreInto(scores, forest, rows, held);
    tell(`part ${part + 1} of ${options.parts} held out and scored`);
  }
  return scores;
}

function scoreInto(scores: Float64Array, forest: Forest, rows: Rows, chosen: Int32Array): void {
  const row = featureRow();
  for (const at of chosen) {
    for (const [feature, column] of rows.columns.entries()) row[feature] = column[at] as number;
    scores[at] = forestScore(forest, row);
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

/** More matches than this in a dataset are an artefact of how its pairs were drawn. */
const BALANCED = 0.3;

function weightsOf(
  pairs: readonly TrainingPair[],
  { matchShare, rowWeight }: TrainingOptions,
): (dataset: number, isMatch: boolean) => number {
  const counts = new Map<number, { matches: number; all: number }>();
  for (const { dataset, isMatch } of pairs) {
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
