// The fees of a listing (D44): the card of the day, the measures used, and the remarks next to them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { feesOf, type Fees } from '../../../src/rules/fees/listing-fees.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import { KNOWN_SLUGS, RETAILERS } from '../../../src/base/retailer.ts';

const DAY = '2026-03-02';

const MUG: Listing = {
  ...EMPTY_LISTING,
  categories: ['Home', 'Kitchen', 'Mugs'],
  weightPackageLbs: 0.9,
  dimensionsPackage: { heightIn: 5, widthIn: 5, lengthIn: 6 },
};

function fees(
  retailer: string,
  {
    listing = {},
    day = DAY,
    price = 2000,
  }: {
    listing?: Partial<Listing>;
    day?: string;
    price?: number | null;
  } = {},
): Fees {
  const found = feesOf({ ...MUG, ...listing }, retailer, day, price);
  assert.ok(found);
  return found;
}

const both = ({ referralCents, fulfillmentCents }: Fees) => [referralCents, fulfillmentCents];

const because = ({ referral, fulfillment }: Fees) =>
  [referral.fee, fulfillment.fee].map((fee) => (fee.kind === 'unknown' ? fee.because : null));

test('each marketplace charges by its own cards', () => {
  assert.deepEqual(both(fees('retailer_w')), [300, 495]);
  // 5 x 5 x 6 in counts as 1.08 lb.
  assert.deepEqual(both(fees('retailer_a')), [300, 504]);
  const atE = fees('retailer_e');
  assert.deepEqual(both(atE), [312, null]);
  assert.deepEqual(because(atE), [null, 'no_fulfillment_program']);
});

test('first-party retailers and other shops charge nobody a fee', () => {
  const shops = KNOWN_SLUGS.filter((slug) => !RETAILERS[slug].marketplace);
  for (const slug of [...shops, 'someshop', 'constructor']) {
    assert.equal(feesOf(MUG, slug, DAY, 2000), null, slug);
  }
});

test('the card in force on the day counts, both its ends included', () => {
  const at = (retailer: string, day: string) => {
    const { referral, fulfillment } = fees(retailer, { day });
    return [referral.card?.id ?? null, fulfillment.card?.id ?? null];
  };
  for (const [retailer, day, referral, fulfillment] of [
    ['retailer_w', '2023-12-31', null, null],
    ['retailer_w', '2024-01-01', null, 'retailer_w.wfs.2024'],
    ['retailer_w', '2025-03-24', null, 'retailer_w.wfs.2024'],
    ['retailer_w', '2025-03-25', 'retailer_w.referral.2025-03', 'retailer_w.wfs.2024'],
    ['retailer_a', '2024-04-14', null, null],
    ['retailer_a', '2024-04-15', null, 'retailer_a.fba.2024-04-15'],
    ['retailer_a', '2026-01-01', 'retailer_a.referral.2026', 'retailer_a.fba.2024-04-15'],
    ['retailer_a', '2026-01-14', 'retailer_a.referral.2026', 'retailer_a.fba.2024-04-15'],
    ['retailer_a', '2026-01-15', 'retailer_a.referral.2026', 'retailer_a.fba.2026-01-15'],
    ['retailer_e', '2025-02-13', null, null],
    ['retailer_e', '2025-02-14', 'retailer_e.fvf.nostore.2025-02', null],
  ] as const) {
    assert.deepEqual(at(retailer, day), [referral, fulfillment], `${retailer} ${day}`);
  }
  assert.deepEqual(because(fees('retailer_w', { day: '2023-12-31' })), [
    'no_card_on_this_day',
    'no_card_on_this_day',
  ]);
});

test('without a price, a category or a measure the fee that needs it is unknown', () => {
  for (const price of [null, 0, -5]) {
    const unpriced = fees('retailer_w', { price });
    assert.deepEqual(both(unpriced), [null, null]);
    assert.deepEqual(because(unpriced), ['no_price', 'no_price']);
    assert.equal(unpriced.baseCents, null);
  }
  // Fulfilment of clothing has its own price, so the category has to be known.
  const unsorted = fees('retailer_a', { listing: { categories: [] } });
  assert.deepEqual(because(unsorted), ['no_category', 'no_category']);
  const unweighed = fees('retailer_a', { listing: { weightPackageLbs: null } });
  assert.deepEqual(because(unweighed), [null, 'no_weight']);
  const dimensionsPackage = { heightIn: 5, widthIn: null, lengthIn: 6 };
  const unmeasured = fees('retailer_a', { listing: { dimensionsPackage } });
  assert.deepEqual(because(unmeasured), [null, 'no_dimensions']);
});

