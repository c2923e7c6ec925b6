// Statements of one transaction as one statement of PostgreSQL, each a part that follows another and does nothing where that one
// gave no row: each statement costs client and server time whatever it does. All parts see the rows as they were before the first
// of them, so what a part needs of another it takes from what that one returns.

import type { Statement } from './sql.ts';

/** The row that a part inserts: a statement of its own, or a part behind the part of this name. */
export function rowBehind(part: string | null, row: string): string {
  return part === null ? `values (${row})` : `select ${row} from ${part}`;
}

/**
 * `select` gives the rows of the whole out of the parts, by their names; without a row the whole is rolled back, as for a statement
 * that must return one.
 */
export function chained(
  parts: Readonly<Record<string, Statement>>,
  { select, name }: { readonly select: string; readonly name: string },
): Statement {
  const entries = Object.entries(parts);
  return {
    text: textOf(entries, select),
    params: entries.flatMap(([, { params = [] }]) => [...params]),
    name,
    mustReturn: true,
  };
}

/** By what it is made of: the parameters of parts are counted anew, which takes longer than the rest of a batch. */
const TEXTS = new Map<string, string>();

function textOf(parts: readonly (readonly [string, Statement])[], select: string): string {
  const key = `${parts.map(([part, { text }]) => `${part} ${text}`).join(';')};${select}`;
  const known = TEXTS.get(key);
  if (known !== undefined) return known;
  let before = 0;
  const made = parts.map(([part, { text, params = [] }]) => {
    const from = before;
    before += params.length;
    return `${part} as (${text.replace(/\$(\d+)/g, (_, number: string) => `$${from + Number(number)}`)})`;
  });
  const text = `with ${made.join(', ')} ${select}`;
  TEXTS.set(key, text);
  return text;
}
