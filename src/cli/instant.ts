// Options that name a moment: `90d`, `12h`, `30m` from now, a day, or an ISO 8601 instant with its zone.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/clock.ts';
import { textOption, UsageError, type Values } from './command.ts';

const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, h: HOUR_MS, m: MINUTE_MS };
const INSTANT =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** Years beyond 9999 are no ISO 8601 text of ours any more. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Milliseconds since 1970, undefined when not given; a day is its first instant in UTC. */
export function instantOption(values: Values, name: string, nowMs: number): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,6})([dhm])$/.exec(text) ?? [];
  const atMs =
    count === undefined ? instantOf(text) : nowMs + Number(count) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(atMs) || atMs > LATEST_MS) {
    throw new UsageError(
      `--${name} takes a time from now (90d, 12h, 30m), a day (2027-01-31) or an instant ` +
        '(2027-01-31T12:00:00Z)',
    );
  }
  if (atMs < nowMs) throw new UsageError(`--${name} ${text} is in the past`);
  return atMs;
}

/** NaN for anything else, 30 February included: JavaScript would make 2 March of it. */
function instantOf(text: string): number {
  if (!INSTANT.test(text)) return Number.NaN;
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isDay ? Date.parse(text.length === 10 ? `${day}T00:00:00Z` : text) : Number.NaN;
}
