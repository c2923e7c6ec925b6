// The model numbers of a listing: everything in its title and model field that may be one.

import { MAX_CODES } from './layout.ts';
import { rarity } from '../words/vocabulary.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { GERMAN_COUNT, hashOf, WordKind } from '../words/words.ts';
import type { Words } from '../words/words.ts';

export type Code = { readonly text: string; readonly hash: number; readonly rarity: number };

/**
 * Collects words of letters and digits and long numbers from the title, and anything from the model field; rarest first.
 */
export function codesOf(
  title: Words,
  model: Words,
  squeezedModel: string,
  { idf }: Vocabulary,
): readonly Code[] {
  const parts = [...title.words, ...model.words].filter(({ text, kind }) => isCodeWord(text, kind));
  const texts = new Set([
    ...title.codes,
    ...model.codes,
    ...parts.map(({ text }) => text),
    ...(squeezedModel.length >= 3 && squeezedModel.length <= 30 ? [squeezedModel] : []),
  ]);
  return [...texts]
    .map((text): Code => {
      const hash = hashOf(text);
      return { text, hash, rarity: rarity(idf, hash) };
    })
    .toSorted(
      (a, b) => b.rarity - a.rarity || b.text.length - a.text.length || (a.text < b.text ? -1 : 1),
    )
    .slice(0, MAX_CODES);
}

/** Returns the first model number of the title: the product's own. Later ones often belong to compatible products. */
export function firstCodeOf({ words, codes }: Words): string | null {
  return codes[0] ?? words.find(({ text, kind }) => isCodeWord(text, kind))?.text ?? null;
}

function isCodeWord(text: string, kind: number): boolean {
  if ((kind & WordKind.quantity) !== 0 || GERMAN_COUNT.test(text)) return false;
  if ((kind & WordKind.number) !== 0) return /^\d{5,14}$/.test(text);
  return (kind & WordKind.code) !== 0 && text.length >= 3;
}

/**
 * Returns whether a number names a product regardless of the context: five digits, or letters with three digits or in six
 * characters. Fewer are a strength or a class (`SPF50`, `CoQ10`), digits followed by letters are counts (`12speed`, `200g`),
 * and a tyre has a size.
 */
export function isModelNumber(text: string): boolean {
  if (text.length < LEAST_NUMBER) return false;
  if (/^\d+$/.test(text)) return true;
  if (/^\d+(?:\.\d+)?\p{L}+$/u.test(text) || TYRE.test(text)) return false;
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= 3 || (digits === 2 && text.length > LEAST_NUMBER);
}

/** `225/45R17`, and its end alone. */
const TYRE = /^(?:\d{3})?\d{2}z?r\d{2}$/;

const LEAST_NUMBER = 5;
