// Features of model numbers: the strongest evidence for or against two listings being one product.

import { CodeRelation, codeRelation, mayRelate, samePrefix } from '../prepared/code-likeness.ts';
import { F } from './feature-names.ts';
import { TRIGRAM_FIELDS } from '../prepared/trigrams.ts';
import { At, hasBit, least, MAX_CODES, most } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';

/** Shorter model numbers occur inside other words by chance. */
const LONG_ENOUGH = 4;

/** Writes the features of model numbers into `row`. */
export function codeFeatures(short: Prepared, long: Prepared, row: Int32Array): void {
  row[F.shortCodes] = short.numbers[At.codes] as number;
  row[F.longCodes] = long.numbers[At.codes] as number;
  pairs(short, long, row);
  const one = inside(short, long, row, F.shortCodeLeft);
  const two = inside(long, short, row, F.longCodeLeft);
  row[F.codeInside] = Math.max(one & 255, two & 255);
  row[F.codeInTold] = Math.max(one >> 8, two >> 8);
  row[F.codeFirst] = firsts(short, long);
  modelFields(short, long, row);
}

/**
 * Compares the first model numbers: 0 one side has none; 1 different; 2 the first of one is a later one of the other; 3 the
 * same.
 */
function firsts({ numbers: one }: Prepared, { numbers: two }: Prepared): number {
  const mine = one[At.firstCode] as number;
  const theirs = two[At.firstCode] as number;
  if (mine === 0 || theirs === 0) return 0;
  if (mine === theirs) return 3;
  for (let at = At.codeHashes; at < At.codeHashes + MAX_CODES; at += 1) {
    if (one[at] === theirs || two[at] === mine) return 2;
  }
  return 1;
}

function pairs(short: Prepared, long: Prepared, row: Int32Array): void {
  const { numbers: mine, codes } = short;
  const { numbers: theirs, codes: others } = long;
  let equal = 0;
  let equalCount = 0;
  let relation = 0;
  let relationRarity = 0;
  let prefix = 0;
  let siblings = 0;
  for (let i = 0; i < codes.length; i += 1) {
    const hash = mine[At.codeHashes + i] as number;
    const rarity = mine[At.codeRarities + i] as number;
    for (let j = 0; j < others.length; j += 1) {
      if (hash === theirs[At.codeHashes + j]) {
        equalCount += 1;
        if (rarity > equal) equal = rarity;
        continue;
      }
      const weight = least(rarity, theirs[At.codeRarities + j] as number);
      if (areUnlike(mine, i, theirs, j)) {
        if (relation === CodeRelation.unlike) relationRarity = most(relationRarity, weight);
        continue;
      }
      const a = codes[i] as string;
      const b = others[j] as string;
      const kind = codeRelation(a, b);
      if (kind === CodeRelation.sibling && weight > siblings) siblings = weight;
      if (kind > relation || (kind === relation && weight > relationRarity)) {
        relation = kind;
        relationRarity = weight;
      }
      const same = Math.round((250 * samePrefix(a, b)) / Math.max(a.length, b.length));
      if (same > prefix) prefix = same;
    }
  }
  row[F.codeEqual] = equal;
  row[F.codeSharedCount] = equalCount;
  row[F.codeRelation] = equal > 0 ? CodeRelation.equal : relation;
  row[F.codeRelationRarity] = equal > 0 ? equal : relationRarity;
  row[F.codePrefix] = equal > 0 ? 250 : prefix;
  row[F.codeSiblings] = siblings;
}

/** Returns whether two numbers of each code prove them unlike, as for most pairs; otherwise the texts must be compared. */
function areUnlike(mine: Int32Array, i: number, theirs: Int32Array, j: number): boolean {
  if (mine[At.codeFirsts + i] === theirs[At.codeFirsts + j]) return false;
  const one = mine[At.codeLetters + i] as number;
  return !mayRelate(one, theirs[At.codeLetters + j] as number);
}

/**
 * Returns the rarity of the rarest code of `own` that occurs anywhere in the other's title, plus 256 times that of the
 * rarest in its description. The rarity of the rarest code in neither is written to `row[left]`.
 */
function inside(own: Prepared, other: Prepared, row: Int32Array, left: number): number {
  let title = 0;
  let described = 0;
  let rest = 0;
  for (let i = 0; i < own.codes.length; i += 1) {
    const rarity = own.numbers[At.codeRarities + i] as number;
    const text = own.codes[i] as string;
    if (text.length >= LONG_ENOUGH && isInTitle(own, i, other)) {
      if (rarity > title) title = rarity;
    } else if (text.length >= LONG_ENOUGH && other.squeezedDescription.includes(text)) {
      if (rarity > described) described = rarity;
    } else if (rarity > rest) rest = rarity;
  }
  row[left] = rest;
  return title | (described << 8);
}

/**
 * Returns whether a code is in the other's title or model field. The text is searched only if its trigrams allow a match.
 */
function isInTitle(own: Prepared, at: number, other: Prepared): boolean {
  const grams = own.numbers[At.codeGrams + at] as number;
  const text = own.codes[at] as string;
  const mayHold =
    hasBit(other.numbers, At.gramBits, TRIGRAM_FIELDS, grams >> 10) &&
    hasBit(other.numbers, At.gramBits, TRIGRAM_FIELDS, grams & 1023);
  if (mayHold && other.squeezed.includes(text)) return true;
  return other.model !== null && other.model.includes(text);
}

/** The relation between two listings' model fields; `both` is increased by a `CodeRelation`. */
export const ModelRelation = { none: 0, notInOther: 1, inOther: 2, both: 3, siblings: 5 } as const;

function modelFields(short: Prepared, long: Prepared, row: Int32Array): void {
  const one = short.model;
  const two = long.model;
  row[F.modelFields] = (one === null ? 0 : 1) + (two === null ? 0 : 2);
  if (one !== null && two !== null) {
    row[F.modelRelation] = ModelRelation.both + codeRelation(one, two);
    return;
  }
  const only = one ?? two;
  const other = one === null ? short : long;
  if (only === null) row[F.modelRelation] = ModelRelation.none;
  else if (other.squeezed.includes(only)) row[F.modelRelation] = ModelRelation.inOther;
  else row[F.modelRelation] = ModelRelation.notInOther;
}
