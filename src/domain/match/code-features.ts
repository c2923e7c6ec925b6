// Features of model numbers: the strongest sign that two listings are one product, or that they are not.

import { CodeRelation, codeRelation, samePrefix } from './code-likeness.ts';
import { F } from './feature-names.ts';
import type { Code, Prepared } from './prepared.ts';

/** Shorter ones are found inside anything. */
const LONG_ENOUGH = 4;

export function codeFeatures(short: Prepared, long: Prepared, row: Int32Array): void {
  let equal = 0;
  let equalCount = 0;
  let relation = 0;
  let relationRarity = 0;
  let prefix = 0;
  let siblings = 0;
  for (const one of short.codes) {
    for (const two of long.codes) {
      if (one.hash === two.hash) {
        equalCount += 1;
        if (one.rarity > equal) equal = one.rarity;
        continue;
      }
      const kind = codeRelation(one.text, two.text);
      const weight = one.rarity < two.rarity ? one.rarity : two.rarity;
      if (kind === CodeRelation.sibling && weight > siblings) siblings = weight;
      if (kind > relation || (kind === relation && weight > relationRarity)) {
        relation = kind;
        relationRarity = weight;
      }
      const same = Math.round(
        (250 * samePrefix(one.text, two.text)) / Math.max(one.text.length, two.text.length),
      );
      if (same > prefix) prefix = same;
    }
  }
  row[F.codeEqual] = equal;
  row[F.codeSharedCount] = equalCount;
  row[F.codeRelation] = equal > 0 ? CodeRelation.equal : relation;
  row[F.codeRelationRarity] = equal > 0 ? equal : relationRarity;
  row[F.codePrefix] = equal > 0 ? 250 : prefix;
  row[F.codeSiblings] = siblings;
  row[F.shortCodes] = short.codes.length;
  row[F.longCodes] = long.codes.length;
  const one = inside(short.codes, long, row, F.shortCodeLeft);
  const two = inside(long.codes, short, row, F.longCodeLeft);
  row[F.codeInside] = Math.max(one & 0xff, two & 0xff);
  row[F.codeInTold] = Math.max(one >> 8, two >> 8);
  modelFields(short, long, row);
}

/**
 * Rarity of the rarest code of these that the other's title holds anywhere, and (times 256) that its
 * description holds; the rarest that is in neither goes to `row[left]`.
 */
function inside(codes: readonly Code[], other: Prepared, row: Int32Array, left: number): number {
  let title = 0;
  let told = 0;
  let rest = 0;
  for (const { text, rarity } of codes) {
    if (text.length >= LONG_ENOUGH && other.squeezed.includes(text)) {
      if (rarity > title) title = rarity;
    } else if (text.length >= LONG_ENOUGH && other.squeezedTold.includes(text)) {
      if (rarity > told) told = rarity;
    } else if (rarity > rest) rest = rarity;
  }
  row[left] = rest;
  return title | (told << 8);
}

function modelFields(short: Prepared, long: Prepared, row: Int32Array): void {
  const one = short.model;
  const two = long.model;
  row[F.modelFields] = (one === null ? 0 : 1) + (two === null ? 0 : 2);
  if (one === null || two === null) {
    const only = one ?? two;
    const other = one === null ? short : long;
    row[F.modelRelation] = only === null ? 0 : other.squeezed.includes(only) ? 2 : 1;
    return;
  }
  row[F.modelRelation] = 3 + codeRelation(one, two);
}
