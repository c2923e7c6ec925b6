// Amounts as a notice says them. Pure.

/** `$1,234.50`. */
export function usdText(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}

/** How far a price moved, as `12.5%`, whichever way. */
export function percentText(from: number, to: number): string {
  if (from === 0) return '0%';
  return `${Math.round((Math.abs(to - from) / from) * 1_000) / 10}%`;
}
