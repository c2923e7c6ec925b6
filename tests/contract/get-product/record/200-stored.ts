import assert from 'node:assert/strict';

import { at, contractService } from '../../support/contract-service.ts';
import { storeItem } from '../../support/store-item.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const box = { heightIn: 4, widthIn: 9, lengthIn: 12 };
const thing = { heightIn: 3, widthIn: 8, lengthIn: 10 };

proves(
  'PR-11 PR-12 PR-13',
  'where only the box is measured, its measures are the best ones',
  async () => {
    const id = await storeItem(contract, '910000001', {
      weightPackageLbs: 3.5,
      dimensionsPackage: box,
    });
    const record = await contract.record(id);
    assert.deepEqual(
      [record['weight_lbs'], record['weight_assembled_lbs'], record['weight_package_lbs']],
      [3.5, null, 3.5],
    );
    const shown = { height_in: 4, width_in: 9, length_in: 12 };
    assert.deepEqual(
      [record['dimensions'], record['dimensions_assembled'], record['dimensions_package']],
      [shown, null, shown],
    );
  },
);

proves('PR-10 PR-13', 'the measures of the thing go before those of its box', async () => {
  const id = await storeItem(contract, '910000002', {
    weightAssembledLbs: 2,
    weightPackageLbs: 3.5,
    dimensionsAssembled: thing,
    dimensionsPackage: box,
  });
  const record = await contract.record(id);
  assert.equal(record['weight_lbs'], 2);
  assert.deepEqual(record['dimensions'], { height_in: 3, width_in: 8, length_in: 10 });
});

proves(
  'PR-12',
  'one weight without a word on the box is the best one and nothing else',
  async () => {
    const id = await storeItem(contract, '910000003', { weightLbs: 1.25 });
    const record = await contract.record(id);
    assert.deepEqual(
      [record['weight_lbs'], record['weight_assembled_lbs'], record['weight_package_lbs']],
      [1.25, null, null],
    );
  },
);

proves(
  'D76a PR-13',
  'a measure that does not say of what it is comes after that of the box',
  async () => {
    const id = await storeItem(contract, '910000004', {
      weightLbs: 1.25,
      weightPackageLbs: 3.5,
      dimensions: thing,
      dimensionsPackage: box,
    });
    const record = await contract.record(id);
    assert.deepEqual(
      [record['weight_lbs'], record['weight_assembled_lbs'], record['weight_package_lbs']],
      [3.5, null, 3.5],
    );
    assert.deepEqual(record['dimensions'], { height_in: 4, width_in: 9, length_in: 12 });
  },
);

proves('PR-17 D23c', 'shipping is free only when it is known to cost nothing', async () => {
  const way = { available: true, date: null };
  const shown = [];
  for (const [number, costCents] of [0, 599, null].entries()) {
    const id = await storeItem(contract, `91000001${number}`, {
      fulfillment: { shipping: { ...way, costCents }, delivery: null, pickup: null },
    });
    const record = await contract.record(id);
    assert.equal(at(record, 'fulfillment.pickup'), null);
    shown.push([at(record, 'fulfillment.shipping.cost'), at(record, 'fulfillment.shipping.free')]);
  }
  assert.deepEqual(shown, [
    [0, true],
    [5.99, false],
    [null, null],
  ]);
});

proves('D24c', 'only a tag that speaks of a month is a number of sales', async () => {
  const tags = ['2K+ bought in past month', '500+ bought since yesterday', '1,234 sold'];
  const numbers = [];
  for (const [number, soldTag] of tags.entries()) {
    const id = await storeItem(contract, `91000002${number}`, { soldTag });
    const record = await contract.record(id);
    assert.equal(record['sold_tag'], soldTag);
    numbers.push(record['estimated_sales']);
  }
  assert.deepEqual(numbers, [2_000, null, null]);
});

proves('D26a D26b D28a', 'only dollars of what is not sold out are a price', async () => {
  const price = (currency: string | null) => ({ cents: 1_234, currency });
  const cases = [
    [{ price: price('USD'), inStock: true }, 12.34],
    [{ price: price('USD'), inStock: null }, 12.34],
    [{ price: price('USD'), inStock: false }, null],
    [{ price: price('CAD'), inStock: true }, null],
    [{ price: price(null), inStock: true }, null],
  ] as const;
  for (const [number, [listing, shown]] of cases.entries()) {
    const id = await storeItem(contract, `91000003${number}`, listing);
    assert.equal((await contract.record(id))['current_price'], shown, JSON.stringify(listing));
  }
});

proves('PR-17', 'delivery and pickup have their own availability, cost and day', async () => {
  const id = await storeItem(contract, '910000700', {
    fulfillment: {
      shipping: null,
      delivery: { available: true, costCents: 799, date: '2026-12-01' },
      pickup: { available: true, costCents: 0, date: '2026-12-02' },
    },
  });
  assert.deepEqual((await contract.record(id))['fulfillment'], {
    shipping: null,
    delivery: { available: true, cost: 7.99, date: '2026-12-01' },
    pickup: { available: true, cost: 0, date: '2026-12-02' },
  });
});
