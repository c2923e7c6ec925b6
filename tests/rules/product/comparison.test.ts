// What a comparison states about a listing (D69, D74): profit, return and break-even price to the cent, and what speaks
// against it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { breakEvenCents, totalFeeCents } from '../../../src/rules/fees/charges-at-price.ts';
import { feesOf } from '../../../src/rules/fees/listing-fees.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import type { Cell } from '../../../src/rules/product/cell.ts';
import {
  comparedListing,
  comparedOffers,
  type ComparedOffer,
} from '../../../src/rules/product/comparison.ts';
import { WARNINGS, type Warning } from '../../../src/rules/product/warnings.ts';
import type { SellerCosts } from '../../../src/rules/product/profit.ts';
import { hundredthsOf } from '../../../src/answer/wire/hundredths.ts';
import { randomFrom } from '../../support/random.ts';
import { vectorRows } from '../../support/vectors.ts';

const DAY = '2026-11-20';
const AT_MS = Date.UTC(2026, 10, 20);

function cellOf(retailer: string, listing: Partial<Listing>, more: Partial<Cell> = {}): Cell {
  const stored: StoredListing = {
    id: `${retailer}-1`,
    retailer,
    key: '1',
    url: `https://${retailer}.example/1`,
    foundVia: 'native_catalog',
    fetchedAtMs: AT_MS,
    listing: { ...EMPTY_LISTING, ...listing },
  };
  return {
    retailer,
    status: 'ok',
    stored,
    identity: { state: 'confirmed', method: 'page_barcode', pageBarcode: null, checkedAtMs: AT_MS },
    disputed: null,
    note: '',
    source: 'primary',
    refreshedAtMs: AT_MS,
    ...more,
  };
}

const NO_COSTS: SellerCosts = {
  costCents: null,
  shippingCents: 0,
  prepCents: 0,
  costPer: 'code',
  roiBasisPoints: null,
};

function offerOf(cell: Cell, costs: SellerCosts = NO_COSTS, packCount: number | null = null) {
  const row = comparedListing({ cell, isSuspect: false }, { packCount, day: DAY, currency: 'USD' });
  const facts = { packCount, day: DAY, currency: 'USD' };
  const [offer] = comparedOffers(facts, [row], costs);
  assert.ok(offer);
  return offer;
}

const cents = (text: string): number | null => {
  if (text === '-') return null;
  const whole = hundredthsOf(text.replace('-', ''));
  assert.ok(whole !== null, text);
  return text.startsWith('-') ? -whole : whole;
};

function listingOf(category: string, price: string, [pack, pounds, inches]: readonly string[]) {
  const sides = (inches ?? '').split('x').map(Number);
  return {
    categories: category.split(' > '),
    price: { cents: cents(price) ?? 0, currency: 'USD' },
    inStock: true,
    packCount: pack === '-' ? null : Number(pack),
    weightPackageLbs: Number(pounds),
    dimensionsPackage: {
      lengthIn: sides[0] ?? null,
      widthIn: sides[1] ?? null,
      heightIn: sides[2] ?? null,
    },
  };
}

const CASES = vectorRows('profits.tsv', 17);

test('there are forty sales worked out by hand', () => {
  assert.equal(CASES.length, 40);
});

for (const row of CASES) {
  const [retailer = '', category = '', price = '', pack = '', pounds = '', inches = ''] = row;
  const [cost = '', shipping = '', prep = '', roi = '', referral = '', fulfilment = ''] =
    row.slice(6);
  const [profit = '', margin = '', back = '', even = '', highest = ''] = row.slice(12);
  test(`${retailer}, ${category}, $${price}${pack === '-' ? '' : ` for ${pack}`}, cost $${cost}`, () => {
    const listing = listingOf(category, price, [pack, pounds, inches]);
    const costs: SellerCosts = {
      ...NO_COSTS,
      costCents: cents(cost),
      shippingCents: cents(shipping) ?? 0,
      prepCents: cents(prep) ?? 0,
      roiBasisPoints: cents(roi),
    };
    const offer = offerOf(cellOf(retailer, listing), costs);
    const { fees } = offer;
    assert.deepEqual(
      {
        referral: fees?.referralCents,
        fulfilment: fees?.fulfillmentCents,
        profit: offer.profitCents,
        margin: offer.marginPercent,
        back: offer.roiPercent,
        even: offer.breakEvenCents,
        highest: offer.highestCostCents,
      },
      {
        referral: cents(referral),
        fulfilment: cents(fulfilment),
        profit: cents(profit),
        margin: margin === '-' ? null : Number(margin),
        back: back === '-' ? null : Number(back),
        even: cents(even),
        highest: cents(highest),
      },
    );
  });
}

