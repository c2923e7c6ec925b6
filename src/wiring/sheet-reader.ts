// Reads a sheet that a caller sent, in a thread of its own for as long as that may take.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

import { FaultError } from '../core/fault.ts';
import type { ReadSheet } from '../http/routes/sheet.ts';
import type { SheetMessage } from '../runs/sheet-thread.ts';

/** Plain JavaScript, so that the reader comes out of the compile cache. */
const THREAD_STARTER = new URL('../../bin/thread.js', import.meta.url);
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
      if (reading !== null) throw BUSY;
      const worker = new Worker(THREAD_STARTER, {
        workerData: {
          entry: ENTRY.href,
          compileCache: getCompileCacheDir(),
          sheet: { name, bytes },
        },
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      });
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

const BUSY = new FaultError({
  code: 'overloaded',
  detail: 'Another sheet is being read at the moment. Send it again in a second.',
  retryAfterSeconds: 1,
});

const TOO_MUCH =
  'Reading this sheet took more time or memory than the service gives to one. Save it as CSV with fewer columns, or look ' +
  'it up in a terminal: `openshelf lookup --file`.';

const notRead = (detail: string): FaultError =>
  new FaultError({ code: 'invalid_parameter', parameter: 'body', detail });

/** Null of a thread that ended without one: it ran out of time or memory, or failed. */
function messageOf(worker: Worker): Promise<SheetMessage | null> {
  return new Promise((resolve) => {
    worker.once('message', (message: SheetMessage) => resolve(message));
    worker.once('error', () => resolve(null));
    worker.once('exit', () => resolve(null));
  });
}
