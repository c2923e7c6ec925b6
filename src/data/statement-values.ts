// Values of statements and rows, the same for both databases. Values of statements are checked before they are sent, because
// the two clients treat anything else differently.

import { SET_BACK_MS } from '../base/clock.ts';
import type { SqlValue } from './sql.ts';

/** How many parameters a text names. They must be $1 to $n without a gap, as PostgreSQL requires. */
export function countParameters(text: string): number {
  const named = new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  for (let number = 1; number <= named.size; number += 1) {
    if (!named.has(number)) throw new Error(`statement does not use $${number}: ${text}`);
  }
  return named.size;
}

/** Checks the number of parameters: SQLite takes a missing one for null, PostgreSQL ends the connection. */
export function checkedCount(params: readonly SqlValue[], parameters: number, text: string): void {
  if (params.length === parameters) return;
  throw new Error(`statement has ${parameters} parameters, ${params.length} were given: ${text}`);
}

/**
 * Allows text, finite numbers and null, and whole numbers only while they are exact. The two clients store booleans, undefined
 * and objects differently, so all of them are refused. So is NUL, which PostgreSQL cannot store.
 */
export function checkedValue(value: unknown, index: number): SqlValue {
  if (value === null) return null;
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new TypeError(`parameter $${index + 1} holds a NUL character`);
    return value;
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
    throw new TypeError(`parameter $${index + 1} is ${value}, not an exact finite number`);
  }
  const kind = value === undefined ? 'undefined' : typeof value;
  throw new TypeError(`parameter $${index + 1} is ${kind}; text, number or null are stored`);
}

/** The value of a column that holds numbers. */
export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** The value of a column that holds texts. */
export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Pads a list for `in (...)` with its last member up to a power of two, so that there are few lengths and few statements. */
export function padded<T>(members: readonly T[]): readonly T[] {
  const last = members.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, members.length)));
  if (last === undefined || length === members.length) return members;
  const all = [...members];
  while (all.length < length) all.push(last);
  return all;
}

/** `$first, $first+1, ...`: the parameters for a list. */
export function placeholdersOf(members: readonly unknown[], first: number): string {
  return members.map((_, at) => `$${first + at}`).join(', ');
}

/**
 * Whether a row may replace the one that is stored; `column` says when each was seen. It may if it is not older, or if the clock
 * that gave the time of the stored one has been set back since.
 */
export function mayReplace(table: string, column: string): string {
  return `(excluded.${column} >= ${table}.${column} or excluded.${column} < ${table}.${column} - ${SET_BACK_MS})`;
}

/** Most rows of one statement. */
const MOST_ROWS = 32;

/** Groups rows for statements of many rows, in few lengths, so that there are few statements. */
export function inPowersOfTwo<T>(
  members: readonly T[],
  most: number = MOST_ROWS,
): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < members.length;) {
    const length = Math.min(most, 2 ** Math.floor(Math.log2(members.length - at)));
    parts.push(members.slice(at, at + length));
    at += length;
  }
  return parts;
}
