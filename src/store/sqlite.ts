// The SQL port over node:sqlite: reads on a read-only connection of this thread, every write through one
// writer thread that commits a whole batch at once. Knows nothing of tables.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

import type { Database, SqlValue, Unit, UnitResult } from './sql.ts';
import { checkedValue, openConnection, type Connection } from './sqlite-connection.ts';
import type {
  FromWriter,
  ToWriter,
  WriterFailure,
  WriterOutcome,
  WriterStart,
} from './sqlite-protocol.ts';
import { StoreUnavailable } from './store-error.ts';

export type SqliteOptions = {
  /** The database file, made with its folder when missing; ':memory:' is a file that dies with `close`. */
  readonly path: string;
  /** How long a write waits for another process; it is waited for twice. */
  readonly busyTimeoutMs?: number;
  /** Another writer thread, for the test of its death. */
  readonly writerThread?: URL;
};

/** Units of one batch at most: a batch of base debits this size commits in about 30 ms. */
const MAX_BATCH = 1_024;
/** More than this many waiting units means that the disk stands still. */
const MAX_WAITING = 50_000;
const PROBE_MS = 1_000;
const READ_CACHE_KIB = 16_384;

/** SQLite's primary result codes that mean "could not be asked", whatever was asked. */
const UNAVAILABLE_CODES = [5, 6, 7, 8, 10, 11, 13, 14, 15, 26];

type Waiting = {
  readonly unit: Unit;
  readonly resolve: (result: UnitResult) => void;
  readonly reject: (error: Error) => void;
};

type Writer = {
  readonly worker: Worker;
  waiting: Waiting[];
  flying: readonly Waiting[];
  isScheduled: boolean;
  commits: number;
  /** Why nothing is written any more; null while all is well. */
  broken: StoreUnavailable | null;
  /** Called whenever nothing flies and nothing waits. */
  onIdle: (() => void) | null;
};

/** Opens (or makes) the database. Rejects when it cannot be made durable or safe. */
export async function openSqlite(options: SqliteOptions): Promise<Database> {
  const place = placeOf(options.path);
  const busyTimeoutMs = options.busyTimeoutMs ?? 5_000;
  const writer = await startWriter({ path: place.path, busyTimeoutMs }, options.writerThread);
  const reader = await openReader(writer, place.path, busyTimeoutMs);
  return {
    dialect: 'sqlite',
    skipLocked: '',
    commits: () => writer.commits,
    all: (text, params) => readRows(reader, text, params),
    write: (unit) => enqueue(writer, unit),
    probe: (deadlineMs) => probe(writer, deadlineMs ?? PROBE_MS),
    async [Symbol.asyncDispose]() {
      await closeWriter(writer, () => reader.close());
      place.remove();
    },
  };
}

type Place = { readonly path: string; readonly remove: () => void };

function placeOf(path: string): Place {
  if (path !== ':memory:') {
    makeFolder(dirname(path));
    return { path, remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'openshelf-'));
  return {
    path: join(folder, 'openshelf.sqlite'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A folder that is made here is its owner's alone: it holds who looks what up. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StoreUnavailable(`cannot make the data folder ${path}: ${whyNot(error)}`, {
      cause: error,
    });
  }
}

/** A person named a file where a folder has to be: the system's words for it do not say so. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : null;
  if (code === 'EEXIST') return 'it is a file; name a folder';
  if (code === 'ENOTDIR') return 'a part of that path is a file; name a folder';
  return error.message;
}

async function openReader(writer: Writer, path: string, busyTimeoutMs: number) {
  try {
    const reader = openConnection(path, { readOnly: true, busyTimeoutMs });
    reader.db.exec(`pragma cache_size = -${READ_CACHE_KIB}`);
    return reader;
  } catch (error) {
    await closeWriter(writer, () => undefined);
    throw new StoreUnavailable(`cannot read ${path}`, { cause: error });
  }
}

async function readRows(reader: Connection, text: string, params: readonly SqlValue[] = []) {
  try {
    return reader.all(text, params);
  } catch (error) {
    if (!reader.db.isOpen) throw new StoreUnavailable('the store is closed', { cause: error });
    throw error;
  }
}

/** Plain JavaScript, so that the thread's own files come out of the compile cache. */
const THREAD_STARTER = new URL('../../bin/thread.js', import.meta.url);

