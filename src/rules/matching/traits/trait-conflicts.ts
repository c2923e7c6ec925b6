// Finds the contradictions between the stated traits of two listings of one barcode (`stated-traits.ts`), in addition to those
// the model finds. Two different values are a contradiction. A trait that only one listing states is not, unless it changes
// what is sold: made for it, bundled with it, several of it, not new.

import { codeRelation, CodeRelation, shapeOf } from '../prepared/code-likeness.ts';
import { isFar, type Conflict, type Reason } from '../pair/conflicts.ts';
import { designations, flatSizes } from './flat-sizes.ts';
import { negatedWord } from './negations.ts';
import { oppositeSides } from './opposites.ts';
import type { StatedTraits, SureTraits } from './stated-traits.ts';
import type { NamedNumber } from '../words/title-numbers.ts';
import { PARTS, SMALL_WORDS } from '../words/thing-words.ts';
import { countRelation } from '../../../read/titles/counts.ts';

/** Formats different values of one trait: `generation 4 vs 5`. */
function differ(reason: Reason, name: string, one: unknown, two: unknown): Conflict {
  return { reason, detail: `${name} ${String(one)} vs ${String(two)}` };
}

type Check<Traits> = (a: Traits, b: Traits) => Conflict | null;

/** A contradiction of two listings. */
export type PairConflict = Conflict & {
  /** Whether titles of one product differ in it too often for a single pair to decide in a group of three or more. */
  readonly isNoisy: boolean;
};

/** In order of precedence: certain before noisy. */
const CERTAIN: readonly Check<SureTraits>[] = [
  condition,
  counts,
  amounts,
  measures,
  flatSizes,
  designations,
  shares,
  ordinals,
  form,
  sides,
  negations,
];
const NOISY: readonly Check<StatedTraits>[] = [
  accessory,
  edition,
  letterSize,
  counted,
  modelNumbers,
  flavours,
  variants,
];

/** Returns the first certain contradiction between two listings, otherwise the first; null without one. */
export function traitConflict(a: StatedTraits, b: StatedTraits): PairConflict | null {
  const certain = firstOf(CERTAIN, a, b);
  if (certain !== null) return { ...certain, isNoisy: false };
  const noisy = firstOf(NOISY, a, b);
  return noisy === null ? null : { ...noisy, isNoisy: true };
}

/** Returns whether two listings contradict each other in something certain. */
export function areCertainlyOther(a: SureTraits, b: SureTraits): boolean {
  return firstOf(CERTAIN, a, b) !== null;
}

function firstOf<Traits>(checks: readonly Check<Traits>[], a: Traits, b: Traits): Conflict | null {
  for (const check of checks) {
    const found = check(a, b);
    if (found !== null) return found;
  }
  return null;
}

function accessory(a: SureTraits, b: SureTraits): Conflict | null {
  const [part, whole] = isAccessoryOf(a, b) ? [a, b] : [b, a];
  if (!isAccessoryOf(part, whole)) return null;
  return { reason: 'title', detail: `"${short(part)}" is made for "${short(whole)}"` };
}

function short({ title }: SureTraits): string {
  return title.slice(0, 80);
}

/** Returns whether `accessory` is made for `product` by its title: "Ear Pads for Arden QX700". */
export function isAccessoryOf({ madeFor, has, words }: SureTraits, product: SureTraits): boolean {
  if (madeFor === null) return false;
  const { what, whom } = madeFor;
  if (product.madeFor?.whom.some((word) => whom.includes(word)) === true) return false;
  const said = new Set(what);
  const named = whom.filter(
    (word) => !SMALL_WORDS.has(word) && product.has.has(word) && !said.has(word),
  );
  const isNumbered = product.numbers.some(
    ({ text, joined }) =>
      joined.length >= 3 &&
      /\d/.test(joined) &&
      [text, joined].some(
        (each) => each.length >= 3 && whom.join('').includes(each) && !what.join('').includes(each),
      ),
  );
  const isNamed =
    isNumbered ||
    named.some(
      (word) =>
        (word.length >= 4 && product.brand.startsWith(word)) ||
        (/\d/.test(word) && (word.length > 1 || named.length > 1)) ||
        (product.words[0] === word && product.brand === '' && word.length >= 4),
    );
  if (!isNamed) return false;
  // The same product says "for": most words of the product's name come before it.
  const rest = product.words.filter((word) => !whom.includes(word) && !SMALL_WORDS.has(word));
  const covered = rest.filter((word) => said.has(word)).length;
  const isPart = what.some((word) => PARTS.has(word) && !product.has.has(word));
  // "Battery for Lorcor 489 Drill" names the kind of the product after the "for".
  const isKindNamed = named.some((word) => /^\p{L}{4,}$/u.test(word) && word !== product.brand);
  const isSame = covered * 2 + (isPart ? 0 : 1) > rest.length && !(isPart && isKindNamed);
  if (rest.length > 0 && isSame) return false;
  const own = what.filter((word) => !product.has.has(word) && !SMALL_WORDS.has(word));
  return isPart || (own.length > 0 && covered <= 1 && words.length > 0 && has.size > 0);
}

