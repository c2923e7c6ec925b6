import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { likelyHits } from '../../../src/answer/collect/asking/likely-hits.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../../src/rules/matching/matching-later.ts';
import { MODEL } from './shipped-model.ts';
import { NOT_CHECKED } from '../../../src/rules/product/identity.ts';
import { upsertBarcodeAnswer } from '../../../src/data/answers/barcode-answers.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { openTestStore } from '../../support/stores.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';

const GTIN = '00614141810001' as Gtin14;
const matching = createMatching(MODEL);
const later = createMatchingLater(() => Promise.resolve(matching));

function listing(title: string, more: Partial<Listing> = {}): Listing {
  return { ...EMPTY_LISTING, title, ...more };
}

function stored(retailer: KnownSlug, facts: Listing, fetchedAtMs = 1): StoredListing {
  const key = `${retailer}-1`;
  const place = { retailer, key, url: `https://${retailer}.example/1`, fetchedAtMs };
  return { ...place, id: listingIdOf(retailer, key), foundVia: 'native_catalog', listing: facts };
}

const HEADPHONES = listing('Arden QX700 Wireless Noise Cancelling Headphones Black', {
  brand: 'Arden',
  model: 'QX700',
  gtin: GTIN,
});

const HITS: readonly Listing[] = [
  listing('Arden QX500 Wireless Headphones White', { asin: 'B000000005' }),
  listing('Replacement Ear Pads for Arden QX700 Headphones', { asin: 'B000000002' }),
  listing('Arden QX700 Noise Cancelling Wireless Headphones, Black', { asin: 'B000000001' }),
  listing('Garden Hose 50 ft Expandable', { asin: 'B000000003' }),
];

/** Stores listings as their retailers' answers for the barcode. */
async function storeWith(...listings: readonly StoredListing[]) {
  const store = await storePrinting(...listings);
  for (const { id, retailer, fetchedAtMs } of listings) {
    const cell = { gtin: GTIN, retailer, status: 'ok', listingId: id, source: 'primary' } as const;
    const answered = { checkedAtMs: fetchedAtMs, askedAtMs: fetchedAtMs, judgedBy: null };
    const tied = { identity: NOT_CHECKED, foundVia: 'native_catalog' } as const;
    await store.sql.write([upsertBarcodeAnswer({ ...cell, ...tied, ...answered })]);
  }
  return store;
}

/** Stores listings whose retailers were not queried for the barcode. */
async function storePrinting(...listings: readonly StoredListing[]) {
  const store = await openTestStore();
  const notes = { missing: [], remarks: [] };
  for (const each of listings) await store.sql.write([...upsertListing({ ...each, notes })]);
  return store;
}

test('of a keyword search the matcher chooses by what is known of the barcode elsewhere', async () => {
  await using store = await storeWith(stored('retailer_w', HEADPHONES));
  const likely = await likelyHits({ store, matching: later }, 'retailer_a', GTIN);
  assert.equal(likely.ordered(HITS)[0]?.asin, 'B000000001');
  const kept = HITS.filter((hit) => likely.isLikely(hit)).map(({ asin }) => asin);
  assert.deepEqual(kept, ['B000000001']);
});

test('none is chosen when none is good enough, and one with the barcode itself always is', async () => {
  await using store = await storeWith(stored('retailer_w', HEADPHONES));
  const likely = await likelyHits({ store, matching: later }, 'retailer_a', GTIN);
  const wrong = HITS.filter(({ asin }) => asin !== 'B000000001');
  assert.deepEqual(wrong.filter(likely.isLikely), []);
  assert.ok(likely.isLikely(listing('Arden Kopfhörer', { gtin: GTIN })));
});

test('a listing that merely prints the barcode judges nothing, and a retailer does not judge its own hits', async () => {
  await using printing = await storePrinting(stored('retailer_w', HEADPHONES));
  await using own = await storeWith(stored('retailer_b', HEADPHONES));
  for (const [store, retailer] of [
    [printing, 'retailer_a'],
    [own, 'retailer_b'],
  ] as const) {
    const likely = await likelyHits({ store, matching: later }, retailer, GTIN);
    assert.ok(HITS.every(likely.isLikely), retailer);
  }
});

