// Joins the words of all languages for one meaning into a pattern. The words are in one file per language; the calling rule
// determines the boundaries they need.

import { ARABIC } from './ar.ts';
import { BULGARIAN } from './bg.ts';
import { CATALAN } from './ca.ts';
import { CZECH } from './cs.ts';
import { DANISH } from './da.ts';
import { GERMAN } from './de.ts';
import { GREEK } from './el.ts';
import { ENGLISH } from './en.ts';
import { SPANISH } from './es.ts';
import { ESTONIAN } from './et.ts';
import { PERSIAN } from './fa.ts';
import { FINNISH } from './fi.ts';
import { FRENCH } from './fr.ts';
import { GALICIAN } from './gl.ts';
import { HEBREW } from './he.ts';
import { CROATIAN } from './hr.ts';
import { HUNGARIAN } from './hu.ts';
import { INDONESIAN } from './id.ts';
import { ICELANDIC } from './is.ts';
import { ITALIAN } from './it.ts';
import { JAPANESE } from './ja.ts';
import { KAZAKH } from './kk.ts';
import { KOREAN } from './ko.ts';
import { LITHUANIAN } from './lt.ts';
import { LATVIAN } from './lv.ts';
import { MACEDONIAN } from './mk.ts';
import { NORWEGIAN } from './nb.ts';
import { DUTCH } from './nl.ts';
import { POLISH } from './pl.ts';
import { PORTUGUESE } from './pt.ts';
import { ROMANIAN } from './ro.ts';
import { RUSSIAN } from './ru.ts';
import { SLOVAK } from './sk.ts';
import { SLOVENIAN } from './sl.ts';
import { SERBIAN } from './sr.ts';
import { SWEDISH } from './sv.ts';
import { THAI } from './th.ts';
import { TURKISH } from './tr.ts';
import { UKRAINIAN } from './uk.ts';
import { VIETNAMESE } from './vi.ts';
import { CHINESE } from './zh.ts';
import type { LanguageWords, Meaning } from './language-words.ts';

/**
 * Languages that share words are adjacent. Of two words with the same beginning, the one of the earlier language is tried
 * first.
 */
const LANGUAGES: readonly LanguageWords[] = [
  ENGLISH,
  GERMAN,
  DUTCH,
  FRENCH,
  SPANISH,
  PORTUGUESE,
  ITALIAN,
  ROMANIAN,
  CATALAN,
  GALICIAN,
  POLISH,
  CZECH,
  SLOVAK,
  RUSSIAN,
  UKRAINIAN,
  BULGARIAN,
  MACEDONIAN,
  SERBIAN,
  CROATIAN,
  SLOVENIAN,
  KAZAKH,
  SWEDISH,
  NORWEGIAN,
  DANISH,
  FINNISH,
  ESTONIAN,
  LITHUANIAN,
  LATVIAN,
  HUNGARIAN,
  ICELANDIC,
  GREEK,
  TURKISH,
  HEBREW,
  ARABIC,
  PERSIAN,
  JAPANESE,
  CHINESE,
  KOREAN,
  VIETNAMESE,
  INDONESIAN,
  THAI,
];

/** Returns the words of all languages for a meaning, as written, each once. */
export function wordsFor(meaning: Meaning): readonly string[] {
  const texts = LANGUAGES.map((language) => language[meaning]).filter((text) => text !== '');
  return [...new Set(texts.flatMap((text) => text.split(', ')))];
}

/** Expands the short forms documented in language-words.ts. */
function patternOf(word: string): string {
  return word
    .replaceAll(/(?<=^|[(|])_/g, '(?<!\\p{L})')
    .replaceAll('_', '(?!\\p{L})')
    .replaceAll(/(?<=\p{L})(?<!\\\p{L})[*+]/gu, '\\p{L}$&')
    .replaceAll(/(?<!\\)\((?!\?)/g, '(?:');
}

/** Returns the regular expression source (for flag `u`) that matches one of the words for a meaning. */
export function oneOf(meaning: Meaning): string {
  return `(?:${wordsFor(meaning).map(patternOf).join('|')})`;
}

/** Words with nothing before or after them. */
export const wholeText = (words: string): string => `^${words}$`;

/**
 * Compiles a case-insensitive pattern that finds a word for a meaning: anywhere in a text, or between the boundaries set by
 * `around`.
 */
export function compile(
  meaning: Meaning,
  around: (words: string) => string = (words) => words,
): RegExp {
  return new RegExp(around(oneOf(meaning)), 'iu');
}