test('at the break-even price nothing is lost, and at no lower price (seeded)', () => {
  const seed = 11;
  const random = randomFrom(seed);
  for (let round = 0; round < 120; round += 1) {
    const [retailer = '', category = '', price = '', pack = '', pounds = '', inches = ''] =
      CASES[Math.floor(random() * CASES.length)] ?? [];
    const listing = { ...EMPTY_LISTING, ...listingOf(category, price, [pack, pounds, inches]) };
    const outlay = Math.floor(random() * 6_000);
    const fees = feesOf(listing, retailer, DAY, 1_000);
    assert.ok(fees);
    const leaves = (at: number) => at - (totalFeeCents(feesOf(listing, retailer, DAY, at)) ?? at);
    const even = breakEvenCents({ listing, retailer, day: DAY, fees }, outlay);
    assert.ok(even !== null, `seed ${seed}`);
    assert.ok(leaves(even) >= outlay, `seed ${seed}: ${retailer} ${even} ${outlay}`);
    for (let at = Math.max(1, outlay); at < even; at += 1) {
      assert.ok(leaves(at) < outlay, `seed ${seed}: ${retailer} ${at} is enough for ${outlay}`);
    }
  }
});

const MUG = {
  ...listingOf('Home', '20.00', ['-', '0.9', '6x5x5']),
  hazmat: false,
} satisfies Partial<Listing>;

const WARNED: Readonly<Record<Warning, ComparedOffer>> = {
  no_fees: offerOf(cellOf('retailer_h', MUG)),
  other_pack: offerOf(cellOf('retailer_w', { ...MUG, packCount: 2 })),
  disputed: offerOf(
    cellOf('retailer_w', MUG, { disputed: { reason: 'pack_count', detail: 'pack_count 2 vs 1' } }),
  ),
  unconfirmed: offerOf(
    cellOf('retailer_w', MUG, {
      identity: { state: 'unconfirmed', method: null, pageBarcode: null, checkedAtMs: AT_MS },
    }),
  ),
  out_of_stock: offerOf(cellOf('retailer_w', { ...MUG, inStock: false })),
  stale: offerOf(cellOf('retailer_w', MUG, { status: 'stale' })),
  suspect_price: {
    ...offerOf(cellOf('retailer_w', MUG)),
    ...comparedListing(
      { cell: cellOf('retailer_w', MUG), isSuspect: true },
      { packCount: null, day: DAY, currency: 'USD' },
    ),
  },
  foreign_currency: offerOf(
    cellOf('retailer_w', { ...MUG, price: { cents: 2_000, currency: 'EUR' } }),
  ),
  hazmat: offerOf(cellOf('retailer_w', { ...MUG, hazmat: true })),
  restricted: offerOf(cellOf('retailer_w', { ...MUG, weightPackageLbs: 501 })),
};

test('each warning stands for one thing, and a plain listing has none', () => {
  assert.deepEqual(offerOf(cellOf('retailer_w', MUG)).warnings, []);
  for (const warning of WARNINGS) {
    // A product over the fulfilment limits also has no fee for it.
    const expected = warning === 'restricted' ? ['no_fees', 'restricted'] : [warning];
    assert.deepEqual(WARNED[warning].warnings, expected);
  }
});

test('without a price, or with half of the fees, no profit is shown', () => {
  const costs = { ...NO_COSTS, costCents: 500, roiBasisPoints: 3_000 };
  const sold = offerOf(cellOf('retailer_w', { ...MUG, inStock: false }), costs);
  const unweighed = offerOf(cellOf('retailer_w', { ...MUG, weightPackageLbs: null }), costs);
  for (const offer of [sold, unweighed]) {
    assert.equal(offer.profitCents, null);
    assert.equal(offer.roiPercent, null);
    assert.equal(offer.highestCostCents, null);
  }
  assert.equal(sold.breakEvenCents === null, false, 'what is sold out can still be planned for');
  assert.equal(unweighed.breakEvenCents, null);
  assert.deepEqual(unweighed.warnings, ['no_fees']);
});

test('without a cost, fees and the highest cost are shown and no profit', () => {
  const offer = offerOf(cellOf('retailer_w', MUG), { ...NO_COSTS, roiBasisPoints: 3_000 });
  const { outlayCents, profitCents, marginPercent, roiPercent, breakEvenCents: even } = offer;
  assert.deepEqual(
    [outlayCents, profitCents, marginPercent, roiPercent, even],
    [null, null, null, null, null],
  );
  assert.equal(offer.feesCents, 795);
  assert.equal(offer.highestCostCents, Math.floor(((2_000 - 795) * 10) / 13));
});

test('a listing of another pack pays for all its pieces and is compared by one', () => {
  const costs = { ...NO_COSTS, costCents: 200 };
  const single = offerOf(cellOf('retailer_w', MUG), costs);
  const double = offerOf(cellOf('retailer_w', { ...MUG, packCount: 2 }), costs);
  assert.equal(single.outlayCents, 200);
  assert.equal(double.outlayCents, 400);
  assert.equal(double.unitPriceCents, 1_000);
  assert.equal(double.unitProfitCents, (double.profitCents ?? 0) / 2);
});

test('an amount is 0 to 1,000,000 with at most two decimals', () => {
  const good = { '0': 0, '12.5': 1_250, '12.50': 1_250, '1000000': 100_000_000, '007': 700 };
  for (const [text, hundredths] of Object.entries(good))
    assert.equal(hundredthsOf(text), hundredths);
  for (const text of [
    '',
    '-1',
    '1.234',
    '1000000.01',
    '1e3',
    '.5',
    '1.',
    '1,5',
    ' 1',
    'NaN',
    '$1',
  ]) {
    assert.equal(hundredthsOf(text), null, text);
  }
});
