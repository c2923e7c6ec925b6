// Decides when a watch is due: immediately when it is created, then in slots of its interval. Slots are spread by what is
// watched, so that watches of one product are due together and share a fetch. Pure.

import { HOUR_MS } from '../../base/clock.ts';

const LEAST_INTERVAL_MS = HOUR_MS;
export const DEFAULT_INTERVAL_MS = 24 * HOUR_MS;
const LONGEST_INTERVAL_MS = 30 * 24 * HOUR_MS;

/**
 * Returns the first slot that begins more than half an interval after an instant. `seed` is a whole number derived from what
 * is watched.
 */
export function nextSlotMs(seed: number, intervalMs: number, afterMs: number): number {
  const phase = seed % intervalMs;
  const earliest = afterMs + Math.floor(intervalMs / 2);
  const slots = Math.floor((earliest - phase) / intervalMs) + 1;
  return phase + slots * intervalMs;
}

/** Returns the time from which a reading counts as current for a due watch: someone else has just requested it. */
export function newEnoughSinceMs(dueMs: number, intervalMs: number): number {
  return dueMs - Math.floor(intervalMs / 10);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };

/** Parses `6h`, `90m`, `1d` to milliseconds. Null for anything else, and for less than an hour or more than thirty days. */
export function intervalOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? Number.NaN : Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms >= LEAST_INTERVAL_MS && ms <= LONGEST_INTERVAL_MS ? ms : null;
}

/** Formats the interval in its largest unit, as `intervalOf` parses it. */
export function intervalText(ms: number): string {
  const unit = ['d', 'h', 'm'].find((each) => ms % (UNITS[each] ?? Number.NaN) === 0) ?? 'm';
  return `${ms / (UNITS[unit] ?? 60_000)}${unit}`;
}

/** When a watch that fetches nothing is due (ms since 1970): the last instant that a date can have. */
export const NEVER_DUE_MS = 8_640_000_000_000_000;
