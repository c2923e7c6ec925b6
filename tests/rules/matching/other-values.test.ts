// Two values of one kind in the same place of two titles: another product, however else the titles differ.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { similarityOf } from '../../../src/rules/matching/pair/compare.ts';
import { otherValue } from '../../../src/rules/matching/pair/other-values.ts';
import { prepareListing, type Prepared } from '../../../src/rules/matching/prepared/prepared.ts';
import { MODEL } from './shipped-model.ts';

function listing(title: string): Prepared {
  return prepareListing({ title }, MODEL.vocabulary);
}

type Distinguished = readonly [one: string, two: string, titles: readonly [string, string]];

const DISTINGUISHED: readonly Distinguished[] = [
  // Numbers, even if the rest is worded differently and one model number is shared.
  ['3', '4', ['Halden Saga, Vol. 3 by A. Corvane', 'Halden Saga Vol. 4 by Corvane, paperback']],
  ['3', '2', ['Halden 1 TB USB 3.0 portable drive', 'Halden USB 2.0 portable hard drive 1 TB']],
  ['50', '30', ['Halden Sun Milk SPF 50 200 ml', 'Halden Sun Milk SPF 30 200 ml']],
  ['48', '46', ['Halden Gruppe mit 48/35 Kurbel', 'Halden Gruppe mit 46/33 Kurbel']],
  ['5', '13', ['5 Chair Outdoor Set', '13 Chair Outdoor Set']],
  // Amounts in one unit, and numbers with the same suffix.
  ['170mm', '172.5mm', ['Halden QX70021 Crank 170 mm', 'Halden QX70021 Crank 172.5 mm']],
  ['2700k', '4000k', ['Halden LED E27 2700K', 'Halden LED E27 4000K']],
  ['8th', '9th', ['Corvane Calculus 8th Edition', 'Corvane Calculus 9th Edition']],
  ['512gb', '256gb', ['Halden Phone 512 GB black', 'Halden Phone 256 GB black']],
  // Letters, roman numbers and sizes.
  ['a', 'd', ['Halden Harmonica Key of A', 'Halden Harmonica Key of D']],
  ['iii', 'iv', ['Halden Run Socks Size III', 'Halden Run Socks Size IV']],
  ['medium', 'large', ['Halden Helmet Matte Medium', 'Halden Helmet Matte Large']],
  // Model numbers.
  ['s23', 's24', ['Halden Case for Zorb S23', 'Halden clear Case for Zorb S24']],
  // Classes of which a product has only one.
  [
    'student',
    'business',
    ['Halden Office Home & Student 2021', 'Halden Office Home & Business 2021'],
  ],
  ['green', 'yellow', ['Halden chaise velours vert', 'Halden chaise velours jaune']],
  // The same number with a different sign.
  ['+2.50', '-2.50', ['Halden Lenses 6 pk +2.50', 'Halden Lenses 6 pk -2.50']],
];

test('another value in one place is another product, whichever title comes first', () => {
  for (const [one, two, titles] of DISTINGUISHED) {
    const [a, b] = [listing(titles[0]), listing(titles[1])];
    const label = titles.join(' | ');
    const [found, back] = [otherValue(a, b), otherValue(b, a)];
    assert.deepEqual([found?.one, found?.two, found?.areCodes], [one, two, false], label);
    assert.deepEqual([back?.one, back?.two], [two, one], label);
    assert.ok(similarityOf(MODEL, a, b) <= 0.15, label);
  }
});

const SAME_PRODUCT: readonly (readonly [string, string])[] = [
  // One of them states no value.
  ['Halden Phone 512 GB black', 'Halden Phone black'],
  ['Halden Saga by Corvane', 'Halden Saga Vol. 4 by Corvane'],
  // The same value in two spellings, and differences due to rounding.
  ['Halden Tyre 27.5 x 2.40 folding', 'Halden Tyre 27.5 x 2.4 folding'],
  ['Halden Drive 1 TB black', 'Halden Drive 1000 GB black'],
  ['Halden Monitor 27" black', 'Halden Monitor 26.5" black'],
  ['Halden Drum 14 inch clear', 'Halden Drum 14" clear'],
  ['Halden Whisky 0,7 l bottle', 'Halden Whisky 700 ml bottle'],
  ['Halden Pads 24 Count mint', 'Halden Pads 12 Count mint (Pack of 2)'],
  // Two kinds of values, and words that can both describe one product.
  ['Halden Card 6 GB GDDR6', 'Halden Card 192 bit GDDR6'],
  ['Halden direct cable ipod', 'Halden direct adapter ipod'],
  ['Halden Spray 300 ml', 'Halden Brumisateur 300 ml'],
  // Small words of other languages.
  ["Halden Confiture d'abricot 370 g", "Halden Confiture l'abricot 370 g"],
  ['Halden Olio e sale', 'Halden Olio y sale'],
  // Values found elsewhere in the other title.
  ['Halden Tool 20 TX 25', 'Halden Tool 25 TX 20'],
  // A dash is not a sign.
  ['Halden Lenses - 30 pack', 'Halden Lenses + 30 pack'],
  // Page titles repeat words, and the difference belongs to the shop.
  [
    '"Halden QX70021 Watch" Halden Watch Halden QX70021 page 19 shop',
    '"Halden QX70021 Watch" Halden Watch Halden QX70021 page 20 shop',
  ],
];

test('a value that one title omits, writes differently or rounds decides nothing', () => {
  for (const titles of SAME_PRODUCT) {
    const [a, b] = [listing(titles[0]), listing(titles[1])];
    assert.equal(otherValue(a, b), null, titles.join(' | '));
    assert.equal(otherValue(b, a), null, titles.join(' | '));
  }
});

test('two long model numbers of different shapes are not a difference, because maker and shop number one product', () => {
  const [a, b] = [listing('Halden photo printer MX700C'), listing('Halden photo printer 2186B002')];
  assert.equal(otherValue(a, b)?.areCodes, true);
  assert.equal(otherValue(listing('Halden DDR3 memory'), listing('Halden PC12800 memory')), null);
});