function condition(a: SureTraits, b: SureTraits): Conflict | null {
  if ((a.condition === null) === (b.condition === null)) return null;
  const said = (each: SureTraits): string => each.condition ?? 'new or not stated';
  return differ('title', 'condition', said(a), said(b));
}

function counts(a: SureTraits, b: SureTraits): Conflict | null {
  const relation = countRelation(a.counts, b.counts);
  if (relation === 'other_packs')
    return differ('pack_count', 'pack_count', a.counts.packs, b.counts.packs);
  if (relation !== 'other_pieces') return null;
  return differ('pack_count', 'count', a.counts.pieces, b.counts.pieces);
}

/** One title may state lengths of several sides: only a single length on each side is compared. */
const SINGLE_ONLY = new Set(['in', 'ft', 'lb', 'kg']);

function amounts(a: SureTraits, b: SureTraits): Conflict | null {
  for (const [unit, mine] of a.amounts) {
    const theirs = b.amounts.get(unit);
    if (theirs === undefined || unit === 'l') continue;
    if (SINGLE_ONLY.has(unit) && (mine.length > 1 || theirs.length > 1)) continue;
    // Teeth are counted.
    const share = { gb: 0.12, t: 0 }[unit] ?? 0.04;
    const only = (from: readonly number[], than: readonly number[]): number | undefined =>
      from.find((one) => than.every((two) => isFar(one, two, share)));
    const [one, two] = [only(mine, theirs), only(theirs, mine)];
    if (one === undefined || two === undefined) continue;
    if (MEASURES.some((each) => each.has(unit)) && areAlike(wholes(one, a), wholes(two, b), share))
      continue;
    // "16 GB, 512 GB" and "512 GB, 8 GB" differ in one; a title that states fewer may omit it.
    if (mine.length !== theirs.length && mine.some((each) => theirs.includes(each))) continue;
    return differ(
      unit === 'gb' ? 'capacity' : 'size',
      unit === 'gb' ? 'capacity' : 'size',
      `${one}${unit}`,
      `${two}${unit}`,
    );
  }
  return null;
}

/** The value of each unit in grams or millilitres. An ounce may be either. */
const MEASURES: readonly ReadonlyMap<string, number>[] = [
  new Map([
    ['g', 1],
    ['kg', 1000],
    ['lb', 453.6],
    ['oz', 28.35],
  ]),
  new Map([
    ['ml', 1],
    ['l', 1000],
    ['qt', 946],
    ['gal', 3785],
    ['oz', 29.57],
  ]),
];

/** Compares an amount in two units: "500 g" and "1 kg". Equal units, except litres, are compared by `amounts`. */
function measures(a: SureTraits, b: SureTraits): Conflict | null {
  if (a.amounts.size === 0 || b.amounts.size === 0) return null;
  for (const measure of MEASURES) {
    const [mine, theirs] = [onlyOf(measure, a), onlyOf(measure, b)];
    if (mine === null || theirs === null) continue;
    if (mine.unit === theirs.unit && mine.unit !== 'l') continue;
    // The weight of a fluid ounce depends on the fluid.
    const share = mine.unit === 'oz' || theirs.unit === 'oz' ? 0.35 : 0.07;
    if (areAlike(wholes(mine.value, a), wholes(theirs.value, b), share)) continue;
    // A load of "150 kg" and a weight of "25 lb".
    if (BORNE.test(a.title) || BORNE.test(b.title)) continue;
    return differ('size', 'size', mine.said, theirs.said);
  }
  return null;
}

/** Compares ingredient percentages, if each states one: "Milk 1.5%" and "Milk 3.5%", allowing for rounding. */
function shares(a: SureTraits, b: SureTraits): Conflict | null {
  if (a.shares.length !== 1 || b.shares.length !== 1) return null;
  const [one = 0, two = 0] = [a.shares[0], b.shares[0]];
  return isFar(one, two, 0.05) ? differ('size', 'share', `${one}%`, `${two}%`) : null;
}

