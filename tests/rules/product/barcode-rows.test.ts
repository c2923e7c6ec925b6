// What a retailer says of a barcode: what it answered, before what its other listings print (D56, D80).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import {
  barcodeRows,
  counts,
  type BarcodeAnswer,
  type BarcodeRow,
} from '../../../src/rules/product/barcode-rows.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';

const GTIN = '00614141000005' as Gtin14;
const CASE = '10614141000002' as Gtin14;
const OTHER = '04006381333931' as Gtin14;

type Stated = {
  readonly retailer?: string;
  readonly gtin?: Gtin14 | null;
} & Partial<StoredListing>;

function listing(key: string, { retailer = 'retailer_w', gtin = GTIN, ...more }: Stated = {}) {
  const url = `https://${retailer.replace('_', '-')}.example/${key}`;
  const facts = { ...EMPTY_LISTING, gtin, title: key };
  const stored: StoredListing = {
    id: `${retailer} ${key}`,
    retailer,
    key,
    url,
    foundVia: 'submitted_url',
    fetchedAtMs: 1,
    listing: facts,
    ...more,
  };
  return stored;
}

function answer(retailer: string, key: string | null, more: Partial<BarcodeAnswer> = {}) {
  const given: BarcodeAnswer = {
    retailer,
    status: key === null ? 'not_found' : 'ok',
    listingId: key === null ? null : `${retailer} ${key}`,
    source: 'primary',
    foundVia: 'native_catalog',
    checkedAtMs: 1,
    askedAtMs: 1,
    judgedBy: null,
    ...more,
  };
  return given;
}

const rules = {
  isTrusted: ({ retailer }: { readonly retailer: string }) => retailer.startsWith('retailer_'),
  accepts: ({ listing: { title } }: StoredListing) => title !== 'refused',
};

function rowsOf(answers: readonly BarcodeAnswer[], listings: readonly StoredListing[]) {
  return barcodeRows(GTIN, answers, listings, rules);
}

/** What is shown of retailer_w: key, what it speaks as, and how it is tied. */
function shown(rows: readonly BarcodeRow[]): string {
  const row = rows.find(({ retailer }) => retailer === 'retailer_w');
  return [row?.stored?.key ?? 'nothing', row?.speaksAs ?? 'silent', row?.identity.state].join(', ');
}

const E = { retailer: 'retailer_e' };
const OF_E = [answer('retailer_e', 'e')];

