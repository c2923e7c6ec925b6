// Differences between two titles that distinguish two products although nearly all words agree: another word in the same
// place ("Size 3 Diapers", "Size 4 Diapers"), a mark after the name ("12", "12 Pro"), other colours, one used and one new,
// one bare and one in a bundle. Trees learn them badly, because their frequency in training pairs depends on the goods.
// Checked only for pairs that the trees find likely.

import { countRelation } from '../../../read/titles/counts.ts';
import { At, countBits, NO_POSITION, placeAt, rarityOf, SOLD_AS } from '../prepared/layout.ts';
import type { Conflict } from './conflicts.ts';
import { hasSignAfter, isPutIn, markOf } from './marks.ts';
import { isModelNumber } from '../prepared/listing-codes.ts';
import { wordAt, type Prepared } from '../prepared/prepared.ts';
import { PARTS, SIZES } from '../words/thing-words.ts';
import { areInTwoLanguages } from '../words/title-language.ts';
import { singular } from '../words/title-words.ts';
import { QUALITIES, TRAIT_CLASSES, traitOf } from '../words/trait-words.ts';
import { UNIT_NAMES, unitOf } from '../words/unit-words.ts';

type DistinguishingDifference = {
  readonly name: 'part' | 'condition' | 'bundle' | 'colour' | 'platform' | 'swap' | 'mark';
  /** The differing words of each side, normalized for comparison; empty if there is none. */
  readonly one: readonly string[];
  readonly two: readonly string[];
};

/** Returns the first such difference; null without one. Symmetric except for the order of the sides. */
export function distinguishingDifference(
  a: Prepared,
  b: Prepared,
): DistinguishingDifference | null {
  const other = soldAs(a) ^ soldAs(b);
  if ((other & SOLD_AS.used) !== 0) return { name: 'condition', one: [], two: [] };
  if (isPartFor(a, b) || isPartFor(b, a)) return { name: 'part', one: [], two: [] };
  if (areBareAndBundle(a, b)) return { name: 'bundle', one: [], two: [] };
  if (haveOther('colour', a, b)) return { name: 'colour', one: [], two: [] };
  if (haveOther('platform', a, b)) return { name: 'platform', one: [], two: [] };
  const found = slotDifference(a, b);
  if (found !== null || haveOneModel(a, b)) return found;
  const [mine, theirs] = [markOf(a, b), markOf(b, a)];
  if (mine !== null) return { name: 'mark', one: [mine], two: [] };
  return theirs === null ? null : { name: 'mark', one: [], two: [theirs] };
}

/**
 * Returns another platform, or one word in place of another ("UC", "MS"): the differences that indicate two products often
 * enough to be reported if a group has only two listings. Of the labelled pairs, 9 of 15,791 of one product have one and no
 * other reason, and 213 of 19,056 of two.
 */
export function otherWord(a: Prepared, b: Prepared): Conflict | null {
  // The same headset is sold "for PS4" and "for Xbox One".
  const isMadeFor = [a, b].some(({ numbers }) => numbers[At.forRank] !== NO_POSITION);
  if (!isMadeFor && haveOther('platform', a, b)) {
    const [one, two] = [a, b].map(({ words }) =>
      words.filter((word) => traitOf(word)?.class === 'platform').join('/'),
    );
    return { reason: 'platform', detail: `platform ${one} vs ${two}` };
  }
  const found = slotDifference(a, b);
  if (found === null || found.one.length !== 1 || found.two.length !== 1) return null;
  const [one = '', two = ''] = [found.one[0], found.two[0]];
  return /\d/.test(one + two) ? null : { reason: 'title', detail: `title ${one} vs ${two}` };
}

function areOfPages({ numbers: one }: Prepared, { numbers: two }: Prepared): boolean {
  return Math.max(one[At.repeated] as number, two[At.repeated] as number) > MOST_REPEATED;
}

function soldAs({ numbers }: Prepared): number {
  return numbers[At.soldAs] as number;
}

/** Rarer words name a product or its maker; twentieths of a natural logarithm. */
const NAMING_PART = 60;

/**
 * "Travel case for QX700 headphones": it says "for", the other does not, all rare words that both have come after it, and
 * before it is a part that the other does not mention.
 */
