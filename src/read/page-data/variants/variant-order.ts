// The order of a product's variants and offers when the address names none: the one chosen at the last reading, the cheapest in
// stock, the cheapest. It never depends on the order in which a page lists them.

/** What decides between two variants. */
type Ranked = {
  /** Whether it was chosen at the last reading, see chosen-variant.ts. */
  readonly isChosen?: boolean;
  readonly inStock: boolean | null;
  /** How many reasons speak against it as the price for everyone; these count before the amount. */
  readonly setbacks?: number;
  /** The amount in its currency; null without a price. */
  readonly amount: number | null;
  /** Amounts of different currencies are not compared: the first code in the alphabet counts. */
  readonly currency?: string | null;
  /** What decides between equal ones: SKU, name and other texts, strongest first. */
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
