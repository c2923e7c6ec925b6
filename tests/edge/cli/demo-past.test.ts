// The past that the demo writes: 120 days of prices that look like those of shops, which do not change every day.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { insertDemoPast } from '../../../src/edge/cli/sandbox/demo-past.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { listingViewAt } from '../../../sandbox/market/listing-view.ts';
import { startService } from '../../support/service.ts';

type Seen = {
  readonly retailer: string;
  readonly observed_at: string;
  readonly price: number | null;
};

test('in the past of the demo each shop has a price or none for each of 120 days, keeps it for days, and ends with what it asks now', async () => {
  await using service = await startService({ withRetailers: true });
  const { upc } = service.sandbox.describe();
  const market = service.sandbox.market();
  const nowMs = Date.now();
  const gtins = await insertDemoPast(service.app.store.sql, market, upc, nowMs);
  assert.equal(gtins.length, 10);
  const product = market.productOf(gtins[0] ?? '');
  assert.ok(product !== null);
  const past = await service.get(`/v1/products/${upc}/history?retailer=all&timeframe=all`);
  for (const slug of KNOWN_SLUGS) {
    const [listing] = market.listingsOf(slug, product);
    assert.ok(listing !== undefined, slug);
    const { cents, inStock } = listingViewAt(market, listing, nowMs);
    const [newest] = (past.body['observations'] as readonly Seen[]).filter(
      ({ retailer }) => retailer === slug,
    );
    assert.equal(newest?.price, cents === null || !inStock ? null : cents / 100, slug);
  }
  // The next day's demo over the same data adds a day and contradicts none.
  await insertDemoPast(service.app.store.sql, market, upc, nowMs + 86_400_000);
  const { body } = await service.get(`/v1/products/${upc}/history?retailer=all&timeframe=all`);
  const seen = body['observations'] as readonly Seen[];
  for (const slug of KNOWN_SLUGS) {
    const prices = seen.filter(({ retailer }) => retailer === slug).map(({ price }) => price);
    assert.equal(prices.length, 121, slug);
    const changes = prices.filter((price, at) => at > 0 && price !== prices[at - 1]).length;
    assert.ok(changes >= 3 && changes <= 121 / 5 + 1, `${slug} changed ${changes} times`);
  }
});
