// When a watch is due: at once when it is made, then in slots of its interval. Slots are spread by what is watched, so that
// watches of one product are due together and share a fetch. Pure.

import { HOUR_MS } from '../../base/clock.ts';

const LEAST_INTERVAL_MS = HOUR_MS;
export const DEFAULT_INTERVAL_MS = 24 * HOUR_MS;
const LONGEST_INTERVAL_MS = 30 * 24 * HOUR_MS;

/**
 * The first slot that begins more than half an interval after an instant. `seed` is a whole number made from what is watched.
 */
export function nextSlotMs(seed: number, intervalMs: number, afterMs: number): number {
  const phase = seed % intervalMs;
  const earliest = afterMs + Math.floor(intervalMs / 2);
  const slots = Math.floor((earliest - phase) / intervalMs) + 1;
  return phase + slots * intervalMs;
}

/** A reading so shortly before a watch is due is new enough: somebody else has just asked. */
export function newEnoughSinceMs(dueMs: number, intervalMs: number): number {
  return dueMs - Math.floor(intervalMs / 10);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };

/** `6h`, `90m`, `1d` in milliseconds. Null for anything else, and for less than an hour or more than thirty days. */
export function intervalOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms >= LEAST_INTERVAL_MS && ms <= LONGEST_INTERVAL_MS ? ms : null;
}

/** The interval as text in its largest unit, which `intervalOf` reads. */
export function intervalText(ms: number): string {
  const unit = ['d', 'h', 'm'].find((each) => ms % (UNITS[each] ?? Number.NaN) === 0) ?? 'm';
  return `${ms / (UNITS[unit] ?? 60_000)}${unit}`;
}
