// Combines the statements of a transaction into one PostgreSQL statement, because each statement costs client and server
// time whatever it does. Each part follows another, and does nothing if that one returned no row. All parts see the rows as
// they were before the first of them. So a part takes the values that it needs of another part from that part's result.

import type { Statement } from './sql.ts';

/**
 * Returns the source of the row that a part inserts: values for a separate statement, or a select from the named part that it
 * follows.
 */
export function rowAfter(part: string | null, row: string): string {
  return part === null ? `values (${row})` : `select ${row} from ${part}`;
}

/**
 * Chains the parts. `select` builds the result rows from the parts, by their names. Without a row everything is rolled back, as
 * for a statement that must return one.
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

/** Chain texts by their parts: renumbering the parts' parameters takes longer than the rest of a batch. */
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
