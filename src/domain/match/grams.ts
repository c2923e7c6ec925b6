// Runs of three letters as a bit field: how alike two texts are whatever their word breaks and endings.

/** 2,048 bits: a title of 60 letters loses 2 of 58 to one that shares its bit. */
const FIELDS = 64;

export type Grams = { readonly grams: Int32Array; readonly gramCount: number };

/** The bits of a text without blanks; `gramCount` is how many are set. */
export function gramsOf(text: string): Grams {
  const grams = new Int32Array(FIELDS);
  for (let at = 0; at + 2 < text.length; at += 1) {
    let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1) ^ text.charCodeAt(at + 1);
    hash = Math.imul(hash, 0x85ebca6b) ^ text.charCodeAt(at + 2);
    hash = Math.imul(hash, 0xc2b2ae35) >>> 21;
    grams[hash >> 5] = (grams[hash >> 5] ?? 0) | (1 << (hash & 31));
  }
  return { grams, gramCount: common(grams, grams) };
}

/** Bits that are set in both. */
export function common(a: Int32Array, b: Int32Array): number {
  let count = 0;
  for (let at = 0; at < FIELDS; at += 1) {
    let bits = (a[at] as number) & (b[at] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
