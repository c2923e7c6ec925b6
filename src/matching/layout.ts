// Where the numbers of a prepared listing stand. All of them are in one array, because a comparison is over
// before a second piece of memory would have come in.

/** At most this many model numbers of a listing are compared. */
export const MAX_CODES = 6;

/** Units of which one amount on each side, and not the same, makes two products. `L` is a class of lenses, too. */
export const SINGLE_UNITS = ['gb', 'in', 'oz', 'ml', 'lb', 'kg'] as const;

/** Places of single numbers. Counts and starts are of the lists that follow the fixed part. */
export const At = {
  words: 0,
  totalRarity: 1,
  firstWord: 2,
  joined: 3,
  elsewhere: 4,
  told: 5,
  category: 6,
  amounts: 7,
  codes: 8,
  grams: 9,
  /** Thousandths of the natural logarithm of the price in cents; 0 unknown. */
  logCents: 10,
  currency: 11,
  /** -1 unknown. */
  packCount: 12,
  /** Which stems there are, by their lowest five bits. */
  stemBits: 17,
  startJoined: 20,
  startElsewhere: 21,
  startTold: 22,
  startCategory: 23,
  startAmounts: 24,
  /** One number of bits for each list of values of `TRAIT_CLASSES`. */
  traits: 25,
  gramBits: 33,
  /** `MAX_CODES` places each. */
  codeHashes: 65,
  codeRarities: 71,
  /** Hashes of the title's first model number and first number; 0 without one. */
  firstCode: 77,
  firstNumber: 78,
  /** Which hashes are in a list, by their lowest seven and eight bits: most searches end here. */
  joinedBits: 79,
  elsewhereBits: 83,
  /** Of each model number, which bits of `gramBits` its first and its last three letters set. */
  codeGrams: 91,
  /** For each of `SINGLE_UNITS`: the one amount in it, in thousandths; 0 without one, and with two. */
  singles: 97,
  /** Place of the title's first word; the sum of `orderWeight` of all words. */
  firstPlace: 103,
  orderTotal: 104,
  /** The sum of the rarities of the description's words. */
  toldTotal: 105,
  /** Of each model number, which characters it holds, by their lowest five bits, and its first character. */
  codeLetters: 106,
  codeFirsts: 112,
  /**
   * Four lists of as many numbers as there are words: hashes in ascending order, what is known of each (`infoOf`),
   * their stems, and which word of the title each is, counted from 0.
   */
  startWords: 118,
} as const;

/** What a word weighs by its place in the title: the fifth half of the first, the ninth a third. */
const ORDER_WEIGHTS = Int32Array.from({ length: 128 }, (_, at) =>
  Math.max(1, Math.round(64 / (1 + at / 4))),
);

/** The rarity of a word, times what its place in the title weighs. */
export function orderWeight(rarity: number, rank: number): number {
  return rarity * (ORDER_WEIGHTS[rank] as number);
}

/** The fields of what is known of a word. */
export function rarityOf(info: number): number {
  return info & 255;
}

export function kindOf(info: number): number {
  return (info >> 8) & 15;
}

export function swayShared(info: number): number {
  return (info << 8) >> 24;
}

export function swayAlone(info: number): number {
  return info >> 24;
}

export function infoOf(word: {
  rarity: number;
  kind: number;
  shared: number;
  alone: number;
}): number {
  return word.rarity | (word.kind << 8) | ((word.shared & 255) << 16) | ((word.alone & 255) << 24);
}

/** Where a sorted list of `count` numbers from `start` on holds a number; -1 where it does not. */
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

/** Sets the bits of hashes in a field of `fields` numbers, a power of two, from `start` on. */
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

/** Whether the bit of a hash is set in such a field. */
export function hasBit(numbers: Int32Array, start: number, fields: number, hash: number): boolean {
  return (((numbers[start + ((hash >> 5) & (fields - 1))] as number) >>> (hash & 31)) & 1) === 1;
}

export const JOINED_FIELDS = 4;
export const ELSEWHERE_FIELDS = 8;

/** Bits that are set. */
export function countBits(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The larger, and the smaller, of two small numbers without a branch that nobody could foretell. */
export function most(a: number, b: number): number {
  return a - ((a - b) & ((a - b) >> 31));
}

export function least(a: number, b: number): number {
  return b + ((a - b) & ((a - b) >> 31));
}
