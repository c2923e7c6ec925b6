// Pairs of kinds of goods that a model has not seen: every dataset in turn is scored by a forest trained on the others
// alone. What the model ships besides trees (calibration, threshold, bands) is derived from these scores, because the
// service meets goods that were not in the training data.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

import { leastOf, measureUnsettled, unknownOf } from '../../src/rules/matching/pair/compare.ts';
import { featureRow } from '../../src/rules/matching/features/features.ts';
import { LEAF_STEPS, STOP_EVERY, sumOf } from '../../src/rules/matching/model/forest.ts';
import { prepareListing } from '../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../src/rules/matching/prepared/prepared.ts';
import { countTitles } from '../../src/rules/matching/words/vocabulary.ts';
import type { Vocabulary } from '../../src/rules/matching/words/vocabulary.ts';
import type { LabelledPair } from '../eval/matching/data.ts';
import { trainForest } from './forest-training.ts';
import type { TrainedForest, TrainingOptions } from './forest-training.ts';
import type { TrainingPair } from './training-rows.ts';

/** Word rarities: of the training titles alone, or with the titles of the measured pairs counted in. */
export const RARITIES = ['shipped', 'own'] as const;
export type Rarities = (typeof RARITIES)[number];

export type ScoredPair = {
  readonly isMatch: boolean;
  /** In logits; null if rules determine that the pair is two products. */
  readonly score: number | null;
  /** The minimum similarity, whatever the score. */
  readonly least: number;
  /** Mean share, 0 to 1, of the words of the two titles that have the maximum rarity. */
  readonly unknown: number;
  /** In 1/`LEAF_STEPS` of a logit, after each `STOP_EVERY` trees. */
  readonly early: Int32Array;
};

export type LeftOut = {
  readonly dataset: number;
  readonly pairs: Readonly<Record<Rarities, readonly ScoredPair[]>>;
  /** The forest that scored them, with the titles of the pairs counted in. */
  readonly trained: TrainedForest;
};

export type LeaveOutJob = {
  readonly labelled: readonly TrainingPair[];
  readonly dataset: number;
  readonly options: TrainingOptions;
};

/** Scores every dataset of `labelled` by a forest trained without it; one thread per free processor. */
export async function leaveOut(
  labelled: readonly TrainingPair[],
  options: TrainingOptions,
  tell: (line: string) => void,
): Promise<readonly LeftOut[]> {
  const datasets = [...new Set(labelled.map(({ dataset }) => dataset))];
  const waiting = [...datasets];
  const found = new Map<number, LeftOut>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.set(next, await inThread({ labelled, dataset: next, options }));
      tell(`dataset ${next + 1} of ${datasets.length} left out and scored`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return datasets.map((dataset) => found.get(dataset) as LeftOut);
}

function inThread(job: LeaveOutJob): Promise<LeftOut> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('left-out-thread.ts', import.meta.url), { workerData: job });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

/** Scores one dataset by a forest trained without it. */
export function leftOutOf({ labelled, dataset, options }: LeaveOutJob): LeftOut {
  const held = labelled.filter((pair) => pair.dataset === dataset);
  const trained = trainForest(
    labelled.filter((pair) => pair.dataset !== dataset),
    options,
  );
  const withOwn = withTitlesOf(trained, held);
  return {
    dataset,
    pairs: { shipped: scoredPairs(trained, held), own: scoredPairs(withOwn, held) },
    trained: withOwn,
  };
}

/** Returns the forest with the titles of the pairs counted in, each once. */
function withTitlesOf(trained: TrainedForest, pairs: readonly LabelledPair[]): TrainedForest {
  const count = countTitles(trained.vocabulary.idf);
  const titles = pairs.flatMap(({ left, right }) => [left.title ?? '', right.title ?? '']);
  for (const title of new Set(titles)) count.add(title);
  return { ...trained, vocabulary: { ...trained.vocabulary, idf: count.idf() } };
}

/** Returns the pairs with their scores. */
function scoredPairs(
  { forest, vocabulary }: TrainedForest,
  pairs: readonly LabelledPair[],
): readonly ScoredPair[] {
  const prepare = preparer(vocabulary);
  const row = featureRow();
  return pairs.map(({ left, right, isMatch }) => {
    const [one, two] = [prepare(left), prepare(right)];
    const [unknown, least] = [unknownOf(one, two), leastOf(one, two)];
    if (!measureUnsettled(one, two, row)) {
      return { isMatch, score: null, least: 0, unknown, early: new Int32Array(0) };
    }
    const early = new Int32Array(Math.floor(forest.trees / STOP_EVERY));
    let score = forest.bias;
    for (let stop = 0; stop < early.length; stop += 1) {
      score += sumOf(forest, row, stop * STOP_EVERY, (stop + 1) * STOP_EVERY);
      early[stop] = score;
    }
    score += sumOf(forest, row, early.length * STOP_EVERY, forest.trees);
    return { isMatch, score: score / LEAF_STEPS, least, unknown, early };
  });
}

/** Returns a function that prepares each listing once. */
function preparer(vocabulary: Vocabulary): (input: MatchInput) => Prepared {
  const known = new Map<string, Prepared>();
  return (input) => {
    const key = JSON.stringify(input);
    const found = known.get(key) ?? prepareListing(input, vocabulary);
    known.set(key, found);
    return found;
  };
}
