// Finds the outlier among three or more listings of one barcode. It weighs the model's results for its pairs, the words that
// all others have but it lacks, the words that only it has, and the contradictions of its title. A single sign is wrong too
// often: half of the listings that the model finds unlike another one are of the same product.

import { At, placeIn, rarityOf } from '../prepared/layout.ts';
import type { Prepared } from '../prepared/prepared.ts';

/** Marks for the pairs of a group that contradict each other in something in which titles of one product may differ too. */
export type PairSigns = {
  /** Pairs that contradict each other in what both titles state. */
  readonly stated: readonly Uint8Array[];
  /** Pairs that contradict each other in model numbers of one shape. */
  readonly siblings: readonly Uint8Array[];
};

/** Creates a mark for each pair of a group, all unset. */
export function squareOf(size: number): readonly Uint8Array[] {
  return Array.from({ length: size }, () => new Uint8Array(size));
}

/** Sets the mark of a pair. */
export function mark(square: readonly Uint8Array[], one: number, two: number): void {
  (square[one] as Uint8Array)[two] = 1;
  (square[two] as Uint8Array)[one] = 1;
}

/** The kinds of evidence in order, with their weights, which are fitted with `npm run lab -- groups --fit`. */
const WEIGHT_OF = {
  constant: -3.76,
  // Log-odds of the pairs with the others: the mean and the best; the mean of the others' pairs.
  mean: -0.55,
  best: -0.16,
  others: 0.36,
  // Rarities of words that all others have but this one lacks, and the reverse: the three rarest, and the rarest.
  missing: 0.1,
  missing_rarest: 1.15,
  own: -0.01,
  own_rarest: -0.01,
  replaced: -0.12,
  // Shares of pairs with a contradiction: with the others, and of the others among themselves.
  stated: 1.05,
  siblings: 1.09,
  stated_others: -0.77,
  siblings_others: -1.14,
  four_or_more: 0.82,
} as const;

const WEIGHTS: readonly number[] = Object.values(WEIGHT_OF);

/** Returns the log-odds that a listing is another product, for groups of which every second one has such a listing. */
export function oddnessOf(evidence: readonly number[]): number {
  return evidence.reduce((sum, value, at) => sum + value * (WEIGHTS[at] as number), 0);
}

/** Returns the evidence against each of three or more listings, in the order of `WEIGHT_OF`. */
export function evidenceOf(
  listings: readonly Prepared[],
  logits: readonly Float64Array[],
  { stated, siblings }: PairSigns,
): readonly (readonly number[])[] {
  const words = wordsOfGroup(listings);
  const places = [...listings.keys()];
  return places.map((at) => {
    const others = places.filter((other) => other !== at);
    const row = logits[at] as Float64Array;
    const missing = words.flatMap(({ rarity, lacking }) => (lacking === 1 << at ? [rarity] : []));
    const own = words.flatMap(({ rarity, having }) => (having === 1 << at ? [rarity] : []));
    const [missed, owned] = [mostOf(missing, 3, 600), mostOf(own, 3, 600)];
    const [missedRarest, ownedRarest] = [mostOf(missing, 1, 255), mostOf(own, 1, 255)];
    return [
      1,
      meanOf(others, (other) => row[other] as number),
      Math.max(...others.map((other) => row[other] as number)),
      meanOfPairs(others, logits),
      missed / 300,
      missedRarest / 100,
      owned / 300,
      ownedRarest / 100,
      (missedRarest * ownedRarest) / 10_000,
      meanOf(others, (other) => stated[at]?.[other] ?? 0),
      meanOf(others, (other) => siblings[at]?.[other] ?? 0),
      meanOfPairs(others, stated),
      meanOfPairs(others, siblings),
      others.length > 2 ? 1 : 0,
    ];
  });
}

function meanOf(places: readonly number[], of: (at: number) => number): number {
  return places.reduce((sum, at) => sum + of(at), 0) / places.length;
}

function meanOfPairs(
  places: readonly number[],
  of: readonly (Float64Array | Uint8Array)[],
): number {
  let sum = 0;
  for (const [at, one] of places.entries()) {
    for (const two of places.slice(at + 1)) sum += of[one]?.[two] ?? 0;
  }
  return (2 * sum) / (places.length * (places.length - 1));
}

/** Returns the sum of the `count` largest, at most `limit`. */
function mostOf(rarities: readonly number[], count: number, limit: number): number {
  const most = rarities.toSorted((a, b) => b - a).slice(0, count);
  return Math.min(
    limit,
    most.reduce((sum, rarity) => sum + rarity, 0),
  );
}

/** A word of a group of listings; which listings have it and which do not, as bits in the order of the listings. */
type GroupWord = { readonly rarity: number; readonly having: number; readonly lacking: number };

/** Shorter words occur inside others by chance. */
const LEAST_INSIDE = 3;

function wordsOfGroup(listings: readonly Prepared[]): readonly GroupWord[] {
  const seen = new Set<number>();
  const found: GroupWord[] = [];
  const everyone = 2 ** listings.length - 1;
  for (const { numbers, words } of listings) {
    for (const [at, text] of words.entries()) {
      const hash = numbers[At.startWords + at] as number;
      if (seen.has(hash)) continue;
      seen.add(hash);
      let having = 0;
      for (const [place, other] of listings.entries()) {
        if (hasWord(other, hash, text)) having |= 1 << place;
      }
      // A bit mask suffices, because at most 24 listings are compared.
      const rarity = rarityOf(numbers[At.startWords + words.length + at] as number);
      found.push({ rarity, having, lacking: everyone & ~having });
    }
  }
  return found;
}

function hasWord(listing: Prepared, hash: number, text: string): boolean {
  const { numbers, words, squeezed, squeezedDescription } = listing;
  if (placeIn(numbers, At.startWords, words.length, hash) >= 0) return true;
  if (text.length < LEAST_INSIDE) return false;
  return squeezed.includes(text) || squeezedDescription.includes(text);
}
