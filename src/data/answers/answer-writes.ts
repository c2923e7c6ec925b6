// The only module that changes data that answers may contain. It turns changes into statements, after new revisions of the rows
// that they touch. Three writers bypass it. Two move rows and change nothing that is read: the move into an empty database
// (maintenance/table-rows.ts) and that of a month into its partition (postgres/partitions.ts). The third deletes facts that
// terms of sources withhold already, and revises what it takes away (maintenance/apply-terms.ts).

import type { YearKey } from '../../rules/history/encoded-year.ts';
import type { StoredObservation } from '../../rules/history/year-state.ts';
import type { OfferToKeep } from '../../rules/history/offer-archive.ts';
import type { Origin } from '../../base/listing/origin.ts';
import type { ReviewPage } from '../../base/listing/review.ts';
import type { SellerProfile } from '../../base/listing/seller.ts';
import {
  deleteBarcodeAnswersOf,
  deleteBarcodeAnswersOfRetailer,
  upsertBarcodeAnswer,
  upsertFailedAttempt,
  type StoredBarcodeAnswer,
} from './barcode-answers.ts';
import { listingIdOf } from './listings.ts';
import {
  deleteListings,
  insertImportedListing,
  rowIdOf,
  upsertListing,
  type ImportedListing,
  type ListingToUpsert,
} from './listing-writes.ts';
import {
  deleteOffersOf,
  insertArchivedOffers,
  upsertOfferList,
  type StoredOfferList,
} from './offers.ts';
import {
  deleteYear,
  deleteYearsOf,
  insertYears,
  replaceYear,
} from '../history/packed-observations.ts';
import {
  deleteAllReviews,
  deleteReviewsOf,
  upsertReviews,
  upsertReviewTotals,
  type CountedReview,
} from './reviews.ts';
import {
  deleteAllSellers,
  upsertSeller,
  upsertSellerProfile,
  type NamedSeller,
} from './sellers.ts';
import {
  deleteShop,
  deleteShopFacts,
  insertShop,
  upsertShopDoor,
  upsertShopFacts,
  type Shop,
  type ShopDoor,
  type ShopFacts,
} from './shops.ts';
import { writeYears } from '../postgres/compacted-years.ts';
import { revise, type Touched } from './revisions.ts';
import type { Sql, Statement, TransactionResult } from '../sql.ts';
import {
  deleteObservations,
  deleteObservationsBefore,
  deleteObservationsOf,
  insertFetched,
  insertObservation,
  type FetchedObservation,
  type NewObservation,
} from '../history/recent-observations.ts';

export type AnswerChange =
  | { readonly kind: 'listing'; readonly listing: ListingToUpsert }
  /** A listing that is only known from an imported price history. */
  | { readonly kind: 'imported-listing'; readonly listing: ImportedListing }
  /** An observation of a fetch. */
  | { readonly kind: 'fetched'; readonly observation: FetchedObservation }
  /** An observation at exactly its instant, as stated in a file. Its result is the rows named `OBSERVATION`. */
  | { readonly kind: 'observation'; readonly observation: NewObservation }
  /** A retailer's answer for a barcode. */
  | { readonly kind: 'barcode-answer'; readonly answer: StoredBarcodeAnswer }
  /** An attempt that found out nothing about the product. */
  | { readonly kind: 'failed-attempt'; readonly answer: StoredBarcodeAnswer }
  | { readonly kind: 'offer-list'; readonly listingId: string; readonly list: StoredOfferList }
  | {
      readonly kind: 'archived-offers';
      readonly listingId: string;
      readonly offers: readonly OfferToKeep[];
      readonly observedAtMs: number;
      /** Whether the list came from a product page, which does not name every seller. */
      readonly isPartial: boolean;
      readonly origin?: Origin | undefined;
    }
  | {
      readonly kind: 'reviews';
      readonly itemId: string;
      readonly reviews: readonly CountedReview[];
      readonly seenAtMs: number;
      readonly origin?: Origin;
    }
  | {
      readonly kind: 'review-totals';
      readonly itemId: string;
      readonly page: ReviewPage;
      readonly fetchedAtMs: number;
      readonly origin?: Origin;
    }
  /** A seller named by an offer or a page. `offer`: the source of the offer, if the reading offers the product now. */
  | {
      readonly kind: 'seller';
      readonly seller: NamedSeller;
      readonly seenAtMs: number;
      readonly offer?: { readonly source: string | null };
    }
  | {
      readonly kind: 'seller-profile';
      readonly seller: NamedSeller;
      readonly profile: SellerProfile;
      readonly fetchedAtMs: number;
      readonly origin?: Origin;
    }
  /** A shop. Rolls back if the slug or the domain is another shop's. */
  | { readonly kind: 'shop'; readonly shop: Shop; readonly atMs: number }
  | { readonly kind: 'shop-facts'; readonly facts: ShopFacts }
  | { readonly kind: 'shop-door'; readonly door: ShopDoor }
  /** Packs recent observations into years. Rolls back, or fails, if another process has changed one of the years. */
  | { readonly kind: 'compacted-years'; readonly years: readonly CompactedYear[] }
  /** Retention keeps only a part of a packed year. Rolls back as above. */
  | {
      readonly kind: 'thinned-year';
      readonly place: YearKey;
      readonly before: string;
      readonly after: readonly StoredObservation[];
    }
  | { readonly kind: 'forgotten-year'; readonly place: YearKey }
  /** Recent observations before this day (days since 1970). */
  | { readonly kind: 'forgotten-days'; readonly beforeDay: number }
  /** Listings of a host that was taken down, with all their data. `itemIds` are the items whose reviews are deleted too. */
  | {
      readonly kind: 'taken-down-listings';
      readonly listingIds: readonly string[];
      readonly itemIds: readonly string[];
    }
  /** A taken-down retailer's answers for barcodes, and its sellers and reviews if it has any. */
  | { readonly kind: 'taken-down-retailer'; readonly slug: string; readonly hasSellers: boolean }
  | { readonly kind: 'taken-down-shop'; readonly slug: string }
  | { readonly kind: 'taken-down-shop-facts'; readonly host: string };

