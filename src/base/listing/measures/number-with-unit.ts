// Finds numbers with units in a line of text: decimal commas, fractions ("1 3/4", "8-1/2", "½"), feet and inches, pounds
// and ounces.

import { foldDigits, numeralsOf } from '../text/numeral.ts';
import type { Numeral, NumeralRules } from '../text/numeral.ts';
import { UNITS } from './units.ts';
import type { Unit } from './units.ts';

export type NumberWithUnit = {
  readonly start: number;
  /** Position after the unit, if there is one. */
  readonly end: number;
  /** In the unit's base (pounds, inches, milliliters, gigabytes), else the bare number. */
  readonly value: number;
  readonly unit: Unit | null;
};

/** The longest text that is read; specification lines are shorter. */
const MAX_TEXT = 1_000;

/**
 * Factors of the units for which a comma is a decimal comma: `1,250 kg` is more often 1.25 kg than a ton. In `1,250 g` and
 * `2,205 lb` it separates thousands.
 */
const DECIMAL_COMMA_FACTORS = new Set([UNITS.get('kg')?.factor, UNITS.get('m')?.factor]);

/** Milliliters with a point as thousands separator, `1.500 ml`. A converted amount has different digits: `251.375 ml`. */
const GROUPED_MILLILITRES = /^[1-9]\d{0,2}\.\d(?:00|50)$/;

const RULES: NumeralRules = {
  apostropheCents: false,
  blanks: false,
  threeDigits: (mark) => (mark === '.' ? 'decimal' : 'thousands'),
};

const DENOMINATORS = new Set([2, 3, 4, 5, 6, 8, 10, 16, 32, 64]);

/** `1\u00a0250 g`: such a blank only separates thousands. */
const HARD_THOUSANDS = /(?<!\d)\d{1,3}(?:[\u00a0\u202f\u2009\u2007]\d{3})+(?!\d)/g;
/**
 * Thousands separated by a plain blank, only at the start of a value (`Weight: 1 250 g`): later in a line such a blank may
 * separate two numbers.
 */
