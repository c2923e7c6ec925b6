import assert from 'node:assert/strict';

import { HOUR_MS } from '../../../../src/base/clock.ts';
import { PRICE_READ_FROM } from '../../../../src/base/listing/listing.ts';
import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import { at, contractService, productPath, refused } from '../../support/contract-service.ts';
import { hold, storeItem } from '../../support/store-item.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const PRICES = ['current_price', 'buybox_price', 'secondary_offer_price', 'msrp'] as const;

proves(
  'CV-03 D28a D28b PR-07',
  'what is sold out shows no price, and its observation stands in the history without one',
  async () => {
    for (const slug of KNOWN_SLUGS) {
      const { sold_out: pointer } = contract.world.retailers[slug].trouble;
      assert.ok(pointer !== undefined);
      const record = await contract.record(pointer.url, `?retailer=${slug}`);
      assert.equal(record['in_stock'], false, slug);
      for (const name of PRICES) assert.equal(record[name], null, `${slug} ${name}`);
      const history = await contract.ok(productPath(pointer.url, `/history?retailer=${slug}`));
      const rows = history['observations'] as readonly Record<string, unknown>[];
      // Its retailer may have been queried for the barcode in the background, which sees the same again.
      assert.ok(rows.length > 0, slug);
      for (const { price, in_stock: stock } of rows)
        assert.deepEqual([price, stock], [null, false]);
    }
  },
);

proves(
  'D28c PR-38 PR-35',
  'a sold-out observation makes no bar, and a window without bars is null',
  async () => {
    const pointer = contract.world.retailers.retailer_w.trouble.sold_out;
    assert.ok(pointer !== undefined);
    const record = await contract.record(pointer.id);
    assert.equal(at(record, 'price_history.days_covered'), 0);
    for (const name of ['30d', '60d', '90d', '180d']) {
      assert.equal(at(record, `stats.windows.${name}`), null, name);
    }
    assert.equal(at(record, 'stats.current_price'), null);
  },
);

proves(
  'CV-06 CV-07 ID-07',
  'one retailer in stock is enough; false only if all retailers that state their stock are out',
  async () => {
    const gtin = '00614141777779';
    const price = { cents: 500, currency: 'USD' };
    const id = await storeItem(contract, '910000500', { price, inStock: false }, gtin);
    const alone = await contract.record(id);
    assert.equal(alone['in_stock'], false);
    await hold(
      contract,
      { retailer: 'retailer_b', key: '6999998', gtin },
      { price, inStock: null },
    );
    assert.equal(
      (await contract.record(id))['in_stock'],
      false,
      'a retailer that states nothing has no vote',
    );
    await hold(
      contract,
      { retailer: 'retailer_h', key: '399999998', gtin },
      { price, inStock: true },
    );
    const both = await contract.record(id);
    assert.equal(at(both, '_meta.price_source'), 'retailer_w');
    assert.equal(both['in_stock'], true);
    assert.equal(both['current_price'], null, 'the anchor itself has none');
  },
);

proves('D24d', 'an ended listing has no price and is out of stock', async () => {
  const ended = contract.world.retailers.retailer_b.trouble.ended;
  assert.ok(ended !== undefined);
  const record = await contract.record(ended.url, '?retailer=retailer_b');
  assert.deepEqual([record['in_stock'], record['current_price']], [false, null]);
});

proves(
  'D24d',
  'a listing that its shop says is gone can no longer be bought, whoever asks for it and how, a day later too',
  async () => {
    const gtin = '00614141777785';
    const price = { cents: 1_234, currency: 'USD' };
    const id = await storeItem(contract, '910000510', { price, inStock: true }, gtin);
    const query = '?include_cross_retailer=true';
    const before = await contract.record(gtin, query);
    assert.equal(at(before, 'best_price.price'), 12.34);
    const refreshed = await contract.call(productPath(id, '/refresh'), { method: 'POST' });
    refused(refreshed, 404, 'not_found');
    const requireGone = async () => {
      const record = await contract.record(gtin, query);
      const cell = 'cross_retailer.retailer_w';
      assert.deepEqual(
        [record['in_stock'], record['current_price'], record['best_price']],
        [false, null, null],
      );
      assert.deepEqual(
        ['in_stock', 'price', 'unavailable'].map((name) => at(record, `${cell}.${name}`)),
        [false, null, true],
      );
      assert.equal(
        at(record, '_freshness.refreshed_at'),
        at(before, '_freshness.refreshed_at'),
        'its facts are as old as they were',
      );
    };
    await requireGone();
    refused(await contract.call(productPath(id)), 404, 'not_found');
    contract.clock.advance(25 * HOUR_MS);
    await requireGone();
    const own = await contract.record(id);
    assert.deepEqual([own['in_stock'], own['current_price']], [false, null]);
  },
);

proves(
  'D26a',
  'a price in another currency is not a price in dollars, and _meta states what the page asks',
  async () => {
    for (const slug of KNOWN_SLUGS) {
      const { foreign_currency: pointer } = contract.world.retailers[slug].trouble;
      assert.ok(pointer !== undefined);
      const record = await contract.record(pointer.url, `?retailer=${slug}`);
      for (const name of PRICES) assert.equal(record[name], null, `${slug} ${name}`);
      assert.equal(at(record, '_meta.native_price.currency'), 'EUR', slug);
      assert.ok(Number(at(record, '_meta.native_price.amount')) > 0);
      const how = at(record, '_meta.price_read_from');
      assert.ok(
        PRICE_READ_FROM.some((one) => one === how),
        `${slug} ${String(how)}`,
      );
    }
    const shop = await contract.record(contract.world.trouble.foreign_currency);
    assert.equal(shop['current_price'], null);
    assert.equal(at(shop, '_meta.native_price.currency'), 'EUR');
    const dollars = await contract.record(contract.world.url.json_ld);
    assert.equal(at(dollars, '_meta.native_price'), undefined);
    assert.equal(at(dollars, '_meta.price_read_from'), 'json_ld');
  },
);
