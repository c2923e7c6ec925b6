// Clients that keep their connections and send requests repeatedly, each with an id of its own, until they are told to
// stop. A client whose connection closes opens another one. Entry point of a child process.

import { connect } from 'node:net';

export type KeptClientsJob = {
  readonly port: number;
  readonly clients: number;
  /** Whole requests, head only, with `{id}` as a placeholder for the request id. */
  readonly requests: readonly string[];
  readonly pauseMs: number;
};

export type KeptClientsResult = {
  readonly answered: number;
  /** Ids of requests that were sent and got no complete answer. */
  readonly unanswered: readonly string[];
  /** Answers with a status other than 200. */
  readonly refused: Readonly<Record<string, number>>;
  readonly saysClose: number;
  readonly firstBreak: string | null;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const AGAIN_MS = 20;

const state = { isOver: false };

async function perform(job: KeptClientsJob): Promise<KeptClientsResult> {
  const unanswered: string[] = [];
  const refused: Record<string, number> = {};
  let answered = 0;
  let saysClose = 0;
  let count = 0;
  let firstBreak: string | null = null;

  /** Uses one connection, until it closes. */
  function connection(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
    let waitsFor: string | null = null;
    let received = Buffer.alloc(0);
    const send = () => {
      if (state.isOver) {
        socket.destroy();
        return;
      }
      count += 1;
      waitsFor = `r${process.pid}-${count}`;
      socket.write((job.requests[count % job.requests.length] ?? '').replace('{id}', waitsFor));
    };
    socket.on('connect', send);
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      const end = received.indexOf(HEAD_END);
      if (end < 0) return;
      const head = received.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      const status = head.slice(9, 12);
      if (status === '200') answered += 1;
      else {
        refused[status] = (refused[status] ?? 0) + 1;
        firstBreak ??= received.toString('latin1').slice(0, 600);
      }
      received = Buffer.alloc(0);
      waitsFor = null;
      if (/\r\nconnection: close/i.test(head)) {
        saysClose += 1;
        socket.destroy();
      } else setTimeout(send, job.pauseMs);
    });
    socket.on('error', (error) => {
      if (waitsFor !== null) firstBreak ??= error.message;
    });
    socket.on('close', () => {
      if (waitsFor !== null) unanswered.push(waitsFor);
      resolve();
    });
    return promise;
  }

  async function client(): Promise<void> {
    while (!state.isOver) {
      const before = count;
      await connection();
      // Nothing is listening at the moment.
      if (count === before) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  await Promise.all(Array.from({ length: job.clients }, client));
  return { answered, unanswered, refused, saysClose, firstBreak };
}

process.on('message', (message: KeptClientsJob | 'stop') => {
  if (message === 'stop') state.isOver = true;
  else void perform(message).then((result) => process.send?.(result));
});