export type CompactedYear = {
  readonly place: YearKey;
  /** The text that was read; null if there was none. */
  readonly before: string | null;
  /** The year's new content; at least one observation. */
  readonly after: readonly StoredObservation[];
  /** The recent observations of the year's listing that were merged with `before` into `after`. */
  readonly taken: readonly StoredObservation[];
};

/**
 * Writes changes in one transaction, in order. `alongside` follows them: statements for the same event that revise what they
 * change themselves, such as jobs, misses and reading counts.
 */
export function writeChanges(
  sql: Sql,
  changes: readonly AnswerChange[],
  alongside: readonly Statement[] = [],
): Promise<TransactionResult> {
  return sql.write([...statementsFor(changes, sql.dialect), ...alongside]);
}

/** Makes the statements alone, for programs that load a database in another way. All others call `writeChanges`. */
export function statementsFor(
  changes: readonly AnswerChange[],
  dialect: Sql['dialect'],
): readonly Statement[] {
  const touched = changes.map(touchedBy);
  const revised = revise(
    {
      listingIds: touched.flatMap(({ listingIds }) => listingIds),
      gtins: touched.flatMap(({ gtins }) => gtins),
      isEverything: touched.some(({ isEverything }) => isEverything),
    },
    dialect,
  );
  return [...revised, ...changes.flatMap((each) => statementsOf(each, dialect))];
}

const NOTHING: Touched = { listingIds: [], gtins: [], isEverything: false };

/**
 * Determines which answers may differ after a change. Sellers, reviews and shop facts are in no cached answer. A shop gets
 * its slug with its first listing, and has no earlier answer. Compacted data reads as before.
 */
function touchedBy(change: AnswerChange): Touched {
  switch (change.kind) {
    case 'listing': {
      const { listingIds, ...touched } = ofListing(change.listing, change.listing.listing.gtin);
      return { ...touched, listingIds: [...new Set([...listingIds, rowIdOf(change.listing)])] };
    }
    case 'imported-listing':
      return ofListing(change.listing, change.listing.gtin);
    case 'fetched':
    case 'observation':
      return { ...NOTHING, listingIds: [change.observation.listingId] };
    case 'barcode-answer':
    case 'failed-attempt': {
      const { gtin, listingId } = change.answer;
      return { ...NOTHING, gtins: [gtin], listingIds: listingId === null ? [] : [listingId] };
    }
    case 'offer-list':
    case 'archived-offers':
      return { ...NOTHING, listingIds: [change.listingId] };
    case 'thinned-year':
    case 'forgotten-year':
      return { ...NOTHING, listingIds: [change.place.listingId] };
    case 'reviews':
    case 'review-totals':
    case 'seller':
    case 'seller-profile':
    case 'shop':
    case 'shop-facts':
    case 'shop-door':
    case 'taken-down-shop-facts':
    case 'compacted-years':
      return NOTHING;
    case 'forgotten-days':
    case 'taken-down-listings':
    case 'taken-down-retailer':
    case 'taken-down-shop':
      return { ...NOTHING, isEverything: true };
  }
}

