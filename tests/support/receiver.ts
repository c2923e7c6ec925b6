// A receiver of notices on loopback: it stores what it receives and answers as told.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Receiver = AsyncDisposable & {
  /** `127.0.0.1:PORT`, as OPENSHELF_NOTIFY_ALLOW takes it. */
  readonly place: string;
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the status, headers and body of all answers from now on. */
  answers(
    status: number,
    more?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
  ): void;
  /** Delays all answers from now on, until the returned function is called. */
  holds(): () => void;
  /** Resolves when something has been received at a path. */
  hears(path: string): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let stored = Promise.resolve();
  const listeners = new Set<() => void>();
  let answer = { status: 204, headers: {} as Readonly<Record<string, string>>, body: '' };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ path: request.url ?? '', headers, body: Buffer.concat(pieces).toString() });
      for (const listener of listeners) listener();
      void stored.then(() => response.writeHead(answer.status, answer.headers).end(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    place,
    url: `http://${place}`,
    received,
    answers: (status, { headers = {}, body = '' } = {}) => {
      answer = { status, headers, body };
    },
    holds: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stored = promise;
      return resolve;
    },
    hears: async (path) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => (received.some((each) => each.path === path) ? resolve() : undefined);
      listeners.add(look);
      look();
      await promise;
      listeners.delete(look);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
