import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasWord,
  indexOfPattern,
  indexOfWord,
  wordToFind,
} from '../../../src/read/page-data/html/find-word.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const WORDS = [
  'dimensionToAsinMap',
  'aAaAa',
  'Shopify',
  'id="a',
  '__NEXT_DATA__',
  'x',
  '=a=',
  'éa',
];

test('a word is found where the plain search finds it, in any text and from any place', (context) => {
  const seed = seedOf(1_117);
  context.diagnostic(`OPENSHELF_TEST_SEED=${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < 2_000; round += 1) {
    const word = pick(random, WORDS);
    const pieces = [word, word.slice(1), word.slice(0, -1), word.slice(0, 3), ' ', 'A', 'é', '漢'];
    const text = Array.from({ length: integerBelow(random, 9) }, () => pick(random, pieces)).join(
      '',
    );
    const from = integerBelow(random, text.length + 3);
    const answered = JSON.stringify([word, text, from]);
    assert.equal(indexOfWord(text, wordToFind(word), from), text.indexOf(word, from), answered);
    assert.equal(hasWord(text, wordToFind(word)), text.includes(word), answered);
  }
});

test('a pattern is found by a word inside, also where the word stands before without the rest', () => {
  const word = wordToFind('colorImages');
  const pattern = /['"]colorImages['"]\s?:/y;
  assert.equal(indexOfPattern('colorImages "colorImages", "colorImages" :', word, pattern, 1), 27);
  assert.equal(indexOfPattern('colorImages', word, pattern, 1), -1);
  assert.equal(indexOfPattern('', word, pattern, 1), -1);
});
