// The files of src/base/listing/words: the rules each file must follow, and how words become patterns.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  compile,
  oneOf,
  wholeText,
  wordsFor,
} from '../../../src/base/listing/words/all-languages.ts';
import { NO_WORDS } from '../../../src/base/listing/words/language-words.ts';
import type { LanguageWords, Meaning } from '../../../src/base/listing/words/language-words.ts';

const FOLDER = join(import.meta.dirname, '../../../src/base/listing/words');

const FILES = await Promise.all(
  globSync('??.ts', { cwd: FOLDER })
    .sort()
    .map(async (file) => {
      const exported = (await import(join(FOLDER, file))) as Record<string, LanguageWords>;
      const [language = NO_WORDS, ...others] = Object.values(exported);
      assert.equal(others.length, 0, file);
      return { file, language };
    }),
);
const MEANINGS = Object.keys(NO_WORDS) as Meaning[];

/** Every word list with its location. */
const LISTS = FILES.flatMap(({ file, language }) =>
  MEANINGS.filter((meaning) => language[meaning] !== '').map((meaning) => ({
    place: `${file} ${meaning}`,
    words: language[meaning].split(', '),
    meaning,
  })),
);

test('every language file has the same meanings', () => {
  assert.ok(FILES.length > 40);
  for (const { file, language } of FILES) assert.deepEqual(Object.keys(language), MEANINGS, file);
});

test('every word of every file is asked for', () => {
  for (const { place, words, meaning } of LISTS) {
    const all = new Set(wordsFor(meaning));
    assert.deepEqual(
      words.filter((word) => !all.has(word)),
      [],
      place,
    );
  }
  for (const meaning of MEANINGS) assert.notEqual(wordsFor(meaning).length, 0, meaning);
});

test('a word stands once in a meaning of a language, in lower case and composed letters', () => {
  for (const { place, words } of LISTS) {
    assert.equal(new Set(words).size, words.length, place);
    for (const word of words) {
      const letters = word.replaceAll(/\\p\{\w+\}/g, '');
      assert.equal(letters, letters.toLowerCase().normalize('NFC'), place);
      assert.match(word, /^\S(?:.*\S)?$/u, place);
    }
  }
});

test('a word is one pattern, whose alternatives stand in brackets', () => {
  for (const { place, words } of LISTS) {
    for (const word of words) {
      let bare = word;
      while (/\([^()]*\)/.test(bare)) bare = bare.replaceAll(/\([^()]*\)/g, '');
      assert.doesNotMatch(bare, /[|()]/, `${place}: ${word}`);
    }
  }
  for (const meaning of MEANINGS) assert.doesNotThrow(() => compile(meaning), meaning);
});

test('the short forms of words mean letters and the ends of words', () => {
  const isMember = compile('member', wholeText);
  assert.ok(isMember.test('Mitgliedern'));
  assert.ok(!isMember.test('Mitglied 2'));
  // `_vip_` matches alone, `sparad` within any word.
  assert.ok(compile('ofSome').test('VIP: 20 €'));
  assert.ok(!compile('ofSome').test('vipera'));
  assert.ok(oneOf('priceWords').includes('akcij\\p{L}+'));
  assert.ok(oneOf('buy').includes('in den (?:waren|einkaufs)(?:korb|wagen)'));
});
