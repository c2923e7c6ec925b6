// The matcher: which listings of a barcode agree, which are of another product, and how sure that is (D35, D40). It
// prepares each listing once and keeps the result.

import { bandOf, similarityOf } from './compare.ts';
import { consensusOf } from './consensus.ts';
import { isMadeFor } from './made-for.ts';
import type { MatchModel } from './model.ts';
import { prepareListing, type Prepared } from './prepared.ts';
import { siblingAgainst } from './sibling-models.ts';
import { countTitles, type TitleCount } from './vocabulary.ts';
import type { Listing } from '../listing/listing.ts';
import { packCountOf } from '../titles/pack-count.ts';
import type { StoredListing } from '../listing/stored-listing.ts';
import type { Reason } from './conflicts.ts';
import type { Slug } from '../core/retailer.ts';

export type Matching = {
  /** Compares the listings of one barcode; those that contradict the others are not in `agreeing`. */
  readonly agreementOf: (listings: readonly StoredListing[]) => Agreement;
  /** Whether two listings are similar enough to be one product without further signs. */
  readonly isStrong: (a: StoredListing, b: StoredListing) => boolean;
  /** How likely a listing is the same product as the known ones, 0 to 1; 0 for an accessory of it. */
  readonly similarity: (known: KnownListings, listing: Listing) => number;
  /** Whether the listing is more likely the product than not. */
  readonly isLikely: (known: KnownListings, listing: Listing) => boolean;
  /**
   * Whether the listing is of another product by what it states: model number, pack, capacity, or nothing in common.
   */
  readonly contradicts: (known: KnownListings, listing: Listing) => boolean;
  /** The listings that do not contradict the product, most likely first. */
  readonly likeliest: (known: KnownListings, listings: readonly Listing[]) => readonly Listing[];
  /** A new count that begins with the titles of the model. */
  readonly titleCount: () => TitleCount;
  /** Takes the rarity of words from this count from now on. */
  readonly learn: (titles: TitleCount) => void;
};

/** Listings of one product, the representative one first. */
export type KnownListings = readonly [StoredListing, ...StoredListing[]];

/** Prepared listings kept in memory, about 2 kB each. */
const MAX_PREPARED = 4_000;

export function createMatching(model: MatchModel): Matching {
  const remembered = new Map<string, Prepared>();
  let { vocabulary } = model;

  function prepared(stored: StoredListing): Prepared {
    const name = `${stored.id} ${stored.fetchedAtMs}`;
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const made = prepareListing(inputOf(stored.listing), vocabulary);
    const [oldest] = remembered.keys();
    if (remembered.size >= MAX_PREPARED && oldest !== undefined) remembered.delete(oldest);
    remembered.set(name, made);
    return made;
  }

  function likeness(known: KnownListings, listing: Listing): number {
    const [first] = known;
    if (isMadeFor(named(listing), named(first.listing))) return 0;
    const other = prepareListing(inputOf(listing), vocabulary);
    if (siblingAgainst(known.map(prepared), other, 1) !== null) return 0;
    return similarityOf(model, prepared(first), other);
  }

  const contradicts = (known: KnownListings, listing: Listing): boolean =>
    bandOf(model, likeness(known, listing)) === 'disagree';

  return {
    agreementOf(listings) {
      const entries = listings.map((stored) => ({
        retailer: stored.id,
        listing: prepared(stored),
      }));
      const consensus = consensusOf(model, entries);
      const against = new Map(consensus.disagreements.map((each) => [each.retailer, each]));
      const consensusTitle = consensus.title ?? '';
      const packs = otherPacks(listings.filter(({ id }) => !against.has(id)));
      const disagreements = listings.flatMap((stored): Disagreement[] => {
        const { retailer } = stored;
        const theirTitle = stored.listing.title ?? '';
        const pack = packs.get(stored.id);
        if (pack !== undefined) {
          const otherPack = {
            reason: 'pack_count',
            detail: pack,
            similarity: PACK_SIMILARITY,
          } as const;
          return [{ retailer, ...otherPack, theirTitle, consensusTitle }];
        }
        const found = against.get(stored.id);
        if (found === undefined) return [];
        const { reason, detail, similarity } = found;
        return [{ retailer, reason, detail, similarity, theirTitle, consensusTitle }];
      });
      const agreeing = listings.filter(({ id }) => !against.has(id) && !packs.has(id));
      return { agreeing, disagreements, score: consensus.score };
    },
    isStrong: (a, b) => bandOf(model, similarityOf(model, prepared(a), prepared(b))) === 'strong',
    similarity: likeness,
    isLikely: (known, listing) => likeness(known, listing) >= model.threshold,
    contradicts,
    likeliest: (known, listings) =>
      listings
        .map((listing) => ({ listing, similarity: likeness(known, listing) }))
        .filter(({ similarity }) => bandOf(model, similarity) !== 'disagree')
        .toSorted((a, b) => b.similarity - a.similarity)
        .map(({ listing }) => listing),
    titleCount: () => countTitles(model.vocabulary.idf),
    learn(titles) {
      vocabulary = { ...vocabulary, idf: titles.idf() };
      remembered.clear();
    },
  };
}

/** The similarity of two listings with different pack counts. */
const PACK_SIMILARITY = 0.01;

/**
 * Listings of another pack, by id, with the contradiction. Some shops sell twelve under the barcode of one, so a
 * listing whose title alone states a pack is another pack when no other listing of the barcode states one. With only
 * two listings there is no majority: the first stays and the second is left out.
 */
function otherPacks(listings: readonly StoredListing[]): ReadonlyMap<string, string> {
  const several = listings.filter(({ listing }) => (listing.packCount ?? 1) > 1);
  const [only, another] = several;
  if (only === undefined || another !== undefined || listings.length < 2) return new Map();
  const { packCount, title } = only.listing;
  if (packCountOf({ specs: [], title }) !== packCount) return new Map();
  const [first, second, third] = listings;
  const isSecond = third === undefined && only === first;
  return isSecond && second !== undefined
    ? new Map([[second.id, `no pack_count stated vs ${packCount}`]])
    : new Map([[only.id, `pack_count ${packCount} vs none stated`]]);
}

function named({ title, brand, model, mpn }: Listing) {
  return { title, brand, model: model ?? mpn };
}

/** Without the barcode: all compared listings have the same one, so it adds nothing. */
function inputOf(listing: Listing) {
  return {
    title: listing.title,
    brand: listing.brand,
    model: listing.model ?? listing.mpn,
    description: listing.description,
    category: listing.categories.at(-1) ?? null,
    packCount: listing.packCount,
  };
}

/** A listing of the barcode that is of another product (D40). */
export type Disagreement = {
  readonly retailer: Slug;
  readonly reason: Reason;
  /** In words, such as "model qn65 vs qn55". */
  readonly detail: string;
  /** To the listing with the consensus title, 0 to 1. */
  readonly similarity: number;
  readonly theirTitle: string;
  readonly consensusTitle: string;
};

/** The result of comparing the listings of one barcode. */
export type Agreement = {
  /** Listings that do not contradict the others, in the given order. */
  readonly agreeing: readonly StoredListing[];
  readonly disagreements: readonly Disagreement[];
  /** How likely all are one product, 0 to 1; null for a single listing. */
  readonly score: number | null;
};
