// Readers that parse money from text, with the currency stated next to it. Every reader is linear, bounded and total: nonsense
// yields null.

import { foldDigits, numeralsOf } from '../text/numeral.ts';
import type { Numeral } from '../text/numeral.ts';
import { isOtherCharge } from './other-charges.ts';
import {
  codesAnywhere,
  inRials,
  isBlank,
  isLetter,
  markerAfter,
  markerBefore,
  TOMAN,
  wholeTextCodes,
} from './currency-marker.ts';
import type { Marker } from './currency-marker.ts';
import { amountOf, inCurrency, moneyOfDigits, type Money } from './minor-units.ts';
import { structuredRules, textRules, withCentsJoined, writtenDecimals } from './number-rules.ts';
import { decodeEntities } from '../text/text.ts';

/** The implications of a text's location for the money in it. */
type MoneyHints = {
  /** Supplies a missing sign and resolves an ambiguous one; an unambiguous sign takes precedence. */
  readonly currency?: string | null;
  /** The text states a charge (shipping, a fee), so that words for a charge do not exclude its amount. */
  readonly isCharge?: boolean;
};

/** The longest text that is read. A price text is a line, not a page; anything later is not its price. */
const MAX_PRICE_TEXT = 500;
const MAX_STRUCTURED_TEXT = 100;

/** Thirteen digits before the point keep hundredths within exact integers. */
const MAX_INTEGER_DIGITS = 13;

const MINUS = new Set(['-', '\u2212', '\u2013', '\u2014']);

/** Returns the money that digits state; null for zero and for an amount that is too large. */
function moneyOf(integer: string, fraction: string, currency: string | null): Money | null {
  const whole = integer.replace(/^0+/, '');
  return whole.length > MAX_INTEGER_DIGITS ? null : moneyOfDigits(whole, fraction, currency);
}

/** An amount in a text with the markers and signs around it. */
type Amount = {
  readonly integer: string;
  readonly fraction: string;
  readonly start: number;
  readonly end: number;
  /** Position of its first digit. */
  readonly digits: number;
  /** The two characters before the digits. */
  readonly lead: string;
  readonly before: Marker | null;
  /** The marker after the amount; in `12€99` the cents after it are included. */
  readonly after: Marker | null;
  /** Whether a dash replaces its decimals. */
  readonly hasDash: boolean;
};

/** Returns the cents of `12€99`, where the sign replaces the point. Null for `15€20€`, which is two amounts. */
function centsAfterSign(text: string, after: Marker, end: number): string | null {
  if (after.start !== end || isLetter(text[after.start])) return null;
  const digits = /^\d{2}(?![\d.,])/.exec(text.slice(after.end, after.end + 3))?.[0];
  return digits === undefined || markerAfter(text, after.end + 2) !== null ? null : digits;
}

function isNegative(text: string, start: number): boolean {
  if (!MINUS.has(text[start - 1] ?? '')) return false;
  const earlier = text[start - 2];
  if (earlier === undefined || isBlank(earlier) || earlier === '(') return true;
  return !/\d/.test(earlier) && markerBefore(text, start - 1) !== null; // `$-5.00`
}

/** Words for a price that directly precede it without a blank: "税込4,378円". */
const PRICE_WORD = /(?:税込み?|税抜き?|税別|価格)$/;

