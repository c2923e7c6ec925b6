// Amounts in answers, as printed by commands. An answer that names no currency is in US dollars.

import { moneyText } from '../../base/money-text.ts';
import { minorUnitsOfAmount } from '../../answer/wire/hundredths.ts';

/** Formats `$1,234.50`, `-$0.10`, `1,234.50 EUR`; a dash without an amount. */
export function moneyOrDash(amount: number | null, currency = 'USD'): string {
  return amount === null ? '-' : moneyText(minorUnitsOfAmount(amount, currency), currency);
}

/** Formats the price of one piece with up to four decimals: `$0.50`, `$0.0833`, `0.0833 EUR`. */
export function unitPriceText(amount: number, currency = 'USD'): string {
  const tenThousandths = Math.round(amount * 10_000);
  const finer = tenThousandths % 100;
  const whole = moneyOrDash((tenThousandths - finer) / 10_000, currency);
  if (finer === 0) return whole;
  const [number = '', ...code] = whole.split(' ');
  return [number + String(finer).padStart(2, '0'), ...code].join(' ');
}
