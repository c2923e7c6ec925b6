// Features of what training found single words to say, beyond their rarity; 128 is nothing.

import { F } from './feature-names.ts';
import { At, swayAlone, swayShared } from './layout.ts';
import { SWAY_STEPS } from './vocabulary.ts';
import { Found } from './word-overlap.ts';
import type { Overlap, Side } from './word-overlap.ts';

/** Summed word weights of a pair, in 1/`SWAY_STEPS` of a logit. */
export type Sways = {
  /** Of words in both titles. */
  shared: number;
  /** Of words in one. */
  alone: number;
  /** The lowest of all, at most 0. */
  worst: number;
};

const SWAYS: Sways = { shared: 0, alone: 0, worst: 0 };

/** Writes the features of word weights into `row`. */
export function swayFeatures(
  short: Int32Array,
  long: Int32Array,
  overlap: Overlap,
  row: Int32Array,
): void {
  const infos = At.startWords + (short[At.words] as number);
  SWAYS.shared = 0;
  SWAYS.alone = 0;
  SWAYS.worst = 0;
  for (let at = 0; at < overlap.sharedCount; at += 1) {
    const sway = swayShared(short[infos + (overlap.shared[at] as number)] as number);
    SWAYS.shared += sway;
    if (sway < SWAYS.worst) SWAYS.worst = sway;
  }
  addAlone(overlap.short, short);
  addAlone(overlap.long, long);
  swayValues(SWAYS, row);
}

function addAlone(side: Side, own: Int32Array): void {
  const infos = At.startWords + (own[At.words] as number);
  for (let at = 0; at < side.leftCount; at += 1) {
    const place = side.left[at] as number;
    if (side.found[place] !== Found.not) continue;
    const sway = swayAlone(own[infos + place] as number);
    SWAYS.alone += sway;
    if (sway < SWAYS.worst) SWAYS.worst = sway;
  }
}

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