test('where nothing is known every hit stays, in its order', async () => {
  await using empty = await storeWith();
  const unknown = await likelyHits({ store: empty, matching: later }, 'retailer_a', GTIN);
  assert.deepEqual(unknown.ordered(HITS), HITS);
  assert.ok(HITS.every(unknown.isLikely));
});

test('what a search by barcode found is left in its order, and dropped only when it contradicts the product', async () => {
  await using store = await storeWith(stored('retailer_w', HEADPHONES));
  const likely = await likelyHits({ store, matching: later }, 'retailer_b', GTIN);
  assert.deepEqual(likely.ordered(HITS), HITS);
  const kept = HITS.filter((hit) => likely.isLikely(hit)).map(({ asin }) => asin);
  assert.deepEqual(kept, ['B000000001']);
  assert.ok(likely.isLikely(listing('Arden headphones, boxed, see pictures')), 'says little');
  const other = '00614141810025' as Gtin14;
  assert.ok(likely.isLikely(listing('Garden Hose', { gtin: other })), 'reported as a mismatch');
});

test('the next model of a line is not the product, however alike the titles', async () => {
  const title = 'Tarnfield Walnut Kettle 1.5 L TA600226';
  const kettle = listing(title, { brand: 'Tarnfield', model: 'TA600226', gtin: GTIN });
  await using store = await storeWith(stored('retailer_w', kettle, 2));
  for (const retailer of ['retailer_t', 'retailer_e'] as const) {
    const likely = await likelyHits({ store, matching: later }, retailer, GTIN);
    const sibling = { ...kettle, gtin: null, title: title.replace('226', '225'), model: null };
    assert.equal(likely.isLikely(sibling), false, retailer);
    assert.equal(likely.isLikely({ ...kettle, gtin: null }), true, retailer);
  }
});

