// Finds the variant whose price counted at the last reading of an address. It counts again while it is listed: a watcher of the
// small size is not told the price of the large one.

import type { ChosenVariant } from '../../../base/listing/page.ts';

type Kind = keyof ChosenVariant;

const NUMBERS: readonly Kind[] = ['id', 'sku', 'gtin', 'mpn'];
const WORDS: readonly Kind[] = ['url', 'name'];

/** What may identify a variant; null where it does not state it. */
export type VariantIdentity = Readonly<Partial<Record<Kind, string | null>>>;

const LONGEST = 300;

const valueOf = (identity: VariantIdentity, kind: Kind): string | null =>
  identity[kind]?.trim().toLowerCase() ?? null;

/**
 * Returns the variants that are the one chosen before, if they are some and not all. A number decides, then an address, then a
 * name. If no number is the same, a variant that states another one is not the one chosen before.
 */
export function chosenAgain<T>(
  variants: readonly T[],
  identityOf: (variant: T) => VariantIdentity,
  before: ChosenVariant | null,
): readonly T[] {
  if (before === null || variants.length < 2) return [];
  let left = variants.map((variant) => ({ variant, identity: identityOf(variant) }));
  let isFound = false;
  const narrow = (kinds: readonly Kind[]): void => {
    for (const kind of kinds) {
      const wanted = valueOf(before, kind);
      const same = left.filter(
        ({ identity }) => wanted !== null && valueOf(identity, kind) === wanted,
      );
      if (same.length > 0) [left, isFound] = [same, true];
    }
  };
  narrow(NUMBERS);
  const isNumbered = ({ identity }: { readonly identity: VariantIdentity }): boolean =>
    NUMBERS.some((kind) => valueOf(before, kind) !== null && valueOf(identity, kind) !== null);
  if (!isFound) left = left.filter((one) => !isNumbered(one));
  narrow(WORDS);
  return isFound && left.length < variants.length ? left.map(({ variant }) => variant) : [];
}

/** Returns what identifies a variant, to be stored with its listing; null if nothing does. */
export function chosenOf(identity: VariantIdentity): ChosenVariant | null {
  const stated = Object.entries(identity).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && entry[1].length <= LONGEST,
  );
  return stated.length === 0 ? null : Object.fromEntries(stated);
}