function ofListing(
  { retailer, key }: { readonly retailer: string; readonly key: string },
  gtin: string | null,
): Touched {
  return {
    ...NOTHING,
    listingIds: [listingIdOf(retailer, key)],
    gtins: gtin === null ? [] : [gtin],
  };
}

function statementsOf(change: AnswerChange, dialect: Sql['dialect']): readonly Statement[] {
  switch (change.kind) {
    case 'listing':
      return upsertListing(change.listing);
    case 'imported-listing':
      return [insertImportedListing(change.listing)];
    case 'fetched':
      return [insertFetched(change.observation)];
    case 'observation':
      return [insertObservation(change.observation)];
    case 'barcode-answer':
      return [upsertBarcodeAnswer(change.answer)];
    case 'failed-attempt':
      return [upsertFailedAttempt(change.answer)];
    case 'offer-list':
      return [upsertOfferList(change.listingId, change.list)];
    case 'archived-offers':
      return insertArchivedOffers(change.listingId, change.offers, change);
    case 'reviews':
      return upsertReviews(change.itemId, change.reviews, change.seenAtMs, change.origin);
    case 'review-totals':
      return [upsertReviewTotals(change.itemId, change.page, change.fetchedAtMs, change.origin)];
    case 'seller':
      return upsertSeller(change.seller, change.seenAtMs, change.offer);
    case 'seller-profile':
      return upsertSellerProfile(change.seller, change.profile, change.fetchedAtMs, change.origin);
    case 'shop':
      return insertShop(change.shop, change.atMs);
    case 'shop-facts':
      return [upsertShopFacts(change.facts)];
    case 'shop-door':
      return [upsertShopDoor(change.door)];
    case 'compacted-years':
      return compactedYears(change.years, dialect);
    case 'thinned-year':
      return [replaceYear(change.place, change.before, change.after)];
    case 'forgotten-year':
      return [deleteYear(change.place)];
    case 'forgotten-days':
      return [deleteObservationsBefore(change.beforeDay)];
    case 'taken-down-listings':
      return takenDownListings(change.listingIds, change.itemIds);
    case 'taken-down-retailer': {
      const sellers = change.hasSellers ? [deleteAllSellers(), ...deleteAllReviews()] : [];
      return [deleteBarcodeAnswersOfRetailer(change.slug), ...sellers];
    }
    case 'taken-down-shop':
      return [deleteShop(change.slug)];
    case 'taken-down-shop-facts':
      return deleteShopFacts(change.host);
  }
}

function compactedYears(
  years: readonly CompactedYear[],
  dialect: Sql['dialect'],
): readonly Statement[] {
  if (dialect === 'postgres') return [writeYears(years)];
  const gone = years.flatMap(({ place: { listingId }, taken }) =>
    taken.map(({ observedAtMs }) => ({ listingId, observedAtMs })),
  );
  return [...packedYears(years), ...deleteObservations(gone)];
}

/**
 * Builds the statements for packed years. New years take few statements, which fail together if another process has packed
 * one of them.
 */
function packedYears(years: readonly CompactedYear[]): readonly Statement[] {
  const isNew = ({ before }: CompactedYear) => before === null;
  const added = years.length === 1 ? [] : years.filter(isNew);
  const others = years.filter((each) => !added.includes(each));
  const replaced = others.map(({ place, before, after }) => replaceYear(place, before, after));
  return [...insertYears(added), ...replaced];
}

/** Deletes the listings, after everything that references them. */
function takenDownListings(
  listingIds: readonly string[],
  itemIds: readonly string[],
): readonly Statement[] {
  return [
    deleteBarcodeAnswersOf(listingIds),
    deleteObservationsOf(listingIds),
    deleteYearsOf(listingIds),
    ...deleteOffersOf(listingIds),
    ...itemIds.flatMap(deleteReviewsOf),
    deleteListings(listingIds),
  ];
}
