import assert from 'node:assert/strict';

import { DAY_MS } from '../../../src/base/clock.ts';
import { sellerTruth } from '../../../sandbox/market/market-truth.ts';
import { at, contractService } from '../support/contract-service.ts';
import { one, readAt } from '../support/market.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

async function profileOf(id: string): Promise<Record<string, unknown>> {
  const body = await contract.ok(`/v1/sellers/${id}`);
  assert.equal(body['tokens_consumed'], 2);
  return body;
}

proves(
  'OV-04 SE-01 SE-02 SE-03 SE-04 SE-05 SE-08 SE-09 SE-10 SE-12 SE-13 ES-01 ES-02 D32c LI-06',
  'a seller that an offer named is profiled as it is, under both its ids, in any case',
  async () => {
    const { seller_item_id: item, seller_id: id, catalog_seller_id: number } = contract.world;
    const record = await contract.record(item ?? '', '?include_offers=true');
    const offers = record['offers'] as readonly Record<string, unknown>[];
    const offer = offers.find((each) => each['seller_id_hex'] === id);
    assert.equal(offer?.['seller_id'], number);
    const seller = contract.sandbox
      .market()
      .sellers('retailer_w')
      .find((each) => each.id === id);
    assert.ok(seller !== undefined);
    const truth = sellerTruth(seller);
    const profile = await profileOf(String(offer?.['seller_id']));
    for (const name of [
      'seller_id',
      'seller_name',
      'rating',
      'rating_count',
      'active_listings',
      'pro_seller',
    ]) {
      assert.deepEqual(profile[name], truth[name], name);
    }
    assert.equal(String(profile['seller_id']).length, 32);
    assert.deepEqual(profile['location'], truth['location']);
    for (const name of ['city', 'state', 'postal_code', 'country']) {
      assert.equal(typeof at(profile, `location.${name}`), 'string', name);
    }
    assert.equal(profile['seller_type'], 'EXTERNAL');
    assert.match(String(profile['profile_url']), new RegExp(`/seller/${number}$`));
    for (const each of [id ?? '', String(id).toLowerCase()]) {
      const { tokens_remaining: _, ...same } = await profileOf(each);
      const { tokens_remaining: __, ...wanted } = profile;
      assert.deepEqual(same, wanted);
    }
  },
);

proves('SE-06 SE-11 D32e', 'what no source states of a seller is null', async () => {
  const profile = await profileOf(contract.world.seller_id ?? '');
  for (const name of ['account_age_days', 'categories']) {
    assert.equal(profile[name], null, name);
  }
});

proves('D38e D25b', 'a profile is fresh for seven days', async () => {
  const id = contract.world.seller_id ?? '';
  const first = readAt(await profileOf(id));
  contract.clock.advance(6 * DAY_MS);
  await contract.untilQueueIdle();
  const asked = contract.sandbox.requestCount();
  assert.equal(readAt(await profileOf(id)), first);
  assert.equal(contract.sandbox.requestCount(), asked);
  contract.clock.advance(2 * DAY_MS);
  let renewed = first;
  for (let round = 0; round < 300 && renewed === first; round += 1) {
    renewed = readAt(await profileOf(id));
  }
  assert.ok(renewed > first, 'renewed behind an answer');
});

proves(
  'D32d SE-01 D25b',
  'a seller that a product page named is profiled; callers at the same time share one fetch',
  async () => {
    const listing = one(
      contract,
      'retailer_w',
      ({ buyBox }) =>
        buyBox !== null && !buyBox.isFirstParty && buyBox.seller.id !== contract.world.seller_id,
    );
    const { seller_id: id } = await contract.record(listing.id);
    await contract.untilQueueIdle();
    const asked = contract.sandbox.requestCount();
    const names = await Promise.all(
      [0, 1, 2, 3].map(async () => (await profileOf(String(id)))['seller_id']),
    );
    assert.deepEqual(names, [id, id, id, id]);
    assert.equal(contract.sandbox.requestCount(), asked + 1);
  },
);

proves(
  'D38e D36b',
  'a stored profile is answered while the retailer does not respond, however old',
  async () => {
    const id = contract.world.seller_id ?? '';
    const stored = readAt(await profileOf(id));
    contract.clock.advance(15 * DAY_MS);
    contract.sandbox.disturb('retailer_w', 'broken');
    try {
      assert.equal(readAt(await profileOf(id)), stored);
    } finally {
      contract.sandbox.disturb('retailer_w', null);
    }
    assert.ok(readAt(await profileOf(id)) > stored);
  },
);
