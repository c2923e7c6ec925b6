import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearDay } from '../../../src/read/page-data/near-day.ts';

const NOVEMBER = Date.UTC(2026, 10, 20, 12);
const DAYS: readonly (readonly [string, string | null])[] = [
  ['Wed, Nov 25', '2026-11-25'],
  ['Nov 24 - Nov 27', '2026-11-24'],
  ['Get it by November 30', '2026-11-30'],
  ['Jan 6 - Jan 9', '2027-01-06'],
  ['Nov 19', '2026-11-19'],
  ['Tomorrow', null],
  ['Unavailable', null],
  ['Feb 30', null],
  ['Maybe 3', null],
  ['', null],
];

test('a day without a year is the next one after the page was fetched', () => {
  for (const [text, day] of DAYS) assert.equal(nearDay(text, NOVEMBER), day, text);
});

test('a page of unknown time has no such day', () => {
  assert.equal(nearDay('Nov 24', 0), null);
});