test('the parcel’s measures are taken, and others only where it has none', () => {
  const other = { heightIn: 1, widthIn: 1, lengthIn: 1 };
  const full: Partial<Listing> = {
    weightLbs: 7,
    weightAssembledLbs: 8,
    dimensions: other,
    dimensionsAssembled: other,
  };
  const usual = fees('retailer_w', { listing: full });
  assert.deepEqual(both(usual), both(fees('retailer_w')));
  assert.deepEqual(
    [usual.fulfillment.weightOf, usual.fulfillment.dimensionsOf],
    ['package', 'package'],
  );
  const half = { ...full, weightPackageLbs: null, dimensionsPackage: { ...other, lengthIn: null } };
  const unspecified = fees('retailer_w', { listing: half });
  assert.equal(unspecified.fulfillmentCents, 575 + 4 * 40);
  assert.deepEqual(unspecified.assumptions, [
    'shipping_zero',
    'not_hazardous',
    'weight_not_of_package',
    'dimensions_not_of_package',
  ]);
  const assembled = fees('retailer_w', { listing: { ...half, weightLbs: null, dimensions: null } });
  assert.equal(assembled.fulfillmentCents, 575 + 5 * 40);
  assert.equal(assembled.fulfillment.weightOf, 'assembled');
});

test('clothing and dangerous goods are charged as such, and what was assumed is said', () => {
  const categories = ['Clothing', 'Mens', 'Shirts'];
  const shirt = fees('retailer_w', { listing: { categories } });
  assert.deepEqual(both(shirt), [200, 545]);
  assert.ok(shirt.assumptions.includes('apparel_by_category'));
  const hazmat = fees('retailer_w', { listing: { hazmat: true } });
  assert.deepEqual(both(hazmat), [300, 545]);
  assert.ok(!hazmat.assumptions.includes('not_hazardous'));
  const declared = fees('retailer_w', { listing: { hazmat: false } });
  assert.ok(!declared.assumptions.includes('not_hazardous'));
  assert.ok(fees('retailer_w').assumptions.includes('not_hazardous'));
});

test('retailer_e: the tax is taken as 0 and the seller as one without a store, and that is said', () => {
  const { assumptions, notIncluded } = fees('retailer_e');
  assert.deepEqual(assumptions, ['shipping_zero', 'tax_zero', 'no_store_plan']);
  assert.ok(notIncluded.some(({ charge }) => charge.name === 'sales tax'));
});

test('a surcharge is left out of the fee and listed on its days, with its amount where that is known', () => {
  const listed = (day: string) =>
    fees('retailer_a', { day })
      .notIncluded.filter(({ of }) => of === 'fulfillment')
      .map(({ charge, cents }) => [charge.name, cents]);
  const packaging = ['own packaging', null];
  assert.deepEqual(listed('2026-04-16'), [packaging]);
  // 3.5% of 5.04.
  const fuel = ['fuel and logistics surcharge', 18];
  assert.deepEqual(listed('2026-04-17'), [fuel, packaging]);
  assert.deepEqual(listed('2026-10-15'), [fuel, ['holiday peak', null], packaging]);
  assert.deepEqual(listed('2027-01-15'), [fuel, packaging]);
  assert.deepEqual(listed('2025-10-14'), []);
  assert.deepEqual(listed('2025-12-24'), [['holiday peak', null]]);
  for (const day of ['2026-04-16', '2026-10-15'])
    assert.equal(fees('retailer_a', { day }).fulfillmentCents, 504);
});

test('handling of what is too large is listed for such things only', () => {
  const names = (lengthIn: number) =>
    fees('retailer_a', {
      listing: { weightPackageLbs: 20, dimensionsPackage: { heightIn: 5, widthIn: 5, lengthIn } },
    }).notIncluded.map(({ charge }) => charge.name);
  assert.ok(!names(90).includes('overmax handling'));
  assert.ok(names(97).includes('overmax handling'));
});

test('where there is no fee nothing is left out of it', () => {
  const { assumptions, notIncluded } = fees('retailer_a', { price: null });
  assert.deepEqual([assumptions, notIncluded], [[], []]);
});
