// Sends one request, or several in turn, repeatedly on a number of connections, each waiting for its answer before the
// next, as plain bytes on sockets: it must cost less than what it measures. Entry point of a child process.

import { connect, type Socket } from 'node:net';

export type LoadJob = {
  readonly port: number;
  /** The whole request, in ASCII; for several, one after the other. */
  readonly request: string | readonly string[];
  readonly connections: number;
  /** The expected status of every answer; 200 unless stated. */
  readonly status?: number;
  /** Stops at the first of the two; waits for answers in progress. */
  readonly maxRequests: number;
  readonly maxMs: number;
};

export type LoadResult = {
  readonly answers: number;
  readonly ms: number;
  /** Anything but a complete answer with that status; the text of the first one. */
  readonly failures: number;
  readonly firstFailure: string | null;
};

type Run = {
  readonly job: LoadJob;
  readonly untilMs: number;
  sent: number;
  answers: number;
  failures: number;
  firstFailure: string | null;
};

function note(run: Run, failure: string): void {
  run.failures += 1;
  run.firstFailure ??= failure.slice(0, 300);
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** `length` is null if the answer is chunked. */
type Head = { readonly length: number | null; readonly ok: boolean; readonly isLast: boolean };

/** Parses the head of the answer; null until it is complete. */
function headOf(bytes: Buffer, status: number): Head | null {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return null;
  const text = bytes.toString('latin1', 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  const isInChunks = /\r\ntransfer-encoding: chunked/i.test(text);
  return {
    length: isInChunks ? null : end + 4 + Number(length ?? 0),
    ok: text.startsWith(`HTTP/1.1 ${status} `) && (isInChunks || length !== undefined),
    isLast: /\r\nconnection: close/i.test(text),
  };
}

const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

function isWhole(bytes: Buffer, { length }: Head): boolean {
  return length === null
    ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
    : bytes.length >= length;
}

/** Opens one connection after another until the run is over; a server may close them after some requests. */
function keepAsking(run: Run): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const mayAsk = () =>
    run.sent < run.job.maxRequests && run.failures === 0 && performance.now() < run.untilMs;

  const { request, status = 200 } = run.job;
  const nextRequest = () =>
    typeof request === 'string' ? request : (request[run.sent % request.length] ?? '');

  function ask(socket: Socket): void {
    const text = nextRequest();
    run.sent += 1;
    socket.write(text);
  }

  function open(): void {
    let received: Buffer | null = null;
    let isWaiting = false;
    const socket = connect({ port: run.job.port, host: '127.0.0.1', noDelay: true });
    socket.on('connect', () => {
      isWaiting = true;
      ask(socket);
    });
    socket.on('data', (piece: Buffer) => {
      received = received === null ? piece : Buffer.concat([received, piece]);
      const head = headOf(received, status);
      if (head === null || !isWhole(received, head)) return;
      if (head.ok) run.answers += 1;
      else note(run, received.toString('latin1'));
      received = null;
      isWaiting = false;
      if (!mayAsk() || head.isLast) {
        socket.destroy();
        return;
      }
      isWaiting = true;
      ask(socket);
    });
    socket.on('error', (error) => note(run, error.message));
    socket.on('close', () => {
      if (isWaiting) note(run, 'the connection was closed before the answer');
      if (mayAsk()) open();
      else resolve();
    });
  }

  open();
  return promise;
}

async function perform(job: LoadJob): Promise<LoadResult> {
  const from = performance.now();
  const run: Run = {
    job,
    untilMs: from + job.maxMs,
    sent: 0,
    answers: 0,
    failures: 0,
    firstFailure: null,
  };
  await Promise.all(Array.from({ length: job.connections }, () => keepAsking(run)));
  const { answers, failures, firstFailure } = run;
  return { answers, ms: performance.now() - from, failures, firstFailure };
}

process.on('message', (job: LoadJob) => {
  void perform(job).then((result) => process.send?.(result));
});
