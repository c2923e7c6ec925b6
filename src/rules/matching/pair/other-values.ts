// Two values of one kind between the same neighbours in two titles: "Vol. 3 by", "Vol. 4 by"; "key of A", "key of D"; "USB
// 2.0 portable", "USB 3.0 portable". They indicate two products regardless of the rest of the titles, while other words in
// one place are as often two words for the same thing ("carrying case", "camera case").

import { countRelation } from '../../../read/titles/counts.ts';
import type { Conflict, Reason } from './conflicts.ts';
import { At, placeIn } from '../prepared/layout.ts';
import { wordAt, type Prepared } from '../prepared/prepared.ts';
import { SIZES } from '../words/thing-words.ts';
import { traitOf, type TraitClass } from '../words/trait-words.ts';

/** Titles that repeat more words are page titles: their differences come from the shop. */
const MOST_REPEATED = 2;
/** "48/35 crank" and "46/33 crank" are two values. */
const MOST_VALUES = 3;
/** No word is there. */
const NOWHERE = -1;
/** The title ends there. */
const END = -2;

type OtherValue = {
  readonly reason: Reason;
  readonly one: string;
  readonly two: string;
  /** Whether both are model numbers. One product may have two: the maker's and a shop's. */
  readonly areCodes: boolean;
};

/**
 * Returns the first place where two titles state two values of one kind; null if there is none. Symmetric except for the
 * order of the sides.
 */
export function otherValue(a: Prepared, b: Prepared): OtherValue | null {
  const [one, two] = [a.numbers, b.numbers];
  if (Math.max(one[At.repeated] as number, two[At.repeated] as number) > MOST_REPEATED) return null;
  const words = one[At.words] as number;
  let before = NOWHERE;
  for (let rank = 0; rank < words; rank += 1) {
    const partner = across(one, two, rank);
    const isSlot = partner < 0 && (before >= 0 || rank === 0);
    const found = isSlot ? valueBetween(a, b, { rank, start: before + 1 }) : null;
    if (found !== null) return found;
    before = partner;
  }
  return otherSigns(a.title, b.title);
}

/** Converts the value to a reason why two listings are two products. */
export function valueConflict({ reason, one, two }: OtherValue): Conflict {
  return { reason, detail: `${reason} ${one} vs ${two}` };
}

/** Returns the position in the other title of the word at a position of one title; `NOWHERE` and `END` are below 0. */
function across(own: Int32Array, there: Int32Array, rank: number): number {
  const [words, others] = [own[At.words] as number, there[At.words] as number];
  if (rank >= words) return END;
  const hash = own[At.startWords + (own[At.startWords + 4 * words + rank] as number)] as number;
  const place = placeIn(there, At.startWords, others, hash);
  return place < 0 ? NOWHERE : (there[place + 3 * others] as number);
}

/** Returns two values that begin at these positions and are followed by the same word or the end of both titles. */
function valueBetween(
  a: Prepared,
  b: Prepared,
  { rank, start }: { readonly rank: number; readonly start: number },
): OtherValue | null {
  let first: OtherValue | null = null;
  for (let at = 0; at < MOST_VALUES; at += 1) {
    if (across(b.numbers, a.numbers, start + at) !== NOWHERE) return null;
    const found = valuesOf(a, b, wordAt(a, rank + at), wordAt(b, start + at));
    if (found === null) return null;
    first ??= found;
    const after = across(a.numbers, b.numbers, rank + at + 1);
    if (after === start + at + 1) return first;
    if (after === END)
      return rank > 0 && start + at + 1 === (b.numbers[At.words] as number) ? first : null;
    if (after !== NOWHERE) return null;
  }
  return null;
}

const NUMBER = /^\d+(?:\.\d+)?$/;
const AMOUNT = /^(\d+(?:\.\d+)?)(\p{L}{1,5})$/u;
/** Roman numerals and single letters. The omitted ones are words in some language, or part of one ("women's"). */
const LETTER = /^(?:[abcdfghijklmnpqrtvxz]|i{2,3}|iv|vi{1,3})$/;

/** How far amounts of each unit are rounded. Other units are counts, or numbers followed by letters. */
const ROUNDED: Readonly<Record<string, number>> = {
  gb: 0.12,
  mb: 0.12,
  mm: 0.01,
  ...Object.fromEntries(
    ['in', 'ft', 'm', 'oz', 'lb', 'kg', 'g', 'ml', 'l'].map((unit) => [unit, 0.04]),
  ),
};

