import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cellsOf, matchingCells } from '../../../src/rules/product/cell.ts';
import { DAY_MS } from '../../../src/base/clock.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { barcodeRows, type BarcodeAnswer } from '../../../src/rules/product/barcode-rows.ts';
import { NOT_CHECKED } from '../../../src/rules/product/identity.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';

const GTIN = '00614141000005' as Gtin14;
const OTHER = '04006381333931' as Gtin14;
const NOW = Date.UTC(2026, 5, 15, 12);

function listing(retailer: string, gtin: Gtin14 | null = GTIN, ageMs = 0): StoredListing {
  const facts = { ...EMPTY_LISTING, gtin, title: 'Lamp' };
  const url = `https://${retailer.replace('_', '-')}.example.com/lamp`;
  const foundVia = 'native_catalog' as const;
  const at = { key: 'lamp', url, foundVia, fetchedAtMs: NOW - ageMs };
  return { id: `${retailer}-lamp`, retailer, ...at, listing: facts };
}

function kept(retailer: string, more: Partial<BarcodeAnswer> = {}): BarcodeAnswer {
  const none = { listingId: null, source: 'primary', foundVia: null, judgedBy: null } as const;
  return { retailer, status: 'ok', ...none, checkedAtMs: NOW, askedAtMs: NOW, ...more };
}

type CellsInput = Parameters<typeof cellsOf>[0];
type Given = Partial<Omit<CellsInput, 'rows'>> & {
  readonly kept?: readonly BarcodeAnswer[];
  readonly listings?: readonly StoredListing[];
};

function input({ kept: answers = [], listings = [], ...more }: Given = {}): CellsInput {
  const rules = { isTrusted: () => false, accepts: () => true };
  const rows = barcodeRows(GTIN, answers, listings, rules);
  const base = { awaited: new Set<string>(), nowMs: NOW, freshMs: DAY_MS, disputes: new Map() };
  return { gtin: GTIN, anchor: listing('retailer_w'), isOwn: false, rows, ...base, ...more };
}

function cell(retailer: string, more: Given) {
  const found = cellsOf(input(more)).find((each) => each.retailer === retailer);
  assert.ok(found !== undefined);
  return found;
}

test('with a barcode all seven retailers have a row, in their order, and other shops that are known follow', () => {
  const listings = [listing('zshop'), listing('ashop')];
  const slugs = cellsOf(input({ listings })).map((each) => each.retailer);
  assert.deepEqual(slugs, [...KNOWN_SLUGS, 'ashop', 'zshop']);
});

test('without a barcode only the row of the anchor stands, and nothing confirms it', () => {
  const cells = cellsOf(input({ gtin: null, anchor: listing('retailer_w', null) }));
  assert.deepEqual(
    cells.map((each) => [each.retailer, each.identity.state, each.status]),
    [['retailer_w', 'unconfirmed', 'ok']],
  );
  assert.deepEqual(matchingCells(cells, 'confirmed'), []);
});

const STATUSES: readonly (readonly [string, Given, string, boolean])[] = [
  ['never asked, a job will', { awaited: new Set(['retailer_b']) }, 'indexing', false],
  ['never asked and no job', {}, 'error', false],
  [
    'asked, nothing there',
    { kept: [kept('retailer_b', { status: 'not_found' })] },
    'not_found',
    false,
  ],
  [
    'behind a wall',
    { kept: [kept('retailer_b', { status: 'blocked', askedAtMs: null })] },
    'blocked',
    false,
  ],
  ['failed', { kept: [kept('retailer_b', { status: 'error', askedAtMs: null })] }, 'error', false],
  [
    'failed, and a job tries again: what is known is said',
    {
      kept: [kept('retailer_b', { status: 'blocked', askedAtMs: null })],
      awaited: new Set(['retailer_b']),
    },
    'blocked',
    false,
  ],
  [
    'read within the day',
    {
      kept: [kept('retailer_b', { listingId: 'retailer_b-lamp' })],
      listings: [listing('retailer_b', GTIN, DAY_MS)],
    },
    'ok',
    true,
  ],
  [
    'read before',
    {
      kept: [kept('retailer_b', { listingId: 'retailer_b-lamp' })],
      listings: [listing('retailer_b', GTIN, DAY_MS + 1)],
    },
    'stale',
    true,
  ],
  [
    'a failed attempt after it was read hides nothing',
    {
      kept: [kept('retailer_b', { listingId: 'retailer_b-lamp', status: 'error' })],
      listings: [listing('retailer_b')],
    },
    'ok',
    true,
  ],
  [
    'its page was submitted, and it was not asked',
    { listings: [listing('retailer_b')], awaited: new Set(['retailer_b']) },
    'indexing',
    false,
  ],
  [
    'its page was submitted, and it has nothing under the barcode',
    { listings: [listing('retailer_b')], kept: [kept('retailer_b', { status: 'not_found' })] },
    'ok',
    true,
  ],
];

