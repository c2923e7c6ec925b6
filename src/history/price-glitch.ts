// Recognizes observations whose price is an error: a lost decimal point, cents read as dollars, a test price that stood
// for an hour. They stay stored and are marked, so that no figure includes them (docs/price-glitches.md). Pure.

import { HOUR_MS } from '../core/clock.ts';

export type SeenPrice = { readonly observedAtMs: number; readonly priceCents: number };

/**
 * An observation within this time of another does not confirm it: a glitch that stood for an hour may have been seen
 * more than once.
 */
const SAME_MOMENT_MS = 3 * HOUR_MS;
/** The level on either side is the median of this many prices, so that another glitch among them does not set it. */
const SIDE = 3;
/** Believed are a sale at a tenth of the price, and four times the price from a seller without rivals. */
const TOO_HIGH = 5;
const TOO_LOW = 1 / 15;

/**
 * Indexes of the prices that no neighbor confirms: at least five times, or at most a fifteenth of, both the level
 * before and the level after. When one side is missing, as for the newest price, all three prices of the other side
 * must contradict it; a lasting jump is therefore marked until its third observation. Input oldest first.
 */
export function glitchesIn(prices: readonly SeenPrice[]): ReadonlySet<number> {
  const marked = new Set<number>();
  for (const [at, { priceCents }] of prices.entries()) {
    const levels = levelsAround(prices, at);
    if (levels === null) continue;
    const isHigh = levels.every((level) => priceCents >= level * TOO_HIGH);
    const isLow = levels.every((level) => priceCents <= level * TOO_LOW);
    if (isHigh || isLow) marked.add(at);
  }
  return marked;
}

/** The levels that a price is compared with; null when there are too few prices to contradict it. */
function levelsAround(prices: readonly SeenPrice[], at: number): readonly number[] | null {
  const before = sideOf(prices, at, -1);
  const after = sideOf(prices, at, 1);
  if (before.length > 0 && after.length > 0) return [median(before), median(after)];
  const only = [...before, ...after];
  return only.length < SIDE ? null : only;
}

/** The nearest prices on one side, each more than `SAME_MOMENT_MS` from the one before. */
function sideOf(prices: readonly SeenPrice[], at: number, step: 1 | -1): readonly number[] {
  const side: number[] = [];
  let lastMs = prices[at]?.observedAtMs ?? 0;
  for (let next = at + step; side.length < SIDE; next += step) {
    const other = prices[next];
    if (other === undefined) break;
    if (Math.abs(other.observedAtMs - lastMs) <= SAME_MOMENT_MS) continue;
    side.push(other.priceCents);
    lastMs = other.observedAtMs;
  }
  return side;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
