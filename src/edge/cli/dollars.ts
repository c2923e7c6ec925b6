// Amounts in answers, as printed by commands. An answer that names no currency is in US dollars.

import { moneyText } from '../../base/money-text.ts';
import { decimalsOf } from '../../base/listing/money/minor-units.ts';
import { minorUnitsOfAmount } from '../../answer/wire/hundredths.ts';

/** Formats `$1,234.50`, `-$0.10`, `1,234.50 EUR`; a dash without an amount. */
export function moneyOrDash(amount: number | null, currency = 'USD'): string {
  return amount === null ? '-' : moneyText(minorUnitsOfAmount(amount, currency), currency);
}

const FINE_DECIMALS = 4;

/** Formats the price of one piece with up to four decimals: `$0.50`, `$0.0833`, `0.0833 EUR`, `833.3300 JPY`. */
export function unitPriceText(amount: number, currency = 'USD'): string {
  const fine = Math.round(amount * 10 ** FINE_DECIMALS);
  const isFine = fine % 10 ** (FINE_DECIMALS - decimalsOf(currency)) !== 0;
  return isFine ? moneyText(fine, currency, FINE_DECIMALS) : moneyOrDash(amount, currency);
}
