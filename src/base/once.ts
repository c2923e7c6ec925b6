// Makes something when it is first asked for, and keeps it from then on: a value, one value for each key, or a part of the
// program. The files of such a part are loaded only then, because each costs a third of a millisecond of the start.

/** What `make` returned the first time. A promise that rejected stays rejected. If `make` throws, it is called again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** What `make` returned the first time for this key. There must be few keys, because none is forgotten. */
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
  /** Loads and makes it when it is first asked for. If that fails, it fails for all who wait, and the next call tries again. */
  readonly load: () => Promise<T>;
  /** What was already asked for; null if nobody has needed it. */
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
