// Time handling. Instants are integer milliseconds since 1970 (UTC) internally and ISO 8601 text externally; days are UTC days
// written YYYY-MM-DD. The composition root injects the clock, so that rules and tests never read the machine's time.

/** The only source of time and delays. `sleep` rejects when the signal aborts. */
export type Clock = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** A UTC calendar day, `YYYY-MM-DD`. */
export type Day = string;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/**
 * An instant further in the future than this was written by a clock that has since been set back. Clocks of machines that share
 * a database differ by less, and a shop's answer is stored within less time.
 */
export const SET_BACK_MS = 5 * MINUTE_MS;

/** Returns whether something happened at or after `sinceMs`. A time in the future does not show when it happened. */
export function isDoneSince(atMs: number, sinceMs: number, nowMs: number): boolean {
  return atMs >= sinceMs && atMs <= nowMs + SET_BACK_MS;
}

/** Formats an instant as ISO 8601 in UTC with milliseconds, the format of every time stamp on the wire. */
export function isoTimestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** Formats an instant as a time stamp; null for null. */
export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTimestamp(atMs);
}

/** Returns the UTC day of an instant. */
export function dayOf(atMs: number): Day {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Returns the UTC month of an instant, `YYYY-MM`: the period of a token balance (D17). */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** Returns the first instant of the next month, when a new monthly balance starts. */
export function nextMonthStartMs(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

/** Returns the day `count` days before (negative: after) the given one. */
export function daysBefore(day: Day, count: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS);
}
