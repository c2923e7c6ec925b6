// Which listings of a group stand together: the largest part of it in which no two contradict each other. Everyone
// else is in the minority (D59).

/** The listings, by index, that each listing contradicts. */
export type ContradictionGraph = readonly Pick<ReadonlySet<number>, 'size' | 'has'>[];

/**
 * The indexes of the largest part without a contradiction. Between equally large ones the one with the earliest
 * listing decides, so the result depends on the order of the listings and on nothing else. Exact for the 24 listings
 * that are compared.
 */
export function largestCamp(against: ContradictionGraph): ReadonlySet<number> {
  // Listings that nobody contradicts are in every camp; the search is among the others.
  const free = [...against.keys()].filter((at) => against[at]?.size === 0);
  const contested = [...against.keys()].filter((at) => (against[at]?.size ?? 0) > 0);
  let best: readonly number[] = [];
  let steps = 0;
  const extend = (camp: readonly number[], rest: readonly number[]): void => {
    steps += 1;
    if (camp.length > best.length) best = camp;
    if (steps > MOST_STEPS) return;
    for (const [place, at] of rest.entries()) {
      // Only more listings than the best has replace it, so of equals the first found, the earliest, stays.
      if (camp.length + rest.length - place <= best.length) return;
      const others = rest.slice(place + 1).filter((each) => against[at]?.has(each) !== true);
      extend([...camp, at], others);
    }
  };
  extend([], contested);
  return new Set([...free, ...best]);
}

/** Far above what 24 listings need unless nearly all contradict each other in odd ways; then the best so far stands. */
const MOST_STEPS = 100_000;
