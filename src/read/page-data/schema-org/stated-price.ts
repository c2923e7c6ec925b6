// Reads one amount of a page's data with the currency stated for it, and how it was written: where that has two meanings, it
// says so.

import { compile } from '../../../base/listing/words/all-languages.ts';
import { decimalsOf, rescaledUnits, type Money } from '../../../base/listing/money/minor-units.ts';
import { readMoney, readValue } from '../../../base/listing/money/money.ts';
import { inRials, TOMAN } from '../../../base/listing/money/currency-marker.ts';
import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { PageContext, StatedPrice } from '../facts.ts';
import { isTemplateRest } from './schema-values.ts';

/** An amount that the text labels as the former or recommended price. */
const WAS_PRICE = compile(
  'formerBefore',
  (words) => `^\\s*${words}(?!\\p{L})[^\\d]{0,20}\\d[\\d.,'\\s]*`,
);

/** Returns "Was £59.90 Now £49.90" without the former price. */
function withoutWasPrice(text: string): string {
  return /^\s*\p{L}/u.test(text) ? decodeEntities(text).replace(WAS_PRICE, '') : text;
}

/** Returns a stated amount with its currency; null for zero, unfilled templates and anything that is not an amount. */
export function statedPrice(
  value: unknown,
  currency: string | null,
  context: PageContext,
): StatedPrice | null {
  if (typeof value === 'number') {
    const money = readValue(value, currency);
    return money === null ? null : { money: inRials(money), isWhole: Number.isInteger(value) };
  }
  if (typeof value !== 'string' || isTemplateRest(value)) return null;
  const text = withoutWasPrice(value.slice(0, 300));
  const isDollar = currency === null && context.dollarIsUs && text.includes('$');
  // A plain number is a structured value regardless of the page language ("24.990" depends on its currency).
  const money = /^[\s\d.,']+$/.test(text)
    ? amountOnly(text, currency)
    : readMoney(text, { currency: isDollar ? 'USD' : currency });
  if (money === null) return null;
  const price = { money, isWhole: /^\D*\d+\D*$/.test(text) };
  const otherCents = currency === TOMAN ? null : otherCentsOf(text, money);
  if (otherCents === null) return price;
  return { ...price, otherCents, isUnclear: isUnclear(text, money, context) };
}

/**
 * Whether one separator and three digits may mean thousands or decimals: the reading is not that of the page's language, and the
 * currency has hundredths.
 */
function isUnclear(
  text: string,
  { cents, currency }: Money,
  { decimalMark }: PageContext,
): boolean {
  if (decimalsOf(currency) !== 2 || SMALL_UNITS.has(currency ?? '')) return false;
  // No thousands begin with a zero.
  if (/^\s*0/.test(text)) return false;
  const isDecimal = cents < Number(text.replaceAll(/\D/g, '')) * 100;
  return decimalMark === null || isDecimal !== text.includes(decimalMark);
}

/** Returns the alternative to an amount for one separator and three digits ("1.290"), which may be decimals or thousands. */
function otherCentsOf(text: string, { cents, currency }: Money): number | null {
  const match = /^\s*(\d{1,3})[.,](\d{3})\s*$/.exec(text);
  if (match === null) return null;
  const thousandths = Number(`${match[1] ?? ''}${match[2] ?? ''}`);
  const decimals = decimalsOf(currency);
  const amounts = [thousandths * 10 ** decimals, rescaledUnits(thousandths, 3, decimals) ?? 0];
  return amounts.find((amount) => Math.abs(amount - cents) > 1) ?? null;
}

/**
 * Currencies without hundredths in practice: "12.990" is twelve thousand. For all others `readValue` decides what
 * three digits after a point mean.
 */
const SMALL_UNITS = new Set(
  (
    'ALL AMD ARS CLP COP CRC CZK DZD HUF IDR IQD IRR IRT ISK JPY KHR KRW KZT LAK LBP LKR MMK MNT NGN PKR PYG RSD ' +
    'RUB TWD TZS UGX UZS VND'
  ).split(' '),
);

function amountOnly(written: string, currency: string | null): Money | null {
  const isThousands = SMALL_UNITS.has(currency ?? '') && /^\s*\d{1,3}\.\d{3}\s*$/.test(written);
  const text = isThousands ? written.replace('.', '') : written;
  const money = readValue(text, currency);
  return money === null ? null : inRials(money);
}

/** Whether an amount is zero: "0.00", 0. */
export function isZero(value: unknown): boolean {
  if (typeof value === 'number') return value === 0;
  return (
    typeof value === 'string' && /^\D{0,5}0+(?:[.,]0+)?\D{0,5}$/.test(value.slice(0, 40).trim())
  );
}
