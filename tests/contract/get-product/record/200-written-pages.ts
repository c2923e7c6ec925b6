import assert from 'node:assert/strict';

import { at, contractService } from '../../support/contract-service.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../../support/own-shop.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService({
  pages: {
    '/p/lamp': productPage({ name: 'Oak Desk Lamp', gtin13: '4006381333931' }),
    '/p/no-currency': productPage({ name: 'Oak Shelf' }, { priceCurrency: undefined }),
    '/p/zero': productPage({ name: 'Oak Stool' }, { price: '0.00' }),
    '/p/unknown-stock': productPage({ name: 'Oak Bench' }, { availability: undefined }),
    '/p/refurbished': productPage(
      { name: 'Oak Radio' },
      { itemCondition: 'https://schema.org/RefurbishedCondition' },
    ),
    '/p/sold-out': productPage(
      { name: 'Oak Table' },
      { availability: 'https://schema.org/OutOfStock' },
    ),
    '/p/pack': productPage({ name: 'Lined Paper Pads, 50 sheets (Pack of 12)' }),
    '/p/bad-code': productPage({ name: 'Oak Rack', gtin13: '2000000000008' }),
  },
});

const page = (path: string, query = '') => contract.record(`${OWN_SHOP}${path}`, query);

proves('D26b', 'an amount without a currency is not a price, and is shown as stated', async () => {
  const record = await page('/p/no-currency');
  assert.equal(record['current_price'], null);
  assert.deepEqual(at(record, '_meta.native_price'), { amount: 12.5, currency: null });
  assert.equal(at(record, '_meta.price_read_from'), 'json_ld');
});

proves('D26c', 'zero is not a price', async () => {
  const free = await page('/p/zero');
  assert.equal(at(free, '_meta.price_read_from'), undefined);
  assert.equal((await page('/p/zero'))['current_price'], null);
});

proves('CV-08 D23a', 'stock is null when no source states it', async () => {
  const record = await page('/p/unknown-stock');
  assert.equal(record['in_stock'], null);
  assert.equal(record['current_price'], 12.5);
});

proves('PR-24', 'the condition is the canonical word', async () => {
  assert.equal((await page('/p/refurbished'))['condition'], 'refurbished');
});

proves(
  'CV-03 D28a CV-07',
  'a page that states a price next to "out of stock" shows none',
  async () => {
    const record = await page('/p/sold-out');
    assert.deepEqual([record['in_stock'], record['current_price']], [false, null]);
  },
);

proves('D41a', 'the outermost multiplier counts', async () => {
  assert.equal((await page('/p/pack'))['pack_count'], 12);
});

proves(
  'D8b',
  'a code that marks no product confirms nothing and is no barcode of the record',
  async () => {
    const record = await page('/p/bad-code');
    assert.deepEqual([record['gtin'], record['ean']], [null, null]);
    assert.ok(!('retailer_links' in record) || record['retailer_links'] === null);
  },
);

proves('D10a D27d PA-20', 'the slug of a shop is the first label of its domain', async () => {
  const record = await page('/p/lamp');
  assert.equal(at(record, '_meta.price_source'), OWN_SLUG);
  assert.equal((await page('/p/lamp', `?retailer=${OWN_SLUG}`))['current_price'], 12.5);
});
