// Features of where in a title the words stand that the other listing has: what a title sells stands at its
// beginning, what goes with it and who sells it further on.

import { At, rarityOf } from './layout.ts';
import { Found } from './word-overlap.ts';
import type { Side } from './word-overlap.ts';

/** What a word weighs by its place in the title: the fifth half of the first, the ninth a third. */
const WEIGHTS = Int32Array.from({ length: 128 }, (_, at) =>
  Math.max(1, Math.round(64 / (1 + at / 4))),
);

/**
 * Five features from `feature` on: how many of the first four and of the first eight words the other side has;
 * how many come before the first that it has not, and how rare that one is; the share of all that it has, where
 * earlier words weigh more.
 */
export function orderFeatures(
  { found }: Side,
  own: Int32Array,
  row: Int32Array,
  feature: number,
): void {
  const words = own[At.words] as number;
  const infos = At.startWords + words;
  const order = infos + 2 * words;
  let count = 0;
  let four = 0;
  let gap = -1;
  let gapRarity = 0;
  let all = 0;
  let has = 0;
  for (let at = 0; at < words; at += 1) {
    const place = own[order + at] as number;
    const rarity = rarityOf(own[infos + place] as number);
    const weight = rarity * (WEIGHTS[at] as number);
    all += weight;
    if (found[place] !== Found.not) {
      has += weight;
      if (at < 8) count += 1;
    } else if (gap < 0) {
      gap = at;
      gapRarity = rarity;
    }
    if (at < 4) four = count;
  }
  row[feature] = four;
  row[feature + 1] = count;
  row[feature + 2] = gap < 0 ? words : gap;
  row[feature + 3] = gapRarity;
  row[feature + 4] = all === 0 ? 0 : Math.round((250 * has) / all);
}
