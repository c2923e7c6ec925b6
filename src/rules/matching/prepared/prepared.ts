// Prepares a listing once for comparisons: words, model numbers, amounts and traits as numbers. All expensive work is
// here; a comparison only merges sorted numbers.

import { decimalsOf, rescaledUnits } from '../../../base/listing/money/minor-units.ts';
import { statedCounts, type StatedCounts } from '../../../read/titles/counts.ts';
import { titlePackCount } from '../../../read/titles/pack-count.ts';
import { forRankOf, soldAsOf } from './sold-as.ts';
import { lettersOf } from './code-likeness.ts';
import { trigramAt, trigramsOf } from './trigrams.ts';
import {
  At,
  countBits,
  ELSEWHERE_FIELDS,
  infoOf,
  JOINED_FIELDS,
  orderWeight,
  placeAt,
  setBits,
  SINGLE_UNITS,
} from './layout.ts';
import { codesOf, firstCodeOf } from './listing-codes.ts';
import type { Code } from './listing-codes.ts';
import { canonicalWord, TRAIT_CLASSES, traitOf } from '../words/trait-words.ts';
import { UNIT_NAMES } from '../words/unit-words.ts';
import { greatestRarity, rarity } from '../words/vocabulary.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import {
  hashOf,
  MAX_TEXT,
  plainText,
  sortedSet,
  squeezed,
  WordKind,
  wordsOf,
} from '../words/words.ts';
import type { Amount, Word } from '../words/words.ts';

/** The facts of a listing that are compared; null means unknown. */
export type MatchInput = {
  readonly title: string | null;
  readonly brand?: string | null;
  /** Model number or manufacturer's part number. */
  readonly model?: string | null;
  readonly description?: string | null;
  readonly category?: string | null;
  /** Prices are compared only in the same currency. */
  readonly price?: { readonly cents: number; readonly currency: string | null } | null;
  /** The barcode, in the same form for both listings. */
  readonly gtin?: string | null;
  readonly packCount?: number | null;
};

export type Prepared = {
  readonly title: string;
  /** Words of the title, without duplicates, ordered by hash. */
  readonly words: readonly string[];
  /** All facts that are compared as numbers; `layout.ts` has the indexes. */
  readonly numbers: Int32Array;
  /** Model numbers of the title and the model field, rarest first. */
  readonly codes: readonly string[];
  /** Title and model field with letters and digits only; below, the description likewise. */
  readonly squeezed: string;
  readonly squeezedDescription: string;
  readonly model: string | null;
  readonly brand: string | null;
  readonly amounts: readonly Amount[];
  readonly packCount: number | null;
  readonly counts: StatedCounts;
  readonly gtin: string | null;
};

const MAX_ELSEWHERE = 160;
const MAX_AMOUNTS = 16;

/** Prepares a listing. Never throws: any text, even an empty one, gives a listing that can be compared. */
export function prepareListing(input: MatchInput, vocabulary: Vocabulary): Prepared {
  const plain = plainText(input.title ?? '');
  const brand = squeezed(plainText(input.brand ?? ''));
  const model = plainText(input.model ?? '');
  const description = plainText(input.description ?? '');
  const title = wordsOf(plain);
  const modelWords = wordsOf(model);
  const squeezedModel = squeezed(model);
  const squeezedTitle = squeezed(plain);
  const own = titleWords(title.words, vocabulary);
  const codes = codesOf(title, modelWords, squeezedModel, vocabulary);
  const amounts = title.amounts.slice(0, MAX_AMOUNTS);
  const packCount = input.packCount ?? titlePackCount((input.title ?? '').slice(0, MAX_TEXT));
  return {
    title: input.title ?? '',
    words: own.words,
    numbers: numbersOf({
      own,
      codes,
      firstCode: firstCodeOf(title),
      amounts,
      packCount,
      soldAs: soldAsOf(plain),
      repeated: plain.trimStart().startsWith('"') ? title.words.length : own.repeated,
      grams: trigramsOf(squeezedTitle),
      descriptionWords: sortedSet(hashesOf(wordsOf(description).words).slice(0, MAX_ELSEWHERE)),
      others: [
        ...hashesOf(wordsOf(plainText(input.brand ?? '')).words),
        ...hashesOf(modelWords.words),
      ],
      category: sortedSet(hashesOf(wordsOf(plainText(input.category ?? '')).words)),
      price: input.price ?? null,
      vocabulary,
    }),
    codes: codes.map(({ text }) => text),
    squeezed: squeezedModel === '' ? squeezedTitle : `${squeezedTitle} ${squeezedModel}`,
    squeezedDescription: squeezed(description),
    model: squeezedModel === '' ? null : squeezedModel,
    brand: brand === '' ? null : brand,
    amounts,
    packCount,
    counts: statedCounts(plain, packCount),
    gtin: input.gtin ?? null,
  };
}

