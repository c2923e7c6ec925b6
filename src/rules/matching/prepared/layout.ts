// The indexes of a prepared listing's numbers. All are in one array, because a second array would cost a cache miss that
// takes longer than the comparison.

/** The most model numbers per listing that are compared. */
export const MAX_CODES = 6;

/** Units in which different single amounts mean different products; litres are millilitres, kilograms grams. */
export const SINGLE_UNITS = ['gb', 'in', 'oz', 'lb', 'ml', 'g'] as const;

/** Index of each number. Counts and starts refer to the lists after the fixed part. */
export const At = {
  words: 0,
  totalRarity: 1,
  firstWord: 2,
  joined: 3,
  elsewhere: 4,
  description: 5,
  category: 6,
  amounts: 7,
  codes: 8,
  grams: 9,
  /** Natural logarithm of the price in hundredths, in thousandths; 0 when unknown. */
  logCents: 10,
  currency: 11,
  /** -1 when unknown. */
  packCount: 12,
  /** The set of stems as bits, by the lowest five bits of each. */
  stemBits: 17,
  startJoined: 20,
  startElsewhere: 21,
  startDescription: 22,
  startCategory: 23,
  startAmounts: 24,
  /** One number for each class of `TRAIT_CLASSES`, with a bit for each value. */
  traits: 25,
  gramBits: 33,
  /** `MAX_CODES` numbers each. */
  codeHashes: 65,
  codeRarities: 71,
  /** Hashes of the first model number and the first number of the title; 0 without one. */
  firstCode: 77,
  firstNumber: 78,
  /** The sets of hashes in two lists as bits, by the lowest seven and eight bits: most searches end here. */
  joinedBits: 79,
  elsewhereBits: 83,
  /** For each model number, the bits of `gramBits` for its first and its last three letters. */
  codeGrams: 91,
  /** For each of `SINGLE_UNITS` the single amount in thousandths; 0 with none or several. */
  singles: 97,
  /** Index of the first word of the title, and the sum of `orderWeight` of all words. */
  firstPlace: 103,
  orderTotal: 104,
  /** The sum of the rarities of the words of the description. */
  descriptionTotal: 105,
  /** For each model number its `lettersOf` and its first character. */
  codeLetters: 106,
  codeFirsts: 112,
  /** Position in the title of the first word such as "for", from 0; `NO_POSITION` without one. */
  forRank: 118,
  /** Bits of `SOLD_AS`. */
  soldAs: 119,
  /** Share, 0 to 250, of the words that are in no counted title or only in one. */
  unknown: 120,
  /** Words that the title repeats. */
  repeated: 121,
  /**
   * Six lists, one number for each word: hashes in ascending order, `infoOf` of each, its stem, its position in the
   * title from 0, the index of the word at each position, and its number of letters.
   */
  startWords: 122,
} as const;

/** A position after all words of a title. */
export const NO_POSITION = 127;

/** How a title says that something other than the bare new product is sold, as bits. */
export const SOLD_AS = { used: 1, imitation: 2, bundle: 4, bare: 8, saidBundle: 16 } as const;

/** Weight of a word by its position in the title: the fifth has half the weight of the first, the ninth a third. */
const ORDER_WEIGHTS = Int32Array.from({ length: 128 }, (_, at) =>
  Math.max(1, Math.round(64 / (1 + at / 4))),
);

/** Returns the rarity of a word times the weight of its position in the title. */
export function orderWeight(rarity: number, rank: number): number {
  return rarity * (ORDER_WEIGHTS[rank] as number);
}

/** These two read the fields packed by `infoOf`. */
export function rarityOf(info: number): number {
  return info & 255;
}

export function kindOf(info: number): number {
  return (info >> 8) & 15;
}

export function infoOf(word: { rarity: number; kind: number }): number {
  return word.rarity | (word.kind << 8);
}

/** Returns the index of a number in a sorted list of `count` numbers from `start` on; -1 if it is not there. */
export function placeIn(numbers: Int32Array, start: number, count: number, wanted: number): number {
  let low = start;
  let high = start + count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = numbers[middle] as number;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Sets a bit for each hash in a bit set of `fields` numbers (a power of two) from `start` on. */
export function setBits(
  numbers: Int32Array,
  start: number,
  fields: number,
  hashes: Iterable<number>,
): void {
  for (const hash of hashes) {
    const at = start + ((hash >> 5) & (fields - 1));
    numbers[at] = (numbers[at] as number) | (1 << (hash & 31));
  }
}

/** Returns whether the bit of a hash is set in such a bit set. */
export function hasBit(numbers: Int32Array, start: number, fields: number, hash: number): boolean {
  return (((numbers[start + ((hash >> 5) & (fields - 1))] as number) >>> (hash & 31)) & 1) === 1;
}

export const JOINED_FIELDS = 4;
export const ELSEWHERE_FIELDS = 8;

/** Returns the number of set bits. */
export function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** These return the larger and the smaller of two small numbers, without a branch that the processor would mispredict. */
export function most(a: number, b: number): number {
  return a - ((a - b) & ((a - b) >> 31));
}

export function least(a: number, b: number): number {
  return b + ((a - b) & ((a - b) >> 31));
}

/** Returns the index, among a title's words, of the word at a position. */
export function placeAt(numbers: Int32Array, rank: number): number {
  return numbers[At.startWords + 4 * (numbers[At.words] as number) + rank] as number;
}
