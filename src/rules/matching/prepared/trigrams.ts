// Sequences of three letters as a bit set: measures how similar two texts are regardless of spaces and endings.

import { At, countBits } from './layout.ts';

/** 1,024 bits: of the 58 trigrams of a title with 60 letters, 2 share a bit with another. */
export const TRIGRAM_FIELDS = 32;

/** Returns the bits of a text without spaces. */
export function trigramsOf(text: string): Int32Array {
  const grams = new Int32Array(TRIGRAM_FIELDS);
  for (let at = 0; at + 2 < text.length; at += 1) {
    const bit = trigramAt(text, at);
    grams[bit >> 5] = (grams[bit >> 5] ?? 0) | (1 << (bit & 31));
  }
  return grams;
}

/** Returns the bit, 0 to 1,023, of the three letters at an index. */
export function trigramAt(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ text.charCodeAt(at + 1);
  hash = Math.imul(hash, 0x85ebca6b) ^ text.charCodeAt(at + 2);
  return Math.imul(hash, 0xc2b2ae35) >>> 22;
}

/** Returns the number of bits that both sets have. */
export function commonTrigrams(a: Int32Array, b: Int32Array): number {
  let count = 0;
  for (let at = At.gramBits; at < At.gramBits + TRIGRAM_FIELDS; at += 1) {
    count += countBits((a[at] as number) & (b[at] as number));
  }
  return count;
}
