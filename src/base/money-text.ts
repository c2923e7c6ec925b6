// Amounts as text for notices, charts and commands. Answers have numbers.

import { decimalsOf } from './listing/money/minor-units.ts';

/**
 * Formats minor units of a currency: `$1,234.50`, `1,234.50 EUR`, `-0.10 EUR`, `1,234 JPY`, `1.500 KWD`. With `decimals`, the
 * amount is in units of that many decimals instead.
 */
export function moneyText(
  cents: number,
  currency: string,
  decimals = decimalsOf(currency),
): string {
  const digits = String(Math.abs(cents)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = digits.slice(0, point).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const amount = decimals === 0 ? whole : `${whole}.${digits.slice(point)}`;
  const sign = cents < 0 ? '-' : '';
  return currency === 'USD' ? `${sign}$${amount}` : `${sign}${amount} ${currency}`;
}
