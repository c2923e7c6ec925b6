// Chooses the variant of a product that counts if the address names none: the one whose price counted at the last reading,
// as long as it is listed; else the cheapest in stock; else the cheapest. A watcher of the small size is not sent the price
// of the large one, and the order in which a page lists them never matters.

import type { ChosenVariant } from '../../../base/listing/page.ts';

type Kind = keyof ChosenVariant;

const NUMBERS: readonly Kind[] = ['id', 'sku', 'gtin', 'mpn'];
const WORDS: readonly Kind[] = ['url', 'name'];

/** The facts that may identify a variant; null if it does not state them. */
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

/** Returns the facts that identify a variant, to be stored with its listing; null if there are none. */
export function chosenOf(identity: VariantIdentity): ChosenVariant | null {
  const stated = Object.entries(identity).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1] !== '' && entry[1].length <= LONGEST,
  );
  return stated.length === 0 ? null : Object.fromEntries(stated);
}

/** The facts that decide between two variants. */
type Ranked = {
  /** Whether it was chosen at the last reading, see chosen-variant.ts. */
  readonly isChosen?: boolean;
  readonly inStock: boolean | null;
  /** The number of reasons why its price may not be the price for everyone. They are compared before the amount. */
  readonly setbacks?: number;
  /** The amount in its currency; null without a price. */
  readonly amount: number | null;
  /** Amounts of different currencies are not compared: the first code in the alphabet counts. */
  readonly currency?: string | null;
  /** Decides between variants that are otherwise equal: SKU, name and other texts, strongest first. */
  readonly texts: readonly (string | null)[];
};

/** Sorts after every text. */
const LAST = '\uffff';

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function byRank(one: Ranked, other: Ranked): number {
  const isChosen = Number(other.isChosen === true) - Number(one.isChosen === true);
  if (isChosen !== 0) return isChosen;
  const isPriced = Number(other.amount !== null) - Number(one.amount !== null);
  if (isPriced !== 0) return isPriced;
  const isOpen = Number(other.inStock === true) - Number(one.inStock === true);
  if (isOpen !== 0) return isOpen;
  const setbacks = (one.setbacks ?? 0) - (other.setbacks ?? 0);
  if (setbacks !== 0) return setbacks;
  const currency = compared(one.currency ?? LAST, other.currency ?? LAST);
  if (currency !== 0) return currency;
  const amount = (one.amount ?? 0) - (other.amount ?? 0);
  if (amount !== 0) return amount;
  for (const [index, text] of one.texts.entries()) {
    const order = compared(text ?? LAST, other.texts[index] ?? LAST);
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the variants in this order. */
export function inVariantOrder<T>(
  variants: readonly T[],
  rankOf: (variant: T) => Ranked,
): readonly T[] {
  return variants
    .map((variant) => ({ variant, rank: rankOf(variant) }))
    .toSorted((one, other) => byRank(one.rank, other.rank))
    .map(({ variant }) => variant);
}
