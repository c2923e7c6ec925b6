// Hundredths, in which all money is kept, as the number that a record shows.

/** Integer hundredths as a number with at most two decimals, exact. */
export function dollars(cents: number): number {
  return Number(`${cents}e-2`);
}
