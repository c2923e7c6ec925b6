// Limits how many things of one kind may be in progress at once, in total and for one caller or address.

type PlaceLimits = { readonly inAll: number; readonly ofOne: number };

/**
 * Takes a place and returns the function that releases it, of which only the first call counts. If a limit is reached,
 * returns which.
 */
type TakePlace = (who: string) => (() => void) | 'in all' | 'of one';

export function createPlaces({ inAll, ofOne }: PlaceLimits): TakePlace {
  const taken = new Map<string, number>();
  let all = 0;
  return (who) => {
    const own = taken.get(who) ?? 0;
    if (own >= ofOne) return 'of one';
    if (all >= inAll) return 'in all';
    taken.set(who, own + 1);
    all += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      all -= 1;
      const left = (taken.get(who) ?? 1) - 1;
      if (left === 0) taken.delete(who);
      else taken.set(who, left);
    };
  };
}