const SAID: readonly (readonly [
  string,
  readonly BarcodeAnswer[],
  readonly StoredListing[],
  string,
])[] = [
  [
    'its answer, although a smaller key prints the barcode',
    [answer('retailer_w', '2')],
    [listing('1'), listing('2')],
    '2, answer, confirmed',
  ],
  [
    'its answer that states no barcode, although another listing prints it',
    [answer('retailer_w', '2')],
    [listing('1'), listing('2', { gtin: null })],
    '2, answer, unconfirmed',
  ],
  [
    'its answer of another packaging, although another listing prints the barcode',
    [answer('retailer_w', '2')],
    [listing('1'), listing('2', { gtin: CASE })],
    '2, answer, unconfirmed',
  ],
  [
    'silent next to another retailer’s answer, if it has nothing',
    [answer('retailer_w', null), ...OF_E],
    [listing('1'), listing('e', E)],
    '1, silent, unconfirmed',
  ],
  [
    'silent next to a guess of another retailer',
    [answer('retailer_w', null), ...OF_E],
    [listing('1'), listing('e', { ...E, gtin: null })],
    '1, silent, unconfirmed',
  ],
  [
    'silent next to another retailer’s answer, if it answered with another product',
    [answer('retailer_w', '2'), ...OF_E],
    [listing('1'), listing('2', { gtin: OTHER }), listing('e', E)],
    '1, silent, unconfirmed',
  ],
  [
    'silent next to another retailer’s answer, if its own was refused',
    [answer('retailer_w', 'refused'), ...OF_E],
    [listing('1'), listing('refused', { gtin: null }), listing('e', E)],
    '1, silent, unconfirmed',
  ],
  [
    'silent before it was asked, if another retailer ties a listing',
    OF_E,
    [listing('1'), listing('e', E)],
    '1, silent, unconfirmed',
  ],
  [
    'what it prints, the smallest key, if nobody who was asked ties a listing',
    [answer('retailer_w', null), answer('retailer_e', null)],
    [listing('2'), listing('1')],
    '1, print, unconfirmed',
  ],
  [
    'what it prints, if the only answer was a mismatch',
    [answer('retailer_w', null), ...OF_E],
    [listing('1'), listing('e', { ...E, gtin: OTHER })],
    '1, print, unconfirmed',
  ],
  [
    'what it prints, if the only answer was refused',
    [answer('retailer_w', null), answer('retailer_e', 'refused')],
    [listing('1'), listing('refused', { ...E, gtin: null })],
    '1, print, unconfirmed',
  ],
  [
    'what it prints, whatever a shop that is not trusted prints',
    [answer('retailer_w', null)],
    [listing('1'), listing('x', { retailer: 'lampshop' })],
    '1, print, unconfirmed',
  ],
  [
    'the listing that it answered with before it failed',
    [answer('retailer_w', '1', { status: 'blocked' })],
    [listing('1')],
    '1, answer, confirmed',
  ],
  [
    'what its reader brought, if it has nothing else',
    [answer('retailer_w', null), ...OF_E],
    [listing('1', { owner: { organizationId: 'a', isShared: false } }), listing('e', E)],
    '1, answer, confirmed',
  ],
  [
    'what everybody knows, before what another organization brought',
    [answer('retailer_w', null)],
    [
      listing('1', { owner: { organizationId: 'b', isShared: true }, isForeign: true }),
      listing('2'),
    ],
    '2, print, unconfirmed',
  ],
  [
    'the mismatch that it answered with, if nothing prints the barcode',
    [answer('retailer_w', '2')],
    [listing('2', { gtin: OTHER })],
    '2, silent, mismatch',
  ],
];

for (const [what, answers, listings, expected] of SAID) {
  test(`a retailer shows ${what}`, () => {
    assert.equal(shown(rowsOf(answers, listings)), expected);
    assert.equal(shown(rowsOf(answers.toReversed(), listings.toReversed())), expected);
  });
}

test('the listing that a retailer answered with is found as the answer was, any other as it is stored', () => {
  const found = (answers: readonly BarcodeAnswer[]) =>
    rowsOf(answers, [listing('1')]).find(({ retailer }) => retailer === 'retailer_w')?.stored
      ?.foundVia;
  assert.equal(
    found([answer('retailer_w', '1', { foundVia: 'search_provider' })]),
    'search_provider',
  );
  assert.equal(found([answer('retailer_w', '1', { foundVia: null })]), 'submitted_url');
  assert.equal(found([answer('retailer_w', null)]), 'submitted_url');
});

test('pages that merely print the barcode change no retailer that speaks, once an asked one ties a listing', (t) => {
  const seed = seedOf(20_261_130);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const slugs = ['retailer_w', 'retailer_e', 'retailer_b', 'retailer_a'] as const;
  const speaking = (rows: readonly BarcodeRow[]) =>
    rows.filter((row) => counts(row, true)).map(({ stored }) => stored?.id);
  for (let run = 0; run < 500; run += 1) {
    const answers = slugs.flatMap((slug) =>
      random() < 0.3 ? [] : [answer(slug, random() < 0.5 ? '5' : null)],
    );
    const answered = answers.flatMap(({ retailer, listingId }) => {
      const gtin = [GTIN, null, OTHER, CASE][integerBelow(random, 4)] ?? null;
      return listingId === null ? [] : [listing('5', { retailer, gtin })];
    });
    const before = rowsOf(answers, answered);
    const printing = slugs.flatMap((retailer) =>
      random() < 0.5 ? [listing(String(integerBelow(random, 9) * 2), { retailer })] : [],
    );
    const after = rowsOf(answers, [...printing, ...answered]);
    const isTied = speaking(before).length > 0;
    if (isTied) assert.deepEqual(speaking(after), speaking(before));
    else for (const row of after) assert.notEqual(row.speaksAs, 'answer', `run ${run}`);
  }
});
