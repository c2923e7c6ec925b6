// The thread that does all writes: it receives batches of transactions, runs each transaction in its own savepoint, commits
// once and responds. Entry point of a worker thread. Independent of tables.

import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import type { Row } from '../sql.ts';
import { openSqliteFile, type SqliteConnection } from './connection.ts';
import {
  transactionsOf,
  WANTED,
  type FlatStatement,
  type FromWriter,
  type ToWriter,
  type WriterFailure,
  type WriterOutcome,
  type WriterStart,
} from './writer-protocol.ts';

const BUSY = 5;
const LOCKED = 6;
/** SQLite's own code for a database whose file was renamed or deleted. In WAL mode, SQLite never checks that. */
const MOVED = 1_032;
/** A burst may make the log longer; a checkpoint cuts it back to this. */
const KEPT_WAL_BYTES = 64 * 1_048_576;
/** If another process is reading at close, the checkpoint is left to it. */
const CLOSE_TIMEOUT_MS = 250;

const port = parentPort;
if (port === null) throw new Error('writer-thread is the entry point of a worker thread');
// SAFETY: the only creator of this thread, sqlite.ts, passes exactly this.
const start = workerData as WriterStart;
let commits = 0;
let texts: string[] = [];
type WriterTransaction = readonly FlatStatement[];

const connection = opened();
const openedFile = fileOf(start.path);
if (connection !== null) {
  port.on('message', (message: ToWriter) => {
    if (message.kind === 'close') {
      closeConnection(connection);
      port.close();
      return;
    }
    if (message.isAnew) texts = [];
    texts.push(...message.texts);
    const outcomes = runBatch(connection, transactionsOf(texts, message.batch));
    answer({ kind: 'answer', outcomes, commits });
  });
  answer({ kind: 'ready' });
}

function answer(message: FromWriter): void {
  port?.postMessage(message);
}

function opened(): SqliteConnection | null {
  try {
    return durableConnection();
  } catch (error) {
    answer({ kind: 'refused', failure: failureOf(error) });
    return null;
  }
}

/**
 * Sets both pragmas and reads them back: WAL, and a sync at every commit, so that acknowledged writes also survive power
 * loss. The switch to WAL does not wait for locks by itself, and eight processes may start together, so it is retried until
 * the timeout.
 */
function durableConnection(): SqliteConnection {
  const open = openSqliteFile(start.path, {
    readOnly: false,
    busyTimeoutMs: start.busyTimeoutMs,
  });
  const deadlineMs = Date.now() + start.busyTimeoutMs;
  for (;;) {
    try {
      open.db.exec('pragma journal_mode = wal; pragma synchronous = full;');
      break;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadlineMs) throw error;
      pause(5);
    }
  }
  open.db.exec(`pragma journal_size_limit = ${KEPT_WAL_BYTES}`);
  const mode = open.all('pragma journal_mode')[0]?.['journal_mode'];
  const synchronous = open.all('pragma synchronous')[0]?.['synchronous'];
  if (mode !== 'wal' || synchronous !== 2) {
    throw new Error(
      `SQLite runs with journal_mode ${mode}, synchronous ${synchronous}, not wal, 2`,
    );
  }
  return open;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Makes one commit for all transactions. Waits twice the timeout for another process's lock; then all of them fail. */
function runBatch(
  open: SqliteConnection,
  transactions: readonly WriterTransaction[],
): readonly WriterOutcome[] {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return commitBatch(open, transactions);
    } catch (error) {
      if (open.db.isTransaction) open.db.exec('rollback');
      if (isBusy(error) && attempt === 0) continue;
      const failure = failureOf(error);
      return transactions.map(() => ({ kind: 'failed', failure }));
    }
  }
}

function commitBatch(
  open: SqliteConnection,
  transactions: readonly WriterTransaction[],
): readonly WriterOutcome[] {
  refuseMoved();
  // Immediate: a transaction that reads first and writes later would fail at once if another one wrote in between.
  open.run('begin immediate');
  const outcomes = transactions.map((transaction) => runOne(open, transaction));
  open.run('commit');
  commits += 1;
  return outcomes;
}

/** Identifies the file at the path; null if none can be reached. */
function fileOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

/**
 * Throws if the file no longer has its name: anything written to it would be gone with the last process that has it open.
 */
function refuseMoved(): void {
  const { path } = start;
  if (fileOf(path) === openedFile) return;
  const message = `${path} was deleted, moved or replaced while it was open: put it back, or stop, restore a backup and start again`;
  throw Object.assign(new Error(message), { errcode: MOVED });
}

const NO_ROWS: readonly Row[] = [];

function runOne(open: SqliteConnection, transaction: WriterTransaction): WriterOutcome {
  open.run('savepoint one');
  try {
    const rows: (readonly Row[])[] = [];
    for (const [index, { text, params, wanted }] of transaction.entries()) {
      if (wanted === WANTED.nothing) {
        open.run(text, params);
        rows.push(NO_ROWS);
        continue;
      }
      const returned = open.all(text, params);
      if (wanted === WANTED.atLeastOneRow && returned.length === 0) {
        rollBack(open);
        return { kind: 'rolled-back', failedAt: index };
      }
      rows.push(returned);
    }
    open.run('release one');
    return { kind: 'done', rows };
  } catch (error) {
    // A full disk or an I/O error ends the whole transaction: nothing of the batch is then written.
    if (!open.db.isTransaction || isBusy(error)) throw error;
    rollBack(open);
    return { kind: 'failed', failure: failureOf(error) };
  }
}

function rollBack(open: SqliteConnection): void {
  open.run('rollback to one');
  open.run('release one');
}

function closeConnection(open: SqliteConnection): void {
  try {
    open.db.exec(`pragma busy_timeout = ${CLOSE_TIMEOUT_MS}; pragma wal_checkpoint(truncate);`);
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    open.close();
  }
}

function failureOf(error: unknown): WriterFailure {
  if (!(error instanceof Error)) return { message: String(error), code: null };
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
  return { message: error.message, code };
}

function isBusy(error: unknown): boolean {
  const { code } = failureOf(error);
  return code !== null && [BUSY, LOCKED].includes(code & 0xff);
}
