// Simulates a thread that reads a sheet on an overloaded machine: waits for as many milliseconds as the sheet says, without any
// work, and finds nothing.

import { parentPort, workerData } from 'node:worker_threads';

import type { SheetMessage } from '../../src/edge/runs/sheet-thread.ts';

const { sheet } = workerData as { readonly sheet: { readonly bytes: Uint8Array } };
const waitsMs = Number(Buffer.from(sheet.bytes).toString());
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitsMs);
const message = { kind: 'read', answer: { products: [] } } as unknown as SheetMessage;
parentPort?.postMessage(message);
