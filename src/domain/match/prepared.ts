// A listing made ready to be compared, once: words, model numbers, amounts and traits as sorted numbers.
// Everything that costs time happens here; a comparison only merges what this made.

import { rarity } from './vocabulary.ts';
import type { Vocabulary } from './vocabulary.ts';
import { packCountIn } from './pack-words.ts';
import { canonicalWord, TRAIT_CLASSES, traitOf } from './trait-words.ts';
import { gramsOf } from './grams.ts';
import { hashOf, sortedSet } from './word-hash.ts';
import { plainText, squeezed, WordKind, wordsOf } from './words.ts';
import type { Amount, Word, Words } from './words.ts';

/** What is known of a listing when it is compared; null is unknown. */
export type MatchInput = {
  readonly title: string | null;
  readonly brand?: string | null;
  /** Model or manufacturer's part number. */
  readonly model?: string | null;
  readonly description?: string | null;
  readonly category?: string | null;
  /** Hundredths; compared only where both currencies are the same. */
  readonly price?: { readonly cents: number; readonly currency: string | null } | null;
  /** Any one spelling of the barcode, the same for both listings. */
  readonly gtin?: string | null;
  readonly packCount?: number | null;
};

export type Code = { readonly text: string; readonly hash: number; readonly rarity: number };

export type Prepared = {
  readonly title: string;
  /** Words of the title, each once, by their hashes in ascending order; the other lists go with it. */
  readonly words: readonly string[];
  readonly hashes: Int32Array;
  readonly rarities: Uint8Array;
  /** What training found each to say when both titles have it, and when one has: 1/`SWAY_STEPS` of a logit. */
  readonly swayShared: Int8Array;
  readonly swayAlone: Int8Array;
  readonly kinds: Uint8Array;
  /** Hash of the first four letters; what an abbreviation and its word share. */
  readonly stems: Int32Array;
  readonly totalRarity: number;
  /** Hash of the first word of the title. */
  readonly first: number;
  /** Neighbours written as one word, and which two words they are. */
  readonly joined: Int32Array;
  readonly joinedOf: Uint16Array;
  /** Words of brand, model, category and description. */
  readonly elsewhere: Int32Array;
  /** Words of the description alone. */
  readonly told: Int32Array;
  readonly toldRarities: Uint8Array;
  readonly grams: Int32Array;
  readonly gramCount: number;
  readonly squeezed: string;
  readonly squeezedTold: string;
  /** Model numbers of the title and the model field, rarest first. */
  readonly codes: readonly Code[];
  /** The model field, squeezed; null when there is none. */
  readonly model: string | null;
  readonly brand: string | null;
  readonly amounts: readonly Amount[];
  /** Sorted hashes of the values of each trait class, in the order of `TRAIT_CLASSES`. */
  readonly traits: readonly Int32Array[];
  readonly traitWords: readonly (readonly string[])[];
  readonly packCount: number | null;
  readonly category: Int32Array;
  readonly cents: number | null;
  readonly currency: string | null;
  readonly gtin: string | null;
};

/** At most this many model numbers of a listing are compared. */
const MAX_CODES = 6;
const MAX_ELSEWHERE = 160;

/** A listing made ready. Total: any text, and no text at all, gives something that can be compared. */
export function prepareListing(input: MatchInput, vocabulary: Vocabulary): Prepared {
  const plain = plainText(input.title ?? '');
  const brand = plainText(input.brand ?? '');
  const model = plainText(input.model ?? '');
  const description = plainText(input.description ?? '');
  const category = plainText(input.category ?? '');
  const title = wordsOf(plain);
  const own = titleWords(title.words, vocabulary);
  const modelWords = wordsOf(model);
  const told = sortedSet(hashesOf(wordsOf(description).words).slice(0, MAX_ELSEWHERE));
  const others = [...hashesOf(wordsOf(brand).words), ...hashesOf(modelWords.words)];
  const categories = hashesOf(wordsOf(category).words);
  const squeezedModel = squeezed(model);
  const squeezedTitle = squeezed(plain);
  return {
    title: input.title ?? '',
    ...own,
    elsewhere: sortedSet([...others, ...categories, ...told]),
    told,
    toldRarities: Uint8Array.from(told, (hash) => rarity(vocabulary.idf, hash)),
    ...gramsOf(squeezedTitle),
    squeezed: squeezedModel === '' ? squeezedTitle : `${squeezedTitle} ${squeezedModel}`,
    squeezedTold: squeezed(description),
    codes: codesOf(title, modelWords, squeezedModel, vocabulary),
    model: squeezedModel === '' ? null : squeezedModel,
    brand: squeezed(brand) === '' ? null : squeezed(brand),
    amounts: title.amounts,
    packCount: input.packCount ?? packCountIn(plain),
    category: sortedSet(categories),
    cents: input.price?.cents ?? null,
    currency: input.price?.currency ?? null,
    gtin: input.gtin ?? null,
  };
}

