// A month of daily lookups at twenty shops of each kind, some of which forbid or close a door: how many requests each shop gets,
// and that none is for a path that its robots.txt forbids.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type { EndpointTrouble, ProtocolShop } from '../../support/protocol-answers.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openProtocolShops, soleProduct } from '../../support/protocol-shops.ts';
import { startService } from '../../support/service.ts';

const SPEAKS = ['store_api', 'product_json', 'ucp', 'nothing'] as const;
const DAYS = 30;
const OF_EACH = 10;

/** What each shop forbids: nothing, its endpoints, or the page of its second product. */
const FORBIDDEN = [
  [],
  ['/wp-json/', '/meta.json', '/products/teapot.js', '/api/ucp/'],
  ['/product/cup', '/products/cup'],
];
const TROUBLES: readonly (EndpointTrouble | null)[] = [
  null,
  null,
  { kind: 'status', status: 404 },
  { kind: 'status', status: 429 },
  { kind: 'html' },
];

const shopsOfMonth = SPEAKS.flatMap((speaks) =>
  Array.from({ length: OF_EACH }, (_, at) => {
    const forbidden = FORBIDDEN[at % FORBIDDEN.length] ?? [];
    const shop: ProtocolShop = {
      origin: `https://${speaks.replace('_', '')}${at}.example`,
      speaks,
      currency: at % 2 === 0 ? 'USD' : 'JPY',
      decimals: at % 2 === 0 ? 2 : 0,
      products: [soleProduct('teapot', 2_500), soleProduct('cup', 1_200)],
      trouble: TROUBLES[at % TROUBLES.length] ?? null,
      robots: `User-agent: *\n${forbidden.map((path) => `Disallow: ${path}\n`).join('')}`,
    };
    return { shop, forbidden };
  }),
);

/** Returns the requests of each kind of shop, open or troubled, and how often each door answered. */
async function playMonth(speaks: readonly ProtocolShop['speaks'][], env: Record<string, string>) {
  const played = shopsOfMonth.filter(({ shop }) => speaks.includes(shop.speaks));
  await using shops = await openProtocolShops(played.map(({ shop }) => shop));
  const clock = stillClock(Date.UTC(2026, 10, 2, 12));
  const origins = { OPENSHELF_ORIGINS: shops.origins };
  await using service = await startService({ clock, env: { ...env, ...origins } });
  const answered = new Map<string, number>();
  const totals = new Map<string, number>();
  for (let day = 0; day < DAYS; day += 1) {
    const slug = day % 3 === 2 ? 'cup' : 'teapot';
    await Promise.all(
      played.map(async ({ shop }) => {
        const path = /^(?:ucp|product_json)$/.test(shop.speaks) ? '/products/' : '/product/';
        const { status, body } = await service.lookup(`${shop.origin}${path}${slug}`);
        const meta = body['_meta'] as Readonly<Record<string, unknown>> | undefined;
        const outcome = status === 200 ? String(meta?.['via']) : String(body['upstream']);
        answered.set(outcome, (answered.get(outcome) ?? 0) + 1);
      }),
    );
    await service.untilQueueIdle();
    for (const { shop, forbidden } of played) {
      const asked = shops.requests(shop.origin);
      const kind = `${shop.speaks} ${shop.trouble === null ? 'open' : 'troubled'}`;
      totals.set(kind, (totals.get(kind) ?? 0) + asked.length);
      // One lookup, and the same page once more in the background if it was stale; each may ask for the profile of the day.
      const most = shop.speaks === 'ucp' ? 6 : 4;
      assert.ok(asked.length <= most, `day ${day}: ${asked.join(' ')}`);
      const wrong = asked.filter((path) => forbidden.some((each) => path.startsWith(each)));
      assert.deepEqual(wrong, [], `day ${day} of ${shop.origin}`);
    }
    clock.advance(DAY_MS + MINUTE_MS);
  }
  /** Requests a day of an open shop, of which there are four of each kind. */
  const perDay = (kind: string): number => (totals.get(`${kind} open`) ?? 0) / (4 * DAYS);
  return { answered, perDay, shown: JSON.stringify([[...totals], [...answered]]) };
}

test('in a month no shop gets more than two requests a lookup, and none that it forbids', async () => {
  const { answered, perDay, shown } = await playMonth(['store_api', 'product_json', 'nothing'], {});
  for (const door of ['store_api', 'product_json', 'page', 'robots_disallowed']) {
    assert.ok((answered.get(door) ?? 0) > 0, shown);
  }
  assert.ok(perDay('store_api') < 1.3, shown);
  assert.ok(perDay('product_json') <= 2.1, shown);
});

test('in a month a shop with a UCP catalogue gets its daily profile and two requests a lookup', async () => {
  const env = { OPENSHELF_AGENT_PROFILE: 'https://agent.example/.well-known/ucp' };
  const { answered, perDay, shown } = await playMonth(['ucp'], env);
  for (const door of ['ucp', 'page', 'robots_disallowed']) {
    assert.ok((answered.get(door) ?? 0) > 0, shown);
  }
  assert.ok(perDay('ucp') <= 3.1, shown);
});
