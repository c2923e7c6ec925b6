// openshelf quality: the largest changes come first, losses are marked, and insignificant figures are labelled as such.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { dayOf, daysBefore } from '../../../src/base/clock.ts';
import type { CountedAnswer } from '../../../src/base/listing/fill-rate.ts';
import { aliasOf } from '../../../src/read/retailers/addresses/aliases.ts';
import { addReadingCounts } from '../../../src/data/answers/reading-counts.ts';
import { openStore } from '../../../src/data/store.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson } from '../../support/program.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

let folder: TemporaryFolder;

function notes(count: number, retailer: string, missing: readonly string[]): CountedAnswer[] {
  const fields = ['title', 'price', 'gtin'].map((field) => ({
    field,
    isMissing: missing.includes(field),
  }));
  return Array.from({ length: count }, () => ({
    retailer,
    pageKind: 'product',
    outcome: 'read',
    fields,
  }));
}

before(async () => {
  folder = temporaryFolder();
  await using store = await openStore({ kind: 'sqlite', path: join(folder.path, 'openshelf.db') });
  // In the middle of each span of three days, so that midnight may pass while the program runs.
  const today = dayOf(Date.now());
  const unread: CountedAnswer = {
    retailer: 'retailer_b',
    pageKind: 'api:products',
    outcome: 'unreadable',
    fields: [],
  };
  await store.sql.write([
    ...addReadingCounts(
      [
        ...notes(40, 'retailer_w', ['price']),
        ...notes(20, 'retailer_w', ['gtin']),
        ...notes(3, 'lamps', ['price']),
        unread,
      ],
      daysBefore(today, 1),
    ),
    ...addReadingCounts(
      [...notes(100, 'retailer_w', ['gtin']), ...notes(50, 'lamps', [])],
      daysBefore(today, 4),
    ),
  ]);
});

after(() => folder[Symbol.dispose]());

const run = (...args: readonly string[]) => runCommand(['quality', '--data', folder.path, ...args]);

test('a lost field stands first and is marked; few answers say that they mean nothing', async () => {
  const { code, stdout } = await run('--days', '3');
  assert.equal(code, 0);
  const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
  assert.deepEqual(lines.slice(0, 3), [
    'verdict: 1 field is worse than in the week before',
    'worse than the week before: retailer_w product price 1.00 -> 0.33',
    '',
  ]);
  assert.equal(lines[3], 'retailer | page kind | field | missing, 3 days | before | change');
  assert.equal(
    lines[4],
    'retailer_w | product | price | 66.7 % of 60 | 0.0 % of 100 | +66.7 % | LOST',
  );
  assert.equal(lines[5], 'retailer_w | product | gtin | 33.3 % of 60 | 100.0 % of 100 | -66.7 %');
  assert.equal(lines[6], 'lamps | product | price | 100.0 % of 3 (few) | 0.0 % of 50 | +100.0 %');
  assert.ok(stdout.includes('retailer_b api:products: unreadable 1'), stdout);
});

test('one JSON value holds every field and what became of the answers', async () => {
  const done = await run('--days', '3', '--json');
  const report = lastJson(done) as {
    days: number;
    days_before: number;
    verdict: string;
    unknown_words: readonly unknown[];
    fields: readonly Record<string, unknown>[];
    readings: readonly Record<string, unknown>[];
  };
  assert.equal(report.days, 3);
  assert.equal(report.days_before, 7);
  assert.equal(report.verdict, 'worse');
  assert.deepEqual(report.unknown_words, []);
  assert.deepEqual(report.fields[0], {
    retailer: 'retailer_w',
    page_kind: 'product',
    field: 'price',
    missing_share: 0.6667,
    missing_share_before: 0,
    change: 0.6667,
    answers: 60,
    answers_before: 100,
    too_few: false,
    lost: true,
    worse: true,
  });
  assert.equal(report.fields.filter(({ lost }) => lost === true).length, 1);
  const lamps = report.fields.find(({ retailer }) => retailer === 'lamps');
  assert.equal(lamps?.['too_few'], true);
  assert.equal(report.readings.length, 3);
});

test('--retailer leaves the others out', async () => {
  const { stdout } = await run('--days', '3', '--retailer', 'lamps');
  assert.ok(stdout.includes('lamps') && !stdout.includes('retailer_w'), stdout);
});

test('--retailer takes the name that people know a retailer by', async () => {
  const { stdout } = await run('--days', '3', '--retailer', aliasOf('retailer_w'));
  assert.ok(stdout.includes('retailer_w') && !stdout.includes('lamps'), stdout);
});

test('too few answers are not a verdict, and --strict fails only where something is worse', async () => {
  const few = await run('--days', '3', '--retailer', 'lamps', '--strict');
  assert.equal(few.code, 0);
  assert.match(few.stdout, /^verdict: too few answers to tell/);
  assert.equal((await run('--days', '3', '--strict')).code, 1);
});

test('a span without answers says so', async () => {
  const { code, stdout } = await run('--retailer', 'retailer_h');
  assert.equal(code, 0);
  assert.match(stdout, /^No answers were read/);
});
