// A listing that was read -> the store: listing, observation, its barcode's cell, the shop's slug and facts,
// in one unit that stands or falls as a whole.

import { tie } from '../product/identity.ts';
import type { Listing } from '../listing/listing.ts';
import type { ReadNotes } from '../listing/page.ts';
import type { Slug } from '../core/retailer.ts';
import { numberedSlug } from '../retailers/shop-slug.ts';
import { writeChanges, type AnswerChange } from '../store/answer-writes.ts';
import { listingIdOf } from '../store/listings.ts';
import { deleteMiss } from '../store/misses.ts';
import type { ShopFacts } from '../store/shops.ts';
import type { Statement } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { listingName, type ListingKey } from './listing-key.ts';
import type { FoundVia, StoredListing } from '../listing/stored-listing.ts';

/** What was read, and under which name it is kept. */
export type ListingToStore = {
  readonly retailer: Slug;
  readonly key: string;
  readonly url: string;
  readonly foundVia: FoundVia;
  /** Who answered (D54). */
  readonly source: 'primary' | 'secondary';
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  readonly notes: ReadNotes;
};

/** What a listing that was read changes: itself, its observation, its seller, the cell of its own barcode. */
export function listingChanges(filing: ListingToStore): readonly AnswerChange[] {
  const { listing, fetchedAtMs } = filing;
  return [
    { kind: 'listing', listing: filing },
    {
      kind: 'observation',
      observation: {
        listingId: listingIdOf(filing.retailer, filing.key),
        observedAtMs: fetchedAtMs,
        price: listing.price,
        inStock: listing.inStock,
      },
    },
    ...sellerOf(filing),
    ...tieOf(filing),
  ];
}

/** Stands alongside those changes: what is there is no miss any more. */
export function deleteMissOf({ retailer, key }: ListingToStore): Statement {
  return deleteMiss(listingName(retailer, key));
}

/** The cell of the barcode that the listing itself publishes. */
function tieOf(filing: ListingToStore): readonly AnswerChange[] {
  const { listing, retailer, key, foundVia, fetchedAtMs: checkedAtMs } = filing;
  const { gtin } = listing;
  if (gtin === null) return [];
  const identity = tie(gtin, retailer, gtin, checkedAtMs);
  const listingId = listingIdOf(retailer, key);
  const cell = { gtin, retailer, listingId, identity, foundVia, checkedAtMs };
  return [{ kind: 'own-cell', cell: { ...cell, status: 'ok', source: filing.source } }];
}

/** D32: the product page is one of the two places that show a seller under both its names. */
function sellerOf({ retailer, listing, fetchedAtMs }: ListingToStore): readonly AnswerChange[] {
  if (retailer !== 'retailer_w') return [];
  const seller = {
    hexId: listing.sellerId,
    catalogId: listing.catalogSellerId,
    type: listing.sellerType,
  };
  return [{ kind: 'seller', seller, seenAtMs: fetchedAtMs }];
}

/** The slug that a shop's domain has, or takes with its first listing. */
function shopOf(filing: ListingToStore, key: ListingKey): readonly AnswerChange[] {
  if (key.kind !== 'shop') return [];
  const shop = { slug: filing.retailer, domain: key.shop.domain };
  return [{ kind: 'shop', shop, atMs: filing.fetchedAtMs }];
}

/** The listing as it is held once its filing is durable. */
export function storedListing(filing: ListingToStore): StoredListing {
  const { retailer, key, url, foundVia, fetchedAtMs, listing } = filing;
  return { id: listingIdOf(retailer, key), retailer, key, url, foundVia, fetchedAtMs, listing };
}

/** D10: the slug that the domain owns in this store, else the first free one that it would claim. */
export async function slugOf(store: Store, key: ListingKey): Promise<string> {
  if (key.kind === 'retailer') return key.retailer;
  const { shop } = key;
  const owned = await store.shops.findShopByDomain(shop.domain);
  if (owned !== null) return owned.slug;
  let wanted = shop.slug;
  for (let count = 1; (await store.shops.findShopBySlug(wanted)) !== null; count += 1) {
    wanted = count === 1 ? shop.otherSlug : numberedSlug(shop, count);
  }
  return wanted;
}

/** What is written with a filing, whichever slug it ends under. */
export type StoredWithListing = {
  readonly learnt: ShopFacts | null;
  readonly counts: readonly Statement[];
};

/**
 * Files what a page gave under the slug that is its domain's, which it claims with its first listing. A
 * further round is needed only when another domain claimed the slug in between (D10).
 */
export async function storeUnderSlug(
  store: Store,
  key: ListingKey,
  read: Omit<ListingToStore, 'retailer' | 'key' | 'url'>,
  { learnt, counts }: StoredWithListing,
): Promise<StoredListing> {
  for (let round = 0; round < 3; round += 1) {
    const filing = {
      ...read,
      retailer: await slugOf(store, key),
      key: key.key,
      url: key.url,
    };
    const changes: readonly AnswerChange[] = [
      ...shopOf(filing, key),
      ...listingChanges(filing),
      ...(learnt === null ? [] : [{ kind: 'shop-facts', facts: learnt } as const]),
    ];
    const written = await writeChanges(store.sql, changes, [deleteMissOf(filing), ...counts]);
    if (written.done) return storedListing(filing);
  }
  throw new Error(`no slug could be registered for ${key.url}`);
}
