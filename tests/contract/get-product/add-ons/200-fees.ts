import assert from 'node:assert/strict';

import { at, contractService } from '../../support/contract-service.ts';
import { holdItem } from '../../support/held.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const cents = (usd: unknown) => Math.round(Number(usd) * 100);
const FEES = ['referral_fee_usd', 'fulfillment_fee_usd'] as const;

proves(
  'PR-25 D44a',
  'both fees stand in the base call, of the anchor’s card at the price that is shown',
  async () => {
    const { retailers } = contract.world;
    const ofA = await contract.record(retailers.retailer_a.url);
    assert.equal(ofA['tokens_consumed'], 1);
    const price = cents(ofA['buybox_price']);
    assert.equal(cents(ofA['referral_fee_usd']), Math.max(30, Math.round(price * 0.15)));
    assert.ok(Number(ofA['fulfillment_fee_usd']) > 2);
    const ofW = await contract.record(retailers.retailer_w.url);
    assert.equal(cents(ofW['referral_fee_usd']), Math.round(cents(ofW['buybox_price']) * 0.15));
  },
);

proves('PR-26', 'fees are the item’s, whoever sells it', async () => {
  const { retailers } = contract.world;
  const plain = await contract.record(retailers.retailer_w.url);
  const offers = await contract.record(retailers.retailer_w.url, '?include_offers=true');
  for (const name of FEES) assert.equal(offers[name], plain[name], name);
  for (const offer of offers['offers'] as readonly object[]) {
    for (const name of FEES) assert.ok(!(name in offer));
  }
});

proves('D44b', 'first-party retailers and other shops have no fees', async () => {
  const { retailers, url } = contract.world;
  const pages = (['retailer_l', 'retailer_t', 'retailer_b', 'retailer_h'] as const).map(
    (slug) => retailers[slug].url,
  );
  for (const page of [...pages, url.json_ld]) {
    const record = await contract.record(page, '?include_fee_breakdown=true');
    assert.deepEqual(
      [...FEES, 'fee_breakdown'].map((name) => record[name]),
      [null, null, null],
      page,
    );
  }
});

proves('D44c D23a', 'without a category there is no fee', async () => {
  const facts = { price: { cents: 2_500, currency: 'USD' }, inStock: true, weightLbs: 2 };
  const bare = await contract.record(await holdItem(contract, '910000600', facts));
  assert.deepEqual(
    FEES.map((name) => bare[name]),
    [null, null],
  );
  const categories = ['Home', 'Kitchen'];
  const id = await holdItem(contract, '910000601', { ...facts, categories });
  const known = await contract.record(id);
  assert.equal(cents(known['referral_fee_usd']), 375);
});

proves('D44a D28a', 'the fee is that of the price, and null without one', async () => {
  const facts = { inStock: true, categories: ['Home', 'Kitchen'], weightLbs: 2 };
  const ids = [
    await holdItem(contract, '910000602', { ...facts, price: { cents: 10_000, currency: 'USD' } }),
    await holdItem(contract, '910000603', {
      ...facts,
      inStock: false,
      price: { cents: 10_000, currency: 'USD' },
    }),
  ];
  const shown = [];
  for (const id of ids) shown.push((await contract.record(id))['referral_fee_usd']);
  assert.deepEqual(shown, [15, null]);
});

proves(
  'D44d PR-29',
  'the breakdown is free, stands when asked for, and lists what is left out',
  async () => {
    const { url } = contract.world.retailers.retailer_a;
    assert.ok(!('fee_breakdown' in (await contract.record(url))));
    const record = await contract.record(url, '?include_fee_breakdown=true');
    assert.equal(record['tokens_consumed'], 1);
    assert.equal(at(record, 'fee_breakdown.fee_base_usd'), record['buybox_price']);
    assert.equal(at(record, 'fee_breakdown.referral.fee_usd'), record['referral_fee_usd']);
    const left = at(record, 'fee_breakdown.not_included') as readonly Record<string, unknown>[];
    assert.ok(left.some(({ name }) => String(name).startsWith('fuel')));
  },
);

proves('D44e', 'retailer_e has no fulfilment fee, and its breakdown counts no tax', async () => {
  const { url } = contract.world.retailers.retailer_e;
  const record = await contract.record(url, '?include_fee_breakdown=1');
  assert.ok(Number(record['referral_fee_usd']) > 0);
  assert.equal(record['fulfillment_fee_usd'], null);
  const taken = at(record, 'fee_breakdown.assumptions') as readonly Record<string, unknown>[];
  assert.ok(taken.some(({ name }) => name === 'tax_zero'));
});

proves('D14d', 'the rate cards are free with a key', async () => {
  const body = await contract.ok('/v1/rate-cards');
  assert.equal(body['tokens_consumed'], 0);
  assert.ok((body['rate_cards'] as readonly unknown[]).length > 3);
});

proves('D44a D44d', 'clothing is charged its adder, and says so', async () => {
  const id = await holdItem(contract, '910000604', {
    price: { cents: 3_000, currency: 'USD' },
    inStock: true,
    categories: ['Clothing', 'Mens Clothing'],
    weightPackageLbs: 2,
    dimensionsPackage: { heightIn: 2, widthIn: 9, lengthIn: 12 },
  });
  const record = await contract.record(id, '?include_fee_breakdown=true');
  const adders = at(record, 'fee_breakdown.fulfillment.adders') as readonly unknown[];
  assert.equal(adders.length, 1, JSON.stringify(record['fee_breakdown']));
});

proves('D44a', 'fees of a day are those of the card in force that day', async () => {
  const past = Date.parse('2025-12-20T12:00:00Z') - contract.clock.now();
  contract.clock.advance(past);
  const { url } = contract.world.retailers.retailer_a;
  const record = await contract.record(url, '?include_fee_breakdown=true&retailer=retailer_a');
  const ends = ['referral', 'fulfillment'].map((name) =>
    at(record, `fee_breakdown.${name}.card.effective_to`),
  );
  contract.clock.advance(-past);
  assert.ok(
    ends.some((end) => end === '2026-01-14'),
    JSON.stringify(ends),
  );
});
