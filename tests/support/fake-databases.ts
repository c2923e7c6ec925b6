// Barcode databases on loopback, with answers in the shapes that theirs have (reference: Open Food Facts API v2, Open Library
// /api/books). They note who asked for which code, and when.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type FakeAnswer = {
  readonly status?: number;
  readonly location?: string;
  readonly type?: string;
  /** An object is sent as JSON. */
  readonly body?: unknown;
};

export type FakeDatabases = {
  /** The setting that maps all five databases here. */
  readonly origins: string;
  readonly asked: {
    readonly host: string;
    readonly code: string;
    readonly agent: string;
    readonly atMs: number;
  }[];
  /** What a database answers about a code; by default that it does not have it. */
  answer: (host: string, code: string) => FakeAnswer | null;
  /** The clock of `asked`. */
  now: () => number;
  close(): Promise<void>;
};

const HOSTS = [
  'world.openfoodfacts.org',
  'world.openbeautyfacts.org',
  'world.openpetfoodfacts.org',
  'world.openproductsfacts.org',
  'openlibrary.org',
];

export async function startFakeDatabases(): Promise<FakeDatabases> {
  const server = createServer(({ headers, url = '' }, response) => {
    const host = headers.host ?? '';
    const [, code = ''] = /(?:\/api\/v2\/product\/|ISBN:)(\d+)/.exec(url) ?? [];
    fakes.asked.push({ host, code, agent: headers['user-agent'] ?? '', atMs: fakes.now() });
    const unknown: FakeAnswer =
      host === 'openlibrary.org'
        ? { body: {} }
        : { status: 404, body: { code, status: 0, status_verbose: 'product not found' } };
    const { status = 200, location, type, body } = fakes.answer(host, code) ?? unknown;
    response.writeHead(status, {
      'content-type': type ?? 'application/json',
      ...(location === undefined ? {} : { location }),
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? null));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const fakes: FakeDatabases = {
    origins: HOSTS.map((host) => `https://${host}=http://127.0.0.1:${port}`).join(','),
    asked: [],
    answer: () => null,
    now: Date.now,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return fakes;
}

/** The answer of Open Food Facts or a sister of it about a product that it has. */
export function found(code: string, product: Readonly<Record<string, unknown>>): FakeAnswer {
  return {
    body: { code, status: 1, status_verbose: 'product found', product: { code, ...product } },
  };
}
