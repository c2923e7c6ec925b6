import assert from 'node:assert/strict';
import { test } from 'node:test';

import { daysBefore } from '../../src/base/clock.ts';
import type { CountedAnswer } from '../../src/base/listing/fill-rate.ts';
import {
  addReadingCounts,
  addUnknownWords,
  DAYS_STORED,
} from '../../src/data/answers/reading-counts.ts';
import type { Store } from '../../src/data/store.ts';
import { openTestStore } from '../support/stores.ts';

const TODAY = '2026-03-14';

const open = (): Promise<Store> => openTestStore();

function note(words: string, given: Partial<CountedAnswer> = {}): CountedAnswer {
  const fields = words
    .split(' ')
    .map((word) => ({ field: word.replace('-', ''), isMissing: word.startsWith('-') }));
  return { retailer: 'retailer_w', pageKind: 'product', outcome: 'read', fields, ...given };
}

async function fieldsOf(store: Store, from = TODAY, to = TODAY, retailer?: string) {
  const { fields } = await store.readingCounts.findTotals({ from, to }, retailer);
  return Object.fromEntries(fields.map((each) => [each.field, [each.expected, each.missing]]));
}

test('answers add up within a transaction and over several that run at the same time', async () => {
  await using store = await open();
  const transaction = addReadingCounts(
    [note('title -price'), note('title price'), note('title -price')],
    TODAY,
  );
  await Promise.all(Array.from({ length: 25 }, () => store.sql.write(transaction)));
  assert.deepEqual(await fieldsOf(store), { title: [75, 0], price: [75, 50] });
  const { outcomes } = await store.readingCounts.findTotals({ from: TODAY, to: TODAY });
  assert.deepEqual(outcomes, [
    { retailer: 'retailer_w', pageKind: 'product', outcome: 'read', answers: 75 },
  ]);
});

test('one answer is one statement of one row, and no answer is none', () => {
  assert.equal(addReadingCounts([note('title -price brand gtin')], TODAY).length, 1);
  assert.equal(addReadingCounts([note('title')], TODAY)[0]?.params?.length, 6);
  assert.deepEqual(addReadingCounts([], TODAY), []);
});

test('a transaction that is rolled back has counted nothing', async () => {
  await using store = await open();
  const refused = { text: 'select 1 as one from reading_counts where readings < 0' };
  const written = await store.sql.write([
    ...addReadingCounts([note('title')], TODAY),
    { ...refused, mustReturn: true },
  ]);
  assert.equal(written.done, false);
  assert.deepEqual(await fieldsOf(store), {});
});

test('a span takes both of its days and no other, of one retailer when it is named', async () => {
  await using store = await open();
  for (const back of [0, 1, 2, 3]) {
    const day = daysBefore(TODAY, back);
    await store.sql.write(
      addReadingCounts([note('title'), note('title', { retailer: 'lamps' })], day),
    );
  }
  const from = daysBefore(TODAY, 2);
  assert.deepEqual(await fieldsOf(store, from, daysBefore(TODAY, 1), 'lamps'), { title: [2, 0] });
  assert.deepEqual(await fieldsOf(store, from, TODAY, 'retailer_a'), {});
});

test('what is older than 90 days is forgotten, and nothing younger', async () => {
  await using store = await open();
  const oldest = daysBefore(TODAY, DAYS_STORED - 1);
  for (const day of [daysBefore(oldest, 1), oldest, TODAY]) {
    await store.sql.write(addReadingCounts([note('title')], day));
  }
  await store.readingCounts.sweep(TODAY);
  assert.deepEqual(await fieldsOf(store, '2000-01-01', TODAY), { title: [2, 0] });
  const commits = store.sql.commits();
  await store.readingCounts.sweep(TODAY);
  assert.equal(store.sql.commits(), commits);
});

test('unknown words are one row a day for each vocabulary: how many answers, and the last word', async () => {
  await using store = await open();
  const odd = (word: string, retailer = 'retailer_w') => ({
    retailer,
    pageKind: 'product',
    words: [{ vocabulary: 'condition', word } as const],
  });
  assert.deepEqual(addUnknownWords([], TODAY), []);
  await store.sql.write(
    addUnknownWords([odd('Loved'), odd('Cherished'), odd('Old', 'lamps')], TODAY),
  );
  await store.sql.write(addUnknownWords([odd('Adored')], TODAY));
  await store.sql.write(addUnknownWords([odd('Liked')], daysBefore(TODAY, 2)));
  const total = { pageKind: 'product', vocabulary: 'condition' };
  const span = { from: daysBefore(TODAY, 5), to: TODAY };
  assert.deepEqual(await store.readingCounts.findUnknownWords(span, 'retailer_w'), [
    { ...total, retailer: 'retailer_w', word: 'Adored', answers: 4 },
  ]);
  assert.equal((await store.readingCounts.findUnknownWords(span)).length, 2);
  await store.sql.write(addUnknownWords([odd('Gone')], daysBefore(TODAY, DAYS_STORED)));
  await store.readingCounts.sweep(TODAY);
  const all = { from: daysBefore(TODAY, 400), to: TODAY };
  assert.equal((await store.readingCounts.findUnknownWords(all, 'retailer_w'))[0]?.answers, 4);
});
