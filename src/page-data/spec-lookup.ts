// A specification by its name. Knows no shop and no name.

import type { Spec } from '../listing/listing.ts';

/** The value of the first specification with one of these names, letter case ignored; earlier names win. */
export function specNamed(specs: readonly Spec[], names: readonly string[]): string | null {
  for (const wanted of names) {
    const lower = wanted.toLowerCase();
    const found = specs.find(({ name }) => name.toLowerCase() === lower);
    if (found !== undefined) return found.value;
  }
  return null;
}
