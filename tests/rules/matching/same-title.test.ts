// Two listings with the same title are one product if the title is long enough to name one, even if its words are unknown.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bandOf, comparePair, leastOf } from '../../../src/rules/matching/pair/compare.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../../src/rules/matching/prepared/prepared.ts';
import { MODEL } from './shipped-model.ts';

/** Both have no barcode, so that only an equal title speaks for them. */
const haveSameTitle = (a: Prepared, b: Prepared): boolean => leastOf(a, b) > 0;

function listing(input: MatchInput): Prepared {
  return prepareListing(input, MODEL.vocabulary);
}

const TITLE = 'Vorrhald Quistle Brass Letter Tray';

test('one title in words that nobody has seen is enough, in other case and other punctuation too', () => {
  for (const title of [TITLE, TITLE.toUpperCase(), 'Vorrhald: Quistle, brass letter-tray']) {
    const { similarity } = comparePair(MODEL, listing({ title: TITLE }), listing({ title }));
    assert.equal(bandOf(MODEL, similarity), 'strong', title);
  }
});

test('a short title, which names a kind of goods, makes a match and no sure one', () => {
  const title = 'Vorrhald notebook';
  const { similarity, reason } = comparePair(MODEL, listing({ title }), listing({ title }));
  assert.ok(similarity >= MODEL.threshold && similarity < MODEL.strong, String(similarity));
  assert.equal(reason, null);
});

test('packs, barcodes and amounts outweigh one title', () => {
  const pairs: readonly (readonly [MatchInput, MatchInput])[] = [
    [
      { title: TITLE, packCount: 2 },
      { title: TITLE, packCount: 6 },
    ],
    [
      { title: TITLE, gtin: '00012345678905' },
      { title: TITLE, gtin: '00036000291452' },
    ],
  ];
  for (const [one, two] of pairs) {
    assert.equal(comparePair(MODEL, listing(one), listing(two)).similarity, 0.01);
  }
});

test("a sibling's model number beside the title speaks against it, a shop's own number does not", () => {
  const one = listing({ title: TITLE, model: 'HK1750' });
  assert.ok(!haveSameTitle(one, listing({ title: TITLE, model: 'HK1850' })));
  assert.ok(haveSameTitle(one, listing({ title: TITLE, model: '500001' })));
  assert.ok(haveSameTitle(one, listing({ title: TITLE })));
});

test('other words, another order and titles of whole pages are not one title', () => {
  const one = listing({ title: TITLE });
  assert.ok(!haveSameTitle(one, listing({ title: `${TITLE} Large` })));
  assert.ok(!haveSameTitle(one, listing({ title: 'Brass Letter Tray Vorrhald Quistle' })));
  assert.ok(!haveSameTitle(listing({ title: '' }), listing({ title: null })));
  const page = listing({ title: '"Vorrhald Quistle Tray" "Trays | Vorrhald Shop"' });
  assert.ok(!haveSameTitle(page, page));
});
