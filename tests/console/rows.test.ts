// What a row of the console's table states about a product: only tied listings count as places to sell, and returns are
// rounded as the service rounds them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bestSale, commonWarnings, MARKETPLACES, salesOf, warningsOf } from '../../console/rows.js';
import { KNOWN_SLUGS, RETAILERS } from '../../src/base/retailer.ts';
import { packsOf } from '../../src/rules/product/cost-factor.ts';
import { profitOf } from '../../src/rules/product/profit.ts';
import { foundProduct } from '../../src/edge/runs/found-product.ts';
import type { ProductRecord } from '../../src/answer/wire/record/product-record.ts';

const GTIN = '00614141000005';
/** The same item in a case. */
const CASE = '10614141000002';
type Cell = NonNullable<ProductRecord['cross_retailer']>[string];
type Given = {
  readonly state?: 'confirmed' | 'unconfirmed' | 'mismatch';
  readonly prints?: string;
  readonly price?: number;
  readonly facts?: Partial<Cell>;
  readonly isDisputed?: boolean;
};

/** The parts of a cell that a line is made of. */
function cell(retailer: string, given: Given): Partial<Cell> {
  const { state = 'confirmed', prints, price = 20, facts, isDisputed = false } = given;
  return {
    retailer,
    status: 'ok',
    price,
    seller_context: {
      referral_fee_usd: 2,
      fulfillment_fee_usd: 3,
      restricted: null,
      fulfillment_eligibility: null,
    },
    identity: {
      state,
      method: null,
      page_barcode: prints ?? null,
      checked_at: null,
      disputed: isDisputed ? { reason: 'title', detail: 'Another product.' } : null,
      note: '',
    },
    ...facts,
  };
}

function record(
  cells: readonly Partial<Cell>[],
  gtin: string | null = GTIN,
  pack: number | null = null,
): ProductRecord {
  const byRetailer = Object.fromEntries(cells.map((each) => [each.retailer, each]));
  const facts = { gtin, pack_count: pack, cross_retailer: byRetailer, _meta: {} };
  return facts as unknown as ProductRecord;
}

const NO_COSTS = {
  costCents: null,
  shippingCents: 0,
  prepCents: 0,
  costPer: 'code',
  roiBasisPoints: null,
} as const;

const SUSPECT = { reason: 'above_level' } as const;
const sure = cell('retailer_w', { prints: GTIN });

for (const [what, other, at] of [
  ['looks like it', cell('retailer_e', { state: 'unconfirmed', price: 90 }), 'retailer_w'],
  ['is contradicted', cell('retailer_e', { isDisputed: true, price: 90 }), 'retailer_w'],
  ['has ended', cell('retailer_e', { price: 90, facts: { unavailable: true } }), 'retailer_w'],
  [
    'asks a price that looks wrong',
    cell('retailer_e', { prints: GTIN, price: 90, facts: { price_suspect: SUSPECT } }),
    'retailer_w',
  ],
  ['is confirmed', cell('retailer_e', { prints: GTIN, price: 90 }), 'retailer_e'],
  [
    'prints the barcode',
    cell('retailer_a', { state: 'unconfirmed', prints: GTIN, price: 90 }),
    'retailer_a',
  ],
] as const) {
  test(`next to a confirmed listing, a dearer one that ${what} ${at === 'retailer_w' ? 'is not sold at' : 'is sold at'}`, () => {
    assert.equal(bestSale(record([sure, other]), 5)?.retailer, at);
  });
}

test('every marketplace has the profit of a sale there, and warnings of all lines are common', () => {
  const both = record([cell('retailer_w', { price: 30 }), cell('retailer_e', { price: 20 })]);
  const sales = salesOf(both, 5).map(({ retailer, profit }) => [retailer, profit]);
  assert.deepEqual(sales, [
    ['retailer_w', 20],
    ['retailer_e', 10],
  ]);
  const guess = record([cell('retailer_e', { state: 'unconfirmed' })]);
  assert.deepEqual([...commonWarnings([guess, guess])], ['barcode not confirmed']);
  assert.deepEqual([...commonWarnings([guess, both])], []);
  assert.deepEqual([...commonWarnings([guess])], []);
});

test('a price whose barcode nothing confirms is reported, and makes no profit alone', () => {
  const guess = cell('retailer_e', { state: 'unconfirmed' });
  assert.deepEqual(warningsOf(record([guess])), ['barcode not confirmed']);
  assert.equal(bestSale(record([guess]), 5), null);
  assert.deepEqual(warningsOf(record([sure])), []);
});

