// Which of several weights and sizes is a record's best one (D76), and which listing it is from.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Slug } from '../../../src/base/retailer.ts';
import { EMPTY_LISTING, type Dimensions, type Listing } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { composeProduct } from '../../../src/rules/product/compose.ts';
import { randomFrom, seedOf } from '../../support/random.ts';

const NO_SPAN = { firstDay: null, lastDay: null, daysCovered: 0 };

function stored([retailer, facts]: Stated): StoredListing {
  const url = `https://${retailer.replace('_', '-')}.example/1`;
  const address = { id: retailer, retailer, key: '1', url, foundVia: 'native_catalog' } as const;
  return { ...address, fetchedAtMs: 0, listing: { ...EMPTY_LISTING, ...facts } };
}

type Stated = readonly [Slug, Partial<Listing>];

/** Returns the product of these listings; the first is the anchor. */
function productOf([anchor, ...others]: readonly Stated[]) {
  assert.ok(anchor !== undefined);
  return composeProduct({
    anchor: stored(anchor),
    isTrusted: () => true,
    others: others.map(stored),
    disputed: [],
    agreement: { disagreements: [], score: null },
    guesses: [],
    apart: [],
    gtin: null,
    history: { observations: [], span: NO_SPAN },
    peers: [],
    fees: null,
    currency: 'USD',
    today: '2026-11-29',
    isOnlyRetailer: false,
    withLinks: false,
    voters: [],
    askedAsin: null,
    asinMatch: null,
    resolvedByRetailerB: false,
  });
}

const cube = (inches: number): Dimensions => ({
  heightIn: inches,
  widthIn: inches,
  lengthIn: inches,
});

/** Pounds, or inches of each side, by what they measure. */
type Measures = {
  readonly own?: number | undefined;
  readonly box?: number | undefined;
  readonly unsaid?: number | undefined;
};

const facts = ({ own, box, unsaid }: Measures): Partial<Listing> => ({
  weightAssembledLbs: own ?? null,
  weightPackageLbs: box ?? null,
  weightLbs: unsaid ?? null,
  dimensionsAssembled: own === undefined ? null : cube(own),
  dimensionsPackage: box === undefined ? null : cube(box),
  dimensions: unsaid === undefined ? null : cube(unsaid),
});

const TABLE: readonly (readonly [
  what: string,
  stated: readonly (readonly [Slug, Measures])[],
  best: number | null,
  from: Slug | null,
])[] = [
  ['nothing', [['retailer_w', {}]], null, null],
  ['an unsaid measure alone', [['retailer_w', { unsaid: 1 }]], 1, 'retailer_w'],
  ['the box before an unsaid one', [['retailer_b', { unsaid: 1, box: 2 }]], 2, 'retailer_b'],
  ['the assembled one before both', [['shop', { unsaid: 1, box: 2, own: 3 }]], 3, 'shop'],
  [
    'the best measure is the box that another retailer measured before an unsaid one of the first source',
    [
      ['retailer_a', { unsaid: 1 }],
      ['retailer_e', { box: 2 }],
    ],
    2,
    'retailer_e',
  ],
  [
    'the best measure is the assembled one of the last source before the box of the first',
    [
      ['retailer_w', { box: 1 }],
      ['retailer_a', { unsaid: 2, box: 3 }],
      ['shop', { own: 4 }],
    ],
    4,
    'shop',
  ],
  [
    'the best measure is of one kind the best source, whoever anchors',
    [
      ['retailer_w', { own: 1, box: 5 }],
      ['retailer_h', { own: 2 }],
      ['retailer_a', { own: 3, unsaid: 7 }],
    ],
    3,
    'retailer_a',
  ],
  [
    'the best measure is of unsaid ones the best source too',
    [
      ['shop', { unsaid: 1 }],
      ['retailer_e', { unsaid: 2 }],
      ['retailer_l', { unsaid: 3 }],
    ],
    3,
    'retailer_l',
  ],
];

for (const [what, stated, best, from] of TABLE) {
  test(what, () => {
    const product = productOf(stated.map(([slug, measures]) => [slug, facts(measures)]));
    assert.deepEqual(
      [
        product.weightLbs,
        product.sources.weightLbs,
        product.dimensions,
        product.sources.dimensions,
      ],
      [best, from, best === null ? null : cube(best), from],
    );
  });
}

const seed = seedOf(20_261_129);

test(`the best measure is always the assembled one that is shown, else that of the box (seed ${seed})`, () => {
  const random = randomFrom(seed);
  const slugs = ['retailer_w', 'retailer_a', 'retailer_b', 'retailer_e', 'shop', 'other'] as const;
  const drawn = () => (random() < 0.4 ? 1 + Math.floor(random() * 50) : undefined);
  for (let round = 0; round < 500; round += 1) {
    const stated = slugs
      .filter(() => random() < 0.6)
      .map((slug) => [slug, facts({ own: drawn(), box: drawn(), unsaid: drawn() })] as const);
    if (stated.length === 0) continue;
    const product = productOf(stated);
    const shown = product.weightAssembledLbs ?? product.weightPackageLbs;
    if (shown !== null) assert.equal(product.weightLbs, shown, `seed ${seed}, round ${round}`);
    const sides = product.dimensionsAssembled ?? product.dimensionsPackage;
    if (sides !== null) assert.equal(product.dimensions, sides, `seed ${seed}, round ${round}`);
    const source = stated.find(([slug]) => slug === product.sources.weightLbs);
    const ofSource = Object.values(source?.[1] ?? {});
    assert.equal(product.weightLbs !== null, ofSource.includes(product.weightLbs));
  }
});
