// Words as 32-bit numbers, so that two listings are compared by merging sorted numbers.

/** FNV-1a over UTF-16 code units, with a last mix so that similar words lie far apart. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) | 0;
}

/** Sorted, each number once. */
export function sortedSet(numbers: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(numbers)).sort();
}

/** Whether a sorted list holds a number. */
export function holds(sorted: Int32Array, number: number): boolean {
  return placeIn(sorted, number) >= 0;
}

/** Where a sorted list holds a number; -1 where it does not. */
export function placeIn(sorted: Int32Array, number: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] as number;
    if (found === number) return middle;
    if (found < number) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