test('a hit whose title states another product is not likely, however similar the titles', () => {
  for (const [title, hit] of [
    ['Arden QX70021 Smart TV', 'Full Motion Wall Mount compatible with Arden QX70021'],
    ['Arden Ibuprofen 200 mg 100 Coated Tablets', 'Arden Ibuprofen 200 mg 200 Coated Tablets'],
    ['Arden QX700 Headlight Left', 'Arden QX700 Headlight, Right'],
    // A tyre size is not a model number.
    ['Arden Zorb 4 225/45 R17 91W', 'Arden Zorb 4+ 225/45 R17 91W'],
    ['Arden ZorbContact 6 225/45R17 91Y', 'Arden EcoContact 6 225/45R17 91Y'],
    ['Arden Tab 10.9 Wi-Fi 64GB Blue', 'Arden Tab 10.9 Wi-Fi + Cellular 64GB Blue'],
    ['Arden Spaghetti 500 g', 'Arden Spaghetti Pasta 1 kg'],
    ['Arden Zorb Eau de Parfum 100 ml', 'Arden Zorb Eau de Parfum 100 ml Tester'],
    ['Arden Zorb Eau de Parfum 100 ml', 'Arden Zorb Eau de Parfum 100 ml Gift Set'],
    ['Arden Zorb Coffee Pods 24 Count', 'Arden Zorb Decaf Coffee Pods 24 Count'],
    // An amount that both state is not a model number.
    ['Arden Zorb Instant Coffee 200g', 'Arden Zorb Decaff Instant Coffee 200g'],
    ['The Zorbling of Arden', 'The Zorbling of Arden, Large Print'],
    ['Arden QX700 Bohrschrauber 18V', 'Arden QX700 Bohrschrauber 18V generalüberholt'],
    ['Arden QX700 Camera Body', 'Arden QX700 Camera Body For Parts Not Working'],
    ['Arden QX700 Camera Body', 'Arden QX700 Camera Body Ex-Display'],
    ['Arden Zorb Electric Guitar Sunburst', 'Arden Zorb Left-Handed Electric Guitar Sunburst'],
    ['Arden Zorb 1-Day 30 Contact Lenses', 'Arden Zorb 1-Day for Astigmatism 30 Contact Lenses'],
    ['Arden Zorb Air Freshener Linen', 'Arden Zorb Air Freshener Refill Linen'],
    ['Arden Zorb Energy Drink 250 ml', 'Arden Zorb Energy Drink Sugarfree 250 ml'],
    ['Arden Zorb Cola 330 ml Dose', 'Arden Zorb Cola Zero 330 ml Dose'],
    ['Arden Zorb Pils 0,5 l', 'Arden Zorb Pils alkoholfrei 0,5 l'],
    ['Arden Zorb Spaghetti 500 g', 'Arden Zorb Spaghetti glutenfrei 500 g'],
    ['Arden Zorb Cream Cheese 8 oz', 'Arden Zorb Reduced Fat Cream Cheese 8 oz'],
    ['Arden Zorb Black Tea Bags', 'Arden Zorb Black Tea Bags Caffeine Free'],
    ['Arden QX70021 Headphones', 'Arden QX70021 Headphones Grey Import'],
    ['Arden QX70021 Earbuds', 'Arden QX70021 Earbuds Charging Case Only'],
    ['Arden Zorb Cordless Vacuum', 'Arden Zorb Cordless Vacuum Wall Dock'],
    ['Arden Zorb Dimmable Daylight Bulb', 'Arden Zorb Non-Dimmable Daylight Bulb'],
    ['Arden zorb 6 mesh router', 'Arden zorb 6+ mesh router'],
    ['Arden zorb Q7 Max robot vacuum', 'Arden zorb Q7 Max+ robot vacuum'],
    // The whole title, and one with more in it or with it.
    ['Arden Zorb Oat Bars Cocoa 40 g', 'Arden Zorb Oat Bars Cocoa 40 g, 12 Pack'],
    ['Arden Zorb Cordless Vacuum', 'Arden Zorb Cordless Vacuum with Two Filters and Bag'],
    [
      'Arden Zorb Electric Toothbrush, White',
      'Arden Zorb Electric Toothbrush, White + 4 Brush Heads',
    ],
    // An edition, whatever else the titles say.
    [
      'Arden Zorb Soft Mouse Pad with Wrist Rest',
      "Arden Soft Mouse Pad Zorb with Wrist Rest, Collector's Edition - Best Seller",
    ],
    // A part named before the whole title: of a product that has parts, or called a replacement.
    ['Arden Zorb Cordless Vacuum', 'Wall Dock - Arden Zorb Cordless Vacuum'],
    ['Arden Zorb Countertop Fountain', 'Replacement Filter, Arden Zorb Countertop Fountain'],
    ['Arden Zorb Countertop Fountain', 'Arden Zorb Countertop Fountain Replacement Filter'],
    // Anything after a "+" is an addition.
    ['Arden Zorb Vitamin C 60 Tablets', 'Arden Zorb Vitamin C 60 Tablets + Zinc'],
    ['Arden Zorb Console White', 'Arden Zorb Console White + Corvane Racer Deluxe'],
    ['Arden Zorb Lenses 6 pk +2.50', 'Arden Zorb Lenses 6 pk -2.50'],
    ['Arden QX70021 Crank 50/34 170 mm', 'Arden QX70021 Crank 50/34 172.5 mm'],
    ['Arden Zorb 700x25C Clincher Tire', 'Arden Zorb 700x25C Tubeless Tire'],
    ['Arden Zorb 1+ Adult Cat Food Fish 12 x 85g', 'Arden Zorb 7+ Senior Cat Food Fish 12 x 85g'],
    // Ink of another maker has the same number.
    ['Arden QX305XL Ink Cartridge Black', 'Compatible Arden QX305XL Ink Cartridge Black'],
    ['Zorbling: Part Two Blu-ray', 'Zorbling: Part Two 4K Ultra HD Blu-ray'],
    ['Arden Zorb A3B4 Motor Oil 10W-40 5L', 'Arden Zorb A3B4 Motor Oil 5W40 5L'],
    ['Arden Zorb Tyre 225/55 R16 95V', 'Arden Zorb Tyre 225/55R16 99 W'],
    ['Arden Zorb USB-C to Lightning Cable 1 m', 'Arden Zorb USB-C to USB-C Cable 1 m'],
    ['Arden QX70021 Aux Cable 3.5mm to 3.5mm', 'Arden QX70021 Aux Cable 3,5 mm to RCA'],
    // Colours by any name.
    ['Arden Zorb Silicone Case QX7 negru', 'Arden Zorb Silicone Case QX7 auriu'],
    ['Arden Zorb J6 Phone 32GB Lavender', 'Arden Zorb J6 Phone 32GB Gold'],
    ['Arden Zorb S550 Digital Camera Plum', 'Arden Zorb S550 Digital Camera Black'],
    // The second of two memory sizes, and another size of a flat product.
    ['Arden Pocophone 6GB/64GB Blue', 'Arden Pocophone 6GB/128GB Blue'],
    ['Arden Zorb Bed Sheet White 140x200 cm', 'Arden Zorb Bed Sheet White 160 x 200 cm'],
    ['Arden Zorb Model B Screen 60 x 80', 'Arden Zorb Model B Wall Screen 60 x 60'],
    [
      'Arden Zorb XT QX-8100 12-Speed Cassette 10-45T',
      'Arden Zorb XT QX-8100 12-Speed Cassette 10-51T',
    ],
    [
      'Arden QX70021 Headlight Assembly Left, Deluxe Edition',
      'Arden QX70021 Headlight Assembly Right, Special Edition',
    ],
  ] as const) {
    const known = stored('retailer_w', listing(title));
    assert.equal(matching.isLikely([known], listing(hit)), false, hit);
    assert.equal(matching.isStrong([known], stored('retailer_b', listing(hit))), false, hit);
  }
});

