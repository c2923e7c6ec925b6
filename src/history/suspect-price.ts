// Whether the newest price of a listing is to be believed: what compares prices, shows the lowest or tells somebody asks
// here (D68). The rules are those of price-glitch.ts. Pure.

import { isNewestMarked, type Observation } from './daily-bars.ts';

/** Why a price is not believed, in one word and in a sentence. */
export type Suspicion = { readonly reason: string; readonly detail: string };

/** Of the newest price among a listing's observations, in any order; null: nothing speaks against it. */
export function suspicionOfNewest(observations: readonly Observation[]): Suspicion | null {
  return isNewestMarked(observations) ? UNSUPPORTED : null;
}

const UNSUPPORTED: Suspicion = {
  reason: 'unsupported',
  detail: 'No other price of this listing is anywhere near it.',
};