const FIRST_THOUSANDS = /(?:^|[:(])\s?\d{1,3}(?: \d{3})+(?=\s?(?:g|gr|kg|ml|mm)\b)/g;
const withoutBlanks = (written: string): string => written.replaceAll(/(?<=\d)\s/g, '');

/** Normalizes quotes, primes, multiplication signs and fractions; returns at most `MAX_TEXT` characters. */
export function measureText(text: string): string {
  return foldDigits(text.slice(0, MAX_TEXT))
    .replaceAll(HARD_THOUSANDS, withoutBlanks)
    .replaceAll(/(?=[\u00bc-\u00be\u2150-\u215e])/g, ' ')
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replaceAll(/[\u2018\u2019\u02b9\u2032]/g, "'")
    .replaceAll(/[\u201c-\u201f]|''/g, '"')
    .replaceAll(/[×✕✖⨯х*](?=\s|\d|\p{L}|$)/gu, 'x')
    .replaceAll(/[\u200b-\u200f\u202a-\u202e]/g, '')
    .replaceAll(FIRST_THOUSANDS, withoutBlanks)
    .slice(0, MAX_TEXT * 2);
}

type Valued = { readonly value: number; readonly end: number };

/** Returns the number at `numeral` including a fraction that follows: `1 3/4`, `8-1/2`, `3/4`. */
function valueAt(text: string, numeral: Numeral): Valued | null {
  if (numeral.integer === null) return null;
  const plain = Number(`${numeral.integer}.${numeral.fraction || '0'}`);
  if (numeral.fraction !== '') return { value: plain, end: numeral.end };
  const tail = text.slice(numeral.end, numeral.end + 8);
  const whole = /^[ -](\d{1,2})\/(\d{1,2})(?!\d)/.exec(tail);
  const alone = /^\/(\d{1,2})(?!\d)/.exec(tail);
  const upper = whole === null ? plain : Number(whole[1]);
  const lower = Number(whole === null ? alone?.[1] : whole[2]);
  if (!DENOMINATORS.has(lower) || upper >= lower || upper === 0) {
    return { value: plain, end: numeral.end };
  }
  const length = (whole ?? alone)?.[0].length ?? 0;
  return { value: (whole === null ? 0 : plain) + upper / lower, end: numeral.end + length };
}

type UnitAt = { readonly unit: Unit; readonly end: number };

/** Returns the unit that follows at `from`: ` lb`, `"`, `-inch`, ` (cm)`, `cmx`, `inL`. */
function unitAt(text: string, from: number): UnitAt | null {
  const lead = /^\s{0,3}[-(]?\s?/.exec(text.slice(from, from + 6))?.[0].length ?? 0;
  const start = from + lead;
  const sign = text[start];
  if (sign === '"' || sign === "'") {
    const unit = UNITS.get(sign);
    return unit === undefined ? null : { unit, end: start + 1 };
  }
  const word = /^\p{L}{1,20}/u.exec(text.slice(start, start + 20))?.[0] ?? '';
  // A side's letter or the next factor may be attached to the unit: `10inL`, `10cmx5cm`.
  for (const spelling of [word, /[xhwld]$/i.test(word) ? word.slice(0, -1) : '']) {
    const unit = UNITS.get(spelling.toLowerCase());
    if (unit === undefined) continue;
    const end = start + spelling.length;
    // `3M` is a brand, `3 m` and `3m` are lengths.
    if (spelling === 'M' && lead === 0) return null;
    if (spelling.toLowerCase() === 'in' && isPreposition(text, end)) return null;
    return { unit, end: unitEnd(text, end, spelling) };
  }
  return null;
}

/** Position after the full stop of `oz.`, or after the ounces of `fl. oz`. */
function unitEnd(text: string, end: number, spelling: string): number {
  const isFluid = /^fl(?:uid)?$/i.test(spelling);
  const ounces = isFluid ? /^\.?\s?(?:oz|ounces?)\b/i.exec(text.slice(end, end + 12)) : null;
  const after = end + (ounces?.[0].length ?? 0);
  return /^\.(?!\d)/.test(text.slice(after, after + 2)) ? after + 1 : after;
}

/** `3 in 1`, `5-in-1`, `4 in stock`, `2 in the box`: not inches. */
function isPreposition(text: string, end: number): boolean {
  return /^(?:-\d|\s1\b|\s(?:stock|store|the|a|total|one|box|pack)\b)/i.test(
    text.slice(end, end + 8),
  );
}

/** `-5 lb` is not a measure, `1e5` not a five, `KD-65X80` a code. */
function isDisturbed(text: string, start: number): boolean {
  const lead = text.slice(Math.max(0, start - 2), start);
  return /(?:^|[\s(:])[-\u2212]$|\d[a-wyzA-WYZ]$|[A-Z]-$/.test(lead);
}

/**
 * Reads the number again with its unit, which shows that the comma of `1,250 kg` is a decimal comma and that the point of
 * `1.500 ml` is not a decimal point.
 */
function withUnit(text: string, numeral: Numeral, valued: Valued): NumberWithUnit {
  const found = unitAt(text, valued.end);
  const { start } = numeral;
  if (found === null) return { start, end: valued.end, value: valued.value, unit: null };
  const { unit, end } = found;
  const written = text.slice(start, numeral.end);
  const decimal = DECIMAL_COMMA_FACTORS.has(unit.factor) && /^\d{1,3},\d{3}$/.test(written);
  const grouped = unit === UNITS.get('ml') && GROUPED_MILLILITRES.test(written);
  const thousands = grouped ? valued.value * 1_000 : valued.value;
  const number = decimal ? Number(written.replace(',', '.')) : thousands;
  return { start, end, value: number * unit.factor, unit };
}

/** `2 lb 3 oz`, `6' 3"`, `1 kg 250 g`: one quantity if the second unit subdivides the first. */
function merge(text: string, first: NumberWithUnit, second: NumberWithUnit): NumberWithUnit | null {
  const { unit } = first;
  if (unit === null || second.unit === null || unit.kind !== second.unit.kind) return null;
  if (unit.kind === 'volume' || unit.kind === 'storage' || second.unit.factor >= unit.factor)
    return null;
  if (second.value >= unit.factor) return null;
  if (!/^[\s,&+]*(?:and|und|et|y|e)?\s*$/.test(text.slice(first.end, second.start))) return null;
  // `10 in, 5 cm` are two measures; only units of the same system combine.
  const metric = (each: Unit): boolean => !Number.isInteger(each.factor * 16);
  if (metric(unit) !== metric(second.unit)) return null;
  return { start: first.start, end: second.end, value: first.value + second.value, unit };
}

/** Returns the numbers of a text normalized by `measureText`, each with its unit if it has one, in order. */
export function numbersWithUnits(text: string): readonly NumberWithUnit[] {
  const found: NumberWithUnit[] = [];
  let done = 0;
  for (const numeral of numeralsOf(text, RULES)) {
    if (numeral.start < done || isDisturbed(text, numeral.start)) continue;
    const valued = valueAt(text, numeral);
    if (valued === null || !Number.isFinite(valued.value)) continue;
    const quantity = withUnit(text, numeral, valued);
    const previous = found.at(-1);
    const merged = previous === undefined ? null : merge(text, previous, quantity);
    if (merged !== null) found.pop();
    found.push(merged ?? quantity);
    done = quantity.end;
  }
  return found;
}