type Measured = { readonly unit: string; readonly value: number; readonly said: string };

/** Returns the only amount of a measure that a title states; null if it states none, or several. */
function onlyOf(
  measure: ReadonlyMap<string, number>,
  { amounts: of }: SureTraits,
): Measured | null {
  const found = [...measure].flatMap(([unit, factor]) =>
    (of.get(unit) ?? []).map((each) => ({ unit, value: each * factor, said: `${each}${unit}` })),
  );
  return found.length === 1 ? (found[0] as Measured) : null;
}

const BORNE = /\b(?:capacity|max(?:imum)?|load|limit|supports?|holds?|up to|bis)\b/i;

function areAlike(ones: readonly number[], twos: readonly number[], share: number): boolean {
  return ones.some((one) => twos.some((two) => !isFar(one, two, share)));
}

/** "85 g x 12", which pack parsing does not read as a pack. */
const TIMES = /\d ?\p{L}{1,5} x ?(\d{1,3})(?![\p{L}\p{N}.,])/iu;

/** Returns an amount alone, and multiplied by its packs and pieces: "6 x 1.5 l" is "9 l". */
function wholes(value: number, { title, counts: { packs, pieces } }: SureTraits): number[] {
  const times = Number(TIMES.exec(title)?.[1] ?? 1);
  return [1, packs, pieces ?? 1, packs * (pieces ?? 1), times].map((each) => value * each);
}

function ordinals(a: SureTraits, b: SureTraits): Conflict | null {
  for (const [name, one] of a.ordinals) {
    const two = b.ordinals.get(name);
    if (two === undefined || one === two) continue;
    return differ(name === 'size' ? 'size' : 'model', name, one, two);
  }
  return null;
}

function edition(a: StatedTraits, b: StatedTraits): Conflict | null {
  if (a.edition === null || b.edition === null || a.edition === b.edition) return null;
  if (b.has.has(a.edition) || a.has.has(b.edition)) return null;
  return differ('model', 'edition', a.edition, b.edition);
}

function form(a: SureTraits, b: SureTraits): Conflict | null {
  if (a.form === null || b.form === null || a.form === b.form) return null;
  const named = { body: 'alone', kit: 'kit' } as const;
  return differ('title', 'sold as', named[a.form], named[b.form]);
}

function sides(a: SureTraits, b: SureTraits): Conflict | null {
  const found = oppositeSides(a.sides, b.sides);
  return found === null ? null : differ('title', found.name, found.one, found.two);
}

function negations(a: SureTraits, b: SureTraits): Conflict | null {
  const [mine, theirs] = [negatedWord(a, b), negatedWord(b, a)];
  if (mine !== null) return differ('title', mine, 'no', 'yes');
  return theirs === null ? null : differ('title', theirs, 'yes', 'no');
}

function letterSize(a: StatedTraits, b: StatedTraits): Conflict | null {
  if (a.letterSize === null || b.letterSize === null || a.letterSize === b.letterSize) return null;
  return differ('size', 'size', a.letterSize, b.letterSize);
}

/** Finds another number for the same noun: 2 speeds and 5 speeds. */
function counted(a: SureTraits, b: SureTraits): Conflict | null {
  for (const [noun, mine] of a.counted) {
    const theirs = b.counted.get(noun);
    if (theirs === undefined || mine.length > 1 || theirs.length > 1) continue;
    const [one = 0, two = 0] = [mine[0], theirs[0]];
    if (one === two) continue;
    return differ('title', `number of ${noun}`, one, two);
  }
  return null;
}

/**
 * Finds numbers of which each title has one that the other lacks: with the same shape (letters and digits in the same
 * places) and nearly equal, or after the same word.
 */
function modelNumbers(a: SureTraits, b: SureTraits): Conflict | null {
  const mine = a.numbers.filter((each) => !isIn(each, a, b));
  if (mine.length === 0) return null;
  const theirs = b.numbers.filter((each) => !isIn(each, b, a));
  // With a common model number, only what directly follows the same number is a different one: `8154-B2`, `-B3`.
  const isShared = sharesCode(a, b) && sharesCode(b, a);
  for (const one of mine) {
    for (const two of theirs) {
      const isAfterSame =
        one.name !== '' &&
        one.name === two.name &&
        !isTextIn(one, b) &&
        !isTextIn(two, a) &&
        isAlike(one.text, two.text);
      const isOther = isShared
        ? (isAfterSame && /\d/.test(one.name)) || areSiblingRuns(one, two)
        : isAfterSame || areSiblings(one, two);
      if (isOther && one.name !== 'page' && two.name !== 'page')
        return differ('model', 'model', named(one), named(two));
    }
  }
  return null;
}

