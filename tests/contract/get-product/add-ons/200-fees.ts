import assert from 'node:assert/strict';

import { RATE_CARDS } from '../../../../src/rules/fees/rate-cards.ts';
import { RateCardList } from '../../../../src/answer/wire/installation/rate-cards.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { storeItem } from '../../support/store-item.ts';
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

proves('PR-26', 'fees belong to the item and are the same for every seller', async () => {
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
  const bare = await contract.record(await storeItem(contract, '910000600', facts));
  assert.deepEqual(
    FEES.map((name) => bare[name]),
    [null, null],
  );
  const categories = ['Home', 'Kitchen'];
  const id = await storeItem(contract, '910000601', { ...facts, categories });
  const known = await contract.record(id);
  assert.equal(cents(known['referral_fee_usd']), 375);
});

proves('D44a D28a', 'the fee is that of the price, and null without one', async () => {
  const facts = { inStock: true, categories: ['Home', 'Kitchen'], weightLbs: 2 };
  const ids = [
    await storeItem(contract, '910000602', { ...facts, price: { cents: 10_000, currency: 'USD' } }),
    await storeItem(contract, '910000603', {
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
    for (const unasked of ['', '?include_history=false']) {
      assert.ok(!('fee_breakdown' in (await contract.record(url, unasked))));
    }
    const record = await contract.record(url, '?include_fee_breakdown=true');
    assert.equal(record['tokens_consumed'], 1);
    assert.equal(at(record, 'fee_breakdown.fee_base_usd'), record['buybox_price']);
    assert.equal(at(record, 'fee_breakdown.referral.fee_usd'), record['referral_fee_usd']);
    const left = at(record, 'fee_breakdown.not_included') as readonly Record<string, unknown>[];
    const fuel = left.find(({ name }) => String(name).startsWith('fuel'));
    const share = Math.floor((cents(record['fulfillment_fee_usd']) * 350 + 5_000) / 10_000);
    assert.equal(cents(fuel?.['usd']), share);
    for (const [field, value] of [
      ['category.key', 'home_kitchen'],
      ['referral.card.id', 'retailer_a.referral.2026'],
      ['fulfillment.fee_usd', record['fulfillment_fee_usd']],
      ['fulfillment.unknown_because', null],
      ['fulfillment.weight_of', 'package'],
    ] as const) {
      assert.equal(at(record, `fee_breakdown.${field}`), value, field);
    }
    assert.match(String(at(record, 'fee_breakdown.fulfillment.card.source')), /retailer_a/);
    assert.ok(Number(at(record, 'fee_breakdown.fulfillment.billed_weight_lbs')) > 0);
  },
);

proves('D44e', 'retailer_e has no fulfilment fee, and its breakdown counts no tax', async () => {
  const { url } = contract.world.retailers.retailer_e;
  const record = await contract.record(url, '?include_fee_breakdown=1');
  const price = cents(record['current_price']);
  const order = price > 1_000 ? 40 : 30;
  const share = Math.floor((price * 1_360 + 5_000) / 10_000);
  assert.equal(cents(record['referral_fee_usd']), share + order);
  assert.equal(at(record, 'fee_breakdown.fulfillment.unknown_because'), 'no_fulfillment_program');
  assert.equal(at(record, 'fee_breakdown.fulfillment.card'), null);
  assert.equal(record['fulfillment_fee_usd'], null);
  const taken = at(record, 'fee_breakdown.assumptions') as readonly Record<string, unknown>[];
  assert.ok(taken.some(({ name }) => name === 'tax_zero'));
});

proves('D14d', 'the rate cards are free with a key', async () => {
  const body = await contract.ok('/v1/rate-cards');
  assert.equal(body['tokens_consumed'], 0);
  const { rate_cards: cards } = RateCardList.parse(body);
  assert.deepEqual(
    cards.map(({ id }) => id),
    RATE_CARDS.map(({ id }) => id),
  );
  for (const card of cards) {
    assert.ok(card.source.length > 10 && card.effective_from < '2026-02');
    assert.equal(card.categories === null, card.kind === 'fulfillment');
  }
  const byId = new Map(cards.map((card) => [card.id, card]));
  const old = byId.get('retailer_a.fba.2024-04-15');
  assert.deepEqual([old?.in_force, old?.effective_to], [false, '2026-01-14']);
  assert.equal(byId.get('retailer_e.fvf.store.2025-02')?.used_for_records, false);
  const surcharges = byId.get('retailer_a.fba.2026-01-15')?.not_included ?? [];
  assert.ok(surcharges.some(({ name, from }) => name === 'holiday peak' && from === '2026-10-15'));
  const art = byId
    .get('retailer_a.referral.2026')
    ?.categories?.find(({ key }) => key === 'fine_art');
  assert.deepEqual(art, {
    key: 'fine_art',
    name: 'Fine art',
    mode: 'marginal',
    tiers: [
      { from_usd: null, up_to_usd: 100, rate_percent: 20 },
      { from_usd: null, up_to_usd: 1000, rate_percent: 15 },
      { from_usd: null, up_to_usd: 5000, rate_percent: 10 },
      { from_usd: null, up_to_usd: null, rate_percent: 5 },
    ],
    minimum_usd: 0,
    closing_fee_usd: 0,
  });
});

proves('D44a D44d', 'clothing is charged its adder, and says so', async () => {
  const id = await storeItem(contract, '910000604', {
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

proves(
  'CL-12 PA-09 D44a RF-03',
  'each cell has the fees of its own card, the anchor’s those of the record; a refresh has them too',
  async () => {
    const { gtin, asin, item_id: itemId } = contract.world;
    await contract.record(itemId);
    const own = await contract.record(asin);
    const record = await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any');
    assert.equal(at(record, '_meta.price_source'), 'retailer_w');
    for (const [slug, fees] of [
      ['retailer_w', record],
      ['retailer_a', own],
    ] as const) {
      for (const name of FEES) {
        const shown = at(record, `cross_retailer.${slug}.seller_context.${name}`);
        assert.equal(shown, fees[name], `${slug} ${name}`);
      }
    }
    assert.ok(own['fulfillment_fee_usd'] !== null);
    const { body } = await contract.refresh(asin, '?include_fee_breakdown=true');
    assert.ok(body['fee_breakdown']);
    assert.equal(body['fulfillment_fee_usd'], own['fulfillment_fee_usd']);
  },
);

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
