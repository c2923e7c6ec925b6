// The two ends of a move: the source database, which no other process may have open meanwhile, and the target database. Only
// this file, dump-ends.ts and store.ts choose a database.

import { existsSync, realpathSync } from 'node:fs';

import { messageOf } from '../../base/fault.ts';
import { databaseName } from '../postgres/database-url.ts';
import { migrate, newestVersion, schemaVersionOf } from '../migrate.ts';
import { readMoveProgress } from './move-progress.ts';
import type { MoveSource, MoveTarget } from './move-store.ts';
import type { Database, Sql } from '../sql.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { openAlone } from '../sqlite/whole-file.ts';
import type { StoreConfig } from '../store.ts';
import { StoreUnavailable } from '../sql.ts';

/** Opens the source database of a move, and locks other processes out of it. Rejects with StoreUnavailable. */
export async function openMoveSource(config: StoreConfig): Promise<MoveSource & AsyncDisposable> {
  return config.kind === 'sqlite' ? openFileSource(config.path) : openServerSource(config.url);
}

async function openFileSource(path: string): Promise<MoveSource & AsyncDisposable> {
  if (!existsSync(path)) throw new StoreUnavailable(`There is no data in ${path}.`);
  const connection = openAlone(path);
  const sql = {
    dialect: 'sqlite',
    all: async (text, params = []) => connection.all(text, params),
  } satisfies Pick<Sql, 'all' | 'dialect'>;
  try {
    const schemaVersion = await checkSource(sql, path);
    return {
      sql,
      subject: { source: realpathSync(path), schemaVersion },
      // The lock lasts as long as the connection.
      stillAlone: () => Promise.resolve(),
      [Symbol.asyncDispose]: async () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Returns the schema version of the source, which must be this program's. */
async function checkSource(sql: Pick<Sql, 'all' | 'dialect'>, name: string): Promise<number> {
  const newest = newestVersion();
  const found = await schemaVersionOf(sql, name);
  if (found === null) throw new StoreUnavailable(`${name} contains no data of this program`);
  if (found !== newest) {
    const cure =
      found < newest
        ? '`openshelf check` of this program brings it up to date'
        : 'use the newer program';
    throw new StoreUnavailable(
      `${name} has schema version ${found}, this program ${newest}: ${cure}`,
    );
  }
  if ((await readMoveProgress(sql)) !== null) {
    throw new StoreUnavailable(`${name} is itself the target of an unfinished move`);
  }
  return found;
}

async function openServerSource(url: string): Promise<MoveSource & AsyncDisposable> {
  const { lockTables, openPostgresAlone } = await import('../postgres/exclusive-connection.ts');
  const name = databaseName(url);
  await using opened = new AsyncDisposableStack();
  const alone = await openPostgresAlone(url, name);
  opened.defer(() => alone.close());
  const sql = opened.use(await openServer(url));
  const schemaVersion = await checkSource(sql, name);
  await lockTables(alone, name, 'share');
  const held = opened.move();
  return {
    sql,
    subject: { source: name, schemaVersion },
    stillAlone: () => alone.stillStored(),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Opened without timeouts, because counting a large table takes long. */
async function openServer(url: string): Promise<Database> {
  const { openPostgres } = await import('../postgres/postgres.ts');
  return await openPostgres({ url, statementTimeoutMs: 0, lockTimeoutMs: 0 });
}

/**
 * Opens the target database of a move, with the schema of this program; creates it if it is missing. Rejects with
 * StoreUnavailable if another process has it open.
 */
export async function openMoveTarget(config: StoreConfig): Promise<MoveTarget & AsyncDisposable> {
  const name = config.kind === 'sqlite' ? config.path : databaseName(config.url);
  const sql = await (config.kind === 'sqlite'
    ? openUnusedFile(config.path)
    : openUnusedServer(config.url, name));
  try {
    // An interrupted move keeps its schema: `moveStore` reports it if that is a different one.
    if ((await readMoveProgress(sql)) === null) await migrate(sql);
  } catch (error) {
    await sql[Symbol.asyncDispose]();
    const reason = messageOf(error);
    throw new StoreUnavailable(`${name}: ${reason}`, { cause: error });
  }
  return { sql, name, [Symbol.asyncDispose]: () => sql[Symbol.asyncDispose]() };
}

async function openUnusedFile(path: string): Promise<Database> {
  if (existsSync(path)) openAlone(path).close();
  return await openSqlite({ path });
}

async function openUnusedServer(url: string, name: string): Promise<Database> {
  const { openPostgresAlone } = await import('../postgres/exclusive-connection.ts');
  await (await openPostgresAlone(url, name)).close();
  return await openServer(url);
}
