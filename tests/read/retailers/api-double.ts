// A retailer's API as a scripted loopback server, called through the real fetcher, the real token keeper and the real loop
// over a retailer's sources.

import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { createFetcher } from '../../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../../src/egress/origins.ts';
import { createAccess } from '../../../src/answer/collect/asking/source-access.ts';
import { askRetailer } from '../../../src/answer/collect/asking/ask-retailer.ts';
import type { RetailerOutcome } from '../../../src/answer/collect/asking/ask-retailer.ts';
import type { RetailerQuestion } from '../../../src/read/retailers/adapter.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import { manualClock } from '../../support/manual-clock.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { contextOf } from '../../support/contexts.ts';

export type Call = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
};

export type ApiDouble = {
  /** The calls received, in order, without robots.txt. */
  readonly calls: Call[];
  readonly clock: ManualClock;
  readonly ask: (question: RetailerQuestion, signal?: AbortSignal) => Promise<RetailerOutcome>;
  readonly close: () => void;
};

type Options = {
  readonly slug: KnownSlug;
  readonly origin: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly reply: (call: Call) => Reply | Promise<Reply>;
  /** The number of first answers that the machine has no time to read. */
  readonly unread?: number;
};

/** As the pool of readers reports it. */
const UNREAD = {
  kind: 'retry',
  why: 'the machine had no time to read it',
  retryAfterSeconds: 1,
  isUnread: true,
} as const;

/** Every other origin is unreachable: a test that requests a page fails. */
export async function openApiDouble({
  slug,
  origin,
  credentials,
  reply,
  unread = 0,
}: Options): Promise<ApiDouble> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const url = new URL(request.url ?? '/', origin);
      const call = {
        method: request.method ?? '',
        url,
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      };
      calls.push(call);
      const { status = 200, headers = {}, body } = await reply(call);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  const clock = manualClock(Date.UTC(2026, 10, 20));
  const { origins } = parseOrigins(`${origin}=http://127.0.0.1:${port}`);
  const fetch = createFetcher({
    clock,
    version: '0.0.0',
    origins,
    hostIntervalMs: 0,
    resolve: () => Promise.reject(new Error('no names in this test')),
  });
  const access = createAccess({
    fetch,
    clock,
    credentials: { [slug]: credentials },
    newId: () => 'id',
  });
  let left = unread;
  const parts = {
    fetch,
    access,
    clock,
    readAnswer: async (page: Parameters<typeof readAnswer>[0], name: string, by: string) => {
      left -= 1;
      return left >= 0 ? UNREAD : readAnswer(page, name, by);
    },
  };
  return {
    calls,
    clock,
    ask: (question, signal = AbortSignal.timeout(10_000)) =>
      askRetailer(parts, slug, question, contextOf(signal)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
