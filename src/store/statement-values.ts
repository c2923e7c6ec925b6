// Values of statements and rows, the same for both databases. Those of a statement are checked before they go out, because
// what the two clients make of anything else differs.

import { SET_BACK_MS } from '../core/clock.ts';
import type { SqlValue } from './sql.ts';

/** How many parameters a text names; they must be $1 to $n without a gap, as PostgreSQL wants them. */
export function parametersOf(text: string): number {
  const named = new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  for (let number = 1; number <= named.size; number += 1) {
    if (!named.has(number)) throw new Error(`statement does not use $${number}: ${text}`);
  }
  return named.size;
}

/** SQLite takes a missing parameter for null, PostgreSQL ends the connection: so they are counted here. */
export function checkedCount(params: readonly SqlValue[], parameters: number, text: string): void {
  if (params.length === parameters) return;
  throw new Error(`statement has ${parameters} parameters, ${params.length} were given: ${text}`);
}

/**
 * Text, finite number or null, whole numbers only while exact. Database clients store booleans, undefined and objects
 * each in their own way, so all of them are refused; so is NUL, which PostgreSQL cannot store.
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

/** Of a column of a row that holds numbers. */
export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** Of a column of a row that holds texts. */
export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A list for `in (...)` in few lengths, so that there are few statements: its last member again, up to a power of two. */
export function padded<T>(members: readonly T[]): readonly T[] {
  const last = members.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, members.length)));
  if (last === undefined || length === members.length) return members;
  const all = [...members];
  while (all.length < length) all.push(last);
  return all;
}

/** `$first, $first+1, ...`: the parameters of a list. */
export function placeholdersOf(members: readonly unknown[], first: number): string {
  return members.map((_, at) => `$${first + at}`).join(', ');
}

/**
 * Whether a row may take the place of the one that is held, by a column that says when each was seen: it is not older, or the clock
 * that told the time of the held one was set back since.
 */
export function mayReplace(table: string, column: string): string {
  return `(excluded.${column} >= ${table}.${column} or excluded.${column} < ${table}.${column} - ${SET_BACK_MS})`;
}

/** Rows of one statement at most. */
const MOST_ROWS = 32;

/** Rows for statements of many rows, in few lengths, so that there are few statements. */
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