test('a colour, memory, size or pack in other words does not mean another product', () => {
  for (const [title, hit] of [
    [
      'Arden Zorb Kettle Charcoal Grill 57 cm Black',
      'Arden Zorb Kettle 57 cm Black Charcoal Grill',
    ],
    ['Arden Pocophone 6GB/64GB Blue', 'Arden Pocophone 64GB Blue'],
    ['Arden Zorb Drive 4TB SATA 6Gb/s', 'Arden Zorb Drive 4 TB SATA'],
    ['Arden Zorb Silicone Case QX70021 Black', 'Arden Zorb Silicone Case QX70021 negru'],
    ['Arden QX305XL Ink Black', 'Arden QX305XL Ink Black, compatible with Arden Zorb 2700'],
    ['Arden QX305XL Cartridge 3+ Black', 'Arden QX305XL Cartridge Black 3+'],
    ['Arden QX7+ Action Camera Black', 'Arden QX 7+ Action Camera Black'],
    [
      'Arden Zorb QX7+ Phone 128GB Black Unlocked',
      'Arden Zorb QX7 Plus Phone 128 GB Black Unlocked',
    ],
    ['Arden Zorb Vitamins for Women 50+ Tablets', 'Arden Zorb Vitamins for Women 50 Plus Tablets'],
    ['Arden Zorb Console OLED 64GB White Gamepad', 'Arden Zorb Console OLED 64GB w/ White Gamepad'],
    [
      'Arden Zorb Cable USB to Lightning 1 m White',
      'Arden Zorb Lightning to USB-A Cable 1 m White',
    ],
    ['Arden QX70021 USB Type-C to HDMI Adapter', 'Arden QX70021 HDMI to USB-C Adapter'],
    ['Arden Zorb Oat Bars Cocoa 40 g, 12 Pack', 'Arden Zorb Oat Bars Cocoa 40 g (12 Count)'],
    ['Arden QX70021 Water Filter', 'Arden QX70021 Water Filter, 3-Pack'],
    ['Arden Zorb SN5 Drive 1TB Black', 'Arden Zorb SN5 Drive 1000 GB Black'],
    ['Arden Zorb Reader (2nd Generation)', 'Arden Zorb Reader 2. Generation'],
    ['Arden Zorb Filter', 'Replacement Arden Zorb Filter'],
    ['Arden Zorb Cordless Vacuum', 'Arden Zorb Cordless Vacuum + Free Shipping'],
    ['Arden Zorb Cordless Vacuum', 'Arden Zorb Cordless Vacuum + 2 Year Warranty'],
    ['Arden QX70021 Fridge', 'Arden QX70021 Fridge + 15 let záruka'],
    ['Arden Zorb Cordless Vacuum', 'Arden Zorb Cordless Vacuum with Noise Filter Technology'],
    ['Arden Zorb Bed Sheet White 140x200 cm', 'Arden Zorb Bed Sheet White 1400 x 2000 mm'],
  ] as const) {
    assert.ok(matching.isLikely([stored('retailer_w', listing(title))], listing(hit)), hit);
  }
});

