// What is known of words beforehand: how rare each is among titles, which is what makes a shared model number
// weigh more than a shared "black", and what training found some of them to say. Rarity is counted documents,
// so the service's own titles can be counted in.

import { canonicalWord } from './trait-words.ts';
import { hashOf, plainText, wordsOf } from './words.ts';

export type Idf = {
  /** Titles that were counted. */
  readonly documents: number;
  /** Hash of a word to the titles that hold it. */
  readonly counts: ReadonlyMap<number, number>;
  /**
   * Titles that the model was trained with: a word is never rarer than once in so many, so that counting
   * more titles makes common words known and leaves the scale as it is.
   */
  readonly scale: number;
};

export type Sway = {
  /** What the word says when both titles have it, in 1/`SWAY_STEPS` of a logit. */
  readonly shared: number;
  /** What it says when only one has it. */
  readonly alone: number;
};

export const SWAY_STEPS = 32;

export type Vocabulary = { readonly idf: Idf; readonly sways: ReadonlyMap<number, Sway> };

/** Rarity is in twentieths of a natural logarithm, 0 to 255, so that it is the same number everywhere. */
const STEPS = 20;

/** 0 for a word of every title, at most 255; a word that was never seen counts as seen once. */
export function rarity(idf: Idf, hash: number): number {
  const seen = Math.max(idf.documents / idf.scale, idf.counts.get(hash) ?? 1, 1);
  return Math.max(0, Math.min(255, Math.round(STEPS * Math.log(idf.documents / seen))));
}

/** Hashes of the words and model numbers of a title, each once. */
export function hashesOfTitle(title: string): ReadonlySet<number> {
  const { words, codes } = wordsOf(plainText(title));
  return new Set([...words.map(({ text }) => hashOf(canonicalWord(text))), ...codes.map(hashOf)]);
}

/** Counts titles into a table, one at a time; the table that was given is left as it is. */
export type TitleCount = {
  readonly add: (title: string) => void;
  /** The table with what was added so far. */
  readonly idf: () => Idf;
};

export function countTitles(idf: Idf): TitleCount {
  const counts = new Map(idf.counts);
  let { documents } = idf;
  return {
    add(title) {
      documents += 1;
      for (const hash of hashesOfTitle(title)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    },
    idf: () => ({ documents, counts, scale: idf.scale }),
  };
}