function isPartFor(part: Prepared, product: Prepared): boolean {
  const { numbers, words } = part;
  const rank = numbers[At.forRank] as number;
  if (rank === NO_POSITION || rank === 0 || product.numbers[At.forRank] !== NO_POSITION)
    return false;
  const others = new Set(product.words);
  let named = 0;
  let hasPart = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[placeAt(numbers, at)] as string;
    if (at < rank && PARTS.has(singular(word)) && !others.has(word)) hasPart = true;
    if (!others.has(word)) continue;
    const rarity = rarityOf(numbers[At.startWords + words.length + placeAt(numbers, at)] as number);
    if (rarity < NAMING_PART) continue;
    if (at < rank) named -= words.length;
    else named += 1;
  }
  return hasPart && named > 0;
}

/** "Body only" and "with lens kit", or one of two that says bundle. */
function areBareAndBundle(a: Prepared, b: Prepared): boolean {
  const [one, two] = [soldAs(a), soldAs(b)];
  const isBundle = (bits: number): boolean => (bits & SOLD_AS.bundle) !== 0;
  const isBare = (bits: number): boolean => (bits & SOLD_AS.bare) !== 0;
  if (isBundle(one) === isBundle(two)) return false;
  if (isBare(one) !== isBare(two)) return true;
  return ((one ^ two) & SOLD_AS.saidBundle) !== 0;
}

/** Returns whether both state values of a class, or what they are made for, and have none in common. */
function haveOther(
  name: 'colour' | 'platform',
  { numbers: one }: Prepared,
  { numbers: two }: Prepared,
): boolean {
  const at = At.traits + TRAIT_CLASSES.indexOf(name);
  const [mine, theirs] = [one[at] as number, two[at] as number];
  return (
    mine !== 0 &&
    theirs !== 0 &&
    (mine & theirs) === 0 &&
    countBits(mine) + countBits(theirs) <= MOST_VALUES
  );
}

/**
 * Maximum number of values in both titles. More are names of patterns, which differ from shop to shop, or a list of
 * compatible products.
 */
const MOST_VALUES = 3;

/** More words than these in the one place say the same in other words. */
const MOST_IN_SLOT = 4;
/** Longer titles contain what a page repeats and the seller's name. */
const MOST_WORDS = 16;
/** A title that repeats more words is a page title: it states the product, then the product and the shop. */
const MOST_REPEATED = 2;
/** With fewer shared words around it, there is no template. */
const LEAST_AROUND = 2;

/** Returns the only place where two titles differ, if the difference distinguishes two products. */
function slotDifference(a: Prepared, b: Prepared): DistinguishingDifference | null {
  if (a.model !== null && a.model === b.model) return null;
  const [one, two] = [a.numbers, b.numbers];
  const [all, others] = [one[At.words] as number, two[At.words] as number];
  const most = Math.min(all, others);
  if (Math.max(all, others) > MOST_WORDS) return null;
  if (areOfPages(a, b)) return null;
  let front = 0;
  while (front < most && hashAt(one, front) === hashAt(two, front)) front += 1;
  let back = 0;
  while (back < most - front && hashAt(one, all - 1 - back) === hashAt(two, others - 1 - back))
    back += 1;
  const [mine, theirs] = [all - front - back, others - front - back];
  if (front + back < LEAST_AROUND || Math.max(mine, theirs) > MOST_IN_SLOT) return null;
  if (mine + theirs === 0 || front === 0) return null;
  const slot = { one: slotWords(a, front, mine), two: slotWords(b, front, theirs) };
  if (mine === 0 || theirs === 0) {
    const [words, holder, other] = mine === 0 ? [slot.two, b, a] : [slot.one, a, b];
    if (words.join() === 'plus' && hasSignAfter(other, wordAt(holder, front - 1))) return null;
    return isPutIn(words, holder, front) ? { name: 'mark', ...slot } : null;
  }
  // "Jersey 140x200" and "Frottee 140x200": a size does not outweigh a single word.
  const isWeighty = (word: string): boolean =>
    isModelNumber(word) &&
    word !== a.brand &&
    word !== b.brand &&
    (mine + theirs > 2 || !isSize(word));
  if (haveOneCode(a, b, isWeighty) || holdsNumber(a, { from: front, count: mine }, isWeighty))
    return null;
  if (!areOtherWords(a, b, slot)) return null;
  const brands = [a.brand, b.brand].filter((brand) => brand !== null);
  return areInTwoLanguages(a.title, b.title, brands) ? null : { name: 'swap', ...slot };
}

