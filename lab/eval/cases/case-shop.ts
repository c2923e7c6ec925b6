// The shop of the cases: serves the page of a case as its description says, or the step that a watch is at.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateRawSync, gzipSync } from 'node:zlib';

export type Served = {
  readonly body: Buffer;
  readonly contentType: string;
  /** How the body is encoded, whatever the header says. */
  readonly encoding: Encoding;
  /** The header; null: none. */
  readonly contentEncoding: string | null;
  /** Redirects to itself until a cookie comes with the request. */
  readonly wantsCookie: boolean;
};

type Redirected = { readonly status: number; readonly location: string };

export type Encoding = 'plain' | 'deflate-raw' | 'gzip' | 'gzip-twice' | 'gzip-trailing';

const ENCODE: Readonly<Record<Encoding, (body: Buffer) => Buffer>> = {
  plain: (body) => body,
  'deflate-raw': (body) => deflateRawSync(body),
  gzip: (body) => gzipSync(body),
  'gzip-twice': (body) => gzipSync(gzipSync(body)),
  'gzip-trailing': (body) => Buffer.concat([gzipSync(body), Buffer.from('\0\0trailing')]),
};

export type CaseShop = AsyncDisposable & {
  readonly url: string;
  /** By host and path with query. */
  readonly pages: Map<string, Served | Redirected>;
};

/** Starts the shop of all cases, each at a host of its own. */
export async function startCaseShop(): Promise<CaseShop> {
  const pages = new Map<string, Served | Redirected>();
  const server = createServer((request, response) => serve(pages, request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve(
  pages: ReadonlyMap<string, Served | Redirected>,
  { headers, url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const page = pages.get(`${headers.host ?? ''}${url}`);
  if (page === undefined) {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  } else if ('location' in page) {
    response.writeHead(page.status, { location: page.location }).end();
  } else if (page.wantsCookie && headers.cookie === undefined) {
    response.writeHead(302, { location: url, 'set-cookie': 'visitor=1; Path=/' }).end();
  } else {
    const encoded =
      page.contentEncoding === null ? {} : { 'content-encoding': page.contentEncoding };
    response.writeHead(200, { 'content-type': page.contentType, ...encoded });
    response.end(ENCODE[page.encoding](page.body));
  }
}
