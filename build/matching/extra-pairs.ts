// Pairs that no dataset has and that a service meets: listings that have nothing to do with each other. The
// datasets hold what a search found alike, so a model of them alone takes strangers for possible matches. Trained on,
// never measured with.

import type { MatchInput } from '../../src/matching/prepared.ts';
import { randomFrom } from './chance.ts';
import type { TrainingPair } from './training-rows.ts';

export type ExtraOptions = {
  /** As a share of the labelled pairs. */
  readonly unrelated: number;
  readonly seed: number;
};

/** Listings of pairs that were drawn by chance; of every second pair the titles alone. */
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
