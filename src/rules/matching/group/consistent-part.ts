// Finds the listings of a group that belong together: the largest part of the group in which no two contradict each other.
// All other listings are the minority (D59).

/** The listings, by index, that each listing contradicts. */
type ContradictionGraph = readonly Pick<ReadonlySet<number>, 'size' | 'has'>[];

/** The log-odds of each pair; 0 for a listing with itself. */
type Likeness = readonly ArrayLike<number>[];

/** The tie-breakers between equally large parts of a group. */
export type Standing = {
  readonly likeness: Likeness;
  /**
   * The rank of each listing, used when nothing else decides between two parts. The listing that stays has the first rank
   * (`titleRanks`).
   */
  readonly ranks: readonly number[];
  /** The listing whose part is preferred to equally large ones; null if none is. */
  readonly favoured: number | null;
};

/**
 * Ranks listings by title: less specific titles come first ("Drive" before "Drive 10 Pack"), then in alphabetical order. The
 * shop and the order of the listings do not matter.
 */
export function titleRanks(titles: readonly string[]): readonly number[] {
  const places = [...titles.keys()].toSorted((a, b) =>
    compareTitles(titles[a] as string, titles[b] as string),
  );
  return titles.map((_, at) => places.indexOf(at));
}

function compareTitles(one: string, two: string): number {
  if (one.length !== two.length) return one.length - two.length;
  if (one === two) return 0;
  return one < two ? -1 : 1;
}

/**
 * Returns the indexes of the largest part without a contradiction; among equally large parts the preferred one
 * (`isPreferred`). Exact for the 24 listings that are compared.
 */
export function largestConsistentPart(
  against: ContradictionGraph,
  standing: Standing,
): ReadonlySet<number> {
  // Uncontradicted listings are in every consistent part; only the others are searched.
  const free = [...against.keys()].filter((at) => against[at]?.size === 0);
  const contested = [...against.keys()].filter((at) => (against[at]?.size ?? 0) > 0);
  let best: readonly number[] = [];
  let steps = 0;
  const extend = (side: readonly number[], rest: readonly number[]): void => {
    steps += 1;
    const isAsLarge = side.length >= best.length;
    if (isAsLarge && isPreferred([...free, ...side], [...free, ...best], standing)) best = side;
    if (steps > MOST_STEPS) return;
    for (const [place, at] of rest.entries()) {
      if (side.length + rest.length - place < best.length) return;
      const others = rest.slice(place + 1).filter((each) => against[at]?.has(each) !== true);
      extend([...side, at], others);
    }
  };
  extend([], contested);
  return new Set([...free, ...best]);
}

/**
 * Maximum number of search steps. 24 listings need far fewer unless nearly all contradict each other in odd ways; then the
 * best part found so far counts.
 */
const MOST_STEPS = 100_000;

/**
 * Returns whether one part of a group is preferred over another. The larger part is preferred, then the one with the favoured
 * listing, then the one with more similar listings, then the one more similar to the whole group, then the one with the
 * first-ranked listing that the other lacks. A wrong listing is in the less similar part more often than in the later one, and
 * the order of shops should not decide which product it is.
 */
export function isPreferred(
  part: readonly number[],
  than: readonly number[],
  { likeness, ranks, favoured }: Standing,
): boolean {
  if (part.length !== than.length) return part.length > than.length;
  if (favoured !== null && part.includes(favoured) !== than.includes(favoured)) {
    return part.includes(favoured);
  }
  const inside = likenessWithin(part, part, likeness) - likenessWithin(than, than, likeness);
  if (Math.abs(inside) > EQUAL) return inside > 0;
  const everybody = [...likeness.keys()];
  const around =
    likenessWithin(part, everybody, likeness) - likenessWithin(than, everybody, likeness);
  if (Math.abs(around) > EQUAL) return around > 0;
  return isForemost(sortedRanks(part, ranks), sortedRanks(than, ranks));
}

function sortedRanks(part: readonly number[], ranks: readonly number[]): readonly number[] {
  return part.map((at) => ranks[at] as number).toSorted((a, b) => a - b);
}

function isForemost(mine: readonly number[], theirs: readonly number[]): boolean {
  const at = mine.findIndex((rank, place) => rank !== theirs[place]);
  return at >= 0 && (mine[at] as number) < (theirs[at] as number);
}

/** Sums that differ by at most this are equal: adding in another order changes a sum by less. */
const EQUAL = 1e-9;

function likenessWithin(
  part: readonly number[],
  others: readonly number[],
  likeness: Likeness,
): number {
  let sum = 0;
  for (const one of part) for (const two of others) sum += likeness[one]?.[two] ?? 0;
  return sum;
}