test('a hit of another brand is not likely where both state theirs and begin with it, however alike the titles', () => {
  const known = listing('Arden Stainless Steel Kettle 1.5 L', { brand: 'Arden' });
  const isLikely = (title: string, brand: string | null) =>
    matching.isLikely([stored('retailer_w', known)], listing(title, { brand }));
  assert.ok(!isLikely('Corvane Stainless Steel Kettle 1.5 L', 'Corvane'));
  for (const [title, brand] of [
    ['Arden Stainless Steel Kettle 1.5 L', 'Corvane'],
    ['Corvane Arden Stainless Steel Kettle 1.5 L', 'Corvane'],
    ['Arden Stainless Steel Kettle 1.5 L', 'Arden Home'],
    ['Stainless Steel Kettle 1.5 L', null],
  ] as const) {
    assert.ok(isLikely(title, brand), `${title} ${brand}`);
  }
});

test('what a grill burns is not a colour of it', () => {
  const grills = [
    stored('retailer_w', listing('Arden Zorb Kettle Grill 57 cm Black')),
    stored('retailer_b', listing('Arden Zorb Kettle Charcoal Grill 57 cm')),
  ];
  assert.deepEqual(matching.agreementOf(grills).disagreements, []);
});

test('what is made for a product is never strong next to it, however alike the titles', () => {
  const known = stored('retailer_w', listing('Arden LP-E6NH Battery Pack', { brand: 'Arden' }));
  const made = listing('Zorb Replacement Battery compatible with Arden LP-E6NH');
  assert.equal(matching.similarity([known], made), 0);
  assert.equal(matching.isStrong([known], stored('retailer_a', made)), false);
});

test('a mark in a name, or next to one model number, does not mean another product', () => {
  for (const [title, hit, brand = null] of [
    ['Arden Voltage Meter', 'Arden Voltage Meter and Battery Tester'],
    ['Arden Zorb QX70021 Sunglasses', 'Arden Zorb QX70021 Polarized Sunglasses'],
    ['Arden Zorb Mouthwash Mint', 'Arden Zorb Alcohol Free Mouthwash Mint'],
    ['Arden Zorb Razor Blades 8 Count', 'Arden Zorb Razor Blade Refills 8 Count'],
    [
      'Arden Zorb Peppermint Herbal Tea 20 Bags',
      'Arden Zorb Peppermint Herbal Tea 20 Bags Caffeine Free',
    ],
    ['Arden Zorb Golf Glove White', 'Arden Zorb Golf Glove Left Hand White'],
    ['Arden Zorb Sunscreen SPF 50 Lotion', 'Arden Zorb Sunscreen SPF 50+ Lotion'],
    ['Arden Zorb Board Game Ages 8', 'Arden Zorb Board Game Ages 8+'],
    ['Arden Zorb Slip-On Work Shoes', 'Arden Zorb Non-Slip Slip-On Work Shoes'],
    ['Arden QX70021', 'Arden QX70021 Keyboard'],
    ['Arden Zorb Notebook', 'Arden Zorb Notebook Hard Cover'],
    ['Arden Zorb 2. Generation Earbuds', 'Arden Zorb 2nd Generation Earbuds'],
    ['Arden QX70021 Sunglasses', 'Arden QX70021 Sunglasses Refill'],
    ['Arden Organic Milk', 'Arden Bio Milk'],
    ['Arden Evolve 75+ Headset', 'Arden Evolve 75 Plus Headset'],
    ['Organic Zorb Whole Milk', 'Zorb Whole Milk', 'Organic Zorb'],
  ] as const) {
    const known = stored('retailer_w', listing(title, { brand }));
    assert.ok(matching.similarity([known], listing(hit, { brand })) > 0, hit);
  }
});

