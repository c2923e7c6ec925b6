// Splits text into words: normalizes accented letters, keeps numbers whole, makes a number with its unit one word, and
// splits hyphenated words into the whole and its parts. Linear in time, and bounded in output size.

import { withDesignations } from './title-numbers.ts';
import { wordUnitOf, type UnitWord } from './unit-words.ts';

/** Longer texts are cut: a title is one line, and later parts of a description say less about the product. */
export const MAX_TEXT = 600;
const MAX_WORDS = 96;

export type Word = {
  readonly text: string;
  /** Bits of `WordKind`. */
  readonly kind: number;
};

/** Kinds of words, as bits: a word may have several kinds. */
export const WordKind = { digits: 1, number: 2, code: 4, quantity: 8 } as const;

/** A number with its unit: `64 GB` has the value 64 and the unit `gb`. */
export type Amount = { readonly unit: string; readonly value: number };

export type Words = {
  readonly words: readonly Word[];
  readonly amounts: readonly Amount[];
  /** Possible model numbers without hyphens and dots: `wh-1000xm3` is `wh1000xm3`. */
  readonly codes: readonly string[];
};

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
};

/**
 * Normalizes a text: lower case, without accents, with one kind of quotes and hyphens. Drops the language tags and nulls of
 * linked data (`"Null"`, `"Shoe"@en`) that texts from microdata contain.
 */
