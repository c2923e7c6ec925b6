// Groups of listings made from labelled pairs: listings joined by matching pairs are one product, and a listing that a pair
// labels as a different product is the wrong one among them (lab/eval/groups.ts).

import type { GroupListing } from '../../../src/rules/matching/group/group-conflicts.ts';
import { prepareListing, type MatchInput } from '../../../src/rules/matching/prepared/prepared.ts';
import { statedTraits } from '../../../src/rules/matching/traits/stated-traits.ts';
import type { Vocabulary } from '../../../src/rules/matching/words/vocabulary.ts';
import { hashOf } from '../../../src/rules/matching/words/words.ts';
import { packCountOf } from '../../../src/read/titles/pack-count.ts';
import type { LabelledPair, OutlierGroup } from './data.ts';

export type LabelledGroup = OutlierGroup & {
  /** By product: weights are fitted on the first half, and scored on the second. */
  readonly half: 0 | 1;
};

type LabelledGroups = {
  /** Two and three listings of one product. */
  readonly two: readonly LabelledGroup[];
  readonly three: readonly LabelledGroup[];
  /** Two or three listings of one product, and one labelled as another. */
  readonly mixed: readonly LabelledGroup[];
  /** The first listing, followed by the one labelled as another product. */
  readonly apart: readonly LabelledGroup[];
};

/** Makes groups: equal pairs give equal groups. A product that contains a pair labelled as two products is left out. */
export function labelledGroups(pairs: readonly LabelledPair[]): LabelledGroups {
  const { products, inputs, againstOf } = productsOf(pairs);
  const [two, three]: [LabelledGroup[], LabelledGroup[]] = [[], []];
  const [mixed, apart]: [LabelledGroup[], LabelledGroup[]] = [[], []];
  for (const [root, keys] of products) {
    const inputOf = (key: string): MatchInput => inputs.get(key) as MatchInput;
    const titles = new Set<string | null>();
    const distinct = byHash(keys).filter((key) => {
      const { title } = inputOf(key);
      return titles.size < titles.add(title).size;
    });
    const [first = ''] = distinct;
    const half = (hashOf(`half ${first}`) & 1) as 0 | 1;
    const take = (count: number): readonly MatchInput[] => distinct.slice(0, count).map(inputOf);
    if (distinct.length >= 2) two.push({ listings: take(2), intruder: null, half });
    if (distinct.length >= 3) three.push({ listings: take(3), intruder: null, half });
    const [wrong] = byHash(againstOf.get(root) ?? []);
    if (distinct.length < 2 || wrong === undefined) continue;
    const sound = take(3);
    const intruder = Math.abs(hashOf(`place ${first}`)) % (sound.length + 1);
    mixed.push({ listings: sound.toSpliced(intruder, 0, inputOf(wrong)), intruder, half });
    apart.push({ listings: [...take(1), inputOf(wrong)], intruder: 1, half });
  }
  return { two, three, mixed, apart };
}

function byHash(keys: readonly string[]): readonly string[] {
  return [...new Set(keys)].toSorted((a, b) => hashOf(a) - hashOf(b) || (a < b ? -1 : 1));
}

type Products = {
  /** Listings by product. */
  readonly products: ReadonlyMap<string, readonly string[]>;
  readonly inputs: ReadonlyMap<string, MatchInput>;
  /** Listings that a pair labels as another product. */
  readonly againstOf: ReadonlyMap<string, readonly string[]>;
  /** Returns the product of a listing, as a key of `products`. */
  readonly rootOf: (key: string) => string;
};

export function productsOf(pairs: readonly LabelledPair[]): Products {
  const inputs = new Map<string, MatchInput>();
  const parents = new Map<string, string>();
  const keyOf = (input: MatchInput): string => {
    const key = JSON.stringify(input);
    inputs.set(key, input);
    if (!parents.has(key)) parents.set(key, key);
    return key;
  };
  const rootOf = (key: string): string => {
    let at = key;
    for (let up = parents.get(at); up !== undefined && up !== at; up = parents.get(at)) at = up;
    return at;
  };
  const keyed = pairs.map(({ left, right, isMatch }) => ({
    left: keyOf(left),
    right: keyOf(right),
    isMatch,
  }));
  for (const { left, right, isMatch } of keyed) {
    if (isMatch) parents.set(rootOf(left), rootOf(right));
  }
  const products = Map.groupBy(parents.keys(), rootOf);
  const againstOf = new Map<string, string[]>();
  for (const { left, right, isMatch } of keyed) {
    if (isMatch) continue;
    const [one, two] = [rootOf(left), rootOf(right)];
    if (one === two) products.delete(one);
    for (const [root, other] of [
      [one, right],
      [two, left],
    ] as const) {
      againstOf.set(root, [...(againstOf.get(root) ?? []), other]);
    }
  }
  return { products, inputs, againstOf, rootOf };
}

/** Returns a dataset's listing as the service compares it in a group: without its price (docs/how/matching.md). */
export function groupListingOf(input: MatchInput, vocabulary: Vocabulary): GroupListing {
  const { title, brand = null, model = null } = input;
  const packCount = input.packCount ?? packCountOf({ specs: [], title });
  return {
    prepared: prepareListing({ ...input, price: null }, vocabulary),
    traits: statedTraits({ title, brand, model, packCount }),
  };
}
