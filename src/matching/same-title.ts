// Whether two listings have one title, word for word. The model alone is unsure of it where nobody has seen the words: what
// training knows of an invented brand is only that it is rare.

import { Near, nearness } from './change-features.ts';
import { At } from './layout.ts';
import { haveOtherSigns } from './other-values.ts';
import type { Prepared } from './prepared.ts';

/** Shorter titles name a kind of goods: "Ruled notebook A5". */
export const LEAST_TITLE = 4;

/** A title that says more words again is of a page: what differs stands behind what all pages of the shop say. */
const MOST_REPEATED = 2;

/** The same words in the same order, no number with another sign, and no sibling model numbers beside the titles. */
export function haveSameTitle(a: Prepared, b: Prepared): boolean {
  const [one, two] = [a.numbers, b.numbers];
  const count = one[At.words] as number;
  if (count === 0 || count !== two[At.words] || one[At.firstWord] !== two[At.firstWord])
    return false;
  if (one[At.orderTotal] !== two[At.orderTotal]) return false;
  for (let at = 0; at < count; at += 1) {
    const place = At.startWords + at;
    // The words are sorted by hash, and behind them stand their positions.
    if (one[place] !== two[place] || one[place + 3 * count] !== two[place + 3 * count])
      return false;
  }
  if (Math.max(one[At.repeated] as number, two[At.repeated] as number) > MOST_REPEATED)
    return false;
  if (haveOtherSigns(a.title, b.title)) return false;
  return a.model === null || b.model === null || !areSiblings(a.model, b.model);
}

/** `hk1750` and `hk1850`; a shop's own number beside the maker's says nothing. */
function areSiblings(one: string, two: string): boolean {
  return one !== two && nearness(one, two) !== Near.no;
}