/** Returns the word at a position of the title; '' after its end. */
export function wordAt({ words, numbers }: Prepared, rank: number): string {
  return words[placeAt(numbers, rank)] ?? '';
}

function hashesOf(words: readonly Word[]): number[] {
  return words.map(({ text }) => hashOf(canonicalWord(text)));
}

type TitleWords = {
  readonly words: readonly string[];
  readonly hashes: Int32Array;
  readonly infos: readonly number[];
  readonly stems: readonly number[];
  readonly totalRarity: number;
  readonly first: number;
  /** Position of each word in the title. */
  readonly ranks: readonly number[];
  /** Index of the word at each position. */
  readonly inOrder: readonly number[];
  readonly firstPlace: number;
  /** Share of the words, 0 to 250, with maximum rarity. */
  readonly unknown: number;
  readonly repeated: number;
  /** Position of the first word such as "for". */
  readonly forRank: number;
  readonly orderTotal: number;
  readonly firstNumber: number;
  readonly joined: Int32Array;
  readonly joinedOf: readonly number[];
};

function titleWords(all: readonly Word[], { idf }: Vocabulary): TitleWords {
  const byHash = new Map<number, { text: string; kind: number }>();
  const inOrder: number[] = [];
  for (const { text: spelled, kind } of all) {
    const text = canonicalWord(spelled);
    const hash = hashOf(text);
    inOrder.push(hash);
    if (!byHash.has(hash)) byHash.set(hash, { text, kind });
  }
  const hashes = sortedSet(byHash.keys());
  const place = new Map(Array.from(hashes, (hash, at) => [hash, at]));
  // Adjacent words joined into one, with the indexes of the two.
  const pairs = new Map<number, number>();
  for (let at = 0; at + 1 < all.length; at += 1) {
    const key = hashOf(`${all[at]?.text ?? ''}${all[at + 1]?.text ?? ''}`);
    const [left, right] = [inOrder[at] ?? 0, inOrder[at + 1] ?? 0];
    if (!pairs.has(key)) pairs.set(key, ((place.get(left) ?? 0) << 8) | (place.get(right) ?? 0));
  }
  const joined = sortedSet(pairs.keys());
  const words = Array.from(hashes, (hash) => byHash.get(hash)?.text ?? '');
  const rarities = Array.from(hashes, (hash) => rarity(idf, hash));
  const order = new Map([...new Set(inOrder)].map((hash, rank) => [hash, rank]));
  const ranks = Array.from(hashes, (hash) => order.get(hash) ?? 0);
  return {
    words,
    hashes,
    infos: Array.from(hashes, (hash, at) => {
      const kind = byHash.get(hash)?.kind ?? 0;
      return infoOf({ rarity: rarities[at] ?? 0, kind });
    }),
    stems: words.map((word) => hashOf(word.slice(0, 4))),
    totalRarity: rarities.reduce((sum, value) => sum + value, 0),
    first: inOrder[0] ?? 0,
    ranks,
    inOrder: Array.from(order.keys(), (hash) => place.get(hash) ?? 0),
    firstPlace: place.get(inOrder[0] ?? 0) ?? 0,
    repeated: all.length - hashes.length,
    unknown: unknownShare(rarities, greatestRarity(idf)),
    forRank: forRankOf(Array.from(order.keys(), (hash) => byHash.get(hash)?.text ?? '')),
    orderTotal: rarities.reduce((sum, found, at) => sum + orderWeight(found, ranks[at] ?? 0), 0),
    firstNumber: inOrder[all.findIndex(({ kind }) => (kind & WordKind.digits) !== 0)] ?? 0,
    joined,
    joinedOf: Array.from(joined, (hash) => pairs.get(hash) ?? 0),
  };
}

function unknownShare(rarities: readonly number[], greatest: number): number {
  const unknown = rarities.filter((value) => value >= greatest).length;
  return Math.round((250 * unknown) / Math.max(1, rarities.length));
}

type PreparedParts = {
  readonly own: TitleWords;
  readonly codes: readonly Code[];
  readonly firstCode: string | null;
  readonly amounts: readonly Amount[];
  readonly packCount: number | null;
  /** Bits of `SOLD_AS`. */
  readonly soldAs: number;
  /** Number of words that the title repeats; all words of a title in quotation marks, as whole-page titles are. */
  readonly repeated: number;
  readonly grams: Int32Array;
  readonly descriptionWords: Int32Array;
  readonly others: readonly number[];
  readonly category: Int32Array;
  readonly price: (MatchInput['price'] & object) | null;
  readonly vocabulary: Vocabulary;
};

