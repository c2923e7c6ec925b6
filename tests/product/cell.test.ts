import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  cellsOf,
  matchingCells,
  type CellListing,
  type CellsInput,
  type KeptCell,
} from '../../src/product/cell.ts';
import { DAY_MS } from '../../src/core/clock.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import { NOT_CHECKED } from '../../src/product/identity.ts';
import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import { KNOWN_SLUGS } from '../../src/core/retailer.ts';

const GTIN = '00614141000005' as Gtin14;
const OTHER = '04006381333931' as Gtin14;
const NOW = Date.UTC(2026, 5, 15, 12);

function listing(retailer: string, gtin: Gtin14 | null = GTIN, ageMs = 0): CellListing {
  const facts = { ...EMPTY_LISTING, gtin, title: 'Lamp' };
  const url = `https://${retailer}.example.com/lamp`;
  return { id: `${retailer}-lamp`, retailer, url, fetchedAtMs: NOW - ageMs, listing: facts };
}

function kept(retailer: string, more: Partial<KeptCell> = {}): KeptCell {
  const none = { listingId: null, source: 'primary', checkedAtMs: NOW } as const;
  return { retailer, status: 'ok', ...none, ...more };
}

function input(more: Partial<CellsInput> = {}): CellsInput {
  const base = { kept: [], listings: [], awaited: new Set<string>(), nowMs: NOW, freshMs: DAY_MS };
  return { gtin: GTIN, anchor: listing('retailer_w'), ...base, ...more };
}

function cell(retailer: string, more: Partial<CellsInput>) {
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

const STATUSES: readonly (readonly [string, Partial<CellsInput>, string, boolean])[] = [
  ['never asked, a job will', { awaited: new Set(['retailer_b']) }, 'indexing', false],
  ['never asked and no job', {}, 'error', false],
  [
    'asked, nothing there',
    { kept: [kept('retailer_b', { status: 'not_found' })] },
    'not_found',
    false,
  ],
  ['behind a wall', { kept: [kept('retailer_b', { status: 'blocked' })] }, 'blocked', false],
  ['failed', { kept: [kept('retailer_b', { status: 'error' })] }, 'error', false],
  [
    'failed, and a job tries again: what is known is said',
    { kept: [kept('retailer_b', { status: 'blocked' })], awaited: new Set(['retailer_b']) },
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
  ['its page was submitted', { listings: [listing('retailer_b')] }, 'ok', true],
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
  const cells = cellsOf(input({ listings }));
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
