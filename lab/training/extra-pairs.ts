// Pairs of unrelated listings, which no dataset has but the service encounters: the datasets contain search results that
// look alike, and a model trained on them alone takes unrelated listings for possible matches. Used for training, not
// measured.

import type { MatchInput } from '../../src/rules/matching/prepared/prepared.ts';
import { randomFrom } from '../../tests/support/random.ts';
import type { TrainingPair } from './training-rows.ts';

export type ExtraOptions = {
  /** Number of extra pairs as a share of the labelled pairs. */
  readonly unrelated: number;
  readonly seed: number;
};

/** Returns listings of two random pairs each; every second pair has only titles. */
export function extraPairs(
  pairs: readonly TrainingPair[],
  { unrelated, seed }: ExtraOptions,
): readonly TrainingPair[] {
  const random = randomFrom(seed);
  const any = (): TrainingPair => pairs[Math.floor(random() * pairs.length)] as TrainingPair;
  const found: TrainingPair[] = [];
  for (let at = 0; at < Math.round(pairs.length * unrelated); at += 1) {
    const [one, two] = [any(), any()];
    if (one.id === two.id || (one.cluster !== null && one.cluster === two.cluster)) continue;
    const known = (input: MatchInput): MatchInput =>
      at % 2 === 0 ? input : { title: input.title };
    found.push({
      id: `unrelated-${at}`,
      left: known(one.left),
      right: known(two.right),
      isMatch: false,
      cluster: null,
      dataset: one.dataset,
      isExtra: true,
    });
  }
  return found;
}
