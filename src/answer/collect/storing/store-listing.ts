// Stores a listing that was read: listing, observation, seller, the shop's slug and facts, in one transaction.

import type { Listing } from '../../../base/listing/listing.ts';
import { isPriceBacked } from '../../../base/listing/money/nines.ts';
import type { Origin } from '../../../base/listing/origin.ts';
import type { ReadNotes } from '../../../base/listing/page.ts';
import type { Slug } from '../../../base/retailer.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import { writeChanges, type AnswerChange } from '../../../data/answers/answer-writes.ts';
import { findReadAt } from '../../../data/answers/own-facts.ts';
import { rowIdOf } from '../../../data/answers/listing-writes.ts';
import { markOwnFacts } from '../../../data/accounts/organizations.ts';
import { HELD_MS } from '../../../data/metering/authentication.ts';
import { listingIdOf, type NotedListing } from '../../../data/answers/listings.ts';
import { deleteMiss } from '../../../data/answers/misses.ts';
import type { Statement } from '../../../data/sql.ts';
import type { Store } from '../../../data/store.ts';
import { haveTerms } from '../../../rules/terms/profiles.ts';
import { slugOf } from '../slug-of.ts';
import { listingName, type ListingKey } from '../listing-key.ts';
import { storeRead, type StoreReadParts } from './store-read.ts';
import type { FoundVia, Owner, StoredListing } from '../../../base/listing/stored-listing.ts';

/** A reading, and the key under which it is stored. */
export type ListingToStore = {
  readonly retailer: Slug;
  readonly key: string;
  readonly url: string;
  readonly foundVia: FoundVia;
  /** The kind of source that answered (D54). */
  readonly source: 'primary' | 'secondary';
  readonly origin: Origin;
  /** The organization whose fact it is; absent for everybody's. */
  readonly owner?: Owner;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  readonly notes: ReadNotes;
};

/**
 * Returns the changes of a listing that was read: itself, its observation, its seller; and the same of the rows of organizations
 * that have rules for its page.
 */
export function listingChanges(read: ListingToStore): readonly AnswerChange[] {
  const { own = [], withdrawnRules: _, ...notes } = read.notes;
  const toStore = { ...read, notes };
  const { listing, fetchedAtMs } = toStore;
  return [
    { kind: 'listing', listing: toStore },
    {
      kind: 'fetched',
      observation: {
        listingId: rowIdOf(toStore),
        fetchedAtMs,
        price: listing.price,
        inStock: listing.inStock,
        isBacked: isPriceBacked(listing),
      },
    },
    ...sellerOf(toStore),
    ...own.flatMap(({ organizationId, listing: ruled }) =>
      listingChanges({ ...toStore, listing: ruled, owner: { organizationId, isShared: false } }),
    ),
  ];
}

/**
 * Returns the changes of a stored listing that its shop, asked for its page or its id, reports as gone: nobody can buy it any
 * more (D24). Its facts remain, with the time at which they were read (D25).
 */
export function goneChanges(held: NotedListing, nowMs: number): readonly AnswerChange[] {
  if (held.listing.unavailable === true && held.listing.inStock === false) return [];
  const listing = { ...held.listing, inStock: false, unavailable: true };
  const observation = { listingId: rowIdOf(held), fetchedAtMs: nowMs, price: null, inStock: false };
  return [
    { kind: 'listing', listing: { ...held, listing } },
    { kind: 'fetched', observation },
  ];
}

/** Deletes the miss, in the same transaction: a listing that was read is no longer missing. */
export function deleteMissOf({ retailer, key }: ListingToStore): readonly Statement[] {
  return deleteMiss(listingName(retailer, key));
}

/**
 * D32: a product page is one of the two places that show a seller with both its ids. A product that it offers at a price
 * counts as an offer of the seller (D92). Facts that only one organization has reveal no seller to others.
 */
function sellerOf({
  retailer,
  listing,
  fetchedAtMs,
  origin,
  owner,
}: ListingToStore): readonly AnswerChange[] {
  if (retailer !== 'retailer_w' || owner !== undefined) return [];
  const seller = {
    hexId: listing.sellerId,
    catalogId: listing.catalogSellerId,
    type: listing.sellerType,
  };
  const isOffer = listing.price !== null && listing.inStock !== false;
  const offer = isOffer ? { offer: { source: origin.source } } : {};
  return [{ kind: 'seller', seller, seenAtMs: fetchedAtMs, ...offer }];
}

