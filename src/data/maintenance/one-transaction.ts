// The SQL port inside one long transaction: everything read and written through it takes effect with the commit, or not at all.

import type { Row, Sql, Statement } from '../sql.ts';

/**
 * Runs statements in order, all in the same transaction. Rejects with the first error, after which it can only be closed.
 */
export type RunInTransaction = (
  statements: readonly Statement[],
) => Promise<readonly (readonly Row[])[]>;

const SAVEPOINT = { text: 'savepoint part' };
const RELEASE = { text: 'release savepoint part' };
const ROLLBACK = { text: 'rollback to savepoint part' };

/** A transaction passed to `write` is a part of the one transaction. Its opener closes it. */
export function sqlInTransaction(
  dialect: Sql['dialect'],
  run: RunInTransaction,
): Omit<Sql, typeof Symbol.asyncDispose> {
  return {
    dialect,
    skipLocked: dialect === 'postgres' ? ' for update skip locked' : '',
    all: async (text, params = []) => (await run([{ text, params }]))[0] ?? [],
    async write(statements) {
      await run([SAVEPOINT]);
      const answers = await run(statements);
      const refused = statements.find(
        ({ mustReturn }, at) => mustReturn === true && answers[at]?.length === 0,
      );
      if (refused !== undefined) {
        await run([ROLLBACK, RELEASE]);
        return { done: false, refusedBy: refused.name ?? null };
      }
      await run([RELEASE]);
      return { done: true, rows: namedRows(statements, answers) };
    },
  };
}

function namedRows(statements: readonly Statement[], answers: readonly (readonly Row[])[]) {
  const rows: Record<string, readonly Row[]> = {};
  for (const [at, { name }] of statements.entries()) {
    if (name !== undefined) rows[name] = [...(rows[name] ?? []), ...(answers[at] ?? [])];
  }
  return rows;
}
