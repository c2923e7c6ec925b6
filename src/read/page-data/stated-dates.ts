// Decides whether dated facts of a page apply at the time of reading: a price until Friday, a sale from Monday. Dates are
// compared with the time of the fetch; on a saved page of unknown time they say nothing.

import { DAY_MS, HOUR_MS } from '../../base/clock.ts';
import { isNode, listOf, valueOf } from './schema-org/node.ts';
import type { SchemaNode } from './schema-org/node.ts';

/** A date, with an optional time and zone: "2026-11-28", "2026-11-28 23:59", "20261128T235959Z". */
const ISO =
  /^\s*(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?)?\s*$/i;
/** "28.11.2026": with points the day is first everywhere. */
const DAY_FIRST = /^\s*(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\s*$/;

/** The zones that are furthest ahead of UTC and behind it. */
const AHEAD_MS = 14 * HOUR_MS;
const BEHIND_MS = 12 * HOUR_MS;

/** Programs write the beginning of their calendar (1970, year 1) for a missing date. */
const FIRST_YEAR = 2000;

/** The instants that a date may mean: its whole day, and in any zone when it has none. */
type Span = { readonly fromMs: number; readonly toMs: number };

function offsetMs(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (match === null) return 0;
  const [, sign, hours, minutes = '0'] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000);
}

function spanOf(text: string): Span | null {
  const dotted = DAY_FIRST.exec(text);
  const written =
    dotted === null
      ? text
      : `${dotted[3] ?? ''}-${(dotted[2] ?? '').padStart(2, '0')}-${(dotted[1] ?? '').padStart(2, '0')}`;
  const match = ISO.exec(written);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = [1, 3, 4, 5, 6, 7].map((at) =>
    Number(match[at] ?? 0),
  ) as [number, number, number, number, number, number];
  const dayMs = Date.UTC(year, month - 1, day);
  // JavaScript turns 31 June into 1 July.
  if (year < FIRST_YEAR || new Date(dayMs).getUTCDate() !== day || month > 12) return null;
  // Programs write a day without a time as midnight, in any zone.
  if (hour + minute + second === 0)
    return { fromMs: dayMs - AHEAD_MS, toMs: dayMs + DAY_MS + BEHIND_MS };
  const atMs = dayMs + hour * HOUR_MS + minute * 60_000 + second * 1000;
  const zone = match[8];
  if (zone === undefined) return { fromMs: atMs - AHEAD_MS, toMs: atMs + BEHIND_MS };
  return { fromMs: atMs - offsetMs(zone), toMs: atMs - offsetMs(zone) };
}

/** Whether a stated last day or instant has passed everywhere; false for anything that is not a date. */
export function hasPassed(last: unknown, nowMs: number): boolean {
  const span = nowMs > 0 && typeof last === 'string' ? spanOf(last.slice(0, 40)) : null;
  return span !== null && span.toMs < nowMs;
}

/** Whether a stated first day or instant has not come anywhere; false for anything that is not a date. */
export function isYetToCome(first: unknown, nowMs: number): boolean {
  const span = nowMs > 0 && typeof first === 'string' ? spanOf(first.slice(0, 40)) : null;
  return span !== null && span.fromMs > nowMs;
}

/** Returns the dates of a property, which JSON-LD may write as a typed value. */
function datesIn(node: SchemaNode, name: string): readonly unknown[] {
  return listOf(node, name)
    .slice(0, 3)
    .map((value) => (isNode(value) ? valueOf(value, '@value') : value));
}

/** Whether one of these last days of a node is over. */
export function hasEnded(node: SchemaNode, names: readonly string[], nowMs: number): boolean {
  return names.some((name) => datesIn(node, name).some((date) => hasPassed(date, nowMs)));
}

/** Whether one of these first days of a node has not come. */
export function hasNotBegun(node: SchemaNode, names: readonly string[], nowMs: number): boolean {
  return names.some((name) => datesIn(node, name).some((date) => isYetToCome(date, nowMs)));
}

/** The properties of offers and price specifications with their first and last days. */
const FIRST_DAYS = ['validFrom', 'availabilityStarts'];
const LAST_DAYS = ['priceValidUntil', 'validThrough', 'availabilityEnds'];
export const DATES: readonly string[] = [...FIRST_DAYS, ...LAST_DAYS];

/** Whether an offer or a price specification applies at another time only. */
export function isOfOtherTime(node: SchemaNode, nowMs: number): boolean {
  return hasEnded(node, LAST_DAYS, nowMs) || hasNotBegun(node, FIRST_DAYS, nowMs);
}
