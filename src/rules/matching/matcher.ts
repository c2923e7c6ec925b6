// The matcher decides which listings of a barcode agree, which are of another product, and how certain that is (D35, D40).
// It prepares each listing once, compares each group once, and caches the results as long as the listings exist.

import { withoutComparing, type Agreement, type AskedFor, type Disagreement } from './agreement.ts';
import { bandOf, similarityOf } from './pair/compare.ts';
import { consensusOf, MOST_COMPARED, type ConsensusEntry } from './group/consensus.ts';
import type { GroupListing } from './group/group-conflicts.ts';
import { isMadeFor } from './traits/made-for.ts';
import type { MatchModel } from './model/model.ts';
import { isCalledMore } from './traits/negations.ts';
import { WEAK_MARKS } from './traits/opposites.ts';
import { prepareListing, type Prepared } from './prepared/prepared.ts';
import { createCachedAgreements, type CachedAgreements } from './group/cached-agreements.ts';
import {
  isAddedTo,
  isNamedPartOf,
  isPackOf,
  isPartAheadOf,
  isPutWith,
} from './traits/sold-with.ts';
import { siblingAgainst } from './group/sibling-models.ts';
import { groupTraits, isEditionOf, sureTraits, type SureTraits } from './traits/stated-traits.ts';
import { haveOtherBrands } from './pair/other-brands.ts';
import { haveOneModel } from './pair/distinguishing-differences.ts';
import { areCertainlyOther, colourConflict, isAccessoryOf } from './traits/trait-conflicts.ts';
import { countTitles, type TitleCount, type Vocabulary } from './words/vocabulary.ts';
import type { Listing } from '../../base/listing/listing.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';

export type Matching = {
  /**
   * Compares the listings of one barcode, in the order in which they would become the anchor (D27). Those outside the
   * record's cluster are in `disagreements` instead of `agreeing`. If no cluster has more than half of the listings, and
   * for `first`, the order decides which cluster is used, so callers must pass one that does not depend on the order of
   * arrival. `askedFor` defaults to `barcode`.
   */
  readonly agreementOf: (listings: readonly StoredListing[], askedFor?: AskedFor) => Agreement;
  /** Returns whether a listing is similar enough to the known ones to be the same product without further evidence. */
  readonly isStrong: (known: KnownListings, stored: StoredListing) => boolean;
  /**
   * Returns how likely a listing is the same product as the known ones, 0 to 1: the mean of its log-odds with each of them.
   * 0 for an accessory of it.
   */
  readonly similarity: (known: KnownListings, listing: Listing) => number;
  /** Returns whether the listing is more likely the product than not. */
  readonly isLikely: (known: KnownListings, listing: Listing) => boolean;
  /**
   * Returns whether the listing is another product by its own statements: model number, pack, capacity, or nothing in
   * common.
   */
  readonly contradicts: (known: KnownListings, listing: Listing) => boolean;
  /** Returns the listings that do not contradict the product, most likely first. */
  readonly likeliest: (known: KnownListings, listings: readonly Listing[]) => readonly Listing[];
  /** Creates a new count that starts with the titles of the model. */
  readonly titleCount: () => TitleCount;
  /** Uses this count for the rarity of words from now on. `number` distinguishes the table from earlier ones. */
  readonly learn: (titles: TitleCount, number: number) => void;
  /**
   * Returns the numbers of the rules, the model and the rarity table, which, together with the listings, determine the answers.
   * With equal versions, equal listings give equal answers.
   */
  readonly version: () => string;
};

/** Listings of one product, the representative one first. */
export type KnownListings = readonly [StoredListing, ...StoredListing[]];

/** The version number of the rules in this folder: incremented whenever one of them changes a decision. */
const RULES = 27;

/** The number of the rarity table shipped with the model. */
const SHIPPED_TABLE = 0;

