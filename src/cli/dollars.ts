// Amounts of US dollars as the commands print them.

/** `$12.50`, `-$0.10`; a dash where there is none. */
export function usd(amount: number | null): string {
  return amount === null ? '-' : `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`;
}
