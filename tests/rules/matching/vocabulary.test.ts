// Rarity of words, learning it from titles, and the model file that stores it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { modelFrom, modelText } from '../../../src/rules/matching/model/model.ts';
import { prepareListing } from '../../../src/rules/matching/prepared/prepared.ts';
import { similarityOf } from '../../../src/rules/matching/pair/compare.ts';
import {
  countTitles,
  hashesOfTitle,
  rarity,
} from '../../../src/rules/matching/words/vocabulary.ts';
import type { Idf } from '../../../src/rules/matching/words/vocabulary.ts';
import { hashOf } from '../../../src/rules/matching/words/words.ts';
import { MODEL, MODEL_FILE } from './shipped-model.ts';

function learnTitles(idf: Idf, titles: readonly string[]): Idf {
  const count = countTitles(idf);
  for (const title of titles) count.add(title);
  return count.idf();
}

const TITLES = ['Halden lamp', 'Halden chair', 'Halden desk', 'Halden desk oak'];

test('a word of many titles weighs less than a word of one, and an unknown word the most', () => {
  const idf = learnTitles({ documents: 0, counts: new Map(), scale: 4 }, TITLES);
  const [brand = 0, desk = 0, oak = 0, unknown = 0] = ['halden', 'desk', 'oak', 'corvane'].map(
    (word) => rarity(idf, hashOf(word)),
  );
  assert.equal(brand, 0);
  assert.ok(brand < desk && desk < oak);
  assert.equal(oak, unknown);
});

test('counting more titles makes their words known, moves no scale and leaves the table as it was', () => {
  const { idf } = MODEL.vocabulary;
  const word = hashOf('haldenesque');
  const before = idf.counts.size;
  const more = learnTitles(
    idf,
    Array.from({ length: 500 }, () => 'haldenesque lamp'),
  );
  assert.equal(idf.counts.size, before);
  assert.ok(rarity(more, word) < rarity(idf, word));
  assert.equal(rarity(more, hashOf('neverseen')), rarity(idf, hashOf('neverseen')));
});

test('a title counts each of its words once, and its model numbers as wholes', () => {
  const wanted = ['halden', 'zx', '4410', 'zx4410'].map(hashOf);
  assert.deepEqual(hashesOfTitle('Halden Halden ZX-4410'), new Set(wanted));
});

test('the shipped file is small, and written again it is the same', () => {
  const text = readFileSync(MODEL_FILE, 'utf8');
  assert.ok(text.length <= 300_000, `${text.length} bytes`);
  const { made } = JSON.parse(text.slice(text.indexOf('{'))) as { made: string };
  assert.equal(modelText(MODEL, made), text);
});

test('a model for other features is refused', () => {
  const text = readFileSync(MODEL_FILE, 'utf8').replace('"jaccard"', '"something"');
  assert.throws(() => modelFrom(text), /train it again/);
});

test('a model read twice answers alike', () => {
  const text = readFileSync(MODEL_FILE, 'utf8');
  const [one, two] = [modelFrom(text), modelFrom(text)];
  const likeness = [one, two].map((model) =>
    similarityOf(
      model,
      prepareListing({ title: 'Halden ZX-4410B printer' }, model.vocabulary),
      prepareListing({ title: 'Printer ZX4410 by Halden' }, model.vocabulary),
    ),
  );
  assert.equal(likeness[0], likeness[1]);
});
