// Trains a model from labelled pairs. What it ships besides trees is derived from the scores that datasets get from forests
// trained without them.

import type { MatchModel } from '../../src/rules/matching/model/model.ts';
import { calibrationOf, choosingSets, stopsOf, strongPoint, thresholdOf } from './calibration.ts';
import { trainForest } from './forest-training.ts';
import type { TrainingOptions } from './forest-training.ts';
import { leaveOut } from './left-out.ts';
import type { LeftOut } from './left-out.ts';
import type { TrainingPair } from './training-rows.ts';

type Trained = {
  readonly model: MatchModel;
  /** Every dataset, scored by a forest trained without it. */
  readonly leftOut: readonly LeftOut[];
};

/** Trains a model. The same pairs in the same order with the same options give the same model. */
export async function train(
  labelled: readonly TrainingPair[],
  options: TrainingOptions,
  tell: (line: string) => void,
): Promise<Trained> {
  const leftOut = await leaveOut(labelled, options, tell);
  const sets = choosingSets(leftOut);
  const calibration = calibrationOf(sets);
  const threshold = thresholdOf(sets, calibration);
  const { forest, vocabulary } = trainForest(labelled, options);
  return {
    model: {
      forest: { ...forest, stops: stopsOf(sets, threshold, calibration) },
      vocabulary,
      calibration,
      threshold,
      strong: strongPoint(
        leftOut.map(({ pairs }) => pairs.own),
        calibration,
      ),
      number: 0,
    },
    leftOut,
  };
}
