// What the model receives about changes between two titles: each figure for the change it is made for, and none for titles
// without it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Near, nearness } from '../../../src/rules/matching/features/change-features.ts';
import { F } from '../../../src/rules/matching/features/feature-names.ts';
import { featureRow, measurePair } from '../../../src/rules/matching/features/features.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import { MODEL } from './shipped-model.ts';

function rowOf(one: string, two: string): Int32Array {
  const row = featureRow();
  const [a, b] = [one, two].map((title) => prepareListing({ title }, MODEL.vocabulary));
  assert.ok(a !== undefined && b !== undefined);
  measurePair(a, b, row);
  return row;
}

type Feature = keyof typeof F;

const CHANGES: readonly (readonly [one: string, two: string, features: readonly Feature[]])[] = [
  [
    'Halden Diapers Size 3 Soft',
    'Halden Diapers Size 4 Soft',
    ['swaps', 'swapNumber', 'swapFramed'],
  ],
  [
    'Halden Cereal Cinnamon Flakes',
    'Halden Cereal Blueberry Flakes',
    ['swaps', 'swapPlain', 'swapFramed'],
  ],
  ['Halden Snug Felt Hat', 'Halden Snug Warm Felt Hat', ['putIn', 'putInFramed']],
  [
    'Halden Phone QX100 Case',
    'Halden Phone QX100 II Case',
    ['putIn', 'putInBehindNumber', 'putInBehindShort'],
  ],
  [
    'Halden Headset XM4 Black',
    'Halden Headset XM5 Black',
    ['nearNumbers', 'nearRarity', 'swapNumber'],
  ],
  ['Halden QX700 Headset', 'Case for Halden QX700 Headset', ['madeFor']],
  ['Halden QX700 Headset', 'Halden QX700 Headset Refurbished', ['usedOne']],
  ['Halden QX700 Battery', 'Halden QX700 Battery Replacement', ['imitationOne']],
  ['Halden QX700 Camera', 'Halden QX700 Camera Bundle', ['bundleOne']],
  ['Halden QX700 Camera', 'Halden QX700 Camera Body Only', ['bareOne']],
];

const ALL: readonly Feature[] = [...new Set(CHANGES.flatMap(([, , features]) => features))];

test('a change raises the features that it is counted in, whichever title comes first', () => {
  for (const [one, two, features] of CHANGES) {
    for (const row of [rowOf(one, two), rowOf(two, one)]) {
      for (const feature of features) {
        assert.ok((row[F[feature]] as number) > 0, `${feature}: ${one} | ${two}`);
      }
    }
  }
});

test('titles of the same words raise none of them', () => {
  for (const [one] of CHANGES) {
    const row = rowOf(one, one);
    for (const feature of ALL) assert.equal(row[F[feature]], 0, `${feature}: ${one}`);
  }
});

test('every feature of every change is a byte', () => {
  for (const [one, two] of CHANGES) {
    for (const value of rowOf(one, two)) assert.ok(value >= 0 && value <= 255, `${one} | ${two}`);
  }
});

const NEARNESS: readonly (readonly [string, string, number])[] = [
  ['3', '3s', Near.longer],
  ['245', '245xl', Near.longer],
  ['xm4', 'xm5', Near.sibling],
  ['7x', '7s', Near.sibling],
  ['55', '65', Near.sibling],
  ['12', '34', Near.shape],
  ['3', '32', Near.no],
  ['xm4', 'qc45', Near.no],
  ['1000', '1000xm4', Near.no],
];

test('numbers are near when one is the next of the other, or the other with a mark', () => {
  for (const [one, two, near] of NEARNESS) {
    assert.equal(nearness(one, two), near, `${one} | ${two}`);
    assert.equal(nearness(two, one), near, `${two} | ${one}`);
  }
});
