// One SQLite connection, for both threads of the store: opened with the settings that durability depends on, prepared
// statements cached, values checked. This file has no knowledge of transactions, threads or tables.

import { DatabaseSync, type StatementSync } from 'node:sqlite';

import type { Row, SqlValue } from '../sql.ts';
import { checkedCount, checkedValue, countParameters } from '../statement-values.ts';

/** Maximum cached prepared statements: far more than the program has texts. */
const MAX_CACHED = 256;

/**
 * Whether the build is safe. In other builds two connections that checkpoint and write at once can corrupt the WAL: 3.7.0 to
 * 3.51.2, except the back-ports. Distribution builds of Node link the system's SQLite, so this checks the library's version,
 * not Node's.
 */
export function isSafeSqliteVersion(version: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  if (match === null) return false;
  const [major, minor, patch] = match.slice(1).map(Number) as [number, number, number];
  if (major !== 3) return major > 3;
  if (minor === 50) return patch >= 7;
  if (minor === 44) return patch >= 6;
  return minor > 51 || (minor === 51 && patch >= 3);
}

export type SqliteConnection = {
  readonly db: DatabaseSync;
  /** Runs one statement with `params` as `$1`, `$2` ... Returns the rows of `returning` or `select`, else none. */
  all(text: string, params?: readonly SqlValue[]): readonly Row[];
  /** Runs a statement whose rows are not needed. */
  run(text: string, params?: readonly SqlValue[]): void;
  close(): void;
};

type ConnectionOptions = {
  readonly readOnly: boolean;
  /** How long a statement waits for another process's lock. */
  readonly busyTimeoutMs: number;
};

/** Opens a connection. Throws if the library is one of the unsafe builds or the file cannot be opened. */
export function openSqliteFile(path: string, options: ConnectionOptions): SqliteConnection {
  const db = new DatabaseSync(path, {
    readOnly: options.readOnly,
    timeout: options.busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  const prepared = new Map<string, Prepared>();
  const version = String(db.prepare('select sqlite_version() as version').get()?.['version']);
  if (!isSafeSqliteVersion(version)) {
    db.close();
    throw new Error(
      `SQLite ${version} can corrupt a database that two processes use; 3.51.3 or newer is needed ` +
        '(the Node that comes with this package has it)',
    );
  }
  return {
    db,
    all(text, params = []) {
      const known = preparedFor(db, prepared, text);
      // SAFETY: columns are text, integer or real (strict tables), so values are text, number or null.
      return known.statement.all(...bound(params, known, text)) as unknown as readonly Row[];
    },
    run(text, params = []) {
      const known = preparedFor(db, prepared, text);
      known.statement.run(...bound(params, known, text));
    },
    close() {
      prepared.clear();
      db.close();
    },
  };
}

type Prepared = {
  readonly statement: StatementSync;
  readonly parameters: number;
  /** The index of the parameter at each place of the text, from 0: binding by place costs a third of binding by name. */
  readonly places: readonly number[];
};

function preparedFor(db: DatabaseSync, cache: Map<string, Prepared>, text: string): Prepared {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const places: number[] = [];
  const placed = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    places.push(Number(number) - 1);
    return '?';
  });
  const made = { statement: db.prepare(placed), parameters: countParameters(text), places };
  if (cache.size >= MAX_CACHED) {
    for (const oldest of cache.keys()) {
      cache.delete(oldest);
      break;
    }
  }
  cache.set(text, made);
  return made;
}

function bound(
  params: readonly SqlValue[],
  { parameters, places }: Prepared,
  text: string,
): readonly SqlValue[] {
  checkedCount(params, parameters, text);
  return places.map((index) => checkedValue(params[index], index));
}