test('a short model number next to a mark identifies a product if both titles state it as such, a name does not', () => {
  for (const [title, hit] of [
    ['Arden Zorb Sunglasses', 'Arden Zorb Polarized Sunglasses'],
    ['Arden Zorb 12 Phone Black', 'Arden Zorb 12 Pro Smartphone, Black'],
  ] as const) {
    const isLikely = (model: string): boolean => {
      const known = stored('retailer_w', listing(title, { brand: 'Arden', model }));
      return matching.isLikely([known], listing(hit, { brand: 'Arden', model }));
    };
    assert.equal(isLikely('8692'), true, hit);
    assert.equal(isLikely('Zorb'), false, hit);
  }
});

test('two titles of one accessory are compared, whichever of them says for what it is', () => {
  for (const [title, hit] of [
    ['Arden PF12.1 Glare Filter', 'Arden PF12.1 Privacy Filter for 12.1 in Screens'],
    ['Arden Zorbgrip Black', 'Arden Zorbgrip Case for QX700 Black'],
  ] as const) {
    const known = stored('retailer_w', listing(title));
    assert.ok(matching.similarity([known], listing(hit)) > 0, hit);
  }
});

test('a hit is held against every known listing: the order of these decides nothing, and one that others contradict is less likely', () => {
  const plain = stored('retailer_w', listing('Arden Zorbella Women Perfume 100 ml'));
  const night = stored('retailer_b', listing('Arden Zorbella Quorv Perfume, 100 ml'));
  const hit = listing('Arden Zorbella Women Perfume 100ml Spray');
  const alone = matching.similarity([plain], hit);
  const other = matching.similarity([night], hit);
  assert.ok(alone > 0.5 && other < alone, `${alone} ${other}`);
  const both = matching.similarity([plain, night], hit);
  assert.ok(other < both && both < alone, String(both));
  assert.ok(Math.abs(matching.similarity([night, plain], hit) - both) < 1e-9);
});

test('a guess that is strong next to one known listing is not where another one is unlike it', () => {
  const [same, other] = [HEADPHONES, listing(`${HEADPHONES.title} Zorbella Quorv Edition`)];
  const guess = stored('retailer_a', listing(HEADPHONES.title ?? ''));
  const [plain, edition] = [stored('retailer_w', same), stored('retailer_b', other)];
  assert.equal(matching.isStrong([plain], guess), true);
  assert.equal(matching.isStrong([plain, stored('retailer_h', same)], guess), true);
  assert.equal(matching.isStrong([plain, edition], guess), false);
});

test('a hit that is rather another product is not one, however the model weighs what it misses', () => {
  const known = stored('retailer_w', listing(UNSURE[0]));
  const hit = listing(UNSURE[1]);
  const likeness = matching.similarity([known], hit);
  assert.ok(likeness > MODEL.threshold && likeness < 0.5, String(likeness));
  assert.equal(matching.isLikely([known], hit), false);
  assert.equal(matching.isLikely([known], listing(`${UNSURE[0]} Spray`)), true);
});

const UNSURE = [
  'Arden Zorbella Women Perfume 100 ml',
  'Arden Zorbella Quorv Perfume, 100 ml',
] as const;

test('a listing that was read again is compared as it is now', () => {
  const others = [stored('retailer_w', HEADPHONES), stored('retailer_b', HEADPHONES)];
  const early = stored('retailer_h', HEADPHONES, 1);
  assert.equal(matching.agreementOf([...others, early]).disagreements.length, 0);
  const later = stored('retailer_h', listing('Garden Hose 50 ft Expandable', { gtin: GTIN }), 2);
  const { agreeing, disagreements } = matching.agreementOf([...others, later]);
  assert.deepEqual(agreeing, others);
  assert.deepEqual(
    disagreements.map(({ retailer }) => retailer),
    ['retailer_h'],
  );
});