export function createMatching(model: MatchModel): Matching {
  let version = versionOf(model, SHIPPED_TABLE);
  let memory = createMemory(() => model.vocabulary);
  const prepared = ({ listing }: StoredListing): Prepared => memory.preparedOf(listing);

  function likeness(known: KnownListings, listing: Listing): number {
    const names = named(listing);
    if (known.some((each) => isMadeFor(names, named(each.listing)))) return 0;
    if (siblingAgainst(known.map(prepared), memory.preparedOf(listing)) !== null) return 0;
    const [first, ...others] = known;
    const likely = likenessTo(first, listing);
    return others.length === 0
      ? likely
      : meanOdds([likely, ...others.map((each) => likenessTo(each, listing))]);
  }

  function likenessTo(known: StoredListing, listing: Listing): number {
    const found = similarityOf(model, prepared(known), memory.preparedOf(listing));
    // Reading what titles state takes as long as a comparison, so it is done only for listings that would otherwise be accepted.
    if (found < model.threshold) return found;
    return memory.areDistinguished(known.listing, listing) ? 0 : found;
  }

  function cachedFor(askedFor: AskedFor, listings: readonly StoredListing[]): Compared {
    const agreements = memory.agreements[askedFor];
    const known = agreements.recall(listings);
    if (known !== undefined) return known;
    const found = compared(model, memory, { listings, askedFor });
    agreements.keep(listings, found);
    return found;
  }

  const contradicts = (known: KnownListings, listing: Listing): boolean =>
    bandOf(model, likeness(known, listing)) === 'disagree';

  return {
    agreementOf(listings, askedFor = 'barcode') {
      const alone = withoutComparing(listings);
      if (alone !== null) return alone;
      let found = cachedFor('barcode', listings);
      // Same, unless the first listing is outside the cluster of the others.
      if (askedFor === 'first' && found.leftOut.has(0)) found = cachedFor('first', listings);
      const { leftOut, disagreements, score } = found;
      return { agreeing: listings.filter((_, at) => !leftOut.has(at)), disagreements, score };
    },
    isStrong: (known, stored) => bandOf(model, likeness(known, stored.listing)) === 'strong',
    similarity: likeness,
    isLikely: (known, listing) => likeness(known, listing) >= EVEN_ODDS,
    contradicts,
    likeliest: (known, listings) =>
      listings
        .map((listing) => ({ listing, similarity: likeness(known, listing) }))
        .filter(({ similarity }) => bandOf(model, similarity) !== 'disagree')
        .toSorted((a, b) => b.similarity - a.similarity)
        .map(({ listing }) => listing),
    titleCount: () => countTitles(model.vocabulary.idf),
    learn(titles, number) {
      const learned = { ...model.vocabulary, idf: titles.idf() };
      version = versionOf(model, number);
      memory = createMemory(() => learned);
    },
    version: () => version,
  };
}

/**
 * The likelihood from which a listing is more likely the product than not. The model's threshold treats a wrong listing as no
 * worse than a missed right one. For most kinds of goods, two of three hits between the two limits are another product.
 */
const EVEN_ODDS = 0.5;

/** Lower likelihoods count as this one, so that one known listing does not outvote all others. */
const LEAST_LIKELY = 0.002;
const MOST_LIKELY = 0.999;

/** Returns the likelihood at the mean log-odds: a listing is compared with all known listings instead of only the first. */
function meanOdds(likelihoods: readonly number[]): number {
  if (likelihoods.every((each) => each === 0)) return 0;
  const sum = likelihoods.reduce((total, each) => {
    const bounded = Math.min(MOST_LIKELY, Math.max(LEAST_LIKELY, each));
    return total + Math.log(bounded / (1 - bounded));
  }, 0);
  return 1 / (1 + Math.exp(-sum / likelihoods.length));
}

/** A listing with the traits that are read from a search hit. */
type HitListing = { readonly prepared: Prepared; readonly traits: SureTraits };

/**
 * Returns whether the titles alone show two products: one is made for the other, or they state different values of something
 * that a product has only once.
 */
function areDistinguished(one: HitListing, two: HitListing): boolean {
  if (isPlainAccessoryOf(one, two) || isPlainAccessoryOf(two, one)) return true;
  const marks = one.traits.marks ^ two.traits.marks;
  if (marks > WEAK_MARKS) return true;
  const isMore = marks !== 0 || areCalledMore(one, two);
  // A common model number outweighs a mark, an edition or a pack that one title omits.
  if (isMore && !haveOneModel(one.prepared, two.prepared)) return true;
  if (haveOtherBrands(one.prepared, two.prepared)) return true;
  if (isBesideOf(one, two) || isBesideOf(two, one)) return true;
  if (colourConflict(one.traits, two.traits) !== null) return true;
  return areCertainlyOther(one.traits, two.traits);
}

function areCalledMore({ traits: one }: HitListing, { traits: two }: HitListing): boolean {
  if (isPackOf(one, two) || isPackOf(two, one)) return true;
  if (isEditionOf(one, two) || isEditionOf(two, one)) return true;
  if (isAddedTo(one, two) || isAddedTo(two, one)) return true;
  return isCalledMore(one, two) || isCalledMore(two, one);
}

