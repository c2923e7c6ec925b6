// Stock words: every known spelling has its meaning, every unknown one has none.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { readAvailability } from '../../../src/base/listing/vocabularies/availability.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const IN = { inStock: true, unavailable: false };
const OUT = { inStock: false, unavailable: false };
const GONE = { inStock: false, unavailable: true };

const SCHEMA_ORG = [
  ['InStock', IN],
  ['LimitedAvailability', IN],
  ['OnlineOnly', IN],
  ['MadeToOrder', IN],
  ['InStoreOnly', OUT],
  ['PreOrder', OUT],
  ['PreSale', OUT],
  ['BackOrder', OUT],
  ['Reserved', OUT],
  ['OutOfStock', OUT],
  ['SoldOut', OUT],
  ['Discontinued', GONE],
] as const;

test('schema.org values are understood in every spelling', () => {
  for (const [name, meaning] of SCHEMA_ORG) {
    const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
    for (const spelling of [
      `https://schema.org/${name}`,
      `http://schema.org/${name}`,
      `http://schema.org/${name}/`,
      `https://www.schema.org/${name}`,
      `//schema.org/${name}`,
      `schema.org/${name}`,
      `schema:${name}`,
      `https://schema.org/ItemAvailability#${name}`,
      ` ${name} `,
      name.toLowerCase(),
      name.toUpperCase(),
      `HTTP://SCHEMA.ORG/${name.toUpperCase()}`,
      words,
      words.toLowerCase(),
      words.replaceAll(' ', '-'),
      words.replaceAll(' ', '_').toUpperCase(),
    ]) {
      assert.deepEqual(readAvailability(spelling).meaning, meaning, spelling);
    }
  }
});

const vectors = readFileSync(new URL('../../vectors/availability.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split('\t'));

const answered = (mark: string | undefined): boolean | null => (mark === '?' ? null : mark === '+');

test('words of feeds, retailers and shops in many languages are understood, others are null', () => {
  assert.ok(vectors.length > 140, 'the vector file is there');
  for (const [text = '', stock, gone] of vectors) {
    const meaning = { inStock: answered(stock), unavailable: answered(gone) };
    const expected = meaning.inStock === null && meaning.unavailable === null ? null : meaning;
    assert.deepEqual(readAvailability(text).meaning, expected, text);
  }
});

test('a text without words, or too long for a stock text, is null', () => {
  for (const text of ['', ' ', '\u200b', '...', `in stock ${'x'.repeat(200)}`]) {
    assert.equal(readAvailability(text).meaning, null, text);
  }
});

test('any text at all is read without throwing', () => {
  const seed = seedOf(12);
  const random = randomFrom(seed);
  const pieces = [
    'in',
    'stock',
    'not',
    ' ',
    '/',
    '?',
    '0',
    'auf Lager',
    '&amp;',
    '\ud800',
    'متوفر',
    '#',
    ':',
  ];
  for (let round = 0; round < 5_000; round += 1) {
    readAvailability(
      Array.from({ length: integerBelow(random, 12) }, () => pick(random, pieces)).join(''),
    );
  }
  assert.equal(readAvailability('in stock '.repeat(100_000)).meaning, null);
});
