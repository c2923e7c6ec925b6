// A writer thread that says it is ready and dies at its first batch.

import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

new DatabaseSync((workerData as { path: string }).path).exec('pragma journal_mode = wal');
parentPort?.on('message', () => {
  throw new Error('the disk is on fire');
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage({ kind: 'ready' });
