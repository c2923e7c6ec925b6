// Pack counts: the table of titles shared with other languages, fields before titles, properties.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { statedCounts } from '../../../src/read/titles/counts.ts';
import {
  packCountOf,
  statedPackCount,
  titlePackCount,
  withPackCount,
} from '../../../src/read/titles/pack-count.ts';
import { tokensOf } from '../../../src/read/titles/title-tokens.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const vectors = readFileSync(new URL('../../vectors/pack-counts.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split('\t'));

const specs = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

test('a title gives the outermost multiplier it states, and null when it states none', () => {
  assert.ok(vectors.length > 250, 'the vector file is there');
  for (const [title = '', count] of vectors) {
    assert.equal(titlePackCount(title), count === '-' ? null : Number(count), title);
  }
});

test('an x that stands apart in front of a number begins a model number', () => {
  for (const title of ['6527 X5 Pack', '6527 X5 500 ml', 'Nokia 6527 x5 pack']) {
    assert.equal(titlePackCount(title), null, title);
  }
  assert.equal(titlePackCount('Nokia 6527 X5 Pack of 3'), 3);
  assert.equal(titlePackCount('3 x6 pack'), 3);
});

test('in brackets after a case stands a number of packs, but no year, number of the maker or generation', () => {
  const packsOf = (plain: string): number => statedCounts(plain, null).packs;
  for (const inside of ['2nd generation', '2023', '010-11654']) {
    assert.equal(packsOf(`wireless charging case (${inside})`), 1, inside);
  }
  assert.equal(packsOf('wireless charging case (2)'), 2);
});

test('a title says the same in any letter case, and with anything harmless after it', () => {
  for (const title of [
    'Oat Bars, 6 Pack',
    'Oat Bars (Pack of 6)',
    'Oat Bars 6/Case',
    '6 x 330 ml',
  ]) {
    for (const spelling of [title.toUpperCase(), title.toLowerCase(), `${title} - Blue, Large`]) {
      assert.equal(titlePackCount(spelling), 6, spelling);
    }
  }
});

test('a field of packs is read by its name, whatever marks and case it has', () => {
  for (const name of [
    'Item Package Quantity',
    'Package Quantity',
    'Multipack Quantity',
    'Multi-Pack Quantity',
    'Number of Packs',
    'Lot Size',
    'package quantity:',
    'Number of Items',
    'Pack Size',
    'Number in Pack',
    'Number in Package',
  ]) {
    assert.equal(statedPackCount(specs({ [name]: '6' })), 6, name);
  }
  for (const value of ['6', ' 6 ', '6-Pack', '6 pk', '6 units', 'Pack of 6', '6 boxes of 50']) {
    assert.equal(statedPackCount(specs({ 'Package Quantity': value })), 6, value);
  }
  assert.equal(statedPackCount(specs({ 'Package Quantity': '1' })), 1);
});

test('a field that counts something else, or holds no count, states no packs', () => {
  for (const value of ['', '0', '-6', 'N/A', '2.5', '99999', 'several', '6'.repeat(1_000)]) {
    assert.equal(statedPackCount(specs({ 'Package Quantity': value })), null, value);
  }
  for (const name of ['Quantity', 'Count Per Pack', 'Total Count', 'Unit Count', 'Piece Count']) {
    assert.equal(statedPackCount(specs({ [name]: '6' })), null, name);
  }
  assert.equal(statedPackCount(specs({ 'Number of Items': '1' })), null, 'nobody filled it in');
  assert.equal(statedPackCount(specs({ 'Pack Size': '12 oz' })), null, 'the size of one');
  const own = (value: string) => statedPackCount(specs({ Quantity: value }), ['quantity']);
  assert.deepEqual([own('2'), own('1'), own('N/A')], [2, null, null]);
});

test('a field comes before the title, unless it says 1 where the title speaks of several', () => {
  const field = (count: string, title: string | null) =>
    packCountOf({ specs: specs({ 'Item Package Quantity': count }), title });
  assert.equal(field('6', 'Tape (Pack of 2)'), 6);
  assert.equal(field('6', null), 6);
  assert.equal(field('1', 'Tape'), 1);
  assert.equal(field('1', null), 1);
  assert.equal(field('1', 'Tape (Pack of 2)'), 2);
  assert.equal(field('1', 'Vitamin C Tablets 24 Count'), null, 'the field counts something else');
  assert.equal(packCountOf({ specs: [], title: 'Tape (Pack of 2)' }), 2);
  assert.equal(packCountOf({ specs: [], title: 'Tape' }), null);
  assert.equal(packCountOf({ specs: [], title: null }), null);
});

