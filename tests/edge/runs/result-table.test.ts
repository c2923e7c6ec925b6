// A run's table has every column of the sheet next to its own, each once, and the profit of a sale by the cost of its row.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { foundProduct, type FoundRecord } from '../../../src/edge/runs/found-product.ts';
import { resultRow, tableColumns } from '../../../src/edge/runs/result-table.ts';

for (const [given, shown] of [
  [
    ['Code', 'Shelf'],
    ['Code', 'Shelf'],
  ],
  [['status'], ['status (input)']],
  [
    ['Status', 'TITLE'],
    ['Status (input)', 'TITLE (input)'],
  ],
  [
    ['status', 'status (input)'],
    ['status (input) (2)', 'status (input)'],
  ],
  [
    ['Status (Input)', 'status', 'status (input) (2)'],
    ['Status (Input)', 'status (input) (3)', 'status (input) (2)'],
  ],
] as const) {
  test(`a sheet of ${given.join(', ')} has ${shown.join(', ')} in the table`, () => {
    const names = tableColumns(given).map(({ name }) => name);
    assert.deepEqual(names.slice(0, given.length), shown);
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
  });
}

/** Returns the sale columns of a product: for the record's pack and that of the one listing at 19.39 with fees of 3.04. */
function saleCells(
  [listing, record]: readonly [number | null, number | null],
  costs: Partial<Parameters<typeof resultRow>[2]> & { readonly costCents: number | null },
): Readonly<Record<string, unknown>> {
  const cell = {
    retailer: 'retailer_e',
    status: 'ok',
    price: 19.39,
    url: 'https://retailer-e.example/1',
    sales_rank: null,
    pack_count: listing,
    seller_context: { referral_fee_usd: 3.04, fulfillment_fee_usd: null },
    identity: { state: 'confirmed', page_barcode: null, disputed: null },
  };
  const product = foundProduct({
    gtin: '00614141000005',
    pack_count: record,
    cross_retailer: { retailer_e: cell },
    _meta: { price_source: 'retailer_e' },
    _freshness: { refreshed_at: '2026-11-26T00:00:00.000Z' },
  } as unknown as FoundRecord);
  const { costCents, ...rest } = costs;
  const entry = { line: 2, identifier: '614141000005', note: null, costCents, costProblem: null };
  const row = resultRow(
    entry,
    { status: 'found', product, tokens: 4 },
    { shippingCents: 400, prepCents: 0, costPer: 'code', roiBasisPoints: 3_000, ...rest },
  );
  return Object.fromEntries(tableColumns([]).map(({ name }, at) => [name, row[at]]));
}

for (const [what, packs, costPer, expected] of [
  ['a set of six by its code', [6, 6], 'code', [6, null, 5.27, 47.56, 8.57, '']],
  ['a listing that states no pack', [null, 6], 'code', [6, null, 5.27, 47.56, 8.57, '']],
  ['a pack of two of one mug', [2, null], 'code', [2, 2, -5.81, -26.22, 2.28, 'other']],
  ['one piece of a set of six', [1, 6], 'code', [1, 1 / 6, 14.5, 783.78, 71.44, 'other']],
  ['a set of six by the piece', [6, 6], 'piece', [6, 6, -50.13, -75.41, null, 'other']],
] as const) {
  test(`a sheet has the profit of ${what}`, () => {
    const row = saleCells(packs, { costCents: 708, costPer });
    assert.deepEqual(
      [
        row['sell_pack'],
        row['cost_factor'],
        row['profit'],
        row['roi_percent'],
        row['highest_cost'],
        row['warnings'],
      ],
      [...expected.slice(0, 5), expected[5] === '' ? '' : 'retailer_e other_pack'],
    );
    assert.equal(row['unit_cost'], 7.08);
  });
}

test('a row without a cost has no profit, and the highest cost of one of what its code names', () => {
  const row = saleCells([6, 6], { costCents: null });
  assert.deepEqual(
    [row['unit_cost'], row['profit'], row['roi_percent'], row['highest_cost']],
    [null, null, null, 8.57],
  );
});

test('prices in another currency have no fees and no place to sell, and a last column names it', () => {
  const product = foundProduct({
    currency: 'EUR',
    gtin: '00614141000005',
    pack_count: 1,
    cross_retailer: {
      retailer_e: {
        retailer: 'retailer_e',
        status: 'ok',
        price: 19.39,
        url: 'https://retailer-e.example/1',
        sales_rank: null,
        pack_count: 1,
        seller_context: { referral_fee_usd: 3.04, fulfillment_fee_usd: null },
        identity: { state: 'confirmed', page_barcode: null, disputed: null },
      },
    },
    _meta: { price_source: 'retailer_e' },
    _freshness: { refreshed_at: '2026-11-26T00:00:00.000Z' },
  } as unknown as FoundRecord);
  assert.deepEqual(
    [product.currency, product.selling, product.prices],
    ['EUR', null, { retailer_e: 19.39 }],
  );
  assert.equal(tableColumns([], { hasCurrency: true }).at(-1)?.name, 'currency');
  const names = tableColumns(['Currency'], { hasCurrency: true }).map(({ name }) => name);
  assert.equal(names[0], 'Currency (input)');
});
