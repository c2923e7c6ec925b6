// Stateless seeded chance: a key gives the same number on every machine and in any order of calls, so each product and each
// hour can be computed alone.

type Key = readonly (string | number)[];

/** Returns a number in [0, 1) that depends on the seed and the key alone (FNV-1a, then mulberry32's mixing). */
export function chance(seed: number, key: Key): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  const text = key.join('\u0000');
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = (hash + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(hash ^ (hash >>> 15), hash | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

/** Returns an integer from `low` to `high`, both inclusive. */
export function chanceBetween(seed: number, key: Key, low: number, high: number): number {
  return low + Math.floor(chance(seed, key) * (high - low + 1));
}

/** Returns one member of a non-empty list. */
export function chanceOf<T>(seed: number, key: Key, list: readonly [T, ...T[]]): T {
  return list[chanceBetween(seed, key, 0, list.length - 1)] ?? list[0];
}
