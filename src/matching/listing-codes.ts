// The model numbers of a listing: everything in its title and its model field that may be one.

import { MAX_CODES } from './layout.ts';
import { rarity } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';
import { hashOf, WordKind } from './words.ts';
import type { Words } from './words.ts';

export type Code = { readonly text: string; readonly hash: number; readonly rarity: number };

/** From the title words of letters and digits and long numbers, from the model field anything; rarest first. */
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

/** The first model number of the title: the product's own. Later ones are often of things that it works with. */
export function firstCodeOf({ words, codes }: Words): string | null {
  return codes[0] ?? words.find(({ text, kind }) => isCodeWord(text, kind))?.text ?? null;
}

function isCodeWord(text: string, kind: number): boolean {
  if ((kind & WordKind.quantity) !== 0) return false;
  if ((kind & WordKind.number) !== 0) return /^\d{5,14}$/.test(text);
  return (kind & WordKind.code) !== 0 && text.length >= 3;
}
