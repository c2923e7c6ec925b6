// Hundredths, in which all money is kept: as the number that a record shows, and as text for a person.

/** Integer hundredths as a number with at most two decimals, exact. */
export function dollars(cents: number): number {
  return Number(`${cents}e-2`);
}

/** The reverse: cents of dollars, basis points of percent. */
export function hundredths(amount: number): number {
  return Math.round(amount * 100);
}

/** Integer cents as notices, charts and commands write them: `$1,234.50`, `-$0.10`. */
export function usdText(cents: number): string {
  const all = Math.abs(cents);
  const whole = String(Math.floor(all / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${whole}.${String(all % 100).padStart(2, '0')}`;
}
