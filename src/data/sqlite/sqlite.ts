// The SQL port over node:sqlite. Reads use a read-only connection of this thread; every write goes through one writer thread
// that commits a whole batch at once. This file has no knowledge of tables.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

import { makePrivateFolder } from '../make-folder.ts';
import type { Database, SqlValue, WriteProblem } from '../sql.ts';
import { openSqliteFile, type SqliteConnection } from './connection.ts';
import { createFlattener } from './writer-protocol.ts';
import type {
  FromWriter,
  ToWriter,
  WriterFailure,
  WriterOutcome,
  WriterStart,
} from './writer-protocol.ts';
import {
  createWriteQueue,
  probeQueue,
  type TransactionOutcome,
  type WriteQueue,
} from '../write-queue.ts';
import { StoreUnavailable } from '../sql.ts';
import { seeCommits, tellService } from './seen-commits.ts';
import { refuseZeroedPages } from './zeroed-pages.ts';
import { keepToOwner, makeDatabaseFile, openForService, refuseBrokenFile } from './whole-file.ts';

type SqliteOptions = {
  /** The database file, made with its folder if it is missing; ':memory:' is a file that is deleted by `close`. */
  readonly path: string;
  /** Whether this process is the service of the database (`lockForService`). */
  readonly isService?: boolean;
  /** Makes the first table of a new database, before its file gets its name. */
  readonly firstStatement?: string;
  /** How long a write waits for another process; it waits twice. */
  readonly busyTimeoutMs?: number;
  /** Another writer thread, for the test of its death. */
  readonly writerThread?: URL;
};

const PROBE_MS = 1_000;
const READ_CACHE_KIB = 16_384;

/** SQLite's primary result codes for a database that is unavailable for any statement. */
const UNAVAILABLE_CODES = [5, 6, 7, 8, 10, 11, 13, 14, 15, 26];

/** The problem by primary code, or by an extended code that is more specific. */
const PROBLEMS: Readonly<Record<number, WriteProblem>> = {
  5: 'locked',
  6: 'locked',
  8: 'read_only',
  10: 'io_error',
  11: 'damaged',
  13: 'full',
  14: 'io_error',
  26: 'damaged',
  1032: 'away',
  // SQLite reports an I/O error if the log's index cannot grow.
  4874: 'full',
};

type Writer = {
  readonly worker: Worker;
  readonly queue: WriteQueue;
  commits: number;
};

/** Opens (or makes) the database. Rejects if it cannot be made durable or safe. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const file = databaseFileAt(options.path, options.firstStatement ?? '');
  const busyTimeoutMs = options.busyTimeoutMs ?? 5_000;
  const seen = options.isService === true ? seeCommits(file.path) : tellService(file.path);
  const start = { path: file.path, busyTimeoutMs };
  const writer = await startWriter(start, options.writerThread, seen.noteOwn);
  const reader = await openReader(writer, file.path, busyTimeoutMs);
  let isClosed = false;
  return {
    dialect: 'sqlite',
    skipLocked: '',
    commits: () => writer.commits,
    changes: seen.changes,
    all: (text, params) => readRows(reader, text, params),
    write: (transaction, options) => writer.queue.write(transaction, options),
    probe: (deadlineMs) => probeQueue(writer.queue, deadlineMs ?? PROBE_MS),
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      seen.close();
      await closeWriter(writer, () => reader.close());
      file.remove();
    },
  };
}

type DatabaseFile = { readonly path: string; readonly remove: () => void };

function databaseFileAt(path: string, firstStatement: string): DatabaseFile {
  if (path !== ':memory:') {
    makeFolder(dirname(path));
    makeFile(path, firstStatement);
    return { path, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'openshelf-'));
  const temporary = join(folder, 'openshelf.sqlite');
  makeFile(temporary, firstStatement);
  return {
    path: temporary,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Locks like `openForService`, and creates the folder if it is missing. Throws StoreUnavailable. */
export function lockForService(path: string): SqliteConnection {
  makeFolder(dirname(path));
  try {
    return openForService(path);
  } catch (error) {
    throw openFailure(path, error);
  }
}