/** Returns the slug that a shop's domain has, or gets with its first listing. */
function shopOf(toStore: ListingToStore, key: ListingKey): readonly AnswerChange[] {
  if (key.kind !== 'shop') return [];
  const shop = { slug: toStore.retailer, domain: key.shop.domain };
  return [{ kind: 'shop', shop, atMs: toStore.fetchedAtMs }];
}

/** Returns the listing as stored once these changes are written. */
export function storedListing(toStore: ListingToStore): StoredListing {
  const { retailer, key, url, foundVia, origin, owner, fetchedAtMs, listing, notes } = toStore;
  const { signals } = notes;
  const id = listingIdOf(retailer, key);
  const row = rowIdOf(toStore);
  return {
    id,
    retailer,
    key,
    url,
    foundVia,
    origin,
    fetchedAtMs,
    listing,
    ...(row === id ? {} : { series: [id, row] }),
    ...(owner === undefined ? {} : { owner }),
    ...(signals === undefined ? {} : { signals }),
  };
}

/**
 * A listing that was just stored as it may be given. Where sources of its retailer have terms, or it was stored before from another
 * source, only the store knows.
 */
export async function givenListing(
  { listings }: Pick<Store, 'listings'>,
  stored: StoredListing,
): Promise<StoredListing> {
  if (!haveTerms(stored.retailer) && stored.series === undefined) return stored;
  return (await listings.findListingById(stored.id)) ?? stored;
}

/** The data that is written with a listing, whichever slug it gets. */
export type StoredWithListing = {
  /** New facts about the shop. */
  readonly learned: readonly AnswerChange[];
  readonly counts: readonly Statement[];
  readonly context: FetchContext;
};

/** Another domain may take the slug while the page is fetched, and again before each further attempt. */
const SLUG_ATTEMPTS = 4;

/**
 * Stores the reading of a page under `slug`, which its domain gets with its first listing (D10). If another domain has
 * taken the slug meanwhile, the next free one is used.
 */
export async function storeUnderSlug(
  parts: StoreReadParts,
  { key, slug }: { readonly key: ListingKey; readonly slug: string },
  read: Omit<ListingToStore, 'retailer' | 'key' | 'url'>,
  { learned, counts, context }: StoredWithListing,
): Promise<StoredListing> {
  let retailer = slug;
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt += 1) {
    const toStore = { ...read, retailer, key: key.key, url: key.url };
    const changes: readonly AnswerChange[] = [
      ...shopOf(toStore, key),
      ...listingChanges(toStore),
      ...learned,
    ];
    const stored = storedListing(toStore);
    const alongside = [...deleteMissOf(toStore), ...counts];
    const { withdrawnRules } = read.notes;
    const toWrite = { stored, gtin: null, changes, alongside, withdrawnRules };
    const written = await storeRead(parts, toWrite, context);
    if (written.done) return stored;
    retailer = await slugOf(parts.store, key);
  }
  throw new Error(`no slug could be registered for ${key.url}`);
}

type OwnFacts = Required<Pick<ListingToStore, 'owner'>> & ListingToStore;

/**
 * Stores an organization's listing and lets its watches see it; durable when it resolves. One that is older than what the
 * organization brought before only adds to its history. The first one takes half a second: until
 * then another process may still think that the organization has nothing of its own, and give it common answers.
 */
export async function storeOwnFacts(
  parts: StoreReadParts,
  facts: OwnFacts,
  context: FetchContext,
): Promise<StoredListing> {
  const { store, clock } = parts;
  const isFirst = await markOwnFacts(store.sql, facts.owner.organizationId);
  store.accounts.noteChange();
  if (isFirst) await clock.sleep(HELD_MS, context.signal);
  const stored = storedListing(facts);
  const readAtMs = await findReadAt(store.sql, rowIdOf(facts));
  if (readAtMs !== null && readAtMs > facts.fetchedAtMs) {
    // It is not new, and would look like a reading from a clock that was set back.
    await writeChanges(
      store.sql,
      listingChanges(facts).filter(({ kind }) => kind === 'fetched'),
    );
    return stored;
  }
  await storeRead(
    parts,
    { stored, gtin: facts.listing.gtin, changes: listingChanges(facts), alongside: [] },
    context,
  );
  return stored;
}
