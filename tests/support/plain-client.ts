// The limits of a listener, and clients that send and receive plain bytes, so that tests see on the socket itself what a
// connection may do.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { listen } from '../../src/server/listen/listener.ts';

export const LIMITS: Parameters<typeof listen>[0]['limits'] = {
  maxConnections: 100,
  maxPerAddress: 100,
  maxPipelined: 4,
  maxRequestsPerConnection: 1_000,
  keepAliveMs: 5_000,
  headerMs: 10_000,
  sendMs: 30_000,
  maxLookups: 50,
  maxFetching: 50,
  maxWriting: 50,
  maxWaitMs: 100,
};

export type Client = {
  readonly socket: Socket;
  /** Returns everything received, with one character per byte. */
  readonly text: () => string;
  /** Resolves with everything received when `part` has arrived; rejects if the connection is closed before. */
  readonly until: (part: string | RegExp) => Promise<string>;
  readonly ended: Promise<unknown>;
};

export function openClient(port: number): Client {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.on('error', () => undefined);
  const has = (part: string | RegExp) =>
    typeof part === 'string' ? text.includes(part) : part.test(text);
  return {
    socket,
    text: () => text,
    until: async (part) => {
      while (!has(part)) {
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
        if (socket.destroyed && !has(part)) throw new Error(`closed before ${part}: ${text}`);
      }
      return text;
    },
    ended: once(socket, 'close'),
  };
}

export const get = (path: string, fields = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Longer than anything here takes on a machine with other work (ms). */
const MOST_WAITED_MS = 40_000;

/** Resolves when `what` is true; fails if it never is. The event loop turns in between belong to the test. */
export async function until(what: () => boolean): Promise<void> {
  const fromMs = performance.now();
  while (!what()) {
    assert.ok(performance.now() - fromMs < MOST_WAITED_MS, `waited in vain until ${String(what)}`);
    await nextTurn();
  }
}
