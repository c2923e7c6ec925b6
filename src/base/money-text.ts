// Amounts as text for notices, charts and commands. Answers have numbers.

import { usdText } from './dollars.ts';

/** Formats minor units of a currency: `$1,234.50`, `1,234.50 EUR`, `-0.10 EUR`. */
export function moneyText(cents: number, currency: string): string {
  const dollars = usdText(cents);
  return currency === 'USD' ? dollars : `${dollars.replace('$', '')} ${currency}`;
}
