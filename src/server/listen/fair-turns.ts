// Lets a few things of one kind be in progress at once, in total and for one caller; the others wait, in order of arrival among
// those that may begin.

import { createPlaces } from './places.ts';

/** Resolves to the function that ends the turn. */
type TakeTurn = (who: string) => Promise<() => void>;

export function createFairTurns(limits: Parameters<typeof createPlaces>[0]): TakeTurn {
  const take = createPlaces(limits);
  const waiting: { readonly who: string; readonly begin: (leave: () => void) => void }[] = [];

  function ended(leave: () => void): () => void {
    return () => {
      leave();
      for (const [at, { who, begin }] of waiting.entries()) {
        const place = take(who);
        if (place === 'in all') return;
        if (place === 'of one') continue;
        waiting.splice(at, 1);
        begin(ended(place));
        return;
      }
    };
  }

  return async (who) => {
    const place = take(who);
    if (typeof place !== 'string') return ended(place);
    return await new Promise((begin) => {
      waiting.push({ who, begin });
    });
  };
}
