// Encodes whole numbers as bits, and bits as text: thirteen bits in two characters, so that a database that stores text
// needs 16/13 of the bytes. It knows nothing about the meaning of the numbers.

/**
 * Printable ASCII without space, quotation mark, apostrophe and backslash: storage and dump tools leave these characters
 * unchanged.
 */
const ALPHABET =
  '!#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~';
const DIGITS = ALPHABET.length;
const BITS_OF_PAIR = 13;
const PAIRS = 2 ** BITS_OF_PAIR;
const HALF = 2 ** 26;
/** Bits that are read at once: with one more pair they still fit into a small integer. */
const AT_ONCE = 17;
const NO_DIGIT = 1_000_000;

const VALUE_OF = new Int32Array(128).fill(NO_DIGIT);
for (let value = 0; value < DIGITS; value += 1) VALUE_OF[ALPHABET.charCodeAt(value)] = value;

/** Counts the significant bits of a whole number, 0 for 0; exact up to 2^53 - 1. */
export function bitLength(value: number): number {
  if (value < 4_294_967_296) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 4_294_967_296));
}

/**
 * Returns how many bits `number` writes for a value with this many significant bits. Values of at most `short` bits take
 * `short + 1`, and each further bit takes two.
 */
export function numberCost(significant: number, short: number): number {
  return significant <= short ? short + 1 : 2 * significant - short;
}

export type BitWriter = {
  /** Writes the low `count` bits of a whole number, highest first. */
  bits(value: number, count: number): void;
  /** Writes a whole number from 0 to 2^53 - 1; cheapest if it has about `short` bits. */
  number(value: number, short: number): void;
  /** Returns everything written so far, padded with zero bits to a whole pair of characters. */
  text(): string;
};

export function createBitWriter(): BitWriter {
  const characters: string[] = [];
  let waiting = 0;
  let free = BITS_OF_PAIR;
  const few = (value: number, count: number): void => {
    let left = count;
    while (left > 0) {
      const taken = Math.min(left, free);
      left -= taken;
      free -= taken;
      waiting = (waiting << taken) | ((value >>> left) & ((1 << taken) - 1));
      if (free > 0) continue;
      characters.push(digits(waiting, 2));
      waiting = 0;
      free = BITS_OF_PAIR;
    }
  };
  const bits = (value: number, count: number): void => {
    if (count > 26) few(Math.floor(value / HALF), count - 26);
    few(value % HALF, Math.min(count, 26));
  };
  return {
    bits,
    number(value, short) {
      const significant = bitLength(value);
      if (significant <= short) {
        bits(1, 1);
        bits(value, short);
        return;
      }
      bits(0, significant - short);
      bits(1, 1);
      // The highest bit is always one and is not written.
      if (significant > 1) bits(value % 2 ** (significant - 1), significant - 1);
    },
    text() {
      return free === BITS_OF_PAIR
        ? characters.join('')
        : characters.join('') + digits(waiting << free, 2);
    },
  };
}

/** Encodes a whole number in this many characters of the alphabet, highest first. */
export function digits(value: number, count: number): string {
  let text = '';
  let left = value;
  for (let at = 0; at < count; at += 1) {
    text = ALPHABET.charAt(left % DIGITS) + text;
    left = Math.floor(left / DIGITS);
  }
  return text;
}

/** The text was not written by a `BitWriter`, or it ends too early. */
export class BitTextError extends Error {
  override readonly name = 'BitTextError';
}

export type BitReader = {
  bits(count: number): number;
  number(short: number): number;
  /** Throws unless only the padding is left. */
  end(): void;
};

/**
 * Reads the output of a `BitWriter`, starting at index `from`. Every method throws BitTextError on text that no writer
 * produces.
 */
export function createBitReader(text: string, from: number): BitReader {
  let at = from;
  let buffer = 0;
  let have = 0;
  /** Reads the bits of the next two characters and returns how many there are. */
  const refill = (): number => {
    const first = VALUE_OF[text.charCodeAt(at)] ?? NO_DIGIT;
    const value = first * DIGITS + (VALUE_OF[text.charCodeAt(at + 1)] ?? NO_DIGIT);
    if (value >= PAIRS) refuse(text, at + 1);
    buffer = (buffer << BITS_OF_PAIR) | value;
    at += 2;
    return BITS_OF_PAIR;
  };
  const few = (count: number): number => {
    while (have < count) have += refill();
    have -= count;
    return (buffer >>> have) & ((1 << count) - 1);
  };
  const bits = (count: number): number => {
    if (count <= AT_ONCE) return few(count);
    let value = 0;
    for (let left = count; left > 0; left -= AT_ONCE) {
      const taken = Math.min(left, AT_ONCE);
      value = value * 2 ** taken + few(taken);
    }
    return value;
  };
  /** Counts the zeros before the next one bit, and reads that bit too. */
  const zeros = (): number => {
    let count = 0;
    for (;;) {
      if (have === 0) have += refill();
      const leading = Math.min(have, Math.clz32(buffer << (32 - have)));
      count += leading;
      have -= leading;
      if (have > 0) break;
      if (count > 53) throw new BitTextError('contains a number longer than 53 bits');
    }
    have -= 1;
    return count;
  };
  return {
    bits,
    number(short) {
      const more = zeros();
      const significant = short + more;
      if (significant > 53) throw new BitTextError('contains a number longer than 53 bits');
      if (more === 0) return bits(short);
      if (significant <= AT_ONCE) return (1 << (significant - 1)) | few(significant - 1);
      return 2 ** (significant - 1) + bits(significant - 1);
    },
    end() {
      if (at !== text.length || (have > 0 && few(have) !== 0)) {
        throw new BitTextError('has extra characters at the end');
      }
    },
  };
}

function refuse(text: string, at: number): never {
  throw new BitTextError(at < text.length ? 'contains an unexpected character' : 'ends too early');
}

const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  }
  return value >>> 0;
});

/**
 * Returns the CRC-32 (ISO 3309) of the low byte of each character from index `from` on; pass an earlier checksum as `seed`
 * to continue it.
 */
export function checksum(text: string, from = 0, seed = 0): number {
  let value = ~seed;
  for (let at = from; at < text.length; at += 1) {
    value = (CRC[(value ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return ~value >>> 0;
}
