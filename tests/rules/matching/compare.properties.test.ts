// Two titles can be compared, whatever a shop writes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { comparePair, similarityOf } from '../../../src/rules/matching/pair/compare.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../../src/rules/matching/prepared/prepared.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { MODEL } from './shipped-model.ts';

function listing(input: MatchInput): Prepared {
  return prepareListing(input, MODEL.vocabulary);
}

const PIECES = [
  'Halden',
  'ZX-4410B',
  '64GB',
  '64 gb',
  '27"',
  'x30',
  '12 x 14',
  'pack of 6',
  '\u202e',
  '\u0000',
  '𝟙𝟚',
  '漢字',
  'ﬁ',
  '1e309',
  '999999999999999999gb',
  '-'.repeat(40),
  '1-'.repeat(90),
  '"@en',
  'null',
  '__proto__',
  'constructor',
  '\ud800',
  '%00',
  'é',
  '…',
  '12,5 cm',
  'v10 .0',
  "6'",
  'NaN',
  '\n',
  '1.2.3.4',
  '🥾',
  '0',
  'a'.repeat(900),
] as const;

test('any two titles can be compared, either way round, with the same answer each time', (t) => {
  const seed = seedOf(20_261_120);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const text = (): string | null => {
    if (random() < 0.1) return null;
    const count = integerBelow(random, 8);
    return Array.from({ length: count }, () => pick(random, PIECES)).join(
      pick(random, [' ', '', '/']),
    );
  };
  const any = (): MatchInput => ({
    title: text(),
    brand: text(),
    model: text(),
    description: text(),
    category: text(),
    price:
      random() < 0.5
        ? null
        : { cents: pick(random, [0, -5, 1, 1999, 1e15, NaN]), currency: text() },
    packCount: pick(random, [null, null, 1, 6]),
  });
  for (let round = 0; round < 4_000; round += 1) {
    const [one, two] = [any(), any()];
    const [a, b] = [listing(one), listing(two)];
    const found = comparePair(MODEL, a, b);
    const what = JSON.stringify([one, two]);
    assert.ok(found.similarity >= 0 && found.similarity <= 1, what);
    assert.equal(found.reason === null, found.similarity >= MODEL.threshold, what);
    assert.equal(found.detail === null, found.reason === null, what);
    assert.equal(comparePair(MODEL, b, a).similarity, found.similarity, what);
    assert.equal(similarityOf(MODEL, listing(one), listing(two)), found.similarity, what);
  }
});
