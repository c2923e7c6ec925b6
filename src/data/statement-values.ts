// Values of statements and rows, the same for both databases. Statement values are checked before they are sent, because the
// two clients treat any other type differently.

import { SET_BACK_MS } from '../base/clock.ts';
import { isDoor, type Origin } from '../base/listing/origin.ts';
import type { Row, SqlValue } from './sql.ts';

/** Counts the parameters in a text. They must be $1 to $n without a gap, as PostgreSQL requires. */
export function countParameters(text: string): number {
  const named = new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  for (let number = 1; number <= named.size; number += 1) {
    if (!named.has(number)) throw new Error(`statement does not use $${number}: ${text}`);
  }
  return named.size;
}

/** Checks the number of parameters: SQLite treats a missing one as null, PostgreSQL ends the connection. */
export function checkedCount(params: readonly SqlValue[], parameters: number, text: string): void {
  if (params.length === parameters) return;
  throw new Error(`statement has ${parameters} parameters, ${params.length} were given: ${text}`);
}

/**
 * Allows text, finite numbers and null, and whole numbers only if they are exact. The two clients store booleans, undefined
 * and objects differently, so these are rejected, as is NUL, which PostgreSQL cannot store.
 */
export function checkedValue(value: unknown, index: number): SqlValue {
  if (value === null) return null;
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw new TypeError(`parameter $${index + 1} contains a NUL character`);
    return value;
  }
  if (typeof value === 'number') {
    if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
    throw new TypeError(`parameter $${index + 1} is ${value}, not an exact finite number`);
  }
  const kind = value === undefined ? 'undefined' : typeof value;
  throw new TypeError(`parameter $${index + 1} is ${kind}; text, number or null are stored`);
}

/** Returns the value of a numeric column. */
export function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/** Returns the value of a text column. */
export function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The origin of a row, from `column` and `door`; none in a row that is older than these columns. */
export function originIn(row: Row, column = 'source'): { readonly origin?: Origin } {
  const { [column]: source, door } = row;
  return typeof source === 'string' && isDoor(door) ? { origin: { source, door } } : {};
}

/** The values of the columns for a source and a door. */
export function originValues(origin: Origin | undefined): readonly (string | null)[] {
  return [origin?.source ?? null, origin?.door ?? null];
}

/** Pads a list for `in (...)` with its last member up to a power of two, to limit the number of lengths and statements. */
export function padded<T>(members: readonly T[]): readonly T[] {
  const last = members.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, members.length)));
  if (last === undefined || length === members.length) return members;
  const all = [...members];
  while (all.length < length) all.push(last);
  return all;
}

/** Returns `$first, $first+1, ...`: the parameters for a list. */
export function placeholdersOf(members: readonly unknown[], first: number): string {
  return members.map((_, at) => `$${first + at}`).join(', ');
}

/**
 * Whether a row may replace the stored one; `column` is the time each was seen. It may if it is not older, or if the clock
 * behind the stored time has since been set back.
 */
export function mayReplace(table: string, column: string): string {
  return `(excluded.${column} >= ${table}.${column} or excluded.${column} < ${table}.${column} - ${SET_BACK_MS})`;
}

/** Maximum rows per statement. */
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