test('a listing keeps the count its reader found and is filled in where there is none', () => {
  const listing = (facts: object) => withPackCount({ ...EMPTY_LISTING, ...facts }).packCount;
  assert.equal(listing({ packCount: 4, title: 'Tape (Pack of 2)' }), 4);
  assert.equal(listing({ title: 'Tape (Pack of 2)' }), 2);
  assert.equal(listing({ specs: specs({ 'Number of Packs': '3' }), title: 'Tape (Pack of 2)' }), 3);
  assert.equal(listing({ packCount: 1, title: 'Tape (Pack of 2)' }), 2);
  assert.equal(listing({ packCount: 1, title: 'Tape' }), 1);
  assert.equal(listing({ title: 'Tape' }), null);
  const whole = { ...EMPTY_LISTING, title: 'Tape (Pack of 2)', sku: 'T-2' };
  assert.deepEqual(withPackCount(whole), { ...whole, packCount: 2 }, 'nothing else changes');
});

test('any number of packs is read back from any phrase that states it', (t) => {
  const seed = seedOf(41);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const goods = ['Oat Bars', 'Blue Glass Jar', 'Cable Tie Black', 'Acme QX Filter', 'Crème brûlée'];
  const phrases: readonly ((count: number) => string)[] = [
    (count) => `Pack of ${count}`,
    (count) => `(Pack of ${count})`,
    (count) => `${count} Pack`,
    (count) => `${count}-pack`,
    (count) => `${count}pk`,
    (count) => `${count}/Box`,
    (count) => `${count} per case`,
    (count) => `case of ${count}`,
    (count) => `${count} x 330 ml`,
    (count) => `330 ml x ${count}`,
    (count) => `lot de ${count}`,
    (count) => `${count}er Pack`,
    (count) => `(${count} Pack)`,
    (count) => `Set of ${count}`,
  ];
  for (let round = 0; round < 5_000; round += 1) {
    const count = 1 + integerBelow(random, 999);
    const title = `${pick(random, goods)} ${pick(random, phrases)(count)}`;
    assert.equal(titlePackCount(title), count, `${title}, seed ${seed}`);
  }
});

test('any text at all is read without throwing, and a count is a whole number above zero', (t) => {
  const seed = seedOf(42);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pieces = [
    ...'0 1 2 12 144 1,000 6.0 x X / - ( ) [ ] . , # " \' & +'.split(' '),
    ...'pack pk packs of case box dozen half set pcs count ct each pair twin per total ml oz'.split(
      ' ',
    ),
    ' ',
    '  ',
    '入',
    '個セット',
    '\ud800',
    '\0',
    'é',
    '½',
    '１２',
  ];
  for (let round = 0; round < 20_000; round += 1) {
    const length = integerBelow(random, 14);
    const title = Array.from({ length }, () => pick(random, pieces)).join(pick(random, ['', ' ']));
    const count = titlePackCount(title);
    const isRight = count === null || (Number.isInteger(count) && count >= 1);
    assert.ok(isRight, `${JSON.stringify(title)}: ${count}, seed ${seed}`);
    assert.equal(titlePackCount(title), count, 'the same title is read the same way');
  }
});

test('a title of any length ends in an answer, from a bounded number of tokens', () => {
  for (const piece of [
    '12 pack ',
    'pack of ',
    '1,',
    '(',
    '6 x (',
    'a-',
    '9',
    '12 a ',
    'per ',
    '½',
  ]) {
    const title = piece.repeat(200_000);
    assert.ok(tokensOf(title).length <= 400, piece);
    titlePackCount(title);
  }
  const name = ' '.repeat(100_000);
  assert.equal(statedPackCount([{ name, value: '6'.repeat(100_000) }]), null);
  assert.equal(
    packCountOf({ specs: [{ name: 'Package Quantity', value: '1' }], title: ' 1'.repeat(1e5) }),
    1,
  );
});
