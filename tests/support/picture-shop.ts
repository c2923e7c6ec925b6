// A shop on loopback whose products have pictures of every kind, and a clock that can be advanced.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { MINUTE_MS, type Clock } from '../../src/base/clock.ts';
import { picturePng } from '../../sandbox/picture.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';

export { MINUTE_MS };

/** Reserved names never belong to a real shop. */
export const PICTURE_SHOP = 'https://www.shownthings.example';

export type PictureShop = {
  readonly url: string;
  readonly png: Buffer;
  readonly asked: (path: string) => number;
  /** Answers `/held` from now on, including requests already waiting for it. */
  readonly answer: () => void;
  readonly close: () => Promise<void>;
};

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const LARGE_BYTES = 3 * 1024 * 1024;

export async function openPictureShop(): Promise<PictureShop> {
  const png = picturePng('a product');
  const files: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
    '/png': ['application/octet-stream', png],
    '/held': ['image/png', png],
    '/svg': ['image/svg+xml', SVG],
    '/html': ['image/png', '<!doctype html><script>alert(1)</script>'],
    '/lie': ['image/jpeg', 'GIF8'],
    '/large': ['image/png', Buffer.concat([png, Buffer.alloc(LARGE_BYTES)])],
  };
  const counts = new Map<string, number>();
  const { promise: stored, resolve: answer } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const [, name] = /^\/p\/(\w+)$/.exec(path) ?? [];
    const [type, body] = name === undefined ? (files[path] ?? []) : ['text/html', pageOf(name)];
    const send = () => {
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': type ?? 'text/plain' });
      response.end(body);
    };
    if (path === '/held') void stored.then(send);
    else send();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    png,
    asked: (path) => counts.get(path) ?? 0,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pageOf(name: string): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `Shown thing ${name}`,
    ...(name === 'none' ? {} : { image: `${PICTURE_SHOP}/${name}` }),
    offers: {
      '@type': 'Offer',
      price: '12.50',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
    },
  };
  return `<!doctype html><html lang="en"><head><title>Shown thing ${name}</title>
<script type="application/ld+json">${JSON.stringify(data)}</script></head>
<body><h1>Shown thing ${name}</h1></body></html>`;
}

/** Returns the system's clock, advanced as far as it was moved. */
export function systemOffset(): Clock & { readonly pass: (ms: number) => void } {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    pass: (ms) => {
      aheadMs += ms;
    },
  };
}
