// Words of titles: one spelling for numbers, units and letters, and the model numbers among them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, wordsOf } from '../../src/matching/words/words.ts';

const TITLES: readonly (readonly [title: string, words: string, codes: string])[] = [
  ['Halden WH-1000XM3/B Headphones', 'halden wh 1000xm3 b headphones', 'wh1000xm3b'],
  ['Drive 64GB', 'drive 64gb', ''],
  ['Drive 64 GB', 'drive 64gb', ''],
  ['Drive 1.5-TB', 'drive 1536gb', ''],
  ['36.4Gb SCSI', '36.4gb scsi', ''],
  ['Monitor 27" wide', 'monitor 27in wide', ''],
  ['Monitor 27-inch wide', 'monitor 27in wide', ''],
  ['3 in 1 tool, 4 in stock', '3 in 1 tool 4 in stock', ''],
  ['Sheet 108 x 144', 'sheet 108 x 144', ''],
  ['Card 540MB/s', 'card 540mb s', ''],
  ['Grill 22-1/2"', 'grill 22 1 2', ''],
  ['Studio v10.0', 'studio 10', ''],
  ['Café Größe', 'cafe grosse', ''],
  ['"Shoe"@en "Null"', 'shoe', ''],
  ['Part 0043210 spare', 'part 43210 spare', '0043210'],
];

test('a title becomes words with units and numbers in one spelling', () => {
  for (const [title, words, codes] of TITLES) {
    const found = wordsOf(plainText(title));
    assert.equal(found.words.map(({ text }) => text).join(' '), words, title);
    assert.equal(found.codes.join(' '), codes, title);
  }
});

test('no text gives more than 96 words', () => {
  for (const text of ['1-'.repeat(2000), 'a '.repeat(2000), '5gb'.repeat(900), '漢'.repeat(3000)]) {
    assert.ok(wordsOf(plainText(text)).words.length <= 96);
  }
});

test('the size of a tyre is no model number, and two numbers of a maker with a slash are one', () => {
  const codesOf = (title: string) => wordsOf(plainText(title)).codes;
  assert.deepEqual(codesOf('Arden Zorb 225/45 R17 91W'), []);
  assert.deepEqual(codesOf('Arden W 712/95 Oil Filter'), ['71295']);
});
