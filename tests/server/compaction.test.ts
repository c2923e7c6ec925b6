// Answers are the same before and after compaction of the price history.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, dayOf } from '../../src/base/clock.ts';
import { compact } from '../../src/answer/indexer/compaction.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { startService } from '../support/service.ts';
import { insertObservation } from '../../src/data/history/recent-observations.ts';

test('record, bars and history are the same before and after compaction', async () => {
  await using service = await startService({ withRetailers: true });
  const { sql } = service.app.store;
  const { item_id: itemId } = service.sandbox.describe();
  assert.equal((await service.lookup(itemId)).status, 200);
  // Other retailers are read in the background, and then seen too.
  await service.untilQueueIdle();
  const today = Math.floor(Date.now() / DAY_MS);
  // Three prices a day, a glitch and a day without stock among them, over the turn of a year.
  const past = Array.from({ length: 1_200 }, (_, at) => ({
    listingId: listingIdOf('retailer_w', itemId),
    observedAtMs: (today - 1 - Math.floor(at / 3)) * DAY_MS + (at % 3) * 5 * 3_600_000,
    price: { cents: at === 100 ? 199_900 : 1_900 + (at % 17), currency: 'USD' },
    inStock: at % 40 !== 0,
  }));
  await sql.write(past.map(insertObservation));
  const shown = async () => {
    const { body } = await service.lookup(itemId, '?include_price_series=true');
    const pages = [];
    for (const query of ['timeframe=all', 'timeframe=30d', 'timeframe=1y&retailer=all']) {
      pages.push((await service.get(`/v1/products/${itemId}/history?${query}`)).body);
    }
    const parts = [body['price_history'], body['stats'], body['current_price'], pages];
    return JSON.stringify(parts).replaceAll(/"(?:tokens_\w+|request_id)":[^,}]+/g, '');
  };
  const before = await shown();
  assert.match(before, /"excluded_count":[1-9]/);
  const { signal } = new AbortController();
  const pause = () => Promise.resolve();
  const parts = {
    sql,
    retention: { observationDays: null, barYears: null },
    today: dayOf(Date.now()),
    signal,
    pause,
  };
  const { compacted } = await compact(parts);
  assert.equal(compacted, 1_200 - 3 * 3);
  assert.equal(await shown(), before);
});
