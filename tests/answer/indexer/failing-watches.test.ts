// When a watch says that it is failing: with the check after which it has failed often enough, not with the next one (D70).

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { OWN_SHOP, productPage } from '../../contract/support/own-shop.ts';
import { startWatchService, type WatchService } from '../../support/watch-service.ts';

type Shop = AsyncDisposable & {
  readonly env: Readonly<Record<string, string>>;
  /** Answers every page with this status, and asks for a pause of as many seconds. */
  readonly answers: (status: number, retryAfter?: number) => void;
};

const LAMP = productPage({ name: 'Lamp', sku: 'lamp' }, { price: '29.99' });

async function openShop(): Promise<Shop> {
  let answer: { readonly status: number; readonly pause?: number | undefined } = { status: 200 };
  const server = createServer((_request, response) => {
    const { status, pause } = answer;
    const head = { 'content-type': 'text/html' };
    response.writeHead(status, pause === undefined ? head : { ...head, 'retry-after': `${pause}` });
    response.end(status === 200 ? LAMP : '<h1>sorry</h1>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    env: { OPENSHELF_ORIGINS: `${OWN_SHOP}=http://127.0.0.1:${port}` },
    answers: (status, pause) => {
      answer = { status, pause };
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function kinds(running: WatchService, id: string): Promise<string> {
  const { notices } = await running.shown(id);
  return notices
    .map(({ kind }) => kind)
    .toReversed()
    .join(' ');
}

const identifier = `${OWN_SHOP}/lamp`;

const TROUBLES: readonly (readonly [what: string, status: number, pause?: number])[] = [
  ['down', 503],
  ['down for two minutes', 503, 120],
  ['gone', 404],
  ['without a product', 204],
  ['refusing', 403],
];

test('the check that fails for the last time allowed says so itself', async () => {
  for (const [what, status, pause] of TROUBLES) {
    for (const failingAfter of what === 'down' ? [1, 2, 3] : [3]) {
      await using shop = await openShop();
      await using running = await startWatchService(shop.env);
      const id = await running.watch({ identifier, interval: '1d', failing_after: failingAfter });
      await running.check(id);
      shop.answers(status, pause);
      for (let check = 1; check <= failingAfter; check += 1) {
        const before = await kinds(running, id);
        assert.equal(before, '', `${what}, before check ${check} of ${failingAfter}`);
        await running.checkNext(id);
      }
      const where = `${what}, after check ${failingAfter}`;
      const { watch, notices } = await running.shown(id);
      assert.deepEqual([await kinds(running, id), watch.state], ['failing', 'failing'], where);
      const [{ at, text } = { at: '', text: '' }] = notices;
      assert.ok(Date.parse(at) >= running.clock.now() - HOUR_MS, where);
      const said =
        failingAfter === 1 ? 'The last check read' : `The last ${failingAfter} checks read`;
      assert.ok(text.startsWith(said) && !text.includes('not made in time'), text);
      await running.checkNext(id);
      assert.equal(await kinds(running, id), 'failing', `${where}: once`);
    }
  }
});

test('a watch of several pages is failing only once none of them is left to be read', async () => {
  await using shop = await openShop();
  await using running = await startWatchService(shop.env);
  const addresses = Array.from({ length: 5 }, (_, at) => `${OWN_SHOP}/lamp/${at}`);
  const id = await running.watch({ addresses, interval: '1d', failing_after: 1 });
  await running.check(id);
  shop.answers(503);
  await running.checkNext(id);
  assert.equal(await kinds(running, id), 'failing', 'once for all pages');
  shop.answers(200);
  await running.checkNext(id);
  assert.equal(await kinds(running, id), 'failing works_again');
});

test('a check of which one page can be read has not failed', async () => {
  await using running = await startWatchService();
  const addresses = [`${OWN_SHOP}/none`, running.prices('/lamp', '29.99'), `${OWN_SHOP}/nothing`];
  const id = await running.watch({ addresses, interval: '1d', failing_after: 1 });
  await running.check(id);
  for (let day = 0; day < 3; day += 1) await running.checkNext(id);
  assert.equal(await kinds(running, id), '');
});

test('a check whose shop has asked for a longer pause has failed when it is due', async () => {
  await using shop = await openShop();
  await using running = await startWatchService(shop.env);
  const id = await running.watch({ identifier, interval: '1h', failing_after: 3 });
  await running.check(id);
  shop.answers(503, 6 * 3_600);
  for (const expected of ['', '', 'failing']) {
    await running.checkNext(id);
    assert.equal(await kinds(running, id), expected);
  }
});

test('a paused watch says nothing, and neither does one that was read meanwhile', async () => {
  await using shop = await openShop();
  await using running = await startWatchService(shop.env);
  const [paused, read] = [
    await running.watch({ identifier, interval: '1d', failing_after: 1 }),
    await running.watch({ identifier: `${identifier}/2`, interval: '1d', failing_after: 1 }),
  ];
  await running.check(paused);
  await running.call('PATCH', `/v1/watches/${paused}`, { paused: true });
  shop.answers(503);
  await running.checkNext(read);
  assert.deepEqual([await kinds(running, paused), await kinds(running, read)], ['', 'failing']);
  shop.answers(200);
  await running.call(
    'POST',
    `/v1/products/${encodeURIComponent(`${identifier}/2`)}/refresh?include_offers_reviews=false`,
  );
  assert.equal(await kinds(running, read), 'failing works_again');
});

test('a watch of a barcode says so with the check after which no retailer is left to be asked', async () => {
  for (const retailer of ['anchor', 'retailer_w', 'any', 'best']) {
    await using running = await startWatchService();
    const { sandbox } = running.service;
    const made = { identifier: '614141000005', retailer, interval: '1d', failing_after: 2 };
    const id = await running.watch(made);
    await running.check(id);
    for (const slug of KNOWN_SLUGS) sandbox.disturb(slug, 'broken');
    await running.checkNext(id);
    assert.equal(await kinds(running, id), '', retailer);
    await running.checkNext(id);
    assert.equal(await kinds(running, id), 'failing', retailer);
    for (const slug of KNOWN_SLUGS) sandbox.disturb(slug, null);
    await running.checkNext(id);
    assert.match(await kinds(running, id), /^failing .*works_again/, retailer);
  }
});
