// Features of what training found single words to say, beyond their rarity; 128 is nothing.

import { F } from './feature-names.ts';
import { SWAY_STEPS } from './vocabulary.ts';

/** Summed word weights of a pair, in 1/`SWAY_STEPS` of a logit. */
export type Sways = {
  /** Of words in both titles. */
  shared: number;
  /** Of words in one. */
  alone: number;
  /** The lowest of all, at most 0. */
  worst: number;
};

/** The features of summed word weights. */
export function swayValues({ shared, alone, worst }: Sways, row: Int32Array): void {
  row[F.swaySum] = around((shared + alone) * SUM);
  row[F.swayShared] = around(shared * SUM);
  row[F.swayAlone] = around(alone * SUM);
  row[F.swayWorst] = around(worst * WORST);
}

/** Steps of the features in a logit. */
const SUM = 20 / SWAY_STEPS;
const WORST = 40 / SWAY_STEPS;

function around(value: number): number {
  return Math.max(0, Math.min(255, 128 + Math.round(value)));
}
