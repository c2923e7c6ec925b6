// Makes the statements of a transaction one statement of PostgreSQL, because each statement costs client and server time
// whatever it does. Each part follows another, and does nothing if that one gave no row. All parts see the rows as they were
// before the first of them. What a part needs of another, it therefore takes from what that one returns.

import type { Statement } from './sql.ts';

/**
 * The source of the row that a part inserts: values in a statement of its own, or a select from the named part that it follows.
 */
export function rowAfter(part: string | null, row: string): string {
  return part === null ? `values (${row})` : `select ${row} from ${part}`;
}

/**
 * Chains the parts. `select` makes the rows of the whole out of the parts, by their names. Without a row the whole is rolled
 * back, like a statement that must return one.
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

/** Texts of chains by what they are made of: renumbering the parameters of the parts takes longer than the rest of a batch. */
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
