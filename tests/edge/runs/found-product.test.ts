// What a sheet states about a product: a price that probably nobody is meant to pay is not a place to sell, and is
// reported.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { foundProduct, type FoundRecord } from '../../../src/edge/runs/found-product.ts';

const GTIN = '00614141000005';
/** The same item in a case. */
const CASE = '10614141000002';
const SUSPECT = { reason: 'above_level' } as const;
type Cell = NonNullable<FoundRecord['cross_retailer']>[string];

/** The parts of a cell that a row is made of. */
function cell(retailer: string, price: number, facts: Partial<Cell> = {}): Partial<Cell> {
  return {
    retailer,
    status: 'ok',
    price,
    url: `https://${retailer}.example/1`,
    sales_rank: null,
    seller_context: {
      referral_fee_usd: 2,
      fulfillment_fee_usd: 3,
      restricted: null,
      fulfillment_eligibility: null,
    },
    identity: {
      state: 'confirmed',
      method: 'page_barcode',
      page_barcode: GTIN,
      checked_at: null,
      disputed: null,
      note: '',
    },
    ...facts,
  };
}

function record(cells: readonly Partial<Cell>[], meta: Partial<FoundRecord['_meta']> = {}) {
  return {
    gtin: GTIN,
    cross_retailer: Object.fromEntries(cells.map((each) => [each.retailer, each])),
    _meta: { price_source: 'retailer_w', ...meta },
    _freshness: { refreshed_at: '2026-11-26T00:00:00.000Z' },
  } as unknown as FoundRecord;
}

/** Never `confirmed`, with or without a printed barcode. */
const unconfirmed = (retailer: string, price: number, prints: string | null) => {
  const { identity } = cell(retailer, price);
  return cell(retailer, price, {
    identity: { ...identity, state: 'unconfirmed', method: null, page_barcode: prints } as never,
  });
};

test('what is never confirmed is warned of, and sold at where a page of one of the seven prints the barcode itself', () => {
  const sold = (other: Partial<Cell>) => {
    const { selling, warnings } = foundProduct(record([cell('retailer_w', 20), other]));
    return [selling?.retailer, ...warnings];
  };
  assert.deepEqual(sold(unconfirmed('retailer_a', 90, GTIN)), [
    'retailer_a',
    'retailer_a unconfirmed',
  ]);
  assert.deepEqual(sold(unconfirmed('retailer_a', 90, null)), [
    'retailer_w',
    'retailer_a unconfirmed',
  ]);
  assert.deepEqual(sold(unconfirmed('retailer_a', 90, CASE)), [
    'retailer_w',
    'retailer_a unconfirmed',
  ]);
});

test('what prints the barcode and is not what its retailer answered is sold at only if the record is its own', () => {
  const printing = { ...unconfirmed('retailer_e', 90, GTIN), _source: null };
  const sellingOf = (meta: Partial<FoundRecord['_meta']>) =>
    foundProduct(record([cell('retailer_w', 20), printing], meta)).selling?.retailer;
  assert.equal(sellingOf({ price_source: 'retailer_w' }), 'retailer_w');
  assert.equal(sellingOf({ price_source: 'retailer_e' }), 'retailer_e');
});

const slip = (retailer: string) => cell(retailer, 900, { price_suspect: SUSPECT });

test('a suspect price of any retailer is reported, and is not a place to sell', () => {
  const { selling, warnings, prices } = foundProduct(
    record([cell('retailer_w', 20), slip('retailer_a')]),
  );
  assert.equal(selling?.retailer, 'retailer_w');
  assert.deepEqual(warnings, ['retailer_a suspect_price']);
  assert.deepEqual(prices, { retailer_w: 20, retailer_a: 900 });
});

test('that of the record itself is reported once, and without another place there is no place to sell', () => {
  const { selling, warnings } = foundProduct(
    record([slip('retailer_w')], { price_suspect: SUSPECT }),
  );
  assert.equal(selling, null);
  assert.deepEqual(warnings, ['retailer_w suspect_price']);
});

test('without a mark the place that leaves most is taken', () => {
  const { selling, warnings } = foundProduct(
    record([cell('retailer_w', 20), cell('retailer_a', 30)]),
  );
  assert.equal(selling?.retailer, 'retailer_a');
  assert.deepEqual(warnings, []);
});
