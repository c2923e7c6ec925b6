// The two ends of a dump: the database to dump, read as of one moment while a service keeps running; and the empty one to fill,
// which no other process may use meanwhile. Each is used in one transaction, through the SQL port: everything takes effect with
// the commit, or not at all.

import { existsSync } from 'node:fs';

import { databaseName } from '../postgres/database-url.ts';
import { schemaVersionOf } from '../migrate.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { openSqliteFile, type SqliteConnection } from '../sqlite/connection.ts';
import { openAlone } from '../sqlite/whole-file.ts';
import { openStore, type StoreConfig } from '../store.ts';

export type Snapshot = AsyncDisposable & {
  readonly sql: Pick<Sql, 'all' | 'dialect'>;
  readonly schemaVersion: number;
};

export type LoadTarget = AsyncDisposable & {
  readonly sql: Omit<Sql, typeof Symbol.asyncDispose>;
  /** The name of the database for messages. */
  readonly name: string;
  /** Makes everything written durable and visible. Closing without it discards everything. */
  commit(): Promise<void>;
};

const BUSY_TIMEOUT_MS = 5_000;
/** Index entries arrive in random order: with SQLite's 2 MB most of the pages would be written again and again. */
const LOAD_CACHE_KIB = 131_072;

/** Brings the schema up to date, as every command does; makes the database if it is missing. Rejects with StoreUnavailable. */
async function bringUpToDate(config: StoreConfig): Promise<void> {
  await (await openStore(config))[Symbol.asyncDispose]();
}

/** Opens a snapshot of the data, with the schema of this program. Rejects with StoreUnavailable. */
export async function openSnapshot(config: StoreConfig): Promise<Snapshot> {
  await bringUpToDate(config);
  const { run, close } = await (config.kind === 'sqlite'
    ? snapshotOfFile(config.path)
    : snapshotOfServer(config.url));
  const { all, dialect } = sqlInTransaction(config.kind, run);
  const sql = { all, dialect };
  const name = config.kind === 'sqlite' ? config.path : databaseName(config.url);
  try {
    // SQLite's snapshot begins with the first read.
    const schemaVersion = (await schemaVersionOf(sql, name)) ?? 0;
    return { sql, schemaVersion, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Transacting = { readonly run: RunInTransaction; readonly close: () => Promise<void> };

async function snapshotOfFile(path: string): Promise<Transacting> {
  const connection = openSqliteFile(path, { readOnly: true, busyTimeoutMs: BUSY_TIMEOUT_MS });
  connection.db.exec('begin');
  return { run: runOver(connection), close: async () => connection.close() };
}

function runOver(connection: SqliteConnection): RunInTransaction {
  return async (statements) => statements.map(({ text, params }) => connection.all(text, params));
}

async function snapshotOfServer(url: string): Promise<Transacting> {
  const { openPostgresSnapshot } = await import('../postgres/exclusive-connection.ts');
  return await openPostgresSnapshot(url);
}

/**
 * Opens the database to load a dump into, with the schema of this program; creates it if it is missing. No other process can
 * use it until it is closed. Rejects with StoreUnavailable if one does.
 */
export async function openLoadTarget(config: StoreConfig): Promise<LoadTarget> {
  return await (config.kind === 'sqlite' ? fileTarget(config) : serverTarget(config));
}

async function fileTarget(config: StoreConfig & { readonly kind: 'sqlite' }): Promise<LoadTarget> {
  const { path } = config;
  if (existsSync(path)) openAlone(path).close();
  await bringUpToDate(config);
  const connection = openAlone(path);
  connection.db.exec(
    `pragma synchronous = full; pragma cache_size = -${LOAD_CACHE_KIB}; begin exclusive`,
  );
  return {
    sql: sqlInTransaction('sqlite', runOver(connection)),
    name: path,
    commit: async () => connection.db.exec('commit'),
    [Symbol.asyncDispose]: async () => connection.close(),
  };
}

async function serverTarget(
  config: StoreConfig & { readonly kind: 'postgres' },
): Promise<LoadTarget> {
  const { lockTables, openPostgresAlone } = await import('../postgres/exclusive-connection.ts');
  const name = databaseName(config.url);
  const alone = await openPostgresAlone(config.url, name);
  try {
    await bringUpToDate(config);
    await lockTables(alone, name, 'access exclusive');
  } catch (error) {
    await alone.close();
    throw error;
  }
  return {
    sql: sqlInTransaction('postgres', (statements) => alone.run(statements)),
    name,
    commit: () => alone.commit(),
    [Symbol.asyncDispose]: () => alone.close(),
  };
}

/**
 * Runs statements in order, all in the same transaction. Rejects with the first error, after which it can only be closed.
 */
type RunInTransaction = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>;

const SAVEPOINT = { text: 'savepoint part' };
const RELEASE = { text: 'release savepoint part' };
const ROLLBACK = { text: 'rollback to savepoint part' };

/** A transaction passed to `write` is a part of the one transaction. Its opener closes it. */
function sqlInTransaction(
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
