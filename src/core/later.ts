// A part of the program whose files are loaded when it is needed: each costs a third of a millisecond of the start.

export type Later<T> = {
  /** Loads and makes it when it is asked for the first time. Where that fails, it fails for everybody. */
  readonly load: () => Promise<T>;
  /** What was asked for already; null: nobody has needed it. */
  readonly asked: () => Promise<T> | null;
};

export function later<T>(make: () => Promise<T>): Later<T> {
  let made: Promise<T> | null = null;
  return { load: () => (made ??= make()), asked: () => made };
}
