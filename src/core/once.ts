// Something that is made when it is first asked for, and is the same from then on.

/** What `make` returned the first time. A promise that rejected stays rejected; where `make` throws, it is called again. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
