// A reading thread that does what the page's address says: for the pool's tests.

import { parentPort } from 'node:worker_threads';

import type { JobMessage, ThreadMessage } from '../../src/read/threads/reading-job.ts';

const send = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on('message', ({ id, job }: JobMessage) => {
  switch (new URL(job.page.url).pathname) {
    case '/loop':
      for (;;);
    case '/memory': {
      const held: number[][] = [];
      for (;;) held.push(Array.from({ length: 100_000 }, (_, index) => index + 0.5));
    }
    case '/exit':
      process.exit(1);
    // falls through -- never reached
    case '/throw':
      send({ kind: 'failed', id, why: 'thrown' });
      break;
    case '/late':
      send({ kind: 'failed', id, why: 'no time', isLate: true });
      break;
    case '/late-twin':
      send({ kind: 'result', id: id + 1_000, value: { kind: 'not_found', why: 'not mine' } });
      send({ kind: 'result', id, value: { kind: 'not_found', why: 'mine' } });
      break;
    default:
      send({ kind: 'result', id, value: { kind: 'not_found', why: `${job.page.body.length}` } });
  }
});

send({ kind: 'ready' });
