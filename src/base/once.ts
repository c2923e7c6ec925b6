// Creates something on first use and keeps it: a value, one value per key, or a part of the program. The files of such a
// part are loaded only then, because each adds a third of a millisecond to startup.

/**
 * Returns the value that `make` returned the first time. A promise that rejected stays rejected. If `make` throws, it is
 * called again.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/**
 * Returns the value that `make` returned the first time for this key. Use it for few keys only, because none is ever
 * removed.
 */
export function onceEach<K, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const first = make(key);
    made.set(key, first);
    return first;
  };
}

export type Later<T> = {
  /** Loads and creates it on first use. If that fails, it fails for all waiting callers, and the next call tries again. */
  readonly load: () => Promise<T>;
  /** Returns the pending or loaded value; null if it has not been requested yet. */
  readonly asked: () => Promise<T> | null;
};

export function later<T>(make: () => Promise<T>): Later<T> {
  let made: Promise<T> | null = null;
  const load = (): Promise<T> =>
    (made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    }));
  return { load, asked: () => made };
}
