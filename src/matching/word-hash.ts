// Words as numbers of 30 bits, so that two listings are compared by merging sorted numbers.

/**
 * FNV-1a over UTF-16 code units, with a last mix so that similar words lie far apart; 0 to 2^30 - 1, so that the
 * difference of two is a small number too.
 */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 2;
}

/** Sorted, each number once. */
export function sortedSet(numbers: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(numbers)).sort();
}
