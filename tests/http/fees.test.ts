// Fees through the whole service: the two fields of the record, their breakdown, and the cards (D14, D44).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { RATE_CARDS } from '../../src/fees/rate-cards.ts';
import { KNOWN_SLUGS, RETAILERS, type KnownSlug } from '../../src/core/retailer.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { RateCardList } from '../../src/wire/rate-cards.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService({ withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** The address of an ordinary listing in stock; the simulated market opens with a thing for the house. */
const pageAt = (slug: KnownSlug) => service.sandbox.describe().retailers[slug].url;

async function recordOf(slug: KnownSlug, query = '?include_fee_breakdown=true') {
  const { status, body } = await service.lookup(pageAt(slug), query);
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

const cents = (usd: number | null | undefined) => Math.round((usd ?? Number.NaN) * 100);
const share = (usd: number | null, basisPoints: number) =>
  Math.floor((cents(usd) * basisPoints + 5_000) / 10_000);

test('the record of a marketplace has both fees of the price that it shows', async () => {
  const atW = await recordOf('retailer_w');
  assert.equal(cents(atW.referral_fee_usd), share(atW.current_price, 1500));
  const atA = await recordOf('retailer_a');
  assert.equal(cents(atA.referral_fee_usd), Math.max(30, share(atA.current_price, 1500)));
  assert.ok((atA.fulfillment_fee_usd ?? 0) > 2);
  const atE = await recordOf('retailer_e');
  const order = cents(atE.current_price) > 1000 ? 40 : 30;
  assert.equal(cents(atE.referral_fee_usd), share(atE.current_price, 1360) + order);
  assert.equal(atE.fulfillment_fee_usd, null);
});

test('the breakdown says what led to the fees, and costs nothing', async () => {
  const { fee_breakdown: told, ...record } = await recordOf('retailer_a');
  assert.ok(told);
  assert.equal(record.tokens_consumed, 1);
  assert.equal(told.fee_base_usd, record.buybox_price);
  assert.equal(told.referral.fee_usd, record.referral_fee_usd);
  assert.equal(told.fulfillment.fee_usd, record.fulfillment_fee_usd);
  assert.equal(told.category?.key, 'home_kitchen');
  assert.equal(told.referral.card?.id, 'retailer_a.referral.2026');
  assert.match(told.fulfillment.card?.source ?? '', /retailer_a/);
  assert.equal(told.fulfillment.unknown_because, null);
  assert.ok((told.fulfillment.billed_weight_lbs ?? 0) > 0);
  assert.equal(told.fulfillment.weight_of, 'package');
  const fuel = told.not_included.find(({ name }) => name.startsWith('fuel'));
  assert.equal(cents(fuel?.usd), share(record.fulfillment_fee_usd, 350));
});

test('retailer_e’s breakdown says that the tax is taken as 0', async () => {
  const { fee_breakdown: told } = await recordOf('retailer_e');
  assert.ok(told);
  assert.ok(told.assumptions.some(({ name }) => name === 'tax_zero'));
  assert.equal(told.fulfillment.unknown_because, 'no_fulfillment_program');
  assert.equal(told.fulfillment.card, null);
});

test('without being asked for, the breakdown does not stand in the record', async () => {
  for (const query of ['', '?include_fee_breakdown=false']) {
    assert.ok(!('fee_breakdown' in (await recordOf('retailer_w', query))));
  }
  const { status, body } = await service.lookup(pageAt('retailer_w'), '?include_fee_breakdown=yes');
  assert.deepEqual([status, body['code']], [400, 'invalid_parameter']);
});

test('first-party retailers and other shops have no fees', async () => {
  for (const slug of KNOWN_SLUGS.filter((each) => !RETAILERS[each].marketplace)) {
    const record = await recordOf(slug);
    assert.deepEqual(
      [record.referral_fee_usd, record.fulfillment_fee_usd, record.fee_breakdown],
      [null, null, null],
      slug,
    );
  }
  const shop = await service.lookup(
    service.sandbox.describe().url.json_ld,
    '?include_fee_breakdown=1',
  );
  assert.deepEqual([shop.body['referral_fee_usd'], shop.body['fee_breakdown']], [null, null]);
});

test('GET /v1/rate-cards lists every card with its dates, source and what it leaves out', async () => {
  const { status, body } = await service.get('/v1/rate-cards');
  assert.equal(status, 200);
  const { rate_cards: cards, tokens_consumed } = RateCardList.parse(body);
  assert.equal(tokens_consumed, 0);
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

test('each cell has the fees of its own card, the anchor’s the record’s; the refresh tells them too', async () => {
  const market = service.sandbox.market();
  const product = market.catalog.find(({ isReliable }) => isReliable);
  assert.ok(product);
  for (const slug of ['retailer_w', 'retailer_a'] as const) {
    const [listing] = market.listingsOf(slug, product);
    assert.equal((await service.lookup(listing?.id ?? '')).status, 200, slug);
  }
  const query = '?include_cross_retailer=true&identifier_match=any';
  const { body } = await service.lookup(product.gtin14, query);
  const record = ProductRecord.parse(body);
  const contextOf = (slug: KnownSlug) => record.cross_retailer?.[slug]?.seller_context;
  assert.equal(record._meta.price_source, 'retailer_w');
  const atW = contextOf('retailer_w');
  assert.ok(atW);
  assert.ok(atW.referral_fee_usd !== null);
  assert.deepEqual(
    [atW.referral_fee_usd, atW.fulfillment_fee_usd],
    [record.referral_fee_usd, record.fulfillment_fee_usd],
  );
  const [asin] = market.listingsOf('retailer_a', product);
  const own = ProductRecord.parse((await service.lookup(asin?.id ?? '')).body);
  const atA = contextOf('retailer_a');
  assert.ok(atA);
  assert.ok(atA.fulfillment_fee_usd !== null);
  assert.deepEqual(
    [atA.referral_fee_usd, atA.fulfillment_fee_usd],
    [own.referral_fee_usd, own.fulfillment_fee_usd],
  );
  for (const slug of ['retailer_b', 'retailer_h'] as const) assert.equal(contextOf(slug), null);

  const path = `/v1/products/${asin?.id ?? ''}/refresh?include_fee_breakdown=true`;
  const refreshed = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
  });
  assert.equal(refreshed.status, 200);
  const told = (await refreshed.json()) as Record<string, unknown>;
  assert.ok(told['fee_breakdown']);
  assert.equal(told['fulfillment_fee_usd'], own.fulfillment_fee_usd);
});