function hashesOf(words: readonly Word[]): number[] {
  return words.map(({ text }) => hashOf(canonicalWord(text)));
}

type TitleWords = Pick<
  Prepared,
  | 'words'
  | 'hashes'
  | 'rarities'
  | 'swayShared'
  | 'swayAlone'
  | 'kinds'
  | 'stems'
  | 'totalRarity'
  | 'first'
  | 'joined'
  | 'joinedOf'
  | 'traits'
  | 'traitWords'
>;

function titleWords(all: readonly Word[], vocabulary: Vocabulary): TitleWords {
  const byHash = new Map<number, { text: string; kind: number }>();
  const inOrder: number[] = [];
  for (const { text: spelled, kind } of all) {
    const text = canonicalWord(spelled);
    const hash = hashOf(text);
    inOrder.push(hash);
    const known = byHash.get(hash);
    if (known === undefined) byHash.set(hash, { text, kind });
  }
  const hashes = sortedSet(byHash.keys());
  const words = Array.from(hashes, (hash) => byHash.get(hash)?.text ?? '');
  const rarities = Uint8Array.from(hashes, (hash) => rarity(vocabulary.idf, hash));
  const place = new Map(Array.from(hashes, (hash, at) => [hash, at]));
  const pairs = new Map<number, number>();
  for (let at = 0; at + 1 < all.length; at += 1) {
    const left = all[at]?.text ?? '';
    const right = all[at + 1]?.text ?? '';
    const key = hashOf(left + right);
    if (!pairs.has(key)) {
      pairs.set(
        key,
        ((place.get(inOrder[at] ?? 0) ?? 0) << 8) | (place.get(inOrder[at + 1] ?? 0) ?? 0),
      );
    }
  }
  const joined = sortedSet(pairs.keys());
  const found = words.map((word) => traitOf(word));
  const traitWords = TRAIT_CLASSES.map((name) =>
    found.flatMap((trait) => (trait?.class === name ? [trait.value] : [])),
  );
  return {
    words,
    hashes,
    rarities,
    swayShared: Int8Array.from(hashes, (hash) => vocabulary.sways.get(hash)?.shared ?? 0),
    swayAlone: Int8Array.from(hashes, (hash) => vocabulary.sways.get(hash)?.alone ?? 0),
    kinds: Uint8Array.from(hashes, (hash) => byHash.get(hash)?.kind ?? 0),
    stems: Int32Array.from(words, (word) => hashOf(word.slice(0, 4))),
    totalRarity: rarities.reduce((sum, value) => sum + value, 0),
    first: inOrder[0] ?? 0,
    joined,
    joinedOf: Uint16Array.from(joined, (hash) => pairs.get(hash) ?? 0),
    traits: traitWords.map((values) => sortedSet(values.map(hashOf))),
    traitWords,
  };
}

/** Model numbers with letters and digits, or long numbers, of the title; of the model field anything. */
function codesOf(
  title: Words,
  model: Words,
  squeezedModel: string,
  vocabulary: Vocabulary,
): readonly Code[] {
  const parts = [...title.words, ...model.words].filter(({ text, kind }) => isCodeWord(text, kind));
  const texts = new Set([
    ...title.codes,
    ...model.codes,
    ...parts.map(({ text }) => text),
    ...(squeezedModel.length >= 3 && squeezedModel.length <= 30 ? [squeezedModel] : []),
  ]);
  return [...texts]
    .map((text): Code => ({
      text,
      hash: hashOf(text),
      rarity: rarity(vocabulary.idf, hashOf(text)),
    }))
    .toSorted(
      (a, b) => b.rarity - a.rarity || b.text.length - a.text.length || (a.text < b.text ? -1 : 1),
    )
    .slice(0, MAX_CODES);
}

function isCodeWord(text: string, kind: number): boolean {
  if ((kind & WordKind.quantity) !== 0) return false;
  if ((kind & WordKind.number) !== 0) return /^\d{5,14}$/.test(text);
  return (kind & WordKind.code) !== 0 && text.length >= 3;
}
