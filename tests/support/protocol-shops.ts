// Simulated shops with protocols of their own on one loopback server, by host. A test changes them while they run.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { protocolAnswer, type ProtocolProduct, type ProtocolShop } from './protocol-answers.ts';

export type ProtocolShops = AsyncDisposable & {
  /** The setting that maps the shops' origins here. */
  readonly origins: string;
  /** Replaces a shop, by its origin. */
  readonly put: (shop: ProtocolShop) => void;
  /** The paths that were requested of a shop since the last call, without robots.txt. */
  readonly requests: (origin: string) => readonly string[];
  /** All of them, with the host before the path. */
  readonly all: () => readonly string[];
};

export async function openProtocolShops(shops: readonly ProtocolShop[]): Promise<ProtocolShops> {
  const byHost = new Map(shops.map((shop) => [new URL(shop.origin).host, shop]));
  const asked: string[] = [];
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const { headers, url = '' } = request;
    const body = await text(request);
    const shop = byHost.get(headers.host ?? '');
    seen.push(`${headers.host ?? ''}${url}`);
    if (url !== '/robots.txt') asked.push(`${headers.host ?? ''}${url}`);
    const answer = shop === undefined ? null : protocolAnswer(shop, url, body);
    if (answer?.kind === 'reset') {
      response.destroy();
      return;
    }
    if (answer?.kind !== 'page') throw new Error('an answer of another kind');
    response.writeHead(answer.status, { 'content-type': answer.type, ...answer.headers });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origins: shops.map(({ origin }) => `${origin}=http://127.0.0.1:${port}`).join(','),
    put: (shop) => void byHost.set(new URL(shop.origin).host, shop),
    requests: (origin) => {
      const { host } = new URL(origin);
      const own = asked.filter((each) => each.startsWith(`${host}/`));
      const others = asked.filter((each) => !each.startsWith(`${host}/`));
      asked.splice(0, asked.length, ...others);
      return own.map((each) => each.slice(host.length));
    },
    all: () => seen,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A product with one variant. */
export function soleProduct(
  slug: string,
  price: number,
  more: Partial<ProtocolProduct['variants'][0]> = {},
): ProtocolProduct {
  const id = 100 + slug.length;
  const variant = { id: id * 10, label: 'One', price, gtin: null, left: null, ...more };
  return { id, slug, title: `Kettle ${slug}`, variants: [variant] };
}
