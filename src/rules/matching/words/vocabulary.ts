// The model's word statistics: how rare each word is among titles, so that a shared model number counts for more than a
// shared "black". Rarity is based on title counts, so the service can add the titles that it stores.

import { canonicalWord } from './trait-words.ts';
import { hashOf, plainText, wordsOf } from './words.ts';

export type Idf = {
  /** Number of counted titles. */
  readonly documents: number;
  /** Hash of a word -> number of titles with it. */
  readonly counts: ReadonlyMap<number, number>;
  /**
   * Number of titles in training. No word is rarer than one in this many, so that counting more titles does not change the
   * rarity scale.
   */
  readonly scale: number;
};

export type Vocabulary = { readonly idf: Idf };

/** Rarities are integers in twentieths of a natural logarithm, so that they are equal on every machine. */
const STEPS = 20;

/** Returns 0 for a word in every title, at most 255; an unknown word counts as seen once. */
export function rarity(idf: Idf, hash: number): number {
  const seen = Math.max(idf.documents / idf.scale, idf.counts.get(hash) ?? 1, 1);
  return Math.max(0, Math.min(255, Math.round(STEPS * Math.log(idf.documents / seen))));
}

/** Returns the rarity of a word that is in no title. */
export function greatestRarity(idf: Idf): number {
  return rarity(idf, NO_HASH);
}

/** No text has this hash. */
const NO_HASH = -1;

/** Returns the hashes of a title's words and model numbers, without duplicates. */
export function hashesOfTitle(title: string): ReadonlySet<number> {
  const { words, codes } = wordsOf(plainText(title));
  return new Set([...words.map(({ text }) => hashOf(canonicalWord(text))), ...codes.map(hashOf)]);
}

/** Counts titles one at a time, beginning with given counts, which are not changed. */
export type TitleCount = {
  readonly add: (title: string) => void;
  /** Returns the counts with all titles added so far. */
  readonly idf: () => Idf;
};

export function countTitles(idf: Idf): TitleCount {
  const added = new Map<number, number>();
  let { documents } = idf;
  return {
    add(title) {
      documents += 1;
      for (const hash of hashesOfTitle(title)) added.set(hash, (added.get(hash) ?? 0) + 1);
    },
    // Copied only on request: most services start counting at startup, and have too few titles for their counts to be used.
    idf: () => {
      const counts = new Map(idf.counts);
      for (const [hash, count] of added) counts.set(hash, (counts.get(hash) ?? 0) + count);
      return { documents, counts, scale: idf.scale };
    },
  };
}
