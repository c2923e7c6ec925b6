import assert from 'node:assert/strict';

import { at, contractService } from '../support/contract-service.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../support/own-shop.ts';
import { proves } from '../support/proves.ts';

const LAMP = { name: 'Oak Desk Lamp', brand: 'Written Pages', gtin13: '4006381333931' };
const stated = (name: string, value: string) => ({ '@type': 'PropertyValue', name, value });

const contract = contractService({
  pages: {
    '/p/boxed': productPage({
      ...LAMP,
      additionalProperty: [
        stated('Package Weight', '3.5 pounds'),
        stated('Package Dimensions', '12 x 9 x 4 inches'),
      ],
    }),
    '/p/both': productPage({
      ...LAMP,
      gtin13: '4006381333948',
      additionalProperty: [
        stated('Assembled Product Weight', '2 pounds'),
        stated('Package Weight', '3.5 pounds'),
      ],
    }),
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

proves(
  'PR-11 PR-13 CV-09',
  'where only the box is measured, its measures are the best ones',
  async () => {
    const boxed = await page('/p/boxed');
    assert.deepEqual(
      [boxed['weight_lbs'], boxed['weight_assembled_lbs'], boxed['weight_package_lbs']],
      [3.5, null, 3.5],
    );
    assert.ok(boxed['dimensions_package'] !== null);
    assert.deepEqual(boxed['dimensions'], boxed['dimensions_package']);
    const both = await page('/p/both');
    assert.deepEqual(
      [both['weight_lbs'], both['weight_assembled_lbs'], both['weight_package_lbs']],
      [2, 2, 3.5],
    );
  },
);

proves('D26b', 'an amount without a currency is no price, and is told as it stands', async () => {
  const record = await page('/p/no-currency');
  assert.equal(record['current_price'], null);
  assert.deepEqual(at(record, '_meta.native_price'), { amount: 12.5, currency: null });
});

proves('D26c', 'zero is not a price', async () => {
  assert.equal((await page('/p/zero'))['current_price'], null);
});

proves('CV-08 D23a', 'stock is null where nobody told it', async () => {
  const record = await page('/p/unknown-stock');
  assert.equal(record['in_stock'], null);
  assert.equal(record['current_price'], 12.5);
});

proves('PR-24', 'the condition is the canonical word', async () => {
  assert.equal((await page('/p/refurbished'))['condition'], 'refurbished');
});

proves(
  'CV-03 D28a CV-07',
  'a page that states a price beside "out of stock" shows none',
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
  const record = await page('/p/boxed');
  assert.equal(at(record, '_meta.price_source'), OWN_SLUG);
  assert.equal((await page('/p/boxed', `?retailer=${OWN_SLUG}`))['current_price'], 12.5);
});
