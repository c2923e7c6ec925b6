// Fetches one listing now, reads it and stores it. Callers that want the same listing at the same time share one fetch, in this
// process and in others. Negative answers are remembered (D38).

import { isDoneSince } from '../core/clock.ts';
import type { FetchContext } from '../core/fetch-context.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import { tie } from '../product/identity.ts';
import { isKnownSlug, type KnownSlug } from '../core/retailer.ts';
import { isAddressOf } from '../retailers/addresses/address-books.ts';
import { shopHits } from '../retailers/search/search-answers.ts';
import { collectBarcode } from './collect-barcode.ts';
import { collectOwn } from './collect-own.ts';
import type { CollectOutcome, CollectParts } from './collect-outcome.ts';
import { slugOf } from './slug-of.ts';
import { goneChanges, storeUnderSlug } from './storing/store-listing.ts';
import { REDESIGNED } from './asking/ask-retailer.ts';
import { gatherPages } from './asking/gather-pages.ts';
import { writeChanges } from '../store/answers/answer-writes.ts';
import { upsertMiss, type Miss } from '../store/answers/misses.ts';
import { knownMissOf } from './known-miss.ts';
import {
  ELSEWHERE,
  failedFetch,
  ofOwnAddress,
  outcomeOfVerdict,
  STILL_FETCHING,
} from './asking/failed-fetch.ts';
import { tallied } from './storing/read-tally.ts';
import { searchWebByBarcode } from './asking/search-web.ts';
import { createSharedWork } from './coordination/single-flight.ts';
import { goalOfShortLink, keyName, listingKeyOf, type ListingKey } from './listing-key.ts';

export type Collect = {
  /**
   * The listing of a page or of a retailer's own identifier. It is fetched unless the store by now has one that was fetched at
   * or after `sinceMs`.
   */
  collect(key: ListingKey, sinceMs: number, context: FetchContext): Promise<CollectOutcome>;
  /** What a known retailer sells under a barcode. The retailer's answer is stored whatever it is. */
  collectBarcode(
    retailer: KnownSlug,
    gtin: Gtin14,
    sinceMs: number,
    context: FetchContext,
  ): Promise<CollectOutcome>;
  /**
   * What a shop with a listing in the store sells under a barcode, found through a search engine (D46). Null if the shop is not
   * known here, or no engine is configured.
   */
  collectShop(
    slug: string,
    gtin: Gtin14,
    sinceMs: number,
    context: FetchContext,
  ): Promise<CollectOutcome | null>;
  /** A negative answer of the last day, whichever process got it. */
  knownMiss(key: ListingKey): Promise<Miss | null>;
};

export function createCollect(parts: CollectParts): Collect {
  const share = createSharedWork<CollectOutcome>(STILL_FETCHING);
  const shareShop = createSharedWork<CollectOutcome | null>(STILL_FETCHING);
  const collect: Collect['collect'] = (key, sinceMs, context) =>
    notOlder(sinceMs, () =>
      share(keyName(key), context, (shared) =>
        inTurn(parts, `listing ${keyName(key)}`, shared, () =>
          collectListing(parts, key, sinceMs, shared),
        ),
      ),
    );
  return {
    knownMiss: (key) => knownMissOf(parts, key),
    collect,
    collectShop: (slug, gtin, sinceMs, context) =>
      shareShop(`${slug} ${gtin}`, context, (shared) =>
        collectShop(parts, collect, { slug, gtin, sinceMs }, shared),
      ),
    collectBarcode: (retailer, gtin, sinceMs, context) =>
      notOlder(sinceMs, () =>
        share(`${retailer} ${gtin}`, context, (shared) =>
          inTurn(parts, `barcode ${retailer} ${gtin}`, shared, () =>
            collectBarcode(parts, { retailer, gtin, sinceMs }, shared),
          ),
        ),
      ),
  };
}

/**
 * Does the work when no other process is doing it. `work` reads the store again before it fetches, because another process may
 * have stored the listing.
 */
async function inTurn(
  { exclusive }: CollectParts,
  name: string,
  context: FetchContext,
  work: () => Promise<CollectOutcome>,
): Promise<CollectOutcome> {
  const ran = await exclusive.inTurn(name, context, work);
  return ran.ran ? ran.value : STILL_FETCHING;
}

/** Repeats a shared fetch that got its answer before this call began (D19). */
async function notOlder(
  sinceMs: number,
  fetchShared: () => Promise<CollectOutcome>,
): Promise<CollectOutcome> {
  const collected = await fetchShared();
  if (collected.kind !== 'read' || collected.stored.fetchedAtMs >= sinceMs) return collected;
  return fetchShared();
}

type ShopRequest = { readonly slug: string; readonly gtin: Gtin14; readonly sinceMs: number };