for (const [name, more, status, hasFacts] of STATUSES) {
  test(`${name}: ${status}`, () => {
    const found = cell('retailer_b', more);
    assert.equal(found.status, status);
    assert.equal(found.stored !== null, hasFacts);
    if (!hasFacts) assert.deepEqual(found.identity, NOT_CHECKED);
    const isTried = more.kept !== undefined || hasFacts;
    assert.equal(found.refreshedAtMs !== null, isTried, 'a stamp stands once somebody was asked');
  });
}

test('a mismatch has the status ok, no fact and the barcode that it carries, and is never confirmed', () => {
  const more = {
    kept: [kept('retailer_b', { listingId: 'retailer_b-lamp' })],
    listings: [listing('retailer_b', OTHER)],
  };
  const found = cell('retailer_b', more);
  assert.deepEqual([found.status, found.stored, found.source], ['ok', null, 'primary']);
  assert.deepEqual([found.identity.state, found.identity.pageBarcode], ['mismatch', OTHER]);
  assert.ok(!matchingCells(cellsOf(input(more)), 'confirmed').includes(found));
});

test('retailer_a and retailer_t are never confirmed, whatever their pages publish', () => {
  const listings = KNOWN_SLUGS.map((slug) => listing(slug));
  const answers = KNOWN_SLUGS.map((slug) => kept(slug, { listingId: `${slug}-lamp` }));
  const cells = cellsOf(input({ listings, kept: answers }));
  const confirmed = matchingCells(cells, 'confirmed').map((each) => each.retailer);
  assert.deepEqual(confirmed, [
    'retailer_w',
    'retailer_e',
    'retailer_l',
    'retailer_b',
    'retailer_h',
  ]);
  assert.equal(matchingCells(cells, 'any').length, 7);
});

test('a page of a shop that is not trusted is shown, unconfirmed, with the barcode that it prints', () => {
  const found = cell('lampshop', { listings: [listing('lampshop')] });
  assert.deepEqual([found.identity.state, found.identity.method], ['unconfirmed', null]);
  assert.equal(found.identity.pageBarcode, GTIN);
  assert.match(found.note, /does not count/);
});

test('a listing that the others contradict keeps its identity, and says what is contradicted', () => {
  const more = {
    kept: [kept('retailer_b', { listingId: 'retailer_b-lamp' })],
    listings: [listing('retailer_b')],
    disputes: new Map([
      ['retailer_b', { reason: 'pack_count' as const, detail: 'pack_count 12 vs 6' }],
    ]),
  };
  const found = cell('retailer_b', more);
  assert.equal(found.identity.state, 'confirmed');
  assert.deepEqual(found.disputed?.detail, 'pack_count 12 vs 6');
  assert.match(found.note, /pack_count 12 vs 6.*the record uses none of its data/);
});

test('the page that was sent is shown whatever its retailer answers for the barcode', () => {
  const own = { ...listing('retailer_b'), id: 'own', key: 'own' };
  const found = cell('retailer_b', {
    anchor: own,
    isOwn: true,
    kept: [kept('retailer_b', { listingId: 'retailer_b-lamp' })],
    listings: [listing('retailer_b'), own],
  });
  assert.equal(found.stored?.id, 'own');
});
