// The fastest server that could guarantee durable charges: node:http sends the bytes that it was given, each after one durable
// row, and does nothing else. A thread writes the row together with all waiting rows. Entry point of a child process, and of
// its own thread.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

// oxlint-disable-next-line import/no-unassigned-import -- imported for what it does
import './cpu-probe.js';
import type { BareAnswer } from './bare-server.ts';

export type DurableStart = BareAnswer & { readonly path: string };

if (isMainThread) {
  process.channel?.ref();
  process.once('message', (start: DurableStart) => serve(start));
} else {
  // SAFETY: `serve` starts the thread, with the path.
  write(workerData as string);
}

function serve({ headers, body, path }: DurableStart): void {
  const writer = new Worker(fileURLToPath(import.meta.url), { workerData: path });
  const bytes = Buffer.from(body);
  let waiting: ServerResponse[] = [];
  let writing: readonly ServerResponse[] = [];
  let calls = 0;
  const send = (): void => {
    if (writing.length > 0 || waiting.length === 0) return;
    writing = waiting;
    waiting = [];
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    writer.postMessage(writing.map(() => `call-${(calls += 1)}`));
  };
  writer.on('message', () => {
    const answered = writing;
    writing = [];
    send();
    for (const response of answered) response.writeHead(200, [...headers]).end(bytes);
  });
  const server = createServer((_request, response) => {
    waiting.push(response);
    setImmediate(send);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ url: `http://127.0.0.1:${port}` });
  });
}

/** Writes one row per call; all rows of a message are in one commit that is synced to disk. */
function write(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table calls (id text primary key, at_ms integer)',
  );
  const insert = db.prepare('insert into calls (id, at_ms) values (?, ?)');
  parentPort?.on('message', (ids: readonly string[]) => {
    db.exec('begin immediate');
    for (const id of ids) insert.run(id, Date.now());
    db.exec('commit');
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    parentPort?.postMessage(ids.length);
  });
}
