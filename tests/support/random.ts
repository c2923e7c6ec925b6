// Seeded randomness for property tests: the same seed gives the same sequence on every machine.

/** mulberry32: numbers in [0, 1) from a 32-bit seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns an integer in [0, below). */
export function integerBelow(random: () => number, below: number): number {
  return Math.floor(random() * below);
}

/** Returns one member of a non-empty list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  const member = list[integerBelow(random, list.length)];
  if (member === undefined) throw new Error('pick needs a list with members');
  return member;
}

/**
 * Returns the seed of a run: OPENSHELF_TEST_SEED to repeat one, otherwise a fixed one per file. Printed by the tests that
 * use it.
 */
export function seedOf(fallback: number): number {
  return Number(process.env['OPENSHELF_TEST_SEED'] ?? fallback);
}

/** Returns the entries of a list in a random order. */
export function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  return list
    .map((entry) => ({ entry, at: integerBelow(random, 1_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ entry }) => entry);
}
