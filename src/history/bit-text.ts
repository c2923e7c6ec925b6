// Writes whole numbers as bits, and bits as text with six bits to a character: a database that stores text then needs
// 4/3 of the bytes. Does not know what the numbers mean.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS_OF_CHARACTER = 6;
const HALF = 2 ** 26;
/** Bits that are read at once: with the six bits of one more character they still fit into a small integer. */
const AT_ONCE = 24;

const VALUE_OF = new Int8Array(128).fill(-1);
for (let value = 0; value < ALPHABET.length; value += 1) {
  VALUE_OF[ALPHABET.charCodeAt(value)] = value;
}

/** Significant bits of a whole number, 0 for 0; exact up to 2^53 - 1. */
export function bitLength(value: number): number {
  if (value < 4_294_967_296) return 32 - Math.clz32(value);
  return 64 - Math.clz32(Math.floor(value / 4_294_967_296));
}

/**
 * Bits that `number` writes for a value with so many significant bits: values of at most `short` bits take `short + 1`,
 * and each further bit takes two.
 */
export function numberCost(significant: number, short: number): number {
  return significant <= short ? short + 1 : 2 * significant - short;
}

export type BitWriter = {
  /** The low `count` bits of a whole number, highest first. */
  bits(value: number, count: number): void;
  /** A whole number from 0 to 2^53 - 1; cheapest when it has about `short` bits. */
  number(value: number, short: number): void;
  /** Everything written so far, padded with zero bits to a whole character. */
  text(): string;
};

export function createBitWriter(): BitWriter {
  const characters: string[] = [];
  let waiting = 0;
  let free = BITS_OF_CHARACTER;
  const few = (value: number, count: number): void => {
    let left = count;
    while (left > 0) {
      const taken = Math.min(left, free);
      left -= taken;
      free -= taken;
      waiting = (waiting << taken) | ((value >>> left) & ((1 << taken) - 1));
      if (free > 0) continue;
      characters.push(ALPHABET.charAt(waiting));
      waiting = 0;
      free = BITS_OF_CHARACTER;
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
      return free === BITS_OF_CHARACTER
        ? characters.join('')
        : characters.join('') + ALPHABET.charAt(waiting << free);
    },
  };
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
 * Reads what a `BitWriter` wrote, starting at the index `from`. Every method throws BitTextError on text that no writer
 * produces.
 */
export function createBitReader(text: string, from = 0): BitReader {
  let at = from;
  let held = 0;
  let have = 0;
  const few = (count: number): number => {
    while (have < count) {
      const value = VALUE_OF[text.charCodeAt(at)] ?? -1;
      if (value < 0)
        throw new BitTextError(
          at < text.length ? 'contains an unexpected character' : 'ends too early',
        );
      at += 1;
      held = ((held & 0xff_ff_ff) << BITS_OF_CHARACTER) | value;
      have += BITS_OF_CHARACTER;
    }
    have -= count;
    return (held >>> have) & ((1 << count) - 1);
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
  return {
    bits,
    number(short) {
      let significant = short;
      while (few(1) === 0) {
        significant += 1;
        if (significant > 53) throw new BitTextError('contains a number longer than 53 bits');
      }
      if (significant === short) return bits(short);
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

const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) {
    value = (value & 1) === 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  }
  return value >>> 0;
});

/**
 * CRC-32 (ISO 3309) of the low byte of each character from index `from` on; pass an earlier checksum as `seed` to
 * continue it.
 */
export function checksum(text: string, from = 0, seed = 0): number {
  let value = ~seed;
  for (let at = from; at < text.length; at += 1) {
    value = (CRC[(value ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (value >>> 8);
  }
  return ~value >>> 0;
}