/** Returns whether one is a part of the other, or the other with additional items. */
function isBesideOf({ traits: one }: HitListing, { traits: two }: HitListing): boolean {
  return isNamedPartOf(one, two) || isPartAheadOf(one, two) || isPutWith(one, two);
}

/**
 * An accessory that has at most one word of the product before its "for", and none of its numbers: of two titles of one
 * accessory, both contain it.
 */
function isPlainAccessoryOf(accessory: HitListing, product: HitListing): boolean {
  if (!isAccessoryOf(accessory.traits, product.traits)) return false;
  const what = accessory.traits.madeFor?.what.join('') ?? '';
  if (product.prepared.codes.some((code) => what.includes(code))) return false;
  const { distinct } = product.traits;
  return distinct.filter((word) => word.length > 2 && what.includes(word)).length < 2;
}

function versionOf(model: MatchModel, table: number): string {
  return `${RULES}.${model.number}.${table}`;
}

/** The results that were computed from listings with one rarity table. They are released with the listings. */
type Memory = {
  readonly preparedOf: (listing: Listing) => Prepared;
  readonly groupListingOf: (listing: Listing) => GroupListing;
  readonly areDistinguished: (one: Listing, two: Listing) => boolean;
  readonly agreements: Readonly<Record<AskedFor, CachedAgreements<Compared>>>;
};

function createMemory(vocabulary: () => Vocabulary): Memory {
  const preparedListings = new WeakMap<Listing, Prepared>();
  const hitListings = new WeakMap<Listing, HitListing>();
  const groupListings = new WeakMap<Listing, GroupListing>();
  const preparedOf = (listing: Listing): Prepared => {
    const known = preparedListings.get(listing);
    if (known !== undefined) return known;
    const made = prepareListing(inputOf(listing), vocabulary());
    preparedListings.set(listing, made);
    return made;
  };
  const hitListingOf = (listing: Listing): HitListing => {
    const known = hitListings.get(listing);
    if (known !== undefined) return known;
    const traits = sureTraits({ ...named(listing), packCount: listing.packCount });
    const made = { prepared: preparedOf(listing), traits };
    hitListings.set(listing, made);
    return made;
  };
  const groupListingOf = (listing: Listing): GroupListing => {
    const known = groupListings.get(listing);
    if (known !== undefined) return known;
    const { prepared, traits } = hitListingOf(listing);
    const made = { prepared, traits: { ...traits, ...groupTraits(traits) } };
    groupListings.set(listing, made);
    return made;
  };
  const distinguished = new WeakMap<Listing, WeakMap<Listing, boolean>>();
  return {
    preparedOf,
    groupListingOf,
    areDistinguished: (one, two) => {
      const ofOne = distinguished.get(one);
      const known = ofOne?.get(two);
      if (known !== undefined) return known;
      const found = areDistinguished(hitListingOf(one), hitListingOf(two));
      if (ofOne === undefined) distinguished.set(one, new WeakMap([[two, found]]));
      else ofOne.set(two, found);
      return found;
    },
    agreements: { barcode: createCachedAgreements(), first: createCachedAgreements() },
  };
}

type Question = {
  readonly listings: readonly StoredListing[];
  readonly askedFor: AskedFor;
};

function compared(model: MatchModel, memory: Memory, { listings, askedFor }: Question): Compared {
  const entries = listings.map((stored): ConsensusEntry<StoredListing> => {
    return { retailer: stored, ...memory.groupListingOf(stored.listing) };
  });
  const consensus = consensusOf(model, entries, askedFor);
  const consensusTitle = consensus.title ?? '';
  const disagreements = consensus.disagreements.map((found): Disagreement => {
    const { reason, detail, similarity, theirTitle, isDoubt } = found;
    const { retailer } = found.retailer;
    return { retailer, reason, detail, similarity, theirTitle, consensusTitle, isDoubt };
  });
  const against = consensus.disagreements.filter(({ isDoubt }) => !isDoubt);
  // A listing that was not compared supplies nothing, because it is unknown whether it agrees.
  const titled = [...entries.entries()].filter(([, entry]) => entry.prepared.words.length > 0);
  const uncompared = titled.slice(MOST_COMPARED).map(([at]) => at);
  const leftOut = new Set([...against.map(({ at }) => at), ...uncompared]);
  return { leftOut, disagreements, score: consensus.score };
}

function named({ title, brand, model, mpn }: Listing) {
  return { title, brand, model: model ?? mpn };
}

/** Returns the facts to compare, without the barcode, which all compared listings share. */
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

/** An agreement with indexes instead of listings. */
type Compared = Omit<Agreement, 'agreeing'> & { readonly leftOut: ReadonlySet<number> };
