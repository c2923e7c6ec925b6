// Time as the service sees it. Instants are integer milliseconds since 1970 (UTC) inside and ISO 8601 text outside; days are
// UTC days written YYYY-MM-DD. The composition root passes the clock in, so that rules and tests never read the machine's time.

/** The one source of time and of waiting. `sleep` rejects when the signal aborts. */
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
 * An instant that is further ahead than this was written by a clock that has been set back since. Clocks of machines that share
 * a database differ by less, and a shop's answer becomes a row in less time.
 */
export const SET_BACK_MS = 5 * MINUTE_MS;

/** Whether something was done at or after `sinceMs`. A time in the future does not tell when it was done. */
export function isDoneSince(atMs: number, sinceMs: number, nowMs: number): boolean {
  return atMs >= sinceMs && atMs <= nowMs + SET_BACK_MS;
}

/** ISO 8601 in UTC with milliseconds, as every time stamp of the wire is written. */
export function isoTimestamp(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The time stamp of an instant that may not have come, or is not known. */
export function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTimestamp(atMs);
}

/** The UTC day of an instant. */
export function dayOf(atMs: number): Day {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The UTC month of an instant, `YYYY-MM`: the period of a token balance (D17). */
export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

/** The first instant of the next month, when a monthly balance begins again. */
export function nextMonthStartMs(atMs: number): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

/** The day `count` days before (negative: after) the given one. */
export function daysBefore(day: Day, count: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS);
}
