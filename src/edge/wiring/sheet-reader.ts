// Reads an uploaded sheet, or writes a workbook, in a thread that lives as long as that work.

import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

import { FaultError } from '../../base/fault.ts';
import { SHEETS_BUSY, type ReadSheet, type WriteWorkbook } from '../../server/sheet-reading.ts';
import { cpuMsOf, startOwnThread } from '../../read/threads/own-thread.ts';
import type { SheetMessage } from '../runs/sheet-thread.ts';

const ENTRY = new URL(
  `../runs/sheet-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** Maximum processor time. 10,000 rows of a workbook took 0.4 s, including the thread's start. */
const LONGEST_MS = 5_000;
/** The wall-clock limit is this many times as long: on a busy machine a valid sheet has to wait for its turn. */
const PATIENCE = 6;
/** The time used is looked up at most this many times in the time that a sheet may use. */
const CHECKS = 20;
const HEAP_MB = 128;

export type SheetReader = Disposable & {
  readonly read: ReadSheet;
  readonly write: WriteWorkbook;
};

/**
 * Reads or writes one sheet at a time; `currency` is the currency of costs. Any other upload meanwhile is refused with
 * Retry-After, and the console retries by itself.
 */
export function createSheetReader(
  currency: string,
  longestMs: number = LONGEST_MS,
  entry: URL = ENTRY,
): SheetReader {
  let working: Worker | null = null;
  const inThread = async (job: object): Promise<SheetMessage> => {
    if (working !== null) throw new FaultError(SHEETS_BUSY);
    const worker = startOwnThread(entry, job, { oldMb: HEAP_MB });
    working = worker;
    const ended = new AbortController();
    const watching = endInTime(worker, longestMs, ended.signal);
    try {
      const message = await messageOf(worker);
      ended.abort();
      if (message?.kind === 'problem') throw notRead(message.detail, message.tabs);
      if (message !== null) return message;
      throw (await watching) === 'late' ? new FaultError(SHEETS_BUSY) : notRead(TOO_MUCH);
    } finally {
      ended.abort();
      await worker.terminate();
      working = null;
    }
  };
  return {
    read: async (name, bytes, chosen = {}) => {
      const message = await inThread({ sheet: { name, bytes, currency, chosen } });
      if (message.kind !== 'read') throw new Error('the thread did not return a sheet');
      return message.answer;
    },
    write: async (table) => {
      const message = await inThread({ table });
      if (message.kind !== 'written') throw new Error('the thread did not return a workbook');
      return message.bytes;
    },
    [Symbol.dispose]: () => void working?.terminate(),
  };
}

/**
 * Ends a thread whose time is over. `late` means that the wall-clock limit was reached, because the machine was too busy.
 */
async function endInTime(
  worker: Worker,
  longestMs: number,
  ended: AbortSignal,
): Promise<'late' | null> {
  let leftMs = longestMs;
  for (let waitedMs = 0; waitedMs < longestMs * PATIENCE;) {
    // A thread that has almost no time left is not asked again and again.
    const waitMs = Math.max(leftMs, longestMs / CHECKS);
    const isOver = await setTimeout(waitMs, false, { signal: ended, ref: false }).catch(() => true);
    if (isOver) return null;
    waitedMs += waitMs;
    const usedMs = await cpuMsOf(worker, longestMs);
    if (usedMs === null || usedMs >= longestMs) {
      await worker.terminate();
      return null;
    }
    leftMs = longestMs - usedMs;
  }
  await worker.terminate();
  return 'late';
}

const TOO_MUCH =
  'Reading this sheet took more time or memory than the service allows for one. Save it as CSV with fewer columns, or look ' +
  'it up in a terminal: `openshelf lookup --file`.';

const notRead = (detail: string, tabs: readonly string[] = []): FaultError =>
  new FaultError({
    code: 'invalid_parameter',
    detail,
    ...(tabs.length === 0 ? { parameter: 'body' } : { parameter: 'sheet', allowed: tabs }),
  });

/**
 * Returns the thread's message; null if it ran out of time or memory. Rejects if the thread's program failed, which is a bug.
 */
function messageOf(worker: Worker): Promise<SheetMessage | null> {
  return new Promise((resolve, reject) => {
    worker.once('message', (message: SheetMessage) => resolve(message));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null);
      else reject(error);
    });
    worker.once('exit', () => resolve(null));
  });
}
