// Offers when no source for the list of all sellers is configured, and when the anchor is at a first-party retailer (D64).

import assert from 'node:assert/strict';

import { HOUR_MS } from '../../../../src/base/clock.ts';
import type { KnownSlug } from '../../../../src/base/retailer.ts';
import { offerTruth } from '../../../../sandbox/market/market-truth.ts';
import { contractService, productPath, refused } from '../../support/contract-service.ts';
import { addressOf, one, offersOf, ordinary, truthAt } from '../../support/market.ts';
import { STATED_IN_RECORD } from '../../../support/stated-offer-facts.ts';
import { proves } from '../../support/proves.ts';

/** A new user's service: only settings that have a default. */
const plain = contractService({ env: { OPENSHELF_RETAILER_W_OFFERS_HASH: 'none' } });
/** With the source for retailer_w's list. */
const contract = contractService();

type Row = Readonly<Record<string, unknown>>;

const rowsIn = (record: Row, name = 'offers') => record[name] as readonly Row[];

/** Items of retailer_w whose buy button belongs to one seller, with others in stock. */
const items = () =>
  ordinary(
    plain,
    'retailer_w',
    ({ offers, buyBox }) =>
      buyBox !== null &&
      offers.filter(({ inStock, condition }) => inStock && condition === 'new').length > 2,
  );

const listsAsked = () =>
  plain.sandbox.requests().filter(({ path }) => path.includes('GetAllSellerOffers')).length;

proves(
  'D64a PA-05 PR-14 PR-15 OF-01',
  'without a source for the list: the offers that the live page states, said to be a part, at the same price',
  async () => {
    const [item] = items();
    assert.ok(item !== undefined);
    await plain.record(item.id);
    plain.clock.advance(3 * HOUR_MS);
    const beganMs = plain.clock.now();
    const record = await plain.record(item.id, '?include_offers=true');
    const [box, other, ...more] = rowsIn(record);
    const facts = truthAt(plain, item, record).facts;
    const wanted = offersOf(plain, item, beganMs).find(({ isBuyBox }) => isBuyBox);
    assert.ok(box !== undefined && wanted !== undefined);
    const answered = offerTruth('retailer_w', wanted);
    for (const name of STATED_IN_RECORD.retailer_w)
      assert.deepEqual(box[name], answered[name], name);
    assert.deepEqual([box['price'], box['is_buy_box']], [answered['price'], true]);
    assert.equal(other?.['price'], facts['secondary_offer_price']);
    assert.deepEqual([other?.['seller_name'], other?.['is_buy_box']], [null, false]);
    assert.deepEqual(more, []);
    assert.equal(record['offers_complete'], false);
    assert.equal(record['offers_retailer'], 'retailer_w');
    assert.equal(record['offers_count'], 2);
    assert.equal(record['total_offers'], facts['offers_count']);
    assert.ok(Number(record['total_offers']) > 2);
    assert.equal(record['tokens_consumed'], 6);
    // The record comes from the same page as the offers.
    const readMs = Date.parse(String((record['_freshness'] as Row)['refreshed_at']));
    assert.ok(readMs >= beganMs, 'fetched during the call');
    assert.equal(record['current_price'], box['price']);
    assert.equal(listsAsked(), 0);
  },
);

proves('D64a D31b', 'calls that wait together share the fetch of the page', async () => {
  const [, item] = items();
  assert.ok(item !== undefined);
  await plain.record(item.id);
  await plain.untilQueueIdle();
  const from = plain.sandbox.requestCount();
  const records = await Promise.all(
    Array.from({ length: 6 }, () => plain.record(item.id, '?include_offers=1')),
  );
  const pages = plain.sandbox.requestCount() - from;
  assert.ok(pages >= 1 && pages < 6, `${pages} fetches for six callers`);
  assert.ok(records.every((record) => rowsIn(record).length > 0));
});

