// A connection to PostgreSQL for one long transaction. It either reads a snapshot of the data while others continue, or ensures
// that no service uses the database: it looks for connections of other processes, and can lock every table that is moved.

import { messageOf } from '../../base/fault.ts';
import type { PostgresConnection } from './connection.ts';
import { connectErrorOf, storeErrorOf } from './faults.ts';
import { createPostgresHosts } from './hosts.ts';
import type { Row, Statement } from '../sql.ts';
import { TABLES } from '../maintenance/tables.ts';
import { StoreUnavailable } from '../sql.ts';
import { asError } from './connection.ts';

type PostgresAlone = {
  /** Runs statements; rejects with the first error. */
  run(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /** Ends the transaction; rejects with StoreUnavailable if it was not committed. */
  commit(): Promise<void>;
  /** Rejects if the connection, and with it every lock, was lost meanwhile. */
  stillStored(): Promise<void>;
  /** Rolls back uncommitted changes. */
  close(): Promise<void>;
};

const LOCK_TIMEOUT_MS = 2_000;
/** How many times it checks: a process that has just ended may still be listed for a moment. */
const LOOKS = 10;

const OTHERS = `select count(*) as others from pg_stat_activity
  where datname = current_database() and application_name = 'openshelf' and pid <> pg_backend_pid()`;

/** The connection is idle while the other side of a move, or the file, is busy. */
const NO_IDLE_LIMIT = { text: 'set local idle_in_transaction_session_timeout = 0' };

/** Connects, and opens a snapshot of the data. Others can still write. Rejects with StoreUnavailable. */
export async function openPostgresSnapshot(
  url: string,
): Promise<Pick<PostgresAlone, 'run' | 'close'>> {
  const connection = await connect(url);
  const snapshot = aloneOver(connection, '');
  try {
    await snapshot.run([
      { text: 'begin isolation level repeatable read read only' },
      NO_IDLE_LIMIT,
    ]);
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return snapshot;
}

/** Connects. Rejects with StoreUnavailable if other processes of this program are connected. */
export async function openPostgresAlone(url: string, name: string): Promise<PostgresAlone> {
  const connection = await connect(url);
  try {
    for (let check = 1; ; check += 1) {
      const [rows = []] = await runAll(connection, [{ text: OTHERS }]);
      if (rows[0]?.['others'] === 0) break;
      if (check === LOOKS) {
        throw new StoreUnavailable(
          `${name}: another process has it open: stop the service and every command that uses it`,
        );
      }
      await runAll(connection, [{ text: 'select 1 as waited from pg_sleep(0.2)' }]);
    }
  } catch (error) {
    connection.destroy();
    throw error;
  }
  return aloneOver(connection, name);
}

function aloneOver(connection: PostgresConnection, name: string): PostgresAlone {
  return {
    run: (statements) => runAll(connection, statements),
    commit: async () => {
      const error = await connection.commit();
      if (error !== null) throw storeErrorOf(error, `${name} cannot be written`);
    },
    stillStored: async () => {
      try {
        await runAll(connection, [{ text: 'select 1 as open' }]);
      } catch (error) {
        throw new StoreUnavailable(
          `${name}: the connection that holds the write lock was lost; run the same command again`,
          { cause: error },
        );
      }
    },
    close: () => connection.close(),
  };
}

/**
 * Begins a transaction and locks the tables of a move until it ends. In `share` mode others may read, in `access exclusive`
 * mode they cannot. Rejects with StoreUnavailable if another process holds a lock.
 */
export async function lockTables(
  alone: PostgresAlone,
  name: string,
  mode: 'share' | 'access exclusive',
): Promise<void> {
  const tables = TABLES.map((table) => table.name).join(', ');
  try {
    await alone.run([
      { text: 'begin read write' },
      NO_IDLE_LIMIT,
      { text: `lock table ${tables} in ${mode} mode` },
    ]);
  } catch (error) {
    const reason = messageOf(error);
    throw new StoreUnavailable(`${name} cannot be locked: ${reason}`, {
      cause: error,
    });
  }
}

async function connect(url: string): Promise<PostgresConnection> {
  try {
    return await createPostgresHosts(url).connect({
      statementTimeoutMs: 0,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
  } catch (error) {
    throw connectErrorOf(asError(error));
  }
}

async function runAll(
  connection: PostgresConnection,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[]> {
  const given = await connection.run(statements);
  return given.map((answer) => {
    if (answer instanceof Error) throw storeErrorOf(answer, 'PostgreSQL does not answer');
    return answer;
  });
}