/** In a checkout the thread is a `.ts` file beside this one, in the published package a `.js` file. */
function threadBeside(moduleUrl: string): URL {
  return new URL(`./sqlite-writer-thread${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
}

async function startWriter(start: WriterStart, thread: URL | undefined): Promise<Writer> {
  const entry = (thread ?? threadBeside(import.meta.url)).href;
  const worker = new Worker(THREAD_STARTER, {
    workerData: { ...start, entry, compileCache: getCompileCacheDir() },
  });
  const writer: Writer = {
    worker,
    waiting: [],
    flying: [],
    isScheduled: false,
    commits: 0,
    broken: null,
    onIdle: null,
  };
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error) => {
      const error = new StoreUnavailable(`the store's writer stopped: ${cause.message}`, { cause });
      breakWriter(writer, error);
      reject(error);
    };
    worker.on('error', (error) => fail(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => fail(new Error(`exit code ${code}`)));
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') {
        reject(new StoreUnavailable(`cannot open ${start.path}: ${message.failure.message}`));
      } else settleBatch(writer, message.outcomes, message.commits);
    });
  });
  return writer;
}

function breakWriter(writer: Writer, error: StoreUnavailable): void {
  writer.broken ??= error;
  const lost = [...writer.flying, ...writer.waiting];
  writer.flying = [];
  writer.waiting = [];
  for (const { reject } of lost) reject(writer.broken);
  writer.onIdle?.();
}

function enqueue(writer: Writer, unit: Unit): Promise<UnitResult> {
  return new Promise((resolve, reject) => {
    if (writer.onIdle !== null) throw new StoreUnavailable('the store is closed');
    if (writer.broken !== null) throw writer.broken;
    if (writer.waiting.length >= MAX_WAITING) {
      throw new StoreUnavailable(`${MAX_WAITING} writes are waiting for the disk`);
    }
    for (const { params } of unit) params?.forEach(checkedValue);
    writer.waiting.push({ unit, resolve, reject });
    schedule(writer);
  });
}

/** While a batch commits, everything that comes is the next batch; an idle writer waits for this turn. */
function schedule(writer: Writer): void {
  if (writer.isScheduled || writer.flying.length > 0 || writer.waiting.length === 0) return;
  writer.isScheduled = true;
  setImmediate(() => {
    writer.isScheduled = false;
    send(writer);
  });
}

function send(writer: Writer): void {
  if (writer.flying.length > 0 || writer.waiting.length === 0) return;
  writer.flying = writer.waiting.splice(0, MAX_BATCH);
  tell(writer, { kind: 'batch', units: writer.flying.map(({ unit }) => unit) });
}

function tell(writer: Writer, message: ToWriter): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  writer.worker.postMessage(message);
}

function settleBatch(writer: Writer, outcomes: readonly WriterOutcome[], commits: number): void {
  const settled = writer.flying;
  writer.flying = [];
  writer.commits = commits;
  send(writer);
  settled.forEach((waiting, index) => settleUnit(waiting, outcomes[index]));
  if (writer.flying.length === 0 && writer.waiting.length === 0) writer.onIdle?.();
}

function settleUnit({ resolve, reject }: Waiting, outcome: WriterOutcome | undefined): void {
  if (outcome?.kind === 'done') resolve({ done: true, rows: outcome.rows });
  else if (outcome?.kind === 'undone') resolve({ done: false, failedAt: outcome.failedAt });
  else reject(errorOf(outcome?.failure ?? { message: 'no answer for a unit', code: null }));
}

function errorOf({ message, code }: WriterFailure): Error {
  const isAway = code !== null && UNAVAILABLE_CODES.includes(code & 0xff);
  return isAway ? new StoreUnavailable(`the store cannot write: ${message}`) : new Error(message);
}

async function probe(writer: Writer, deadlineMs: number): Promise<boolean> {
  const beat = enqueue(writer, [
    {
      text: `insert into heartbeat (id, beats) values (1, 1)
        on conflict (id) do update set beats = heartbeat.beats + 1`,
    },
  ]);
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const limit = AbortSignal.timeout(deadlineMs);
  limit.addEventListener('abort', () => resolve(false), { once: true });
  return await Promise.race([
    beat.then(
      () => true,
      () => false,
    ),
    late,
  ]);
}

/** Everything accepted is committed first; then the log is folded into the file. */
async function closeWriter(writer: Writer, closeReader: () => void): Promise<void> {
  if (writer.onIdle !== null) return;
  await new Promise<void>((resolve) => {
    writer.onIdle = resolve;
    if (writer.flying.length === 0 && writer.waiting.length === 0) resolve();
  });
  closeReader();
  if (writer.broken !== null) return;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  writer.worker.once('exit', () => resolve());
  tell(writer, { kind: 'close' });
  await ended;
}
