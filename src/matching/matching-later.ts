// The matcher, loaded when there is something to compare: it has an eighth of the files that a first answer would need, and a
// product that one shop alone has needs none of them.

import { later } from '../core/once.ts';
import { withoutComparing, type Agreement } from './agreement.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Matching } from './matcher.ts';

export type MatchingLater = {
  /** As `Matching` has it; loads it for two listings or more. */
  readonly agreementOf: (listings: readonly StoredListing[]) => Promise<Agreement>;
  readonly load: () => Promise<Matching>;
  /** As `Matching` has it; empty until it is loaded, because no answer was made with it. */
  readonly version: () => string;
};

/** `make` is called once. */
export function createMatchingLater(make: () => Promise<Matching>): MatchingLater {
  let loaded: Matching | null = null;
  const { load } = later(async () => (loaded = await make()));
  return {
    agreementOf: async (listings) =>
      withoutComparing(listings) ?? (await load()).agreementOf(listings),
    load,
    version: () => loaded?.version() ?? '',
  };
}