/** One array: the fixed part, then the lists of words, stems, joined words, amounts and words of other fields. */
function numbersOf(parts: PreparedParts): Int32Array {
  const { own, codes, amounts, descriptionWords, category, price } = parts;
  const hundredths =
    price === null ? 0 : (rescaledUnits(price.cents, decimalsOf(price.currency), 2) ?? 0);
  const elsewhere = sortedSet([...parts.others, ...category, ...descriptionWords]);
  const descriptionRarities = Array.from(descriptionWords, (hash) =>
    rarity(parts.vocabulary.idf, hash),
  );
  const lists = listsOf(parts, elsewhere, descriptionRarities);
  const starts: number[] = [];
  let end: number = At.startWords;
  for (const list of lists) {
    starts.push(end);
    end += list.length;
  }
  const numbers = new Int32Array(end);
  for (const [at, list] of lists.entries()) numbers.set(list, starts[at]);
  numbers.set(parts.grams, At.gramBits);
  const fixed: readonly (readonly [number, number])[] = [
    [At.words, own.hashes.length],
    [At.totalRarity, own.totalRarity],
    [At.firstWord, own.first],
    [At.joined, own.joined.length],
    [At.elsewhere, elsewhere.length],
    [At.description, descriptionWords.length],
    [At.category, category.length],
    [At.amounts, amounts.length],
    [At.codes, codes.length],
    [At.grams, parts.grams.reduce((sum, bits) => sum + countBits(bits), 0)],
    [At.logCents, hundredths < 1 ? 0 : Math.round(1000 * Math.log(hundredths + 1))],
    [At.currency, price === null ? 0 : hashOf(price.currency ?? '')],
    [At.packCount, parts.packCount ?? -1],
    [At.firstCode, parts.firstCode === null ? 0 : hashOf(parts.firstCode)],
    [At.firstNumber, own.firstNumber],
    [At.firstPlace, own.firstPlace],
    [At.orderTotal, own.orderTotal],
    [At.forRank, own.forRank],
    [At.soldAs, parts.soldAs],
    [At.unknown, own.unknown],
    [At.repeated, parts.repeated],
    [At.descriptionTotal, descriptionRarities.reduce((sum, found) => sum + found, 0)],
    [At.startJoined, starts[1] ?? 0],
    [At.startAmounts, starts[2] ?? 0],
    [At.startElsewhere, starts[3] ?? 0],
    [At.startDescription, starts[4] ?? 0],
    [At.startCategory, starts[5] ?? 0],
  ];
  for (const [at, value] of fixed) numbers[at] = value;
  setBits(numbers, At.joinedBits, JOINED_FIELDS, own.joined);
  setBits(numbers, At.elsewhereBits, ELSEWHERE_FIELDS, elsewhere);
  setBits(numbers, At.stemBits, 1, own.stems);
  setCodes(numbers, codes);
  setSingles(numbers, amounts);
  setTraits(numbers, own.words);
  return numbers;
}

function listsOf(
  { own, amounts, descriptionWords, category }: PreparedParts,
  elsewhere: Int32Array,
  descriptionRarities: readonly number[],
): readonly (readonly number[])[] {
  return [
    [
      own.hashes,
      own.infos,
      own.stems,
      own.ranks,
      own.inOrder,
      own.words.map(({ length }) => length),
    ],
    [own.joined, own.joinedOf],
    [amounts.map(({ unit }) => UNIT_NAMES.indexOf(unit)), amounts.map(thousandths)],
    [elsewhere],
    [descriptionWords, descriptionRarities],
    [category],
  ].map((group) => group.flatMap((list) => [...list]));
}

function thousandths({ value }: Amount): number {
  return Math.min(2_000_000_000, Math.round(value * 1000));
}

function setCodes(numbers: Int32Array, codes: PreparedParts['codes']): void {
  for (const [at, code] of codes.entries()) {
    const { text } = code;
    numbers[At.codeHashes + at] = code.hash;
    numbers[At.codeRarities + at] = code.rarity;
    numbers[At.codeGrams + at] = (trigramAt(text, 0) << 10) | trigramAt(text, text.length - 3);
    numbers[At.codeLetters + at] = lettersOf(text);
    numbers[At.codeFirsts + at] = text.charCodeAt(0);
  }
}

function setSingles(numbers: Int32Array, amounts: readonly Amount[]): void {
  for (const [at, unit] of SINGLE_UNITS.entries()) {
    const values = new Set(amounts.filter((amount) => amount.unit === unit).map(thousandths));
    const [only = 0] = values;
    numbers[At.singles + at] = values.size === 1 ? only : 0;
  }
}

function setTraits(numbers: Int32Array, words: readonly string[]): void {
  for (const word of words) {
    const trait = traitOf(word);
    if (trait === null) continue;
    const at = At.traits + TRAIT_CLASSES.indexOf(trait.class);
    numbers[at] = (numbers[at] ?? 0) | (1 << trait.bit);
  }
}
