// Maps condition words and ids to the canonical list.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { readCondition } from '../../../src/base/listing/vocabularies/condition.ts';
import { CONDITIONS } from '../../../src/base/listing/offer.ts';

const vectors = readFileSync(new URL('../../vectors/conditions.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split('\t'));

test('a condition word, address or id gives its canonical condition, an unknown one null', () => {
  const seen = new Set<string>();
  for (const [text = '', condition = ''] of vectors) {
    assert.equal(readCondition(text).meaning, condition === '-' ? null : condition, text);
    seen.add(condition);
  }
  for (const condition of CONDITIONS) assert.ok(seen.has(condition), `${condition} has vectors`);
});

test('an id may be a number, and its family decides if it is not known', () => {
  for (const [id, condition] of [
    [1000, 'new'],
    [1499, 'new'],
    [1500, 'open_box'],
    [2020, 'refurbished'],
    [2749, 'refurbished'],
    [2750, 'used_like_new'],
    [3000, 'used_good'],
    [6999, 'used_good'],
    [7000, 'for_parts'],
  ] as const) {
    assert.equal(readCondition(id).meaning, condition, String(id));
  }
  for (const id of [0, 1, 999, 10_000, -1000, 1000.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(readCondition(id).meaning, null, String(id));
  }
});

test('an empty text and one of any length end in null', () => {
  for (const text of ['', ' ', ':', '(', 'x'.repeat(100_000), 'new '.repeat(100_000)]) {
    assert.equal(readCondition(text).meaning, null, text.slice(0, 20));
  }
});
