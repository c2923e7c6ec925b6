// Reads a sheet that a caller sent, in a thread of its own for as long as that may take.

import type { Worker } from 'node:worker_threads';

import { FaultError } from '../core/fault.ts';
import { SHEETS_BUSY, type ReadSheet } from '../http/sheet-reading.ts';
import { startOwnThread } from '../reading/own-thread.ts';
import type { SheetMessage } from '../runs/sheet-thread.ts';

const ENTRY = new URL(
  `../runs/sheet-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** 10,000 rows of a workbook took 0.4 s, with the start of the thread; a busy machine takes longer. */
const LONGEST_MS = 5_000;
const HEAP_MB = 128;

export type SheetReader = Disposable & { readonly read: ReadSheet };

/** One sheet at a time: whoever comes meanwhile is asked to come again, which the console does by itself. */
export function createSheetReader(longestMs: number = LONGEST_MS): SheetReader {
  let reading: Worker | null = null;
  return {
    read: async (name, bytes) => {
      if (reading !== null) throw new FaultError(SHEETS_BUSY);
      const worker = startOwnThread(ENTRY, { sheet: { name, bytes } }, { oldMb: HEAP_MB });
      reading = worker;
      const timer = setTimeout(() => void worker.terminate(), longestMs);
      try {
        const message = await messageOf(worker);
        if (message?.kind === 'read') return message.answer;
        throw notRead(message?.detail ?? TOO_MUCH);
      } finally {
        clearTimeout(timer);
        await worker.terminate();
        reading = null;
      }
    },
    [Symbol.dispose]: () => void reading?.terminate(),
  };
}

const TOO_MUCH =
  'Reading this sheet took more time or memory than the service gives to one. Save it as CSV with fewer columns, or look ' +
  'it up in a terminal: `openshelf lookup --file`.';

const notRead = (detail: string): FaultError =>
  new FaultError({ code: 'invalid_parameter', parameter: 'body', detail });

/** Null of a thread that ran out of time or memory. Rejects when the program of the thread failed, which is a bug. */
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