test('a pack that one title alone states is another pack when the others state none', () => {
  const one = stored('retailer_w', HEADPHONES);
  const two = stored('retailer_b', HEADPHONES);
  const title = `${HEADPHONES.title}, Pack of 12`;
  const pack = stored('retailer_h', { ...HEADPHONES, title, packCount: 12 }, 3);
  const { agreeing, disagreements } = matching.agreementOf([one, two, pack]);
  assert.deepEqual(agreeing, [one, two]);
  assert.deepEqual(
    disagreements.map(({ retailer, reason, detail }) => [retailer, reason, detail]),
    [['retailer_h', 'pack_count', 'pack_count none stated vs 12']],
  );
  // Of two, the first one stays.
  for (const [first, second, detail] of [
    [one, pack, 'pack_count none stated vs 12'],
    [pack, one, 'pack_count 12 vs none stated'],
  ] as const) {
    const pair = matching.agreementOf([first, second]);
    assert.deepEqual(pair.agreeing, [first]);
    assert.deepEqual(
      pair.disagreements.map((each) => [each.retailer, each.detail]),
      [[second.retailer, detail]],
    );
  }
  const stating = stored('retailer_l', { ...HEADPHONES, packCount: 12 });
  assert.equal(matching.agreementOf([one, two, stating]).disagreements.length, 0, 'a field only');
});

test('another value in one place is named, and of two both listings count', () => {
  for (const [title, other, detail] of [
    ['Arden Zorb Harmonica Key of A', 'Arden Zorb Harmonica Key of D', 'model a vs d'],
    ['Arden Crank 50/34 170 mm', 'Arden Crank 50/34 172.5 mm', 'size 170mm vs 172.5mm'],
    ['Arden Zorb Lenses 6 pk +2.50', 'Arden Zorb Lenses 6 pk -2.50', 'model +2.50 vs -2.50'],
    ['Arden photo printer MX700C', 'Arden photo printer 2186B002', 'model mx700c vs 2186b002'],
  ] as const) {
    const [one, two] = [stored('retailer_w', listing(title)), stored('retailer_b', listing(title))];
    const wrong = stored('retailer_h', listing(other));
    const { agreeing, disagreements } = matching.agreementOf([one, wrong]);
    assert.deepEqual(agreeing, [one, wrong]);
    assert.deepEqual(
      disagreements.map((each) => [each.retailer, each.detail, each.isDoubt]),
      [['retailer_h', detail, true]],
    );
    const ofThree = matching.agreementOf([one, two, wrong]).disagreements;
    assert.deepEqual(
      ofThree.map(({ retailer }) => retailer),
      ['retailer_h'],
      title,
    );
  }
});

test('what agrees is decided by what the listings say now, not by what they said at the same moment', () => {
  const other = listing('Garden Hose 50 ft Expandable', { gtin: GTIN });
  const first = stored('retailer_w', HEADPHONES);
  const agreeingWith = (facts: Listing): number =>
    matching.agreementOf([first, stored('retailer_b', facts)]).agreeing.length;
  for (const _ of [1, 2]) {
    assert.equal(agreeingWith({ ...HEADPHONES }), 2);
    assert.equal(agreeingWith(other), 1);
  }
  const same = stored('retailer_b', other);
  assert.equal(matching.agreementOf([first, same]).disagreements[0]?.retailer, 'retailer_b');
  const moved = { ...same, retailer: 'retailer_h' as const };
  assert.equal(matching.agreementOf([first, moved]).disagreements[0]?.retailer, 'retailer_h');
});

test('a new rarity table is felt by listings that were compared before', () => {
  const own = createMatching(MODEL);
  const group = [stored('retailer_w', HEADPHONES), stored('retailer_a', HITS[2]!)] as const;
  const before = own.agreementOf(group).score;
  const titles = own.titleCount();
  for (let index = 0; index < 5_000; index += 1) titles.add(HEADPHONES.title ?? '');
  own.learn(titles, 7);
  const fresh = createMatching(MODEL);
  fresh.learn(titles, 7);
  assert.equal(own.agreementOf(group).score, fresh.agreementOf(group).score);
  assert.notEqual(own.agreementOf(group).score, before);
});
