// Converts hundredths, the unit of amounts in dollars and of percentages, to the number in an answer and back.

/** Converts integer hundredths to an exact number with at most two decimals. */
export function dollars(cents: number): number {
  return Number(`${cents}e-2`);
}

/** The inverse: dollars to cents, percent to basis points. */
export function hundredths(amount: number): number {
  return Math.round(amount * 100);
}
