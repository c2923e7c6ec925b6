// Inspects a database without a service: its ledger, and the output of `openshelf check`.

import { checkStore } from '../../src/data/maintenance/check.ts';
import { newestVersion } from '../../src/data/migrate.ts';
import type { Sql } from '../../src/data/sql.ts';
import { openSqliteFile } from '../../src/data/sqlite/connection.ts';

type LookedAt = Disposable & {
  /**
   * Request id -> tokens of all charges, in commit order. Two commits in one millisecond cannot be ordered by time, nor by
   * balance: a reservation that is released between them raises it.
   */
  readonly ledger: () => ReadonlyMap<string, number>;
  /** Whether every migration has run: before that, there was nothing to charge. */
  readonly isMigrated: () => boolean;
  readonly instants: () => ReadonlySet<number>;
  readonly problems: () => Promise<readonly string[]>;
};

/** Opens a SQLite file for inspection; a log next to it is taken into account. */
export function lookAt(path: string): LookedAt {
  const connection = openSqliteFile(path, { readOnly: false, busyTimeoutMs: 5_000 });
  const sql = {
    dialect: 'sqlite',
    skipLocked: '',
    all: async (text, params = []) => connection.all(text, params),
    write: () => Promise.reject(new Error('only looked at')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  } satisfies Sql;
  return {
    ledger: () => {
      const rows = connection.all(
        `select ledger.request_id, ledger.tokens from ledger left join charges on charges.request_id = ledger.request_id
         where kind = 'charge' order by batch_id, later desc`,
      );
      return new Map(rows.map((row) => [String(row['request_id']), Number(row['tokens'])]));
    },
    isMigrated: () => {
      const tables = connection.all(
        "select 1 as x from sqlite_schema where name = 'openshelf_migrations'",
      );
      if (tables.length === 0) return false;
      const [row] = connection.all('select count(*) as versions from openshelf_migrations');
      return row?.['versions'] === newestVersion();
    },
    instants: () => {
      const rows = connection.all('select observed_at_ms from observations');
      return new Set(rows.map((row) => Number(row['observed_at_ms'])));
    },
    problems: () => checkStore(sql),
    [Symbol.dispose]: () => connection.close(),
  };
}
