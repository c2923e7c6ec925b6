import assert from 'node:assert/strict';

import { DAY_MS, HOUR_MS } from '../../../../src/base/clock.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { readAt } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

/** Repeats the check until it holds; a limit keeps a failure from hanging. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 300; round += 1) if (await holds()) return;
  assert.fail(`never: ${what}`);
}

proves(
  'D25b D38a D38b',
  'younger than a day is served as it is; older is served at once and renewed in the background',
  async () => {
    const { item_id: id } = contract.world;
    // After the first answer all retailers are queried for the barcode, its own included; after the second, guesses are
    // judged by what the others confirmed (D56).
    for (let round = 0; round < 2; round += 1) {
      await contract.record(id);
      await contract.untilQueueIdle();
      contract.clock.advance(2 * 60_000);
    }
    const first = readAt(await contract.record(id));
    contract.clock.advance(23 * HOUR_MS);
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    assert.equal(readAt(await contract.record(id)), first);
    assert.equal(contract.sandbox.requestCount(), asked, 'no retailer was asked');
    contract.clock.advance(2 * HOUR_MS);
    assert.equal(readAt(await contract.record(id)), first, 'only a fetch renews the stamp');
    await until('a fetch behind the answer', async () => readAt(await contract.record(id)) > first);
  },
);

proves(
  'D38c',
  'after 14 days it is read before the answer, and served as stored when that fails',
  async () => {
    const { url } = contract.world.retailers.retailer_h;
    const first = readAt(await contract.record(url));
    contract.clock.advance(15 * DAY_MS);
    const second = readAt(await contract.record(url));
    assert.ok(second > first);
    contract.clock.advance(15 * DAY_MS);
    contract.sandbox.disturb('retailer_h', 'down');
    try {
      assert.equal(readAt(await contract.record(url)), second);
      refused(
        await contract.lookup(url, '?retailer=retailer_h&force_refresh=true'),
        503,
        'upstream_unavailable',
      );
    } finally {
      contract.sandbox.disturb('retailer_h', null);
    }
  },
);

proves('D38d', 'what no retailer has is not asked for again within a day', async () => {
  const unknown = '4006381333931';
  refused(await contract.lookup(unknown), 404, 'not_found');
  contract.clock.advance(23 * HOUR_MS);
  // Jobs still queued for other products do not count as requests for this one.
  await contract.untilQueueIdle();
  const asked = contract.sandbox.requestCount();
  refused(await contract.lookup(unknown), 404, 'not_found');
  assert.equal(contract.sandbox.requestCount(), asked);
  contract.clock.advance(2 * HOUR_MS);
  refused(await contract.lookup(unknown), 404, 'not_found');
  assert.ok(contract.sandbox.requestCount() > asked);
});

proves(
  'PA-21 PA-23 CO-09 D19i D20e',
  'force_refresh reads again, now, at the price of the lookup',
  async () => {
    for (const [id, slug] of [
      [contract.world.gtin, 'retailer_w'],
      [contract.world.gtin, 'retailer_b'],
      [contract.world.asin, 'retailer_a'],
      [contract.world.retailers.retailer_b.url, 'retailer_b'],
    ] as const) {
      const first = await contract.record(id, `?retailer=${slug}`);
      await contract.untilQueueIdle();
      const asked = contract.sandbox.requestCount();
      const answer = await contract.lookup(id, `?retailer=${slug}&force_refresh=true`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.ok(contract.sandbox.requestCount() > asked, slug);
      assert.ok(readAt(answer.body) > readAt(first), slug);
      assert.equal(answer.body['tokens_consumed'], 1);
      assert.equal(at(answer.body, '_meta.price_source'), slug);
      assert.match(answer.headers.get('ratelimit') ?? '', /"force-refresh";r=\d+/);
    }
  },
);

proves(
  'RR-04 D13d',
  'a retailer_b page address can be forced, its bare numbers cannot',
  async () => {
    const { retailer_b_product_id: id, retailer_b_sku: sku, retailers } = contract.world;
    const query = '?retailer=retailer_b&force_refresh=true';
    for (const bare of [id, sku]) {
      refused(await contract.lookup(bare, query), 400, 'bare_identifier_required');
    }
    await contract.record(retailers.retailer_b.url, query);
  },
);
