// A proxy in front of each simulated origin: delays every request, as a real shop does, and records when each was running,
// so that concurrent ones are detected.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TimedRequest = {
  readonly name: string;
  readonly beganMs: number;
  readonly endedMs: number;
};

type RecordingFront = AsyncDisposable & {
  /** Public origin -> this proxy, instead of the simulated one. */
  readonly origins: Readonly<Record<string, string>>;
  readonly requests: () => readonly TimedRequest[];
};

/** Requests that are repeated by design, and are not for a product. */
const NO_PRODUCT = /\/robots\.txt$|token|oauth/i;

export async function startRecordingFront(
  behind: Readonly<Record<string, string>>,
  delayMs: number,
): Promise<RecordingFront> {
  const requests: TimedRequest[] = [];
  const fronts = await Promise.all(
    Object.entries(behind).map(async ([origin, target]) => {
      const server = createServer((request, response) => {
        void pass({ origin, target, delayMs }, request, response, (one) => requests.push(one));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return { origin, server, url: `http://127.0.0.1:${port}` };
    }),
  );
  return {
    origins: Object.fromEntries(fronts.map(({ origin, url }) => [origin, url])),
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        fronts.map(({ server }) => {
          server.closeAllConnections();
          return new Promise((resolve) => server.close(resolve));
        }),
      );
    },
  };
}

type Way = { readonly origin: string; readonly target: string; readonly delayMs: number };

async function pass(
  { origin, target, delayMs }: Way,
  request: IncomingMessage,
  response: ServerResponse,
  note: (one: TimedRequest) => void,
): Promise<void> {
  const beganMs = performance.now();
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const { method = 'GET', url = '/', headers } = request;
  const digest = body.length === 0 ? '' : createHash('sha256').update(body).digest('hex');
  const name = `${method} ${origin}${url} ${digest}`;
  response.once('close', () => {
    if (!NO_PRODUCT.test(url)) note({ name, beganMs, endedMs: performance.now() });
  });
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (response.destroyed) return;
  const onward = ask(`${target}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  onward.end(body);
}

/** Pairs of the same request, the second of which began before the first had ended. */
export function overlapping(
  requests: readonly TimedRequest[],
): readonly (readonly [TimedRequest, TimedRequest])[] {
  const pairs: [TimedRequest, TimedRequest][] = [];
  for (const same of Map.groupBy(requests, ({ name }) => name).values()) {
    const inOrder = same.toSorted((a, b) => a.beganMs - b.beganMs);
    inOrder.forEach((one, index) => {
      const next = inOrder[index + 1];
      if (next !== undefined && next.beganMs < one.endedMs) pairs.push([one, next]);
    });
  }
  return pairs;
}