proves(
  'D64b RF-01 D19a D19h',
  'the default refresh needs no setting, and reads the page once',
  async () => {
    const [, , item] = items();
    assert.ok(item !== undefined);
    const from = plain.sandbox.requests().length;
    const { status, body } = await plain.refresh(item.id);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body['offers_complete'], body['offers_retailer']], [false, 'retailer_w']);
    assert.equal(rowsIn(body)[0]?.['price'], body['current_price']);
    assert.equal(body['tokens_consumed'], 9);
    const read = plain.sandbox
      .requests()
      .slice(from)
      .filter(({ path }) => path.startsWith('/ip/'));
    assert.equal(read.length, 1);
  },
);

proves(
  'D64c',
  'a page that cannot be fetched is 503, unbilled, as a source that is configured and fails',
  async () => {
    const [, , , item] = items();
    assert.ok(item !== undefined);
    await plain.record(item.id);
    const left = await plain.left();
    plain.sandbox.disturb('retailer_w', 'down');
    try {
      const answer = await plain.lookup(item.id, '?include_offers=true');
      refused(answer, 503, 'offers_unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    } finally {
      plain.sandbox.disturb('retailer_w', null);
    }
    assert.equal(await plain.left(), left);
    // The page would answer, but this service is configured to request the list.
    const { url } = contract.world.retailers.retailer_w.trouble.offers_unavailable ?? {};
    refused(await contract.lookup(url ?? '', '?include_offers=true'), 503, 'offers_unavailable');
    refused(await contract.refresh(url ?? ''), 503, 'offers_unavailable');
  },
);

proves(
  'D64d D31f',
  'what a page states is archived as a part of the list, and no seller has gone by it',
  async () => {
    const [, , , , item] = items();
    assert.ok(item !== undefined);
    await plain.record(item.id, '?include_offers=true');
    plain.clock.advance(2 * HOUR_MS);
    const again = await plain.record(item.id, '?include_offers=true');
    const record = await plain.record(item.id, '?include_offers_history=true');
    const rows = rowsIn(record, 'offers_history');
    assert.ok(rows.length > rowsIn(again).length);
    assert.ok(rows.every((row) => row['offers_complete'] === false));
    assert.equal(record['offers_count'], null, 'how many there are is not known');
    const whole = one(contract, 'retailer_w', ({ offers }) => offers.length > 3);
    const list = await contract.record(whole.id, '?include_offers=true');
    assert.equal(list['offers_complete'], true);
    const stored = await contract.record(whole.id, '?include_offers_history=true');
    assert.ok(rowsIn(stored, 'offers_history').every((row) => row['offers_complete'] === true));
    assert.equal(stored['offers_count'], rowsIn(list).length);
  },
);

/** A product anchored at a first-party retailer and sold at exactly these marketplaces. */
function anchoredBy(slug: KnownSlug, ...marketplaces: readonly KnownSlug[]) {
  const market = contract.sandbox.market();
  const all = ['retailer_w', 'retailer_a', 'retailer_e'] as const;
  const [listing] = ordinary(contract, slug, ({ inStock }) => inStock).filter(
    ({ product, publishedGtin }) =>
      publishedGtin === product.gtin14 &&
      all.every((each) => {
        const listed = market.listingsOf(each, product);
        const isSound = listed.every((one) => one.publishedGtin === product.gtin14);
        return marketplaces.includes(each) ? listed.length === 1 && isSound : listed.length === 0;
      }),
  );
  assert.ok(listing !== undefined, `${slug} beside ${marketplaces.join(', ')}`);
  return listing;
}

proves(
  'D64e OF-01',
  'where a shop of its own goods anchors, the first marketplace that has the product is asked, and named',
  async () => {
    for (const [slug, asked, others] of [
      ['retailer_b', 'retailer_a', ['retailer_a', 'retailer_e']],
      ['retailer_h', 'retailer_e', ['retailer_e']],
    ] as const) {
      const { product } = anchoredBy(slug, ...others);
      for (const each of others) await contract.record(product.gtin14, `?retailer=${each}`);
      await contract.untilQueueIdle();
      const record = await contract.record(product.gtin14, '?include_offers=true');
      const anchor = String((record['_meta'] as Row)['price_source']);
      assert.ok(!['retailer_w', 'retailer_a', 'retailer_e'].includes(anchor), anchor);
      assert.equal(record['offers_retailer'], asked);
      const offers = rowsIn(record);
      assert.ok(offers.length > 0 && record['offers_count'] === offers.length);
      assert.equal('fulfilled_a' in (offers[0] ?? {}), asked === 'retailer_a');
      assert.equal(record['tokens_consumed'], 6);
      const { body } = await contract.refresh(product.gtin14);
      assert.equal((body['_meta'] as Row)['price_source'], anchor);
      assert.equal(body['offers_retailer'], asked, 'on a refresh too');
      assert.equal(body['tokens_consumed'], 9);
      const own = await contract.record(product.gtin14, `?retailer=${anchor}&include_offers=true`);
      assert.deepEqual([own['offers'], own['offers_retailer']], [[], null], 'not with retailer=');
    }
    // Also with the address of the retailer's page: retailer_w comes first.
    const { retailers } = contract.world;
    await contract.record(retailers.retailer_w.url);
    const byAddress = await contract.record(retailers.retailer_b.url, '?include_offers=true');
    assert.equal(byAddress['offers_retailer'], 'retailer_w');
    const mine = await plain.record(retailers.retailer_b.url, '');
    assert.equal((mine['_meta'] as Row)['price_source'], 'retailer_b');
    await plain.record(retailers.retailer_w.url);
    const partly = await plain.record(retailers.retailer_b.url, '?include_offers=true');
    assert.deepEqual(
      [partly['offers_retailer'], partly['offers_complete']],
      ['retailer_w', false],
      'from its page, where its list cannot be asked for',
    );
  },
);

proves(
  'D64e',
  'a listing that was found for the barcode and prints none is asked too, and not with retailer=',
  async () => {
    const market = contract.sandbox.market();
    const found = ordinary(contract, 'retailer_b', ({ inStock }) => inStock).filter(
      ({ product, publishedGtin }) =>
        publishedGtin === product.gtin14 &&
        market.listingsOf('retailer_w', product).length === 0 &&
        market.listingsOf('retailer_e', product).length === 0 &&
        market.listingsOf('retailer_a', product).some((each) => each.publishedGtin === null),
    );
    let asked = 0;
    for (const { product } of found.slice(0, 6)) {
      for (const slug of ['retailer_b', 'retailer_a']) {
        await contract.lookup(product.gtin14, `?retailer=${slug}`);
      }
      const record = await contract.record(product.gtin14, '?include_offers=true');
      if (record['offers_retailer'] !== 'retailer_a') continue;
      asked += 1;
      const own = await contract.record(product.gtin14, '?retailer=retailer_b&include_offers=true');
      assert.deepEqual([own['offers'], own['offers_retailer']], [[], null]);
    }
    assert.ok(asked > 0, `${found.length} such products`);
  },
);

proves('D64e D31d', 'there are no offers only where no marketplace has the product', async () => {
  const listing = anchoredBy('retailer_h');
  const record = await contract.record(addressOf(contract, listing), '?include_offers=true');
  assert.deepEqual([record['offers'], record['offers_count']], [[], 0]);
  assert.deepEqual([record['offers_retailer'], record['offers_complete']], [null, true]);
});

proves('D64f', 'every route answers without a setting that a newcomer cannot have', async () => {
  const { gtin, item_id: itemId, asin, retailers } = plain.world;
  await plain.record(itemId, '?include_offers=true');
  const flags = ['cross_retailer', 'seller_context', 'offers_reviews', 'offers', 'offers_history'];
  const all = flags.map((flag) => `include_${flag}=true`).join('&');
  for (const id of [gtin, itemId, asin, retailers.retailer_b.url, retailers.retailer_e.url]) {
    const record = await plain.record(id, `?${all}&include_price_series=true`);
    assert.equal(typeof record['offers_complete'], 'boolean', id);
    assert.equal((await plain.refresh(id)).status, 200, id);
  }
  for (const suffix of ['', '/history', '/reviews']) await plain.ok(productPath(gtin, suffix));
  const [offer] = rowsIn(await plain.record(items()[0]?.id ?? '', '?include_offers=true'));
  assert.equal(typeof offer?.['seller_id'], 'string');
  for (const path of ['/v1/retailers', '/v1/usage', '/v1/rate-cards']) await plain.ok(path);
});