test('what is never confirmed is warned of, and sold at where a page of one of the seven prints the barcode itself', () => {
  const printed = cell('retailer_a', { state: 'unconfirmed', prints: GTIN });
  const inCases = cell('retailer_a', { state: 'unconfirmed', prints: CASE });
  const anywhere = cell('anyshop', { state: 'unconfirmed', prints: GTIN });
  for (const other of [printed, inCases, anywhere])
    assert.deepEqual(warningsOf(record([sure, other])), ['barcode not confirmed']);
  assert.equal(bestSale(record([printed]), 5)?.retailer, 'retailer_a');
  assert.equal(bestSale(record([inCases]), 5), null, 'a case is not what one of it sells for');
});

test('a suspect price of any shop is reported', () => {
  const slip = cell('retailer_e', { prints: GTIN, facts: { price_suspect: SUSPECT } });
  assert.deepEqual(warningsOf(record([sure, slip])), ['price looks wrong']);
});

test('where no barcode is known, the page that was sent is sold at', () => {
  const own = cell('retailer_e', { state: 'unconfirmed' });
  assert.equal(bestSale(record([own], null), 5)?.profit, 10);
  assert.deepEqual(warningsOf(record([own], null)), []);
});

test('a return is the one that a comparison of the service answers, halves away from zero', () => {
  for (let cost = 1; cost < 4_000; cost += 1) {
    const costs = { ...NO_COSTS, costCents: cost };
    const packs = { sold: 1, named: 1 };
    const { roiPercent } = profitOf({ priceCents: 2_000, feesCents: 500, packs }, costs);
    assert.equal(bestSale(record([sure]), cost / 100)?.roi, roiPercent, `a cost of ${cost} cents`);
  }
});

test('what a sale pays for a cost is what a comparison of the service answers, for any pack and any record', () => {
  const packs = [null, 1, 2, 3, 6, 12, 50];
  for (const listing of packs) {
    for (const pack of packs) {
      for (const costPer of ['code', 'piece'] as const) {
        for (const cost of [0, 1, 3, 250, 708]) {
          const line = record([{ ...sure, pack_count: listing }], GTIN, pack);
          const sale = bestSale(line, cost / 100, costPer);
          const { costFactor, profitCents, roiPercent } = profitOf(
            { priceCents: 2_000, feesCents: 500, packs: packsOf(listing, pack) },
            { ...NO_COSTS, costCents: cost, costPer },
          );
          assert.deepEqual(
            [sale?.costs, sale?.profit, sale?.roi],
            [costFactor, (profitCents ?? 0) / 100, roiPercent],
            `a cost of ${cost} cents, ${listing} of ${pack}, by the ${costPer}`,
          );
        }
      }
    }
  }
});

test('another pack is another one than the record’s, and a listing that states none is of the record’s', () => {
  const warned = (pack: number | null, ...stated: readonly (number | null)[]) => {
    const slugs = ['retailer_w', 'retailer_b', 'retailer_e'];
    const cells = stated.map((count, at) =>
      cell(slugs[at] ?? '', { prints: GTIN, facts: { pack_count: count } }),
    );
    return warningsOf(record(cells, GTIN, pack)).includes('another pack size');
  };
  assert.equal(warned(6, 6, null), false);
  assert.equal(warned(null, 1, null), false);
  assert.equal(warned(6, 6, 1), true);
  assert.equal(warned(6, 12), true, 'alone too');
});

test('a price without its fulfilment fee is sold at only where the retailer has no fulfilment programme', () => {
  const marketplaces = KNOWN_SLUGS.filter((each) => RETAILERS[each].marketplace);
  assert.deepEqual(MARKETPLACES, marketplaces);
  for (const slug of marketplaces) {
    const { seller_context: context, ...facts } = cell(slug, { prints: GTIN });
    const half = { ...facts, seller_context: { ...context, fulfillment_fee_usd: null } };
    const sale = bestSale(record([half as Partial<Cell>]), 5);
    assert.equal(sale?.fees ?? null, RETAILERS[slug].fulfillmentProgram ? null : 2, slug);
  }
});

test('the table of the console and a sheet name the same place to sell, packs and ended listings among them', () => {
  const one = cell('retailer_w', { prints: GTIN, price: 10 });
  const packs: readonly (readonly [Partial<Cell>, string])[] = [
    [cell('retailer_e', { prints: GTIN, price: 18, facts: { pack_count: 3 } }), 'retailer_w'],
    [cell('retailer_e', { prints: GTIN, price: 21, facts: { pack_count: 3 } }), 'retailer_e'],
    [cell('retailer_a', { prints: GTIN, price: 90, facts: { unavailable: true } }), 'retailer_w'],
    [cell('retailer_a', { prints: GTIN, price: 90, facts: { in_stock: false } }), 'retailer_w'],
  ];
  for (const [other, at] of packs) {
    const whole = {
      ...record([one, other]),
      best_price: null,
      _freshness: { refreshed_at: '2026-11-20T00:00:00.000Z' },
    } as unknown as ProductRecord;
    for (const cost of [null, 0, 4, 40]) assert.equal(bestSale(whole, cost)?.retailer, at);
    assert.equal(foundProduct(whole).selling?.retailer, at);
  }
});