type Slot = Pick<DistinguishingDifference, 'one' | 'two'>;

function hashAt(own: Int32Array, rank: number): number {
  return own[At.startWords + placeAt(own, rank)] as number;
}

function slotWords(of: Prepared, from: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => wordAt(of, from + at));
}

/** "Spaghetti n°5" and "Spaghetti No. 5". */
const NUMBER_SIGNS = new Set(['n', 'no', 'nr', 'num']);

/** Returns whether either side has words of its own that name another thing, instead of the same in another spelling. */
function areOtherWords(a: Prepared, b: Prepared, slot: Slot): boolean {
  const { one, two } = slot;
  const packs = countRelation(a.counts, b.counts) === 'same' ? a.counts.packs : 1;
  const isSaid = (word: string): boolean => NUMBER_SIGNS.has(word) || isOfPacks(word, packs);
  const mine = one.filter((word) => !isSaid(word) && !isIn(word, two, b));
  const theirs = two.filter((word) => !isSaid(word) && !isIn(word, one, a));
  if (mine.length === 0 || theirs.length === 0) return false;
  // An additional shop or maker number in one title is not evidence.
  if (mine.some(mayBeNumber) !== theirs.some(mayBeNumber)) return false;
  if (one.some(mayBeNumber) !== two.some(mayBeNumber)) return false;
  const [short, long] = [one.join(''), two.join('')].toSorted((x, y) => x.length - y.length) as [
    string,
    string,
  ];
  const [bare, longBare] = [short.replaceAll('.', ''), long.replaceAll('.', '')];
  // `f 1.2l` is `f1 2l`; `245` and `245xl` are two, `4052 trpseb` and `4052trpseb` one.
  if (bare === longBare || isInside(short, long) || isInside(bare, longBare)) return false;
  if (isWrittenApart(one, two, b) || isWrittenApart(two, one, a)) return false;
  return mine.some((word) => isTelling(a, word)) && theirs.some((word) => isTelling(b, word));
}

/** "Pack of 10" and "10-Pack", if both titles yield the same number of packs. */
function isOfPacks(word: string, packs: number): boolean {
  if (packs < 2) return false;
  return word === 'pack' || word === 'of' || word === String(packs) || word === `${packs}pack`;
}

/**
 * "ProExpert" for "Pro-Expert": comparisons know the parts in other spellings, such as "blue" for the "blu" of "Blu-ray".
 */
function isWrittenApart(
  [word = '', ...more]: readonly string[],
  other: readonly string[],
  { squeezed }: Prepared,
): boolean {
  return (
    more.length === 0 && other.length > 1 && word.length >= LEAST_APART && squeezed.includes(word)
  );
}

/** Shorter words occur inside others by chance. */
const LEAST_APART = 6;

/** Returns whether a word is a model number, or looks like one and may belong to a class: `SPF50`. */
function mayBeNumber(word: string): boolean {
  return isModelNumber(word) || (/\d.*\d/.test(word) && word.length >= 5 && !COUNTED.test(word));
}

const COUNTED = /^\d+(?:\.\d+)?\p{L}{1,4}$/u;

/** Returns whether the other title has the word in its slot in another spelling, or anywhere as several words: `60x60`. */
function isIn(word: string, slot: readonly string[], { squeezed }: Prepared): boolean {
  if (slot.some((other) => isSpelledLike(word, other) || isSideOf(word, other))) return true;
  if (word.length < LEAST_INSIDE || !/\d/.test(word) || !squeezed.includes(word)) return false;
  return slot.every((other) => !other.startsWith(word));
}

/** `60` of `60x40`. */
function isSideOf(word: string, size: string): boolean {
  return /\dx\d/.test(size) && size.split('x').includes(word);
}

/** Shorter words occur inside others by chance. */
const LEAST_INSIDE = 4;

function isInside(short: string, long: string): boolean {
  return short.length >= LEAST_INSIDE && long.includes(short) && !/\d\p{L}{1,3}$/u.test(long);
}

/** `2nd` is `2`. */
function withoutEnding(word: string): string {
  return word.replace(/^(\d{1,2})(?:st|nd|rd|th)$/, '$1');
}

