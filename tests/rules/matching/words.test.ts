// Words of titles: one spelling for numbers, units and letters, and the model numbers among them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, wordsOf } from '../../../src/rules/matching/words/words.ts';

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
  // Looks like an amount but is not one.
  ['Camera DCS-855L', 'camera dcs 855l', 'dcs855l'],
  ['Stick SDDD3-256G-G46', 'stick sddd3 256g g46', 'sddd3256gg46'],
  ['Board 7683G', 'board 7683g', '7683g'],
  ['Tripod 502AH', 'tripod 502ah', '502ah'],
  ['Core i7-6850K', 'core i7 6850k', 'i76850k'],
  ['Lens 50mm f/1.2L', 'lens 50mm f 1.2l', ''],
  ['Lens 50mm F1.2 L', 'lens 50mm f1 2 l', ''],
  ['Router 5G', 'router 5g', ''],
  // One spelling for words that shops write in several ways.
  ['Drive 1.5 TB', 'drive 1536gb', ''],
  ['Drive 1500 GB', 'drive 1536gb', ''],
  ['Drive 1000GB', 'drive 1024gb', ''],
  ['Drive 1050 GB', 'drive 1050gb', ''],
  ['Bulbs 4er-Pack', 'bulbs 4pack', ''],
  ['Reader 3rd Generation 30-Hour', 'reader 3rd generation 30 hour', '30hour'],
  ['Reader 11. Generation', 'reader 11th generation', '11th'],
  ['Reader 2nd Gen', 'reader 2nd gen', ''],
  ['Stick USB 3.2 Gen 2', 'stick usb 3.2 gen 2', ''],
];

/** Each line is one amount. */
const ONE_AMOUNT: readonly (readonly string[])[] = [
  ['500 g', '500g', '500-g', '500 gr', '500 Gramm', '0,5 kg', '0.5kg', '500.0 g'],
  ['1 kg', '1kg', '1000g', '1.000 g', '1,000 g', '1 кг', '1000 г', '1000 克', '1公斤'],
  ['12,5 kg', '12.5 kg', '12500 g'],
  ['750 ml', '0,75 l', '0.75L', '75cl', '0.750 litre', '750 мл', '0,75 л'],
  ['1.5 L', '1,5l', '1500 ml', '1.5 Liter', '1,500 ml'],
  ['6x0,75l', '6 x 750 ml', '6x 75 cl', '6 x750ml', '6 × 0.75 L'],
  ['2 x 250ml', '2x250 ml', '2 x 0.25 l'],
  ['12 fl oz', '12 fl. oz.', '12oz', '12-oz', '12 fluid ounces'],
  ['400 mg', '400mg'],
  ['5.0Ah', '5 Ah', '5000mAh', '5,000 mAh'],
  ['2 qt', '2-quart', '2 Quarts'],
  ['806 lm', '806lm', '806 Lumen'],
];

test('an amount is one word and one amount however it is spaced, and in every unit of its measure', () => {
  for (const spellings of ONE_AMOUNT) {
    const [said = '', ...more] = spellings;
    const readAs = (each: string) => {
      const { words, amounts, codes } = wordsOf(plainText(`Arden ${each} Jar`));
      return { words, amounts, codes };
    };
    const first = readAs(said);
    assert.equal(first.amounts.length, 1, said);
    assert.deepEqual(first.codes, [], said);
    for (const each of more) assert.deepEqual(readAs(each), first, each);
  }
});

test('grams of what is in it, of a sheet, and fewer than ten with a class are not a size', () => {
  for (const title of ['Whey 24 g Protein', 'Paper 80 g/m2', 'Router 802.11g', 'Phone 5G']) {
    assert.deepEqual(wordsOf(plainText(title)).amounts, [], title);
  }
});

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

test('the size of a tyre has one spelling, with its load and speed', () => {
  for (const title of [
    'Zorb 205/55 R16 91V',
    'Zorb 205/55R16 91 V',
    'Zorb 205/55 ZR16 (91V)',
    'Zorb 205/55ZR-16 91V',
  ]) {
    assert.equal(plainText(title).trim(), 'zorb 205/55 r16 91v', title);
  }
  assert.equal(plainText('Zorb 195/70R15C 104/102 R'), 'zorb 195/70 r15c 104/102r');
  for (const other of ['zorb 712/95 oil filter', 'zorb r16 205', 'zorb 205/55 r16x'])
    assert.equal(plainText(other), other);
});

test('the grade of an oil has one spelling, and watts are none', () => {
  for (const title of ['Zorb 5W-40', 'Zorb 5W40', 'Zorb 5w 40'])
    assert.equal(plainText(title), 'zorb 5w40');
  for (const other of ['zorb 5w-10w', 'zorb 7w-40', 'zorb qx-5w-40', 'zorb 5w 400'])
    assert.equal(plainText(other), other);
});

test('the size of a tyre is not a model number, and two numbers of a maker with a slash are one', () => {
  const codesOf = (title: string) => wordsOf(plainText(title)).codes;
  assert.deepEqual(codesOf('Arden Zorb 225/45 R17 91W'), []);
  assert.deepEqual(codesOf('Arden W 712/95 Oil Filter'), ['71295']);
});
