// The invented shop of the benchmarks, on loopback: its pages are prebuilt, and it stands in for every retailer too, so
// that the measured service sends no request elsewhere.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { SHOP_ORIGIN, type InventedPage } from './page-generator.ts';

export type Shop = AsyncDisposable & {
  /** Settings of a service that asks this shop. */
  readonly env: Readonly<Record<string, string>>;
  /** False: a page with that address already exists. */
  add(page: InventedPage): boolean;
};

/** robots.txt and every page that was not added return 404. */
export async function openShop(): Promise<Shop> {
  const pages = new Map<string, Uint8Array>();
  const shop = createServer((request, response) => {
    const body = pages.get(request.url ?? '');
    const status = body === undefined ? 404 : 200;
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo;
  const retailers = Object.values(publicOrigins()).flatMap(({ page, api }) => [
    page,
    ...Object.values(api),
  ]);
  const origins = [...new Set([SHOP_ORIGIN, ...retailers])];
  return {
    env: {
      OPENSHELF_ORIGINS: origins.map((origin) => `${origin}=http://127.0.0.1:${port}`).join(','),
      OPENSHELF_CONTACT: `${SHOP_ORIGIN}/contact`,
    },
    add: ({ product, body }) => {
      const { pathname } = new URL(product.url);
      const isNew = !pages.has(pathname);
      if (isNew) pages.set(pathname, body);
      return isNew;
    },
    async [Symbol.asyncDispose]() {
      shop.closeAllConnections();
      await new Promise<void>((resolve) => shop.close(() => resolve()));
    },
  };
}
