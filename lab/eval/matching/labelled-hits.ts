// Search hits made from labelled pairs: one listing of a pair is known, with others joined to it by matching pairs, and the
// other listing is the hit (lab/eval/hits.ts).

import type { KnownListings } from '../../../src/rules/matching/matcher.ts';
import type { MatchInput } from '../../../src/rules/matching/prepared/prepared.ts';
import { EMPTY_LISTING, type Listing } from '../../../src/base/listing/listing.ts';
import type { StoredListing } from '../../../src/base/listing/stored-listing.ts';
import { packCountOf } from '../../../src/read/titles/pack-count.ts';
import type { LabelledPair } from './data.ts';
import { productsOf } from './labelled-groups.ts';

export type LabelledHit = {
  readonly known: KnownListings;
  readonly hit: Listing;
  readonly isRight: boolean;
};

/**
 * Returns hits next to that many known listings, no two of which have the same title. Both listings of a pair are a hit
 * once.
 */
export function labelledHits(
  pairs: readonly LabelledPair[],
  count: number,
): readonly LabelledHit[] {
  const { products, inputs, rootOf } = productsOf(pairs);
  const made = new Map<string, StoredListing>();
  const storedOf = (key: string): StoredListing => {
    const found = made.get(key) ?? storedListingOf(inputs.get(key) as MatchInput);
    made.set(key, found);
    return found;
  };
  return pairs.flatMap(({ left, right, isMatch }) => {
    const [one, two] = [JSON.stringify(left), JSON.stringify(right)];
    // Labels that call two listings of one product different contradict themselves.
    if (!isMatch && rootOf(one) === rootOf(two)) return [];
    const sides = [
      [one, two],
      [two, one],
    ] as const;
    return sides.flatMap(([asked, other]): readonly LabelledHit[] => {
      const titles = new Set([asked, other].map((key) => inputs.get(key)?.title));
      const others = (products.get(rootOf(asked)) ?? [])
        .filter((key) => titles.size < titles.add(inputs.get(key)?.title).size)
        .slice(0, count - 1);
      if (others.length < count - 1) return [];
      const known: KnownListings = [storedOf(asked), ...others.map(storedOf)];
      return [{ known, hit: storedOf(other).listing, isRight: isMatch }];
    });
  });
}

/** Returns a stored listing with a dataset's values. The matcher reads no other fields. */
export function storedListingOf(input: MatchInput): StoredListing {
  const { title, brand = null, model = null, description = null, category = null } = input;
  const packCount = packCountOf({ specs: [], title });
  const categories = category === null ? [] : [category];
  const stated = { title, brand, model, description, categories, packCount };
  return {
    id: '',
    retailer: 'retailer_w',
    key: '',
    url: '',
    foundVia: 'submitted_url',
    fetchedAtMs: 0,
    listing: { ...EMPTY_LISTING, ...stated },
  };
}
