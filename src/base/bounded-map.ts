// Keeps things in memory within a limit: a map that drops the entries first that were not used for longest, and texts that do
// not keep alive the longer text from which they were cut.

export type BoundedMap<Key, Value> = {
  /** The value. It then belongs to the half of entries that was used last. */
  use(key: Key): Value | undefined;
  /** Adds an entry to the half that was used last. Entries of the other half go until all fit. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  size(): number;
};

type Entry<Value> = {
  readonly value: Value;
  /** What it took when it was set. */
  readonly size: number;
  /** The number of the move that last put it at the end: at most as many entries stand after it as were moved since. */
  move: number;
};

/**
 * `most` is what all entries may take together, in the unit of `sizeOfOne`. A value that has grown is set again. `removed` is
 * called with each value that is not in the map any more.
 */
export function createBoundedMap<Key, Value>(
  most: number,
  sizeOfOne: (value: Value, key: Key) => number,
  removed: (value: Value) => void = () => undefined,
): BoundedMap<Key, Value> {
  /** The first entry goes first. */
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
      // Moved only if it may be in the older half: moving it each time took a twentieth of a cached answer.
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
 * The same text in memory of its own, with U+FFFD for halves of surrogate pairs. The engine cuts a text of 13 and more
 * characters without a copy, so that the cut text keeps all of the longer text alive.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
