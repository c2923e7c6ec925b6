// Converts hundredths, the unit in which all money is stored, to the number in a record and to text for people.

/** Converts integer hundredths to an exact number with at most two decimals. */
export function dollars(cents: number): number {
  return Number(`${cents}e-2`);
}

/** The inverse: dollars to cents, percent to basis points. */
export function hundredths(amount: number): number {
  return Math.round(amount * 100);
}

/** Formats integer cents for notices, charts and commands: `$1,234.50`, `-$0.10`. */
export function usdText(cents: number): string {
  const all = Math.abs(cents);
  const whole = String(Math.floor(all / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${whole}.${String(all % 100).padStart(2, '0')}`;
}