const AMOUNT = /^(\d+(?:\.\d+)?)(\p{L}{0,5})$/u;

/** Conversion of each unit to a smaller one. */
const UNITS: Readonly<Record<string, readonly [smaller: string, factor: number]>> = {
  l: ['ml', 1000],
  kg: ['g', 1000],
  gb: ['mb', 1024],
  in: ['mm', 25.4],
  m: ['mm', 1000],
};

/** The value of an ounce: of weight, and of fluid. */
const OUNCE: Readonly<Record<string, number>> = { g: 28.35, ml: 29.57 };

/** `14in` is `14` if an inch mark was lost, `0.7l` is `700ml`, and `6g` of memory is `6gb`. */
function areOneAmount(one: string, two: string): boolean {
  const [, mine = '', unit = ''] = AMOUNT.exec(one) ?? [];
  const [, theirs = '', other = ''] = AMOUNT.exec(two) ?? [];
  if (mine === '' || theirs === '') return false;
  if (mine === theirs) return areOneUnit(unit, other);
  const [small, value] = inSmaller(Number(mine), unit);
  const [smaller, than] = inSmaller(Number(theirs), other);
  const ounce = OUNCE[unit === 'oz' ? smaller : other === 'oz' ? small : ''];
  if (ounce !== undefined)
    return areNear(unit === 'oz' ? value * ounce : value, other === 'oz' ? than * ounce : than);
  return unit !== other && small === smaller && areNear(value, than);
}

/** As shops round. */
function areNear(one: number, two: number): boolean {
  return Math.abs(one - two) <= 0.02 * one;
}

function areOneUnit(one: string, two: string): boolean {
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return UNIT_NAMES.includes(long) && (short === '' || (short === 'g' && long === 'gb'));
}

function inSmaller(value: number, unit: string): readonly [unit: string, value: number] {
  const [smaller, factor] = UNITS[unit] ?? [unit, 1];
  return [smaller, value * factor];
}

function isSpelledLike(one: string, two: string): boolean {
  if (withoutEnding(one) === withoutEnding(two) || areOneAmount(one, two)) return true;
  if (!/^\p{L}+$/u.test(one) || !/^\p{L}+$/u.test(two)) return false;
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  if (short.length >= 3 && long.startsWith(short)) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= 4 && same * 2 > long.length;
}

/** Rarer words name things, commoner ones describe them; twentieths of a natural logarithm. */
const NAMING = 85;

/** Checks for a number, a word of a class that distinguishes models, or a word that few titles have, but not a unit. */
function isTelling({ words, numbers }: Prepared, word: string): boolean {
  if (/\d/.test(word)) return true;
  if (unitOf(word) !== null) return false;
  const trait = traitOf(word)?.class;
  if (SIZES.has(word)) return true;
  if (QUALITIES.has(word)) return false;
  if (trait === 'colour' || trait === 'variant' || trait === 'edition') return true;
  if (trait !== undefined) return false;
  const place = words.indexOf(word);
  return rarityOf(numbers[At.startWords + words.length + place] as number) >= NAMING;
}

function isSize(word: string): boolean {
  return /^\d+(?:\.\d+)?x\d/.test(word);
}

type Weighty = (word: string) => boolean;

/**
 * Returns whether both have the same model number, in title or field; in a field a number may be short, and a name is not
 * one.
 */
export function haveOneModel(a: Prepared, b: Prepared): boolean {
  if (a.model !== null && a.model === b.model && /\d/.test(a.model)) return true;
  return haveOneCode(a, b, (code) => isModelNumber(code) && code !== a.brand && code !== b.brand);
}

/** Returns whether both have such a number, however it is spaced: `WH-1000XM4` and `WH1000XM4`. */
function haveOneCode(a: Prepared, b: Prepared, isWeighty: Weighty): boolean {
  return a.codes.some((code) => isWeighty(code) && b.codes.includes(code));
}

/** Returns whether such a number is among the words that both have. */
function holdsNumber(
  { words, numbers }: Prepared,
  { from, count }: { readonly from: number; readonly count: number },
  isWeighty: Weighty,
): boolean {
  return words.some((word, place) => {
    if (!isWeighty(word)) return false;
    const rank = numbers[At.startWords + 3 * words.length + place] as number;
    return rank < from || rank >= from + count;
  });
}