export function plainText(text: string): string {
  const cut = text.slice(0, MAX_TEXT).toLowerCase();
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  const folded = /^[\x00-\x7f]*$/.test(cut) ? cut : fold(cut);
  const plain = withDesignations(folded)
    .replaceAll(/"@[a-z]{2}(?:-[a-z]{2,4})?\b|"null"/g, ' ')
    .replaceAll(/(\d) \.(?=\d)/g, '$1.')
    .replaceAll(MULTIPLIED, apart)
    .replaceAll(TWO_FORMS, (_, scent?: string) => FORM_OF[scent ?? ''] ?? '');
  return plain.includes('gen') ? plain.replaceAll(GENERATION, generation) : plain;
}

/** "6x500ml": the count, and the content of each. */
const MULTIPLIED =
  /\d{1,3} ?x ?(?=\d{1,5}(?:[.,]\d{1,3})? ?(?:ml|cl|l|liters?|litres?|gr?|kg|mg|oz|lb)(?![\p{L}\p{N}]))/gu;

/**
 * Returns a match with blanks around its sign, unless a number or word continues before it; a look-behind at every letter is
 * expensive.
 */
function apart(found: string, at: number, all: string): string {
  return /[\p{L}\p{N}.,]/u.test(all[at - 1] ?? '') ? found : found.replace(/ ?x ?/, ' x ');
}

/**
 * The German "2. Generation" is "2nd generation". A number after the word often belongs to what follows: "Generation
 * 30-Hour".
 */
const GENERATION = /(?<![\p{L}\p{N}.,])(\d{1,2})\. gen(?:eration)?(?![\p{L}\p{N}])/gu;

function generation(_: string, number: string): string {
  const ending = /^1.$/.test(number) ? undefined : ENDINGS[Number(number.at(-1)) - 1];
  return `${number}${ending ?? 'th'} generation`;
}

const ENDINGS = ['st', 'nd', 'rd'];

/** Terms that titles also abbreviate: "PlayStation 5" and "PS5", "Eau de Parfum" and "EDP". */
const TWO_FORMS = /\bplaystation(?:®|tm)? ?(?=[1-5]\b)|\bed([pt])\b/g;
const FORM_OF: Readonly<Record<string, string>> = {
  '': 'ps',
  p: 'eau de parfum',
  t: 'eau de toilette',
};

function fold(text: string): string {
  return text
    .replaceAll(/[\u2032\u2018\u2019]/g, "'")
    .replaceAll(/[\u2033\u201c\u201d]|''/g, '"')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøłđðı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('\u00d7', 'x')
    .replaceAll(
      OTHER_SCRIPTS,
      (_, number: string, unit: string) => number + (UNIT_IN[unit] ?? unit),
    )
    .slice(0, MAX_TEXT * 2);
}

/** Units in Cyrillic and Chinese letters, as normalized by `fold`. */
const UNIT_IN: Readonly<Record<string, string>> = {
  г: 'g',
  гр: 'g',
  кг: 'kg',
  мг: 'mg',
  л: 'l',
  мл: 'ml',
  м: 'm',
  см: 'cm',
  мм: 'mm',
  вт: 'w',
  мб: 'mb',
  гб: 'gb',
  тб: 'tb',
  шт: 'pcs',
  克: 'g',
  公斤: 'kg',
  千克: 'kg',
  毫升: 'ml',
};

const OTHER_SCRIPTS = /(\d ?)([гкмл]{1,2}|гр|см|вт|[мгт]б|шт|克|公斤|千克|毫升)(?![а-яё\d])/gu;

const RUN = /[\p{L}\p{N}]+(?:[.,\-_/+'][\p{L}\p{N}]+)*/gu;
const PART = /\d+[.,]\d+[a-z]+(?!\p{N})|v?\d+(?:[.,]\d+)?(?![\p{L}\p{N}])|[\p{L}\p{N}]+/gu;
const UNIT_WORD = /^\s?-?\s?(?:fl(?:uid|\.)? ?(?:oz|ounces?)|[a-z]{1,11}|["'])(?![a-z0-9])/;

/** Returns the words of `plainText`, at most 96. */
export function wordsOf(text: string): Words {
  const plain = text.includes('pack') ? text.replaceAll(GERMAN_PACK, '$1 pack') : text;
  const words: Word[] = [];
  const amounts: Amount[] = [];
  const codes: string[] = [];
  let done = 0;
  for (const run of plain.matchAll(RUN)) {
    if (words.length >= MAX_WORDS) break;
    const before = words.length;
    let hasAmount = false;
    for (const part of run[0].matchAll(PART)) {
      const start = run.index + part.index;
      if (start < done || words.length >= MAX_WORDS) continue;
      const found = amountAt(plain, start, part[0]);
      const isOfCode = found !== null && endsCode(run[0].slice(0, part.index), part[0]);
      const amount = isOfCode ? null : found;
      words.push(amount === null ? wordOf(part[0]) : amountWord(amount));
      if (amount === null) continue;
      done = amount.end;
      hasAmount = true;
      if (isSize(plain, amount)) amounts.push({ unit: amount.unit, value: amount.value });
    }
    const whole = squeezed(run[0]);
    const isOther = run[0].endsWith('/s') || isTyreAt(plain, run.index);
    if (!hasAmount && !isOther && isCode(whole, words.length - before)) codes.push(whole);
  }
  return { words, amounts, codes };
}

/** The German "10er-Pack" is "10 pack". */
const GERMAN_PACK = /(?<![\p{L}\p{N}.,-])(\d{1,3})er[ -]?pack(?:ung)?(?![\p{L}\p{N}])/gu;

function amountWord({ value, unit }: Amount): Word {
  const isClass = unit === 'g' && value < LEAST_GRAMS && Number.isInteger(value);
  const kind = isClass ? WordKind.code : WordKind.quantity;
  return { text: `${value}${unit}`, kind: kind | WordKind.digits };
}

/** Fewer grams are often a class: `5G`. */
const LEAST_GRAMS = 10;

/** After grams of an ingredient, or a paper weight. */
const CONTENT = /\/(?!\d)| (?:of )?(?:\p{L}+ )?(?:protein|eiweiss|carbs?|sugars?|fat|per|pro)\b/uy;

/** Checks whether an amount describes the whole product and can thus distinguish two. */
function isSize(plain: string, { unit, value, end }: AmountAt): boolean {
  // `f/2.8L` is a class of lenses.
  if (unit !== 'g') return unit !== 'l';
  if (value < LEAST_GRAMS || value === WIRELESS) return false;
  CONTENT.lastIndex = end;
  return !CONTENT.test(plain);
}

/** `802.11g`. */
const WIRELESS = 802.11;

/** `DCS-855L`, `SDDD3-256G`: a single letter after a number after a hyphen ends a model number. `F1.2 L` is not 2 l. */
function endsCode(before: string, part: string): boolean {
  if (!/\p{L}/u.test(before)) return false;
  return before.endsWith('-') ? /^\d+[gl]$/.test(part) : /\p{L}\d{1,2}[.,]$/u.test(before);
}

/** Returns the letters and digits of a text. */
export function squeezed(plain: string): string {
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function wordOf(part: string): Word {
  // Versions and numbers are normalized: `v10`, `10.0` and `010` are 10.
  if (/^v?\d[\d.,]*$/.test(part)) {
    const text = part
      .replace('v', '')
      .replace(',', '.')
      .replace(/^0+(?=\d)/, '')
      .replace(/\.0+$/, '');
    return { text, kind: WordKind.digits | WordKind.number };
  }
  return { text: part, kind: /\d/.test(part) ? WordKind.digits | WordKind.code : 0 };
}

/** `225/45 R17`. */
const TYRE = /\d{3}\/\d{2} z?r ?\d{2}(?![\p{L}\p{N}])/uy;

function isTyreAt(plain: string, at: number): boolean {
  TYRE.lastIndex = at;
  return TYRE.test(plain);
}

/** "4er" and "4er-Pack", German for a pack of that many. */
export const GERMAN_COUNT = /^\d{1,3}er(?:pack|packung|set|box|blister|karton|bundle)?$/;

/** Letters together with digits, or five digits and more, but not a version number. */
function isCode(whole: string, parts: number): boolean {
  if (whole.length < 4 || whole.length > 30 || !/\d/.test(whole) || GERMAN_COUNT.test(whole))
    return false;
  if (/^\d+$/.test(whole)) return whole.length >= 5;
  return !/^v\d+$/.test(whole) && (parts > 1 || /\p{L}/u.test(whole));
}

type AmountAt = Amount & { readonly end: number };

/** Returns the amount that begins at `start` (`64gb`, `64 gb`, `64-gb`, `27"`) and its end, or null. */
function amountAt(plain: string, start: number, part: string): AmountAt | null {
  const end = start + part.length;
  // `540MB/s` is a speed, and the fraction of `22-1/2"` is not a size.
  if (/^(?:\/s|ps)\b/.test(plain.slice(end, end + 4))) return null;
  if (/\d\/$/.test(plain.slice(Math.max(0, start - 2), start))) return null;
  const glued = /^(\d{1,6}(?:[.,]\d{1,3})?)([a-z]{1,10})$/.exec(part);
  if (glued !== null) {
    const [, number = '', unit = ''] = glued;
    if (unit === 'l' && isAperture(plain, start)) return apertureOf(number, end);
    return isModelLike(number, unit) ? null : amountOf(number, unit, end);
  }
  if (!/^\d{1,6}(?:[.,]\d{1,3})?$/.test(part)) return null;
  const after = UNIT_WORD.exec(plain.slice(end, end + 15))?.[0];
  // `108 x 144` is a size and `12x` a factor; `2 in 1` and `4 in stock` are not inches.
  if (after === undefined || /^\W+x$/.test(after)) return null;
  const next = plain.slice(end + after.length, end + after.length + 8);
  if (/^\W*in$/.test(after) && PREPOSITION.test(next)) return null;
  const unit = after.replaceAll(/[\s.-]/g, '').replace(/^fl(?:uid)?(?=o)/, '');
  if (unit === 'l' && isAperture(plain, start)) return apertureOf(part, end + after.length);
  return amountOf(part, unit, end + after.length);
}

/** `f/2.8L`, a class of lenses. */
function isAperture(plain: string, start: number): boolean {
  return /f[ /]$/.test(plain.slice(Math.max(0, start - 2), start));
}

function apertureOf(number: string, end: number): AmountAt {
  return { unit: 'l', value: Number(number.replace(',', '.')), end };
}

/** `7683G`, `502AH`: such an exact weight in grams, or such a large battery, does not occur. */
function isModelLike(number: string, unit: string): boolean {
  if (unit === 'ah') return Number(number) > MOST_AMPERE_HOURS;
  return unit === 'g' && /^\d{4,}$/.test(number) && !number.endsWith('0');
}

const MOST_AMPERE_HOURS = 300;

const PREPOSITION = /^\W+(?:1|one|the|a|an|stock|box)\b/;

function amountOf(number: string, word: string, end: number): AmountAt | null {
  const unit = wordUnitOf(word);
  if (unit === null) return null;
  const said = isInThousands(number, unit) ? number.replace(/[.,]/, '') : number.replace(',', '.');
  const value = Math.round(Number(said) * unit.factor * 1000) / 1000;
  return { unit: unit.name, value: isInGigabytes(value, unit) ? inBinary(value) : value, end };
}

/** "1000 GB": the unit table converts "1 TB" to 1,024. */
function isInGigabytes(value: number, { name, factor }: UnitWord): boolean {
  return name === 'gb' && factor === 1 && value >= 1000 && value % 100 === 0;
}

function inBinary(gigabytes: number): number {
  return Math.round(gigabytes * 1024) / 1000;
}

/** "10,000 mAh" and "1.000 ml", but "0,750 l": thousandths of a small unit are never stated. */
function isInThousands(number: string, { name, factor }: UnitWord): boolean {
  return factor === 1 && IN_WHOLES.has(name) && /^[1-9]\d{0,2}[.,]\d{3}$/.test(number);
}

const IN_WHOLES = new Set('ml g mg mcg iu mah lm mm w page rpm btu pack'.split(' '));

/**
 * FNV-1a over UTF-16 code units with a final mix that separates similar words. 0 to 2^30 - 1, so that a difference of
 * two hashes is still a small integer.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 2;
}

/** Returns the numbers in ascending order, without duplicates. */
export function sortedSet(numbers: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(numbers)).sort();
}
