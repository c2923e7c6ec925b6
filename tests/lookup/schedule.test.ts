// Which jobs an answer puts on the queue (D37, D38): pure rules, one case a line.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../src/core/clock.ts';
import type { Gtin14 } from '../../src/identifiers/gtin.ts';
import { NOT_CHECKED } from '../../src/product/identity.ts';
import { EMPTY_LISTING } from '../../src/listing/listing.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../src/core/retailer.ts';
import { jobsBehind, type AnsweredProduct } from '../../src/lookup/schedule.ts';
import type { Cell } from '../../src/store/cells.ts';
import type { StoredListing } from '../../src/listing/stored-listing.ts';

const NOW = Date.parse('2026-03-14T12:00:00Z');
const GTIN = '00036000291452' as Gtin14;
const ALL: readonly KnownSlug[] = KNOWN_SLUGS;

function listing(retailer: string, ageMs: number, gtin: Gtin14 | null = GTIN): StoredListing {
  const id = `${retailer} listing`;
  const url = `https://${retailer.replace('_', '-')}.example/p`;
  const fetchedAtMs = NOW - ageMs;
  const foundVia = 'native_catalog' as const;
  return {
    id,
    retailer,
    key: url,
    url,
    foundVia,
    fetchedAtMs,
    listing: { ...EMPTY_LISTING, gtin },
  };
}

function cell(retailer: KnownSlug, status: Cell['status'], ageMs: number): Cell {
  return {
    gtin: GTIN,
    retailer,
    status,
    listingId: status === 'ok' ? `${retailer} listing` : null,
    identity: NOT_CHECKED,
    source: 'primary',
    foundVia: null,
    checkedAtMs: NOW - ageMs,
  };
}

/** Every retailer was asked an hour ago and has it, except as given. */
function known(over: Partial<AnsweredProduct> = {}, cells: readonly Cell[] = []): AnsweredProduct {
  const said = new Set(cells.map(({ retailer }) => retailer));
  const others = ALL.filter((slug) => !said.has(slug));
  return {
    gtin: GTIN,
    anchor: listing('retailer_w', HOUR_MS),
    isOwn: false,
    cells: [...cells, ...others.map((slug) => cell(slug, 'ok', HOUR_MS))],
    listings: ALL.map((slug) => listing(slug, HOUR_MS)),
    ...over,
  };
}

const namesOf = (input: AnsweredProduct, canAsk: (slug: KnownSlug) => boolean = () => true) =>
  jobsBehind(input, canAsk, NOW).map(({ subject }) => `${subject.kind} ${subject.retailer}`);

test('what is known and fresh gets no job', () => {
  assert.deepEqual(namesOf(known()), []);
});

test('a retailer without a cell is asked first of all, one that cannot be asked never', () => {
  const cells = known().cells.filter(({ retailer }) => retailer !== 'retailer_b');
  const stale = known().listings.map((each) =>
    each.retailer === 'retailer_e' ? listing('retailer_e', 3 * DAY_MS) : each,
  );
  const jobs = jobsBehind(known({ cells, listings: stale }), () => true, NOW);
  const byPriority = jobs.toSorted((a, b) => b.priority - a.priority);
  assert.deepEqual(
    byPriority.map(({ subject, priority }) => [subject.retailer, priority]),
    [
      ['retailer_b', 30],
      ['retailer_e', 3],
    ],
  );
  assert.deepEqual(
    namesOf(known({ cells }), (slug) => slug !== 'retailer_b'),
    [],
  );
});

test('"not found" is asked again after a day, a wall or an error after an hour', () => {
  const cases = [
    ['not_found', DAY_MS, 0],
    ['not_found', DAY_MS + 1, 1],
    ['blocked', HOUR_MS, 0],
    ['blocked', HOUR_MS + 1, 1],
    ['error', HOUR_MS, 0],
    ['error', HOUR_MS + 1, 1],
  ] as const;
  for (const [status, ageMs, count] of cases) {
    const found = namesOf(known({}, [cell('retailer_l', status, ageMs)]));
    assert.deepEqual(found, count === 0 ? [] : ['barcode retailer_l'], `${status} ${ageMs}`);
  }
});

test('the anchor of an own identifier is read again by itself, that of a barcode by the barcode', () => {
  const anchor = listing('retailer_w', DAY_MS + 1);
  const listings = known().listings.map((each) => (each.id === anchor.id ? anchor : each));
  assert.deepEqual(namesOf(known({ anchor, listings, isOwn: true })), ['listing retailer_w']);
  assert.deepEqual(namesOf(known({ anchor, listings })), ['barcode retailer_w']);
});

test('other shops, and retailers that take no barcode, are read again at their address', () => {
  const listings = [
    ...known().listings.filter(({ retailer }) => retailer !== 'retailer_t'),
    listing('retailer_t', 2 * DAY_MS),
    listing('lampshop', 5 * DAY_MS),
    listing('bulbshop', HOUR_MS),
  ];
  assert.deepEqual(
    namesOf(known({ listings }), (slug) => slug !== 'retailer_t'),
    ['listing lampshop', 'listing retailer_t'],
  );
});

test('without a barcode, or with one that names no product, only the anchor matters', () => {
  const anchor = listing('lampshop', 2 * DAY_MS, null);
  const alone = { gtin: null, anchor, isOwn: true, cells: [], listings: [] };
  assert.deepEqual(namesOf(alone), ['listing lampshop']);
  // A number that every store gives to goods of its own.
  const own = '02012345678900' as Gtin14;
  const store = { ...alone, gtin: own, anchor: listing('lampshop', HOUR_MS, own) };
  assert.deepEqual(namesOf(store), []);
});
