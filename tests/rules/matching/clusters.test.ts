// Several products under one barcode: which cluster makes the record, and that nothing from the others reaches it (D80).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { createMatching } from '../../../src/rules/matching/matcher.ts';
import { inventCatalog } from '../../../sandbox/market/catalog.ts';
import { withPackCount } from '../../../src/read/titles/pack-count.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { MODEL } from './shipped-model.ts';

const matching = createMatching(MODEL);

const SKILLET = 'Cobbleton Walnut 10" Skillet CO700466, Slate';
const CAN = 'Quillbrook Recycled Steel Watering Can 2 gal QU800363';
const LAMP = 'Halden Linen Desk Lamp HA501285';

function stored(retailer: string, title: string): StoredListing {
  const listing = withPackCount({ ...EMPTY_LISTING, gtin: '00614141810001' as Gtin14, title });
  const place = { retailer, key: '1', url: 'https://shop.example/1', fetchedAtMs: 1 };
  return { ...place, id: `${retailer}:${title}`, foundVia: 'native_catalog', listing };
}

const group = (...titles: readonly string[]): readonly StoredListing[] =>
  titles.map((title, at) => stored(`shop${at}`, title));

function titlesOf(listings: readonly StoredListing[], askedFor: 'barcode' | 'first') {
  const { agreeing, disagreements, score } = matching.agreementOf(listings, askedFor);
  const left = disagreements.filter(({ isDoubt }) => !isDoubt);
  const out = listings.filter((each) => !agreeing.includes(each));
  assert.deepEqual(
    left.map(({ retailer }) => retailer),
    out.map(({ retailer }) => retailer),
    'whoever is left out is named',
  );
  assert.ok(left.length === 0 || (score ?? 1) <= 0.5);
  return agreeing.map(({ listing }) => listing.title);
}

for (const [name, titles, barcode, first] of [
  ['two and two: the first', [SKILLET, SKILLET, CAN, CAN], SKILLET, SKILLET],
  ['two and two, in turns: the first', [CAN, SKILLET, CAN, SKILLET], CAN, CAN],
  ['one before two: the two', [SKILLET, CAN, CAN], CAN, SKILLET],
  ['two before three: the three', [CAN, CAN, SKILLET, SKILLET, SKILLET], SKILLET, CAN],
  ['one and one: the first', [CAN, SKILLET], CAN, CAN],
  ['three: the first', [LAMP, CAN, SKILLET], LAMP, LAMP],
  ['two, two and two: the first', [CAN, LAMP, SKILLET, SKILLET, LAMP, CAN], CAN, CAN],
  ['two are less than half: the first', [LAMP, CAN, CAN, SKILLET], LAMP, LAMP],
] as const) {
  test(`the barcode is answered by the cluster with more than half, else by the first listing's: ${name}`, () => {
    const listings = group(...titles);
    const all = (title: string) => titles.filter((each) => each === title);
    assert.deepEqual(titlesOf(listings, 'barcode'), all(barcode));
    assert.deepEqual(titlesOf(listings, 'first'), all(first), 'asked for itself it keeps its own');
  });
}

test('a title that says little joins no two products', () => {
  const [one, two] = ['Corvane QX700 Drive 64GB', 'Corvane QX700 Drive 128GB'];
  for (const titles of [
    [one, 'Corvane QX700 Drive', two],
    [one, one, 'Corvane QX700 Drive', two, two],
  ]) {
    for (const askedFor of ['barcode', 'first'] as const) {
      const kept = titlesOf(group(...titles), askedFor);
      assert.ok(!(kept.includes(one) && kept.includes(two)), kept.join(' | '));
    }
  }
});

test('of random titles under one barcode no cluster has two products that each have a twin, and no low score is silent', (t) => {
  const seed = seedOf(80);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const catalog = inventCatalog(integerBelow(random, 1_000), 500, []);
  for (let turn = 0; turn < 150; turn += 1) {
    const products = [pick(random, catalog), pick(random, catalog)];
    if (products[0]?.family === products[1]?.family) continue;
    const sizes = [2 + integerBelow(random, 2), 2 + integerBelow(random, 3)];
    const titles = products
      .flatMap(({ title }, at) => Array<string>(sizes[at] as number).fill(title))
      .map((title) => ({ title, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ title }) => title);
    const listings = group(...titles);
    for (const askedFor of ['barcode', 'first'] as const) {
      const kept = new Set(titlesOf(listings, askedFor));
      assert.equal(kept.size, 1, `${[...kept].join(' | ')}, seed ${seed}`);
    }
    const { score, disagreements } = matching.agreementOf(listings);
    assert.ok((score ?? 1) >= 0.2 || disagreements.length > 0, titles.join(' | '));
  }
});

test('a score below 0.2 names the listing least like the first, which counts all the same', () => {
  const [book, hammer] = [
    'A Field Guide to Old Bridges',
    'Old Ferry Works Recycled Steel Claw Hammer 16 oz OL900118',
  ];
  const { agreeing, disagreements, score } = matching.agreementOf(group(book, hammer));
  assert.ok((score ?? 1) < 0.2, String(score));
  assert.deepEqual(
    disagreements.map(({ retailer, reason, detail, isDoubt }) => [
      retailer,
      reason,
      detail,
      isDoubt,
    ]),
    [['shop1', 'title', `title "${book}" vs "${hammer}"`, true]],
  );
  assert.equal(agreeing.length, 2);
});

test('three products of which no two contradict each other in a group of three are three clusters', () => {
  const titles = [
    'Sundrift Brass Cordless Screwdriver SU601568, Moss',
    'Maplewren & Co Enamel Mechanical Keyboard MA801178, Clay',
    'Maplewren & Co Brass Power Bank 10000 mAh MA800079',
  ];
  for (const [at] of titles.entries()) {
    const turned = [...titles.slice(at), ...titles.slice(0, at)];
    assert.deepEqual(titlesOf(group(...turned), 'barcode'), turned.slice(0, 1));
  }
});
