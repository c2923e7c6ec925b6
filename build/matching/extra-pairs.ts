// Pairs that no dataset has and that a service meets: listings that have nothing to do with each other, and
// listings of which only the title is known. Trained on, never measured with.

import type { MatchInput } from '../../src/domain/match/prepared.ts';
import { randomFrom } from './chance.ts';
import type { TrainingPair } from './training-rows.ts';

export type ExtraOptions = {
  /** As shares of the labelled pairs. */
  readonly unrelated: number;
  readonly bare: number;
  readonly seed: number;
};

/** Unrelated listings (every second with its title alone), then labelled pairs without anything but their titles. */
export function extraPairs(
  pairs: readonly TrainingPair[],
  { unrelated, bare, seed }: ExtraOptions,
): readonly TrainingPair[] {
  const random = randomFrom(seed);
  const any = (): TrainingPair => pairs[Math.floor(random() * pairs.length)] as TrainingPair;
  const found: TrainingPair[] = [];
  for (let at = 0; at < Math.round(pairs.length * unrelated); at += 1) {
    const [one, two] = [any(), any()];
    const isOne = one.id === two.id || (one.cluster !== null && one.cluster === two.cluster);
    if (isOne) continue;
    const [left, right] = [one.left, two.right];
    found.push({
      id: `unrelated-${at}`,
      left: at % 2 === 0 ? left : titleOf(left),
      right: at % 2 === 0 ? right : titleOf(right),
      isMatch: false,
      cluster: null,
      dataset: one.dataset,
      isExtra: true,
    });
  }
  for (let at = 0; at < Math.round(pairs.length * bare); at += 1) {
    const pair = any();
    found.push({
      ...pair,
      left: titleOf(pair.left),
      right: titleOf(pair.right),
      isExtra: true,
    });
  }
  return found;
}

function titleOf({ title }: MatchInput): MatchInput {
  return { title };
}
