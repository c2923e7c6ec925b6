// Sends requests at a steady rate whether or not answers arrive (an open loop), as plain bytes on kept connections. A
// latency counts from when the request was due, so that a stalled server is detected. Entry point of a child process.

import { connect, type Socket } from 'node:net';

export type OpenLoopJob = {
  readonly port: number;
  /** Whole requests, head only, sent in turn. */
  readonly requests: readonly string[];
  readonly perSecond: number;
  readonly ms: number;
  /** A request that is due while all connections are busy is counted as not sent. */
  readonly maxConnections: number;
};

export type OpenLoopResult = {
  readonly sent: number;
  readonly notSent: number;
  /** Of the time in which requests were sent. */
  readonly seconds: number;
  /** Latencies in milliseconds by status; `broken`: no complete answer arrived. */
  readonly byStatus: Readonly<Record<string, readonly number[]>>;
  readonly breaks: readonly string[];
};

const TICK_MS = 2;
/** How long to wait for answers to the last requests. */
const LAST_MS = 20_000;
const HEAD_END = Buffer.from('\r\n\r\n');

type Line = { readonly socket: Socket; dueMs: number | null; received: Buffer | null };

async function perform(job: OpenLoopJob): Promise<OpenLoopResult> {
  const byStatus: Record<string, number[]> = {};
  const breaks: string[] = [];
  const free: Line[] = [];
  const busy = new Set<Line>();
  let sent = 0;
  let notSent = 0;

  const note = (status: string, ms: number) => void (byStatus[status] ??= []).push(ms);

  function send(line: Line, dueMs: number): void {
    line.dueMs = dueMs;
    busy.add(line);
    line.socket.write(job.requests[sent % job.requests.length] ?? '');
    sent += 1;
  }

  function open(dueMs: number): void {
    const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
    const line: Line = { socket, dueMs: null, received: null };
    socket.on('data', (piece: Buffer) => receive(line, piece));
    socket.on('error', (error) => {
      if (breaks.length < 20) breaks.push(error.message);
    });
    socket.on('close', () => {
      if (line.dueMs !== null) note('broken', performance.now() - line.dueMs);
      busy.delete(line);
      const at = free.indexOf(line);
      if (at >= 0) free.splice(at, 1);
    });
    send(line, dueMs);
  }

  function receive(line: Line, piece: Buffer): void {
    line.received = line.received === null ? piece : Buffer.concat([line.received, piece]);
    const end = line.received.indexOf(HEAD_END);
    if (end < 0 || line.dueMs === null) return;
    const head = line.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (line.received.length < end + 4 + length) return;
    note(head.slice(9, 12), performance.now() - line.dueMs);
    line.received = null;
    line.dueMs = null;
    busy.delete(line);
    if (/\r\nconnection: close/i.test(head)) line.socket.destroy();
    else free.push(line);
  }

  const fromMs = performance.now();
  let due = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const nowMs = performance.now() - fromMs;
    const until = Math.floor((Math.min(nowMs, job.ms) * job.perSecond) / 1_000);
    for (; due < until; due += 1) {
      const dueMs = fromMs + (due * 1_000) / job.perSecond;
      const line = free.pop();
      if (line !== undefined) send(line, dueMs);
      else if (busy.size < job.maxConnections) open(dueMs);
      else notSent += 1;
    }
    const isOver = nowMs >= job.ms && (busy.size === 0 || nowMs >= job.ms + LAST_MS);
    if (isOver) resolve();
  }, TICK_MS);
  await promise;
  clearInterval(timer);
  for (const line of busy) line.socket.destroy();
  for (const line of free) line.socket.destroy();
  return { sent, notSent, seconds: job.ms / 1_000, byStatus, breaks };
}

process.on('message', (job: OpenLoopJob) => {
  void perform(job).then((result) => process.send?.(result));
});
