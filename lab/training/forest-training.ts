// Trains the trees of a model from labelled pairs.

import type { Forest } from '../../src/rules/matching/model/forest.ts';
import type { Vocabulary } from '../../src/rules/matching/words/vocabulary.ts';
import { boost } from './boosting.ts';
import type { BoostingOptions } from './boosting.ts';
import { extraPairs } from './extra-pairs.ts';
import type { ExtraOptions } from './extra-pairs.ts';
import { countWords, rowsOf } from './training-rows.ts';
import type { TrainingPair } from './training-rows.ts';

export type TrainingOptions = {
  readonly boosting: BoostingOptions;
  readonly extra: ExtraOptions;
  /** The match share to which datasets with too many matches are weighted down. */
  readonly matchShare: number;
  /** Mean weight of a row in such a dataset. */
  readonly rowWeight: number;
  /** Words in fewer titles count as unknown. */
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
  extra: { unrelated: 0.15, seed: 9 },
  matchShare: 0.115,
  rowWeight: 1,
  leastTitles: 3,
};

export type TrainedForest = { readonly forest: Forest; readonly vocabulary: Vocabulary };

/** Returns the trees and the words of a model. */
export function trainForest(
  labelled: readonly TrainingPair[],
  options: TrainingOptions,
): TrainedForest {
  const idf = countWords(labelled, options.leastTitles);
  const weights = weightsOf(labelled, options);
  const rows = rowsOf(
    [...labelled, ...extraPairs(labelled, options.extra)],
    idf,
    ({ dataset, isMatch }) => weights(dataset, isMatch),
  );
  return { forest: boost(rows, options.boosting), vocabulary: { idf } };
}

/** A larger share of matches in a dataset is an artefact of how its pairs were chosen. */
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
