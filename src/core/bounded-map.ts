// What is kept in memory within a limit: a map of which the entries go first that were not used for long, and texts without what
// they were cut from.

export type BoundedMap<Key, Value> = {
  /** The value, which from then on is one of the half that was used last. */
  use(key: Key): Value | undefined;
  /** Of the half that was used last; entries of the other half go until all of them fit. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  size(): number;
};

type Entry<Value> = {
  readonly value: Value;
  /** Which of all moves to the end brought it to its place: so many at most stand behind it as were moved since. */
  move: number;
};

/** `most`: what all entries may take together, in the unit of `sizeOfOne`. */
export function createBoundedMap<Key, Value>(
  most: number,
  sizeOfOne: (value: Value, key: Key) => number,
): BoundedMap<Key, Value> {
  /** The first one goes first. */
  const entries = new Map<Key, Entry<Value>>();
  let size = 0;
  let moves = 0;
  const remove = (key: Key): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    size -= sizeOfOne(entry.value, key);
  };
  return {
    use(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // Moving it each time took a twentieth of a kept answer.
      if (moves - entry.move >= entries.size / 2) {
        entry.move = moves += 1;
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.value;
    },
    set(key, value) {
      remove(key);
      moves += 1;
      entries.set(key, { value, move: moves });
      size += sizeOfOne(value, key);
      for (const oldest of entries.keys()) {
        if (size <= most) break;
        remove(oldest);
      }
    },
    delete: remove,
    size: () => size,
  };
}

/**
 * The same text in memory of its own, with U+FFFD for halves of surrogate pairs. The engine cuts 13 and more characters without a
 * copy: what is cut keeps all of the longer text.
 */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
