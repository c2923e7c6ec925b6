// Loads the matcher only when there is something to compare. It is an eighth of the files that a first answer would need, and a
// product that only one shop has needs none of them.

import { later } from '../../base/once.ts';
import { withoutComparing, type Agreement, type AskedFor } from './agreement.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Matching } from './matcher.ts';

export type MatchingLater = {
  /** Like `agreementOf` of `Matching`; loads the matcher if there are two or more listings. */
  readonly agreementOf: (
    listings: readonly StoredListing[],
    askedFor?: AskedFor,
  ) => Promise<Agreement>;
  readonly load: () => Promise<Matching>;
  /** Like `version` of `Matching`; empty until the matcher is loaded, because no answer has used it yet. */
  readonly version: () => string;
};

/** Creates the matcher with `make`, which is called at most once. */
export function createMatchingLater(make: () => Promise<Matching>): MatchingLater {
  let loaded: Matching | null = null;
  const { load } = later(async () => (loaded = await make()));
  return {
    agreementOf: async (listings, askedFor) =>
      withoutComparing(listings) ?? (await load()).agreementOf(listings, askedFor),
    load,
    version: () => loaded?.version() ?? '',
  };
}
