// The best price other than the anchor's, and the price per unit (D60).

import assert from 'node:assert/strict';

import { gs1CheckDigit } from '../../../../src/base/identifiers/check-digit.ts';
import { DAY_MS, MINUTE_MS } from '../../../../src/base/clock.ts';
import type { KnownSlug } from '../../../../src/base/retailer.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { hold } from '../../support/store-item.ts';
import { appendPast } from '../../support/past.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const LAMP: Partial<Listing> = {
  title: 'Orrin LK400 Desk Lamp, Matte Black',
  brand: 'Orrin',
  model: 'LK400',
  inStock: true,
};

/** Contradicted by listings of a single piece. */
const PACK: Partial<Listing> = {
  title: `${String(LAMP.title)}, 12 Pack`,
  packCount: 12,
  mpn: 'PACK-MPN',
};

type StoredPrice = readonly [KnownSlug, number, Partial<Listing>?];

let made = 0;

/** Stores a product at these retailers with these prices; returns its barcode. */
async function lampAt(prices: readonly StoredPrice[]): Promise<string> {
  made += 1;
  const body = `0061414190${String(made).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  for (const [retailer, cents, more] of prices) {
    const price = { cents, currency: 'USD' };
    await hold(contract, { retailer, key: keyOf(retailer), gtin }, { ...LAMP, price, ...more });
  }
  return gtin;
}

const keyOf = (retailer: KnownSlug): string =>
  retailer === 'retailer_a' ? `B0LAMP${String(made).padStart(4, '0')}` : `${6_990_000 + made}`;

const bestOf = (record: Record<string, unknown>) =>
  record['best_price'] as Record<string, unknown> | null | undefined;

proves('D60a', 'the best price is the lowest in stock, and the anchor keeps its own', async () => {
  const gtin = await lampAt([
    ['retailer_w', 2_999],
    ['retailer_b', 2_799],
    ['retailer_h', 2_499],
    ['retailer_l', 1_999, { inStock: false }],
  ]);
  const record = await contract.record(gtin);
  assert.equal(record['current_price'], 29.99);
  const { page } = contract.sandbox.market().origins.retailer_h;
  assert.deepEqual(bestOf(record), {
    retailer: 'retailer_h',
    price: 24.99,
    url: `${page}/ip/${keyOf('retailer_h')}`,
    refreshed_at: bestOf(record)?.['refreshed_at'],
  });
  assert.ok(Date.parse(String(bestOf(record)?.['refreshed_at'])) <= contract.clock.now());
  const sold = await lampAt([
    ['retailer_w', 2_999, { inStock: false }],
    ['retailer_l', 2_600],
    ['retailer_h', 2_600],
  ]);
  const other = await contract.record(sold);
  assert.deepEqual([other['current_price'], bestOf(other)?.['retailer']], [null, 'retailer_h']);
});

const NEVER: readonly (readonly [why: string, stored: StoredPrice])[] = [
  ['another pack', ['retailer_b', 100, { packCount: 2 }]],
  ['opened', ['retailer_b', 100, { condition: 'open_box' }]],
  ['used', ['retailer_b', 100, { condition: 'used_good' }]],
  ['another currency', ['retailer_b', 100, { price: { cents: 100, currency: 'CAD' } }]],
  ['stock that nobody states', ['retailer_b', 100, { inStock: null }]],
  ['a retailer that never confirms a barcode', ['retailer_a', 100]],
  ['what the others contradict', ['retailer_b', 100, PACK]],
];

proves('D60b', 'no other pack, condition, currency or dispute has the best price', async () => {
  for (const [why, stored] of NEVER) {
    const gtin = await lampAt([
      ['retailer_w', 2_999, { packCount: 1 }],
      ['retailer_h', 2_899],
      stored,
    ]);
    const record = await contract.record(gtin);
    assert.deepEqual(
      [bestOf(record)?.['retailer'], bestOf(record)?.['price']],
      ['retailer_h', 28.99],
      why,
    );
  }
});

proves('D60b', 'a pack that nobody states is the record’s, which decides', async () => {
  const single = await contract.record(
    await lampAt([
      ['retailer_w', 2_999, { packCount: 1 }],
      ['retailer_h', 2_899],
    ]),
  );
  assert.equal(bestOf(single)?.['retailer'], 'retailer_h');
  const four = await contract.record(
    await lampAt([
      ['retailer_w', 9_999, { packCount: 4 }],
      ['retailer_h', 9_899, { packCount: 4 }],
      ['retailer_b', 2_599, { packCount: 1 }],
    ]),
  );
  assert.equal(bestOf(four)?.['retailer'], 'retailer_h');
});

proves(
  'D60b D77e',
  'where only one listing states the pack, that is the record’s, and others are of the same',
  async () => {
    const gtin = await lampAt([
      ['retailer_w', 2_999],
      ['retailer_h', 2_899],
      ['retailer_b', 5_600, { packCount: 2 }],
    ]);
    const record = await contract.record(gtin);
    assert.equal(record['pack_count'], 2);
    assert.equal(bestOf(record)?.['retailer'], 'retailer_h');
    assert.deepEqual(record['unit_price'], { price: 14.995, unit: 'count' });
  },
);

proves(
  'D60b D80b',
  'the listing whose id was sent has the best price of its own cluster, and none of those that contradict it',
  async () => {
    const gtin = await lampAt([
      ['retailer_b', 2_999],
      ['retailer_h', 2_899],
      ['retailer_w', 100, { ...PACK, itemId: '990011223' }],
    ]);
    const record = await contract.record(keyOf('retailer_w'), '?format=item_id');
    assert.deepEqual([record['gtin'], record['current_price']], [gtin, 1]);
    assert.deepEqual([bestOf(record)?.['retailer'], bestOf(record)?.['price']], ['retailer_w', 1]);
    assert.notEqual(bestOf(await contract.record(gtin))?.['retailer'], 'retailer_w');
  },
);

proves('D60b', 'a price that its own history does not support is not the best', async () => {
  const gtin = await lampAt([
    ['retailer_w', 2_999],
    ['retailer_h', 2_899],
    ['retailer_b', 29],
  ]);
  const past = [4, 3, 2].map((day) => [day, 2_900, true] as const);
  await appendPast(contract, 'retailer_b', keyOf('retailer_b'), [...past, [0, 29, true]]);
  assert.equal(bestOf(await contract.record(gtin))?.['retailer'], 'retailer_h');
});

proves('D60b', 'a price is the best for at most two days', async () => {
  const gtin = await lampAt([['retailer_w', 2_999]]);
  contract.clock.advance(2 * DAY_MS - MINUTE_MS);
  assert.equal(bestOf(await contract.record(gtin))?.['price'], 29.99);
  contract.clock.advance(2 * MINUTE_MS);
  assert.equal(bestOf(await contract.record(gtin)), null);
});

proves(
  'D60c',
  'the field is null where nothing is admitted, and absent with retailer= and without a barcode',
  async () => {
    const gtin = await lampAt([['retailer_w', 2_999, { inStock: false }]]);
    assert.equal(bestOf(await contract.record(gtin)), null);
    assert.ok(!('best_price' in (await contract.record(gtin, '?retailer=retailer_w'))));
    await hold(
      contract,
      { retailer: 'retailer_w', key: '998877661' },
      { ...LAMP, itemId: '998877661' },
    );
    assert.ok(!('best_price' in (await contract.record('998877661'))));
  },
);

proves(
  'D60d',
  'a piece costs the price by the pack; what a kettle holds is not a quantity that is sold',
  async () => {
    const cases: readonly (readonly [Partial<Listing>, unknown])[] = [
      [{ packCount: 12 }, { price: 0.8325, unit: 'count' }],
      [{ packCount: 1 }, { price: 9.99, unit: 'count' }],
      [{ title: 'Orrin Whole Bean Coffee 2 lb' }, null],
      [{ title: 'Orrin Stoneware Kettle 1.5 L' }, null],
      [{ title: 'Orrin Desk Lamp' }, null],
      [{ packCount: 12, inStock: false }, null],
    ];
    for (const [facts, expected] of cases) {
      const gtin = await lampAt([['retailer_w', 999, facts]]);
      assert.deepEqual(
        at(await contract.record(gtin), 'unit_price'),
        expected,
        JSON.stringify(facts),
      );
    }
  },
);
