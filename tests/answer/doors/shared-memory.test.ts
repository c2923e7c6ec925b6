// Four services on one database remember the same of a shop's doors.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MINUTE_MS } from '../../../src/base/clock.ts';
import type { ProtocolShop } from '../../support/protocol-answers.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { newDatabase } from '../../support/databases.ts';
import { openProtocolShops, soleProduct } from '../../support/protocol-shops.ts';
import { startService } from '../../support/service.ts';

const SLUGS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
const ORIGIN = 'https://kettles.example';
const SHOP: ProtocolShop = {
  origin: ORIGIN,
  speaks: 'store_api',
  currency: 'USD',
  decimals: 2,
  products: SLUGS.map((slug) => soleProduct(slug, 2_500)),
};

test('what one service learns of a protocol, the others know at once', async () => {
  await using shops = await openProtocolShops([SHOP]);
  await using database = await newDatabase('migrated');
  const clock = stillClock(Date.UTC(2026, 10, 2, 12));
  const env = { OPENSHELF_ORIGINS: shops.origins, DATABASE_URL: database.url };
  await using stack = new AsyncDisposableStack();
  const services = [];
  for (let at = 0; at < 4; at += 1) {
    services.push(stack.use(await startService({ clock, env })));
  }
  const [first, ...others] = services;
  assert.ok(first !== undefined);
  const viaOf = async (service: typeof first, slug: string): Promise<unknown> => {
    const { body } = await service.lookup(`${ORIGIN}/product/${slug}`);
    return (body['_meta'] as Record<string, unknown>)['via'];
  };
  assert.equal(await viaOf(first, 'one'), 'store_api');
  assert.equal(shops.requests(ORIGIN).length, 2);
  for (const [at, service] of others.entries()) {
    assert.equal(await viaOf(service, SLUGS[at + 1] ?? ''), 'store_api');
    assert.equal(shops.requests(ORIGIN).length, 1, 'it speaks the protocol');
  }
  shops.put({ ...SHOP, trouble: { kind: 'status', status: 404 } });
  assert.equal(await viaOf(others[0] ?? first, 'five'), 'page');
  assert.equal(shops.requests(ORIGIN).length, 2);
  clock.advance(MINUTE_MS);
  for (const [at, service] of [first, ...others.slice(1)].slice(0, 2).entries()) {
    assert.equal(await viaOf(service, SLUGS[at + 5] ?? ''), 'page');
    assert.equal(shops.requests(ORIGIN).length, 1, 'it is not there');
  }
});
