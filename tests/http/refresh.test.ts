import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { HOUR_MS } from '../../src/core/clock.ts';
import { RefreshRecord } from '../../src/wire/refresh.ts';
import { startService, type Answer, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const clock = shiftedClock();
let service: Service;

before(async () => {
  service = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

const refresh = (id: string, query = ''): Promise<Answer> =>
  service.post(`/v1/products/${encodeURIComponent(id)}/refresh${query}`);

function recordOf(answer: Answer): RefreshRecord {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return RefreshRecord.parse(answer.body);
}

/** Hosts that were asked for anything but robots.txt. */
async function hostsAskedBy(call: () => Promise<unknown>): Promise<readonly string[]> {
  await service.worked();
  const from = service.sandbox.requests().length;
  await call();
  const asked = service.sandbox.requests().slice(from);
  return [
    ...new Set(asked.filter(({ path }) => path !== '/robots.txt').map(({ origin }) => origin)),
  ];
}

test('a full refresh fetches, costs 9 and carries offers, reviews, days and the figures of 30 days', async () => {
  const { upc } = service.sandbox.describe();
  const before_ = await service.lookup(upc);
  clock.advance(HOUR_MS);
  const record = recordOf(await refresh(upc));
  assert.equal(record.tokens_consumed, 9);
  const refreshedAt = String(
    (before_.body['_freshness'] as Record<string, string>)['refreshed_at'],
  );
  assert.ok(record._freshness.refreshed_at > refreshedAt);
  assert.ok((record.offers ?? []).length > 0);
  assert.equal(record.offers_count, record.offers?.length);
  assert.ok(record.reviews !== undefined && record.review_summary !== null);
  const [bar] = record.price_history ?? [];
  assert.ok(bar !== undefined);
  assert.equal(bar.date, new Date(clock.now()).toISOString().slice(0, 10));
  const { stats } = record;
  assert.ok(stats !== undefined && stats.windows['30d'] !== null);
  assert.deepEqual(
    [stats.low_30d, stats.high_30d, stats.avg_30d],
    [stats.windows['30d'].low, stats.windows['30d'].high, stats.windows['30d'].average],
  );
});

test('without offers and reviews it costs 4 and shows neither', async () => {
  const { item_id } = service.sandbox.describe();
  const record = recordOf(await refresh(item_id, '?include_offers_reviews=false'));
  assert.equal(record.tokens_consumed, 4);
  assert.ok(!('offers' in record) && !('reviews' in record));
  assert.ok('review_summary' in record);
});

test('live offers alone cost what offers with reviews cost', async () => {
  const { item_id } = service.sandbox.describe();
  const query = '?include_offers_reviews=false&include_offers=true';
  const record = recordOf(await refresh(item_id, query));
  assert.equal(record.tokens_consumed, 9);
  assert.ok('offers' in record && !('reviews' in record));
});

test('only the retailer that anchors the record is asked; retailer= chooses another', async () => {
  const { upc } = service.sandbox.describe();
  await service.lookup(upc);
  const query = '?include_offers_reviews=false';
  const [ofW, ...more] = await hostsAskedBy(async () => recordOf(await refresh(upc, query)));
  assert.deepEqual(more, []);
  const [ofB, ...others] = await hostsAskedBy(async () => {
    const record = recordOf(await refresh(upc, `${query}&retailer=retailer_b`));
    assert.equal(record._meta.price_source, 'retailer_b');
  });
  assert.deepEqual(others, []);
  assert.ok(ofW !== undefined && ofB !== undefined && ofW !== ofB);
});

test('include_force_refresh on the lookup fetches, adds 3 and keeps the shape of the record', async () => {
  const { upc } = service.sandbox.describe();
  await service.lookup(upc);
  clock.advance(HOUR_MS);
  const asked = await hostsAskedBy(async () => {
    const { status, body } = await service.lookup(upc, '?include_force_refresh=true');
    assert.equal(status, 200);
    assert.equal(body['tokens_consumed'], 4);
    assert.ok(!Array.isArray(body['price_history']));
    const { refreshed_at: at } = body['_freshness'] as { refreshed_at: string };
    assert.ok(Date.parse(at) >= clock.now() - HOUR_MS / 2);
  });
  assert.equal(asked.length, 1);
});

test('both ways of forcing at once are refused, and so is a forced identifier of retailer_b', async () => {
  const { upc, retailer_b_sku, retailer_b_product_id } = service.sandbox.describe();
  const both = await service.lookup(
    upc,
    '?retailer=retailer_w&force_refresh=true&include_force_refresh=true',
  );
  assert.deepEqual([both.status, both.body['code']], [400, 'invalid_parameter']);
  for (const id of [retailer_b_sku, retailer_b_product_id]) {
    for (const answer of [
      await refresh(id),
      await service.lookup(id, '?include_force_refresh=true'),
    ]) {
      assert.deepEqual([answer.status, answer.body['code']], [400, 'bare_identifier_required'], id);
      assert.equal(answer.body['tokens_consumed'], 0);
    }
  }
  const { url } = service.sandbox.describe().retailers.retailer_b;
  const record = recordOf(await refresh(url, '?include_offers_reviews=false'));
  assert.equal(record._meta.price_source, 'retailer_b');
});

test('parameters of a forced fetch are not taken a second time, and a body is refused', async () => {
  const { upc } = service.sandbox.describe();
  for (const name of ['force_refresh', 'include_force_refresh']) {
    const { status, body } = await refresh(upc, `?${name}=true`);
    assert.deepEqual([status, body['code']], [400, 'unknown_parameter']);
  }
  const answer = await fetch(`${service.url}/v1/products/${upc}/refresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 413);
});

test('a key without the scope is 403 before anything is fetched', async () => {
  const scopes = ['products:read'] as const;
  const key = await service.newKey({ organization: 'readers', note: null, scopes });
  const { upc } = service.sandbox.describe();
  const asked = await hostsAskedBy(async () => {
    const answer = await service.post(`/v1/products/${upc}/refresh`, {
      authorization: `Bearer ${key}`,
    });
    assert.deepEqual([answer.status, answer.body['code']], [403, 'insufficient_scope']);
    const flag = await service.get(`/v1/products/${upc}?include_force_refresh=true`, {
      authorization: `Bearer ${key}`,
    });
    assert.equal(flag.status, 403);
  });
  assert.deepEqual(asked, []);
});

test('it never answers with what is held: with the shops down it is 503, unbilled', async () => {
  await using other = await startService({ clock, withRetailers: true });
  const { upc } = other.sandbox.describe();
  const first = await other.lookup(upc);
  assert.equal(first.status, 200);
  await other.sandbox.close();
  const answers = [
    await other.post(`/v1/products/${upc}/refresh`),
    await other.post(`/v1/products/${upc}/refresh?include_offers_reviews=false`),
    await other.lookup(upc, '?include_force_refresh=true'),
    await other.lookup(upc, '?retailer=retailer_w&force_refresh=true'),
  ];
  for (const { status, headers, body } of answers) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(body['tokens_consumed'], 0);
    assert.equal(body['tokens_remaining'], first.body['tokens_remaining']);
  }
  assert.equal((await other.lookup(upc)).status, 200, 'an ordinary lookup still answers');
});
