// Bounds memory use: a map that evicts its least recently used entries first, and text copies that do not keep the longer
// text they were cut from alive.

export type BoundedMap<Key, Value> = {
  /** Returns the value and marks it as recently used. */
  use(key: Key): Value | undefined;
  /** Adds an entry as recently used and evicts the oldest entries until all fit. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  size(): number;
};

type Entry<Value> = {
  readonly value: Value;
  /** Size of the value when it was set. */
  readonly size: number;
  /**
   * Sequence number of the move that last put it at the end: at most as many entries follow it as there were moves since.
   */
  move: number;
};

/**
 * `most` is the maximum total size of all entries, in the unit of `sizeOfOne`. A value that has grown must be set again.
 * `removed` is called with each value that is no longer in the map.
 */
export function createBoundedMap<Key, Value>(
  most: number,
  sizeOfOne: (value: Value, key: Key) => number,
  removed: (value: Value) => void = () => undefined,
): BoundedMap<Key, Value> {
  /** The first entry is evicted first. */
  const entries = new Map<Key, Entry<Value>>();
  let size = 0;
  let moves = 0;
  const remove = (key: Key, next?: Value): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size -= entry.size;
    if (entry.value !== next) removed(entry.value);
  };
  return {
    use(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // Moved only if it may be in the older half: moving it on every use took a twentieth of the time of a cached answer.
      if (moves - entry.move >= entries.size / 2) {
        entry.move = moves += 1;
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.value;
    },
    set(key, value) {
      remove(key, value);
      moves += 1;
      const own = sizeOfOne(value, key);
      entries.set(key, { value, size: own, move: moves });
      size += own;
      for (const oldest of entries.keys()) {
        if (size <= most) break;
        remove(oldest);
      }
    },
    delete: (key) => remove(key),
    size: () => size,
  };
}

/**
 * Returns a copy of the text in its own memory, with U+FFFD for unpaired surrogates. The engine slices texts of 13 or more
 * characters without copying, so a slice keeps the whole longer text alive.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