/** Returns the kind of two different values; null if the words are not values of one kind. */
function valuesOf(a: Prepared, b: Prepared, one: string, two: string): OtherValue | null {
  const found = (reason: Reason, areCodes = false): OtherValue => ({ reason, one, two, areCodes });
  if (/\d/.test(one)) {
    if (!/\d/.test(two) || isStatedIn(one, b) || isStatedIn(two, a)) return null;
    if (NUMBER.test(one) && NUMBER.test(two)) return areRounded(one, two) ? null : found('model');
    const [mine, theirs] = [AMOUNT.exec(one), AMOUNT.exec(two)];
    if (mine !== null && mine[2] === theirs?.[2]) {
      const unit = mine[2] ?? '';
      if (areNear(Number(mine[1]), Number(theirs?.[1]), ROUNDED[unit] ?? 0)) return null;
      if (unit === 'pack' && countRelation(a.counts, b.counts) === 'same') return null;
      return found(unit === 'gb' ? 'capacity' : unit in ROUNDED ? 'size' : 'model');
    }
    if (mine !== null || theirs !== null || NUMBER.test(one) || NUMBER.test(two)) return null;
    if (shapeOf(one) === shapeOf(two)) return found('model');
    return areLongCodes(one, two) ? found('model', true) : null;
  }
  if (LETTER.test(one) && LETTER.test(two)) return areArticles(one, two) ? null : found('model');
  const [size, other] = [SIZES.get(one), SIZES.get(two)];
  if (size !== undefined && other !== undefined) return size === other ? null : found('size');
  const trait = traitOf(one);
  if (trait === null || trait.class !== traitOf(two)?.class) return null;
  const reason = OF_TRAITS[trait.class];
  return reason === undefined ? null : found(reason);
}

/** The classes of which a product has only one. In the other classes shops use one in place of another: cable, adapter. */
const OF_TRAITS: Partial<Readonly<Record<TraitClass, Reason>>> = {
  colour: 'colour',
  platform: 'platform',
  edition: 'model',
  audience: 'title',
};

/** `d'abricot`, `l'abricot`. */
function areArticles(one: string, two: string): boolean {
  return /^[dl]$/.test(one) && /^[dl]$/.test(two);
}

/**
 * Shorter codes are often standards and sizes ("DDR3", "1x8GB"), and one that begins with the other just has an additional
 * letter.
 */
const LEAST_CODE = 5;

function areLongCodes(one: string, two: string): boolean {
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return short.length >= LEAST_CODE && !long.startsWith(short) && !/\dx\d/.test(one + two);
}

function shapeOf(word: string): string {
  return word.replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '9');
}

/** `3.3` of `3.25`, `2.40` of `2.4`. */
function areRounded(one: string, two: string): boolean {
  const places = Math.min(...[one, two].map((each) => (each.split('.')[1] ?? '').length));
  return Number(one).toFixed(places) === Number(two).toFixed(places);
}

function areNear(one: number, two: number, share: number): boolean {
  return Math.abs(one - two) <= share * Math.max(one, two);
}

/** Shorter numbers occur inside others by chance. */
const LEAST_INSIDE = 4;

/** Returns whether the other title has a number, with or without a unit, somewhere else. */
function isStatedIn(word: string, { words, squeezed, model }: Prepared): boolean {
  if (word === model || (word.length >= LEAST_INSIDE && squeezed.includes(word))) return true;
  const digits = /^\d+(?:\.\d+)?/.exec(word)?.[0] ?? '';
  if (digits === '' || digits.length + MOST_UNIT < word.length) return false;
  return words.some((each) => {
    if (!each.startsWith(digits)) return false;
    const [unit, other] = [word.slice(digits.length), each.slice(digits.length)];
    return /^\p{L}{0,5}$/u.test(other) && (unit === '' || other === '' || unit[0] === other[0]);
  });
}

const MOST_UNIT = 5;

const SIGNED = /(?<![^\s(,/])[+-]\d+(?:[.,]\d+)?(?![\p{L}\p{N}])/gu;

/** Returns whether a number has different signs in the two titles: lenses of "+2.50" and of "-2.50". */
export function haveOtherSigns(one: string, two: string): boolean {
  return otherSigns(one, two) !== null;
}

function otherSigns(one: string, two: string): OtherValue | null {
  if (!one.includes('+') && !two.includes('+')) return null;
  const [mine, theirs] = [new Set(one.match(SIGNED)), new Set(two.match(SIGNED))];
  for (const each of mine) {
    const turned = (each.startsWith('+') ? '-' : '+') + each.slice(1);
    if (theirs.has(turned) && !theirs.has(each) && !mine.has(turned))
      return { reason: 'model', one: each, two: turned, areCodes: false };
  }
  return null;
}
