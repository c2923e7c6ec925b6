// A map with a limit of memory: the least recently used entries go first.

export type BoundedMap<Value> = {
  /** The value, which is the most recently used one from then on. */
  use(key: string): Value | undefined;
  /** The least recently used go until all of them fit. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  size(): number;
};

/** `most`: what all entries may take together, in the unit of `sizeOfOne`. */
export function createBoundedMap<Value>(
  most: number,
  sizeOfOne: (value: Value, key: string) => number,
): BoundedMap<Value> {
  /** The least recently used first. */
  const values = new Map<string, Value>();
  let size = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value === undefined) return;
    values.delete(key);
    size -= sizeOfOne(value, key);
  };
  return {
    use(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      values.set(key, value);
      size += sizeOfOne(value, key);
      for (const oldest of values.keys()) {
        if (size <= most) break;
        remove(oldest);
      }
    },
    delete: remove,
    size: () => size,
  };
}
