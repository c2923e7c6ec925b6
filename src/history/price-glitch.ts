// Observations that are no price: a decimal point lost, cents read as dollars, a test price that stood for an hour.
// They are kept as they were seen and marked, so that no figure is made of them (docs/price-glitches.md). Pure.

import { HOUR_MS } from '../core/clock.ts';

export type SeenPrice = { readonly observedAtMs: number; readonly priceCents: number };

/**
 * What is seen within this time of an observation cannot speak for it: a glitch that stood for an hour may have been
 * seen more than once.
 */
const SAME_MOMENT_MS = 3 * HOUR_MS;
/** The level on either side is the median of so many prices: another glitch among them does not set it. */
const SIDE = 3;
/** A sale of nine tenths is a tenth of the price, a seller without rivals asks four times it: believed both. */
const TOO_HIGH = 5;
const TOO_LOW = 1 / 15;

/**
 * Places of the observations that no neighbour supports: at least five times, or at most a fifteenth of, the level
 * before and the level after. Where one side is missing, as for the newest one, all three prices of the other have to
 * speak against it: until the third one agrees, a jump that stays is marked too. Input oldest first.
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

/** What a price is held against; null: too little is known to speak against it. */
function levelsAround(prices: readonly SeenPrice[], at: number): readonly number[] | null {
  const before = sideOf(prices, at, -1);
  const after = sideOf(prices, at, 1);
  if (before.length > 0 && after.length > 0) return [median(before), median(after)];
  const only = [...before, ...after];
  return only.length < SIDE ? null : only;
}

/** The nearest prices on one side, each of another moment. */
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
