// The whole service with watches on pages that a test writes and changes, and with channels to receivers on loopback.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Clock } from '../../src/base/clock.ts';
import type { Env } from '../../src/edge/settings/read-settings.ts';
import { DeliveryList } from '../../src/answer/wire/watches/channels.ts';
import { WatchAnswer, WatchTest, WatchWithNotices } from '../../src/answer/wire/watches/watches.ts';
import { OWN_SHOP, productPage } from '../contract/support/own-shop.ts';
import { startService, type Service } from './service.ts';
import { shiftedClock, type ShiftedClock } from './shifted-clock.ts';

/** The simulated market changes with the hour: tests start at the same time, whatever the machine's. */
const STARTS_AT_MS = Date.UTC(2026, 10, 20, 12);

type Answered = { readonly status: number; readonly body: Record<string, unknown> };

export type WatchService = AsyncDisposable & {
  readonly service: Service;
  readonly clock: ShiftedClock;
  /** Lines written to the log. */
  readonly log: readonly string[];
  /** Makes a page of the shop show this price from now on; returns its address. */
  readonly prices: (path: string, usd: string) => string;
  /** The same with a page as it is. */
  readonly shows: (path: string, page: string) => string;
  /** Returns how often a page was read. */
  readonly reads: (path: string) => number;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  /** Creates a watch; returns its id. */
  watch(body: Readonly<Record<string, unknown>>): Promise<string>;
  shown(id: string): Promise<ReturnType<typeof WatchWithNotices.parse>>;
  /** Runs the checks that are due now. */
  readonly check: (id: string) => ReturnType<WatchService['shown']>;
  /** Runs the next check of the watch when it is due. */
  readonly checkNext: (id: string) => ReturnType<WatchService['shown']>;
  /** Returns the remaining tokens. */
  left(): Promise<number>;
  /** Creates a webhook; returns its id. */
  hook(url: string): Promise<string>;
  /** Sends a test notice through the channels of a watch; returns its id. */
  tell(watch: string): Promise<string>;
  deliveries(watch: string): Promise<ReturnType<typeof DeliveryList.parse>['deliveries']>;
};

type Shop = {
  readonly pages: Map<string, string>;
  readonly asked: string[];
  readonly url: string;
  readonly close: () => Promise<void>;
};

async function openShop(): Promise<Shop> {
  const pages = new Map<string, string>();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = pages.get(url);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(page ?? '<h1>not here</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { pages, asked, url: `http://127.0.0.1:${port}`, close };
}

/** `steady`: a clock that keeps running when the machine's is moved. */
export async function startWatchService(env: Env = {}, steady?: Clock): Promise<WatchService> {
  const shop = await openShop();
  const clock = shiftedClock(STARTS_AT_MS);
  const log: string[] = [];
  const settings = {
    OPENSHELF_ORIGINS: `${OWN_SHOP}=${shop.url}`,
    OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...env,
  };
  const logTo = (lines: string) => void log.push(lines);
  const clocks = steady === undefined ? { clock } : { clock, steady };
  const service = await startService({ ...clocks, withRetailers: true, env: settings, logTo });
  const call: WatchService['call'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${service.key}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: JSON.parse(await response.text()) as Record<string, unknown>,
    };
  };
  const shown = async (id: string) =>
    WatchWithNotices.parse((await call('GET', `/v1/watches/${id}`)).body);
  const check = async (id: string) => {
    await service.app.checkWatches();
    await service.untilQueueIdle();
    return shown(id);
  };
  return {
    service,
    clock,
    log,
    prices: (path, usd) => {
      shop.pages.set(path, productPage({ name: 'Lamp', sku: path.slice(1) }, { price: usd }));
      return `${OWN_SHOP}${path}`;
    },
    shows: (path, page) => {
      shop.pages.set(path, page);
      return `${OWN_SHOP}${path}`;
    },
    reads: (path) => shop.asked.filter((each) => each === path).length,
    call,
    watch: async (body) =>
      WatchAnswer.parse((await call('POST', '/v1/watches', body)).body).watch.id,
    shown,
    check,
    checkNext: async (id) => {
      const { next_check_at: at } = (await shown(id)).watch;
      clock.advance(Math.max(0, Date.parse(at ?? '') - clock.now()) + 1_000);
      return check(id);
    },
    left: async () => Number((await call('GET', '/v1/usage')).body['tokens_remaining']),
    hook: async (url) => {
      const { body } = await call('POST', '/v1/channels', { kind: 'webhook', url });
      return (body['channel'] as { readonly channel_id: string }).channel_id;
    },
    tell: async (id) =>
      WatchTest.parse((await call('POST', `/v1/watches/${id}/test`)).body).notice.id,
    deliveries: async (id) =>
      DeliveryList.parse((await call('GET', `/v1/watches/${id}/deliveries`)).body).deliveries,
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await shop.close();
    },
  };
}