function amountAt(text: string, numeral: Numeral, hints: MoneyHints): Amount | null {
  if (numeral.integer === null) return null;
  const before = markerBefore(text, numeral.start);
  // `1.299,-`, `499.–` and `295:-`: the dash replaces the decimals.
  const dash =
    /^[.,:][-–—−]{1,2}(?!\d)/.exec(text.slice(numeral.end, numeral.end + 4))?.[0].length ?? 0;
  const end = numeral.end + dash;
  const sign = markerAfter(text, end);
  const cents = sign === null || numeral.fraction !== '' ? null : centsAfterSign(text, sign, end);
  const after = sign === null || cents === null ? sign : { ...sign, end: sign.end + cents.length };
  const start = before?.start ?? numeral.start;
  if (isNegative(text, start) || isNegative(text, numeral.start)) return null;
  // `iPhone15`, `12mm`, `#5`, `10:30`: parts of words, codes and times.
  const isInWord = before === null && /[\p{L}#_]/u.test(text[numeral.start - 1] ?? '');
  if (isInWord && !PRICE_WORD.test(text.slice(Math.max(0, numeral.start - 3), numeral.start))) {
    return null;
  }
  if (before === null && after === null && /^(?:[\p{L}_]|[:/]\d)/u.test(text.slice(end, end + 3))) {
    return null;
  }
  // `$1.2K` is a rounded figure, not a price.
  if (/^[kKM万億](?!\p{L})/u.test(text.slice(end, end + 3))) return null;
  // Checked last, because its patterns are the most expensive.
  if (hints.isCharge !== true && isOtherCharge(text, start, after?.end ?? end)) return null;
  const lead = text.slice(Math.max(0, numeral.start - 2), numeral.start);
  const hasDash = dash > 0;
  const around = { start, end, digits: numeral.start, lead, before, after, hasDash };
  if (hasDash) return { integer: numeral.integer + numeral.fraction, fraction: '', ...around };
  return { integer: numeral.integer, fraction: cents ?? numeral.fraction, ...around };
}

/**
 * Returns whether a bare number may be a price: only if nothing but signs follows and it is not part of a date, a time or a
 * product: `From 19`, not `19 items`, `2026-11-20`, `10:30`, `$8.33 x 12`.
 */
function mayBeBare(text: string, amount: Amount): boolean {
  const tail = text.slice(amount.end);
  return !/\p{L}|^-\d/u.test(tail) && !/\d[:/-]$|[x×]\s?$/i.test(amount.lead);
}

/**
 * Returns the range formed by two amounts, `10 – 20 €`. The lower end is the price, and the sign after the upper end applies
 * to it too.
 */
function rangeOf(text: string, lower: Amount | null, upper: Amount): Amount | null {
  if (lower === null || lower.before !== null || lower.after !== null) return null;
  // "Set of 4 - $12.50": a sign before the second number belongs to that number alone.
  if (upper.before !== null || upper.after === null) return null;
  const between = text.slice(lower.end, upper.start);
  if (!/^\s?(?:[-\u2013\u2014~\u301c\uff5e]|to|bis|à|a|do)\s?$/u.test(between)) return null;
  return { ...lower, before: upper.before, after: upper.after };
}

/** Returns the first amount with a currency or two decimals, otherwise the first bare number. */
function firstAmount(text: string, hints: MoneyHints): Amount | null {
  const rules = textRules(hints, text);
  let bare: Amount | null = null;
  let previous: Amount | null = null;
  let decimals: Amount | null = null;
  for (const numeral of numeralsOf(text, rules)) {
    const amount = amountAt(text, numeral, hints);
    if (amount === null) continue;
    const range = rangeOf(text, previous, amount);
    if (range !== null && (decimals === null || decimals === previous)) return range;
    if (decimals !== null) return decimals;
    if (amount.before !== null || amount.after !== null) return amount;
    if (amount.fraction.length === 2) decimals = amount;
    bare ??= mayBeBare(text, amount) ? amount : null;
    previous = amount;
  }
  return decimals ?? bare;
}

/** Returns the currency on which markers and hint agree; null if it remains ambiguous. */
function settle(codes: readonly string[] | undefined, hint: string | null): string | null {
  if (codes === undefined) return hint;
  if (codes.length === 1) return codes[0] ?? null;
  return hint !== null && codes.includes(hint) ? hint : null;
}

function currencyNextTo(amount: Amount, hint: string | null): string | null {
  const { before, after } = amount;
  if (before === null || before.codes.length === 1) return settle((before ?? after)?.codes, hint);
  // `$24.50 USD`: the code after the amount identifies the dollar; in `$10 €9` the sign belongs to another amount.
  const named = after?.codes.length === 1 ? after.codes[0] : undefined;
  return named !== undefined && before.codes.includes(named) ? named : settle(before.codes, hint);
}

/**
 * Returns the money at an amount of a line. If its own sign is of a currency with three decimals, and no hint said so, its
 * digits are read again accordingly.
 */
function moneyIn(line: string, amount: Amount, hints: MoneyHints): Money | null {
  const currency = currencyNextTo(amount, hints.currency ?? null);
  if (writtenDecimals(currency) < 3 || writtenDecimals(hints.currency) >= 3) {
    return moneyOf(amount.integer, amount.fraction, currency);
  }
  const digits = line.slice(amount.digits, amount.end);
  const [again] = numeralsOf(digits, textRules({ ...hints, currency }));
  return again === undefined || again.integer === null
    ? null
    : moneyOf(again.integer, again.fraction, currency);
}

/** Direction marks appear between Arabic signs and their amounts. */
const ASCII = /^[\0-\x7f]*$/;
const DIRECTION_MARKS = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

function priceText(text: string): string {
  // Truncating the text may also cut a number: its remainder is dropped.
  const cut =
    text.length <= MAX_PRICE_TEXT ? text : text.slice(0, MAX_PRICE_TEXT).replace(/\S*$/, '');
  const decoded = decodeEntities(cut);
  const line = ASCII.test(decoded) ? decoded : foldDigits(decoded.replaceAll(DIRECTION_MARKS, ''));
  return withCentsJoined(line);
}

/** Reads a text that consists only of pence, `99p`. Everywhere else a `p` is a letter of a word. */
function pence(text: string): Money | null {
  const digits = /^\s*(\d{1,2})p\s*$/.exec(text)?.[1];
  const cents = digits === undefined ? 0 : Number(digits);
  return cents > 0 ? { cents, currency: 'GBP' } : null;
}

/**
 * Reads the first amount of a price text with its currency: "From £5.29", "1.299,00 €", "$10 - $20" (the lower end). Null
 * if it states none, or states zero (D26).
 */
export function readMoney(text: string, hints: MoneyHints = {}): Money | null {
  const line = priceText(text);
  const first = firstAmount(line, hints);
  if (first === null) return pence(line);
  const money = moneyIn(line, first, hints);
  return money === null ? null : inRials(money);
}

/** An amount in a line, and its position there with its currency. */
export type PlacedMoney = Money & {
  readonly start: number;
  readonly end: number;
  /** Position of its first digit: the sign before it may belong to the previous amount. */
  readonly digits: number;
  /** Position after its last digit: the sign there may belong to the next amount. */
  readonly digitsEnd: number;
  /** Whether a currency sign, code or name is next to it, or a dash for decimals when a hint gives the currency. */
  readonly isMarked: boolean;
  /** Whether it is written with two decimals. */
  readonly hasDecimals: boolean;
  /** Whether it is the lower end of a range. */
  readonly isRange: boolean;
};

/** Prepares a text for finding amounts: decodes references, folds digits of other scripts, removes direction marks. */
export const amountLine = priceText;

/** The separator between the ends of a range. */
const DASH = /^\s?(?:[-\u2013\u2014~\u301c\uff5e]|to|bis|à|a|y|tot|til|till|do|až|до)\s?$/u;

/**
 * Returns the amount without a sign that belongs to the previous amount. In `204 € 299 лв.` the second amount has its own sign
 * after it, so the sign before it, with nothing else between, belongs to the first.
 */
function withOwnSign(amount: Amount, previous: Amount | null): Amount {
  const { before, after, digits } = amount;
  if (before === null || after === null || previous?.before !== null) return amount;
  const isTaken = before.start < (previous.after?.end ?? 0);
  return isTaken ? { ...amount, before: null, start: digits } : amount;
}

/**
 * Returns every amount of a line that `amountLine` prepared, in order. Omits zero and any amount that adjacent text
 * marks as another charge.
 */
export function placedAmounts(line: string, hints: MoneyHints): readonly PlacedMoney[] {
  const found: PlacedMoney[] = [];
  const hint = hints.currency ?? null;
  let previous: Amount | null = null;
  for (const numeral of numeralsOf(line, textRules(hints, line))) {
    const whole = amountAt(line, numeral, hints);
    // `12€99`: the digits after the sign are the cents of the preceding amount.
    const isCents = numeral.start < (previous?.after?.end ?? 0);
    if (whole === null || isCents) continue;
    const amount = withOwnSign(whole, previous);
    const range = rangeOf(line, previous, amount);
    previous = amount;
    if (range !== null) {
      // `10 – 20 €`: the lower end takes the sign of the upper one, which is not a price of its own.
      const lower = found.pop();
      if (lower !== undefined) {
        const money =
          moneyIn(line, range, hints) ?? inCurrency(lower, currencyNextTo(range, hint)) ?? lower;
        const { start, end, digits, digitsEnd, hasDecimals } = lower;
        const at = { start, end, digits, digitsEnd, hasDecimals };
        found.push({ ...money, ...at, isMarked: true, isRange: true });
      }
      continue;
    }
    const money = moneyIn(line, amount, hints);
    const last = found.at(-1);
    const { start, end, before, after, hasDash } = amount;
    const isMarked = before !== null || after !== null || (hasDash && hint !== null);
    const hasDecimals = amount.fraction.length === 2;
    // `$10 – $20`, `19.90 - 49.90`: here too the upper end is not a price of its own.
    const isUpper =
      last !== undefined &&
      (last.isMarked || (last.hasDecimals && hasDecimals && !isMarked)) &&
      DASH.test(line.slice(last.end, start));
    if (money !== null && isUpper && amountOf(money) > amountOf(last)) {
      found[found.length - 1] = { ...last, isRange: true };
      continue;
    }
    if (money === null) continue;
    found.push({
      ...money,
      start,
      digits: amount.digits,
      digitsEnd: end,
      end: Math.max(end, after?.end ?? end),
      isMarked,
      hasDecimals,
      isRange: false,
    });
  }
  return found.map(inRials);
}

/** Returns the amounts of a text that state a currency or two decimals, or that stand alone with `hints.currency`. */
export function readAmounts(text: string, hints: MoneyHints): readonly Money[] {
  return placedAmounts(priceText(text), hints)
    .filter(({ isMarked, hasDecimals }) => isMarked || hasDecimals)
    .map(moneyAlone);
}

/** Returns the money of a placed amount without its place. */
export function moneyAlone({ cents, currency, finer }: Money): Money {
  return finer === undefined ? { cents, currency } : { cents, currency, finer };
}

const PLAIN_NUMBER = /^\+?[\d.,'\u2018\u2019\u2032\s\u066b\u066c\u00b7]+$/;
const SCIENTIFIC = /^\d{1,15}(?:\.\d{1,20})?e[+-]?\d{1,2}$/i;

function moneyOfNumber(value: number, currency: string | null): Money | null {
  if (!Number.isFinite(value) || value <= 0 || value >= 10 ** MAX_INTEGER_DIGITS) return null;
  const text = String(value);
  // A number below a millionth is stringified with an exponent. It is not a price.
  if (text.includes('e')) return null;
  const [integer = '', fraction = ''] = text.split('.');
  return moneyOf(integer, fraction, currency);
}

/**
 * Returns the amount of a structured value (JSON-LD `price`, a `content` attribute) in a currency that is stated elsewhere, or
 * null: a number, or a text such as "1299.0000", "1,299.00", "26,00 €". Null for zero, negatives and nonsense (D26).
 */
export function readValue(
  value: unknown,
  currency: string | null,
  hints: MoneyHints = {},
): Money | null {
  if (typeof value === 'number') return moneyOfNumber(value, currency);
  if (typeof value !== 'string' || value.length > MAX_STRUCTURED_TEXT * 10) return null;
  const text = foldDigits(value.trim());
  if (text.length > MAX_STRUCTURED_TEXT) return null;
  if (SCIENTIFIC.test(text)) return moneyOfNumber(Number(text), currency);
  if (!PLAIN_NUMBER.test(text)) {
    const money = readMoney(text, { ...hints, currency });
    return money === null ? null : inCurrency(money, currency);
  }
  const [first] = numeralsOf(text, structuredRules({ currency }, text));
  return first === undefined || first.integer === null
    ? null
    : moneyOf(first.integer, first.fraction, currency);
}

/** Same, but returns only the integer in the minor unit of `hints.currency`, or in hundredths without one. */
export function readAmount(value: unknown, hints: MoneyHints = {}): number | null {
  return readValue(value, hints.currency ?? null, hints)?.cents ?? null;
}

/**
 * Returns the ISO 4217 code that a text states by code, sign or name, either on its own ("eur", "US dollars") or next to an
 * amount. `hint` resolves ambiguous signs; without it, `$`, `kr` and `¥` alone yield null (D26).
 */
export function currencyOf(text: string, hint: string | null = null): string | null {
  const unit = currencyOrToman(text, hint);
  return unit === TOMAN ? null : unit;
}

/** Same, but may also return the toman. The caller passes the result to `inRials` with the amount. */
export function currencyOrToman(text: string, hint: string | null = null): string | null {
  const line = priceText(text);
  const whole = wholeTextCodes(line);
  if (whole !== undefined) return settle(whole, hint);
  const first = firstAmount(line, {});
  if (first !== null && (first.before !== null || first.after !== null)) {
    return currencyNextTo(first, hint);
  }
  const named = codesAnywhere(line);
  return named === undefined ? null : settle(named, hint);
}