async function collectShop(
  parts: CollectParts,
  collect: Collect['collect'],
  { slug, gtin, sinceMs }: ShopRequest,
  context: FetchContext,
): Promise<CollectOutcome | null> {
  const shop = await parts.store.shops.findShopBySlug(slug);
  if (shop === null) return null;
  const answer = await searchWebByBarcode(parts.search, gtin, shop.domain, context);
  if (answer === null || answer.kind !== 'hits') return answer;
  const keys = shopHits(answer.hits, slug).map(({ url: value }) =>
    listingKeyOf({ kind: 'url', value }),
  );
  // Two domains may share a label: only the one that owns the slug is this shop (D10).
  const key = keys.find((each) => each?.kind === 'shop' && each.shop.domain === shop.domain);
  if (key) return tied(parts, gtin, await collect(key, sinceMs, context));
  const detail = `The search engine found no page of ${slug} with this barcode.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/** Ties a page that was found for a barcode to it. */
function tied(parts: CollectParts, gtin: Gtin14, collected: CollectOutcome): CollectOutcome {
  if (collected.kind !== 'read') return ofOwnAddress(collected);
  const { stored } = collected;
  return { ...collected, identity: tie(gtin, stored, parts.isTrustedShop(stored)) };
}

async function collectListing(
  parts: CollectParts,
  key: ListingKey,
  sinceMs: number,
  context: FetchContext,
): Promise<CollectOutcome> {
  const { store, clock } = parts;
  const slug = await slugOf(store, key);
  // Another fetch may have stored the listing after the caller read the store.
  const held = await store.listings.findListing(slug, key.key);
  if (held && isDoneSince(held.fetchedAtMs, sinceMs, clock.now()))
    return { kind: 'read', stored: held, identity: null };
  const miss = await store.misses.findMiss(keyName(key), clock.now());
  if (miss !== null && isDoneSince(miss.notedAtMs, sinceMs, clock.now())) {
    return { kind: 'miss', miss };
  }
  const collected =
    key.kind === 'retailer' && key.identifier !== null
      ? await collectOwn(parts, { ...key, identifier: key.identifier }, context)
      : await collectPage(parts, key, slug, context);
  if (collected.kind === 'miss') {
    const nowMs = clock.now();
    const isGone = collected.miss.upstream === null;
    const gone = held !== null && isGone ? goneChanges(held, nowMs) : [];
    await writeChanges(store.sql, gone, upsertMiss(keyName(key), collected.miss, nowMs));
  }
  return collected;
}

/** Collects the page of any shop by its address. A shop without a reader of its own is read by the generic reader. */
async function collectPage(
  parts: CollectParts,
  key: ListingKey,
  slug: string,
  context: FetchContext,
): Promise<CollectOutcome> {
  const facts = await parts.store.shops.findShopFacts(new URL(key.url).hostname);
  const counting = tallied(parts);
  const isOwn = (url: string): boolean => speaksFor(parts, { slug, url: key.url }, url);
  const gathered = await gatherPages(counting, { url: key.url, slug, facts, context, isOwn });
  const { result } = gathered;
  const counts = counting.tally.take();
  // A caller can name any number of shops, and counts of a shop that was never read can be compared with nothing.
  if (result.kind !== 'read' && counts.length > 0 && (await isKnownShop(parts, slug))) {
    await parts.store.sql.write(counts);
  }
  if (result.kind === 'failure') return failedFetch(result.failure);
  if (result.kind === 'elsewhere') return ELSEWHERE;
  if (result.kind === 'verdict') {
    // If the page was a product when it was last read, it has more likely been redesigned than turned into something else.
    const isKnown = (await parts.store.listings.findListing(slug, key.key)) !== null;
    const isChanged = isKnown && result.verdict.kind === 'not_a_product';
    return isChanged ? REDESIGNED : outcomeOfVerdict(result.verdict);
  }
  const read = {
    foundVia: 'submitted_url' as const,
    source: 'primary' as const,
    fetchedAtMs: gathered.fetchedAtMs ?? parts.clock.now(),
    listing: result.listing,
    notes: result.notes,
  };
  const goal = goalOfShortLink(key, result.listing);
  if (goal !== null) {
    // The listing is stored under its own identifier too, so that whoever asks for that finds it.
    const own = { shopFacts: null, counts: [], context };
    await storeUnderSlug(parts, { key: goal, slug }, read, own);
  }
  const alongside = { shopFacts: gathered.shopFacts, counts, context };
  const stored = await storeUnderSlug(parts, { key, slug }, read, alongside);
  return { kind: 'read', stored, identity: null };
}

/**
 * Whether the page that an address led to speaks for a shop. Anyone can be behind an open redirect: for a shop that counts for
 * a barcode, only a page on its own hosts speaks (D57).
 */
function speaksFor(
  { isTrustedShop }: CollectParts,
  { slug, url }: { readonly slug: string; readonly url: string },
  answered: string,
): boolean {
  if (isKnownSlug(slug)) return isAddressOf(slug, answered);
  const isTrusted = (address: string) => isTrustedShop({ retailer: slug, url: address });
  return !isTrusted(url) || isTrusted(answered);
}

async function isKnownShop({ store }: CollectParts, slug: string): Promise<boolean> {
  return isKnownSlug(slug) || (await store.shops.findShopBySlug(slug)) !== null;
}