/** Folders created here are readable only by their owner, because the data shows who looks up what. */
function makeFolder(path: string): void {
  try {
    makePrivateFolder(path);
  } catch (error) {
    throw new StoreUnavailable(`cannot create the data folder ${path}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Creates the file. Refuses a folder whose database was lost. An existing database is made readable only for its owner. */
function makeFile(path: string, firstStatement: string): void {
  try {
    refuseBrokenFile(path);
    makeDatabaseFile(path, firstStatement);
    refuseZeroedPages(path);
    keepToOwner(path);
  } catch (error) {
    throw openFailure(path, error);
  }
}

function openFailure(path: string, error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`cannot open ${path}: ${reasonOf(error)}`, { cause: error });
}

/** States clearly that a file is where a folder must be, because the system's message does not. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : null;
  if (code === 'EEXIST') return 'it is a file; specify a folder';
  if (code === 'ENOENT') return 'no folder can be created there; choose another location';
  if (code === 'ENOTDIR') return 'a part of that path is a file; specify a folder';
  return error.message;
}

async function openReader(writer: Writer, path: string, busyTimeoutMs: number) {
  try {
    const reader = openSqliteFile(path, { readOnly: true, busyTimeoutMs });
    reader.db.exec(`pragma cache_size = -${READ_CACHE_KIB}`);
    return reader;
  } catch (error) {
    await closeWriter(writer, () => undefined);
    throw new StoreUnavailable(`cannot read ${path}`, { cause: error });
  }
}

async function readRows(reader: SqliteConnection, text: string, params: readonly SqlValue[] = []) {
  try {
    return reader.all(text, params);
  } catch (error) {
    if (!reader.db.isOpen) throw new StoreUnavailable('the store is closed', { cause: error });
    throw error;
  }
}

/** Plain JavaScript, so that the thread's own files come from the compile cache. */
const THREAD_STARTER = new URL('../../../bin/thread.js', import.meta.url);

/** In a checkout the thread is a `.ts` file next to this one, in the published package a `.js` file. */
function threadNextTo(moduleUrl: string): URL {
  return new URL(`./writer-thread${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}

async function startWriter(
  start: WriterStart,
  thread: URL | undefined,
  committed: () => void,
): Promise<Writer> {
  const entry = (thread ?? threadNextTo(import.meta.url)).href;
  const worker = new Worker(THREAD_STARTER, {
    workerData: { ...start, entry, compileCache: getCompileCacheDir() },
  });
  const flatten = createFlattener();
  let answered: (outcomes: readonly WriterOutcome[]) => void = () => undefined;
  const queue = createWriteQueue(async (transactions) => {
    const { promise, resolve } = Promise.withResolvers<readonly WriterOutcome[]>();
    answered = resolve;
    tell(worker, flatten(transactions));
    return (await promise).map(toTransactionOutcome);
  });
  const writer: Writer = { worker, queue, commits: 0 };
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => {
      const error = new StoreUnavailable(`the store's writer stopped: ${cause.message}`, { cause });
      queue.fail(error);
      reject(error);
    };
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') {
        const { message: why, code } = message.failure;
        const problem = code === null ? 'other' : problemOf(code);
        reject(new StoreUnavailable(`cannot open ${start.path}: ${why}`, { problem }));
      } else {
        if (message.commits > writer.commits) committed();
        writer.commits = message.commits;
        answered(message.outcomes);
      }
    });
  });
  return writer;
}

function tell(worker: Worker, message: ToWriter): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage(message);
}

function toTransactionOutcome(outcome: WriterOutcome): TransactionOutcome {
  if (outcome.kind === 'done') return { done: true, rows: outcome.rows };
  if (outcome.kind === 'rolled-back') return { done: false, failedAt: outcome.failedAt };
  return errorOf(outcome.failure);
}

function errorOf({ message, code }: WriterFailure): Error {
  if (code === null || !UNAVAILABLE_CODES.includes(code & 0xff)) return new Error(message);
  return new StoreUnavailable(`the store cannot write: ${message}`, { problem: problemOf(code) });
}

/** Returns the meaning of an SQLite error code for the database. */
function problemOf(code: number): WriteProblem {
  return PROBLEMS[code] ?? PROBLEMS[code & 0xff] ?? 'other';
}

/** Commits everything that was accepted, then merges the log into the file. */
async function closeWriter(
  { worker, queue }: Pick<Writer, 'worker' | 'queue'>,
  closeReader: () => void,
): Promise<void> {
  await queue.drain();
  closeReader();
  if (queue.isFailed()) return;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  worker.once('exit', () => resolve());
  tell(worker, { kind: 'close' });
  await ended;
}