function sharesCode({ numbers }: SureTraits, { squeezed }: SureTraits): boolean {
  return numbers.some(({ text }) => isCode(text) && squeezed.includes(text));
}

/** Checks whether a text is long enough to be one maker's number. */
function isCode(text: string): boolean {
  return text.length >= 5 && /\d/.test(text);
}

function named({ name, text }: NamedNumber): string {
  return text.length < 3 && name !== '' ? `${name} ${text}` : text;
}

/** A part of a longer number counts as one: `B2` of `8154-B2`. No number of "Gul 110ml T30/T50" is `gult30t50`. */
function isIn(number: NamedNumber, own: SureTraits, other: SureTraits): boolean {
  const { name, text, joined } = number;
  if (!/\d/.test(name)) return isTextIn(number, other);
  return other.squeezed.includes(own.squeezed.includes(joined) ? joined : name + text);
}

function isTextIn({ text, joined }: NamedNumber, other: SureTraits): boolean {
  if (other.has.has(text) || other.numbers.some((each) => each.text === text)) return true;
  return text.length >= 3
    ? other.squeezed.includes(text)
    : joined !== text && other.squeezed.includes(joined);
}

/** Checks for the same shape, or bare numbers of nearly the same length: `9` and `10`. */
function isAlike(one: string, two: string): boolean {
  if (shapeOf(one) === shapeOf(two)) return true;
  return /^\d+$/.test(one) && /^\d+$/.test(two) && Math.abs(one.length - two.length) < 2;
}

/** Compares model numbers of several parts that one shop joins: `LS7863-69`, `LS786359`. */
function areSiblingRuns(one: NamedNumber, two: NamedNumber): boolean {
  const isRun = (each: NamedNumber): boolean => each.joined !== each.text && /\d/.test(each.name);
  return (isRun(one) || isRun(two)) && areSiblings(one, two);
}

function areSiblings(one: NamedNumber, two: NamedNumber): boolean {
  return [one.text, one.joined].some((left) =>
    [two.text, two.joined].some((right) => areNearlyEqual(left, right)),
  );
}

/**
 * Returns whether two numbers have the same shape and differ in one or two characters. Bare numbers need three digits and
 * one difference.
 */
function areNearlyEqual(one: string, two: string): boolean {
  if (one.length < 2 || one === two || shapeOf(one) !== shapeOf(two)) return false;
  if (/^\d+$/.test(one)) return one.length >= 3 && differing(one, two) === 1;
  return one.length < 4
    ? differing(one, two) === 1
    : codeRelation(one, two) === CodeRelation.sibling;
}

function differing(one: string, two: string): number {
  return Array.from(one).filter((character, at) => character !== two[at]).length;
}

/**
 * Returns the contradiction in flavours. A word that both titles have is not a difference: the potato of "Potato Chips",
 * whatever their flavour.
 */
function flavours(a: StatedTraits, b: StatedTraits): Conflict | null {
  const [mine, theirs] = [
    a.flavours.filter((each) => !b.has.has(each)),
    b.flavours.filter((each) => !a.has.has(each)),
  ];
  if (mine.length === 0 || theirs.length === 0) return null;
  return differ('title', 'flavour', mine.join(' '), theirs.join(' '));
}

/** "Plus" and "Max": both state a variant, and share none. */
function variants(a: StatedTraits, b: StatedTraits): Conflict | null {
  if (a.variants.length === 0 || b.variants.length === 0) return null;
  if (a.variants.some((each) => b.has.has(each)) || b.variants.some((each) => a.has.has(each)))
    return null;
  return differ('model', 'variant', a.variants.join(' '), b.variants.join(' '));
}

/**
 * Two colours with none in common. Checked last, because shops more often use two names for one colour than for one model.
 */
export function colourConflict(a: SureTraits, b: SureTraits): Conflict | null {
  const [mine, theirs] = [coloursBeside(a, b), coloursBeside(b, a)];
  if (mine.length === 0 || theirs.length === 0) return null;
  if (mine.some((each) => theirs.includes(each))) return null;
  return differ('colour', 'colour', mine.join('/'), theirs.join('/'));
}

/** Returns the colours, without shades that the other title has too: two espresso machines are not coffee-coloured. */
function coloursBeside({ colours, shades }: SureTraits, other: SureTraits): readonly string[] {
  const found = [...shades].filter(([word]) => !other.shades.has(word)).map(([, colour]) => colour);
  return [...colours, ...found];
}
