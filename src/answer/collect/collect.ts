// Fetches, reads and stores one listing now. Callers that want the same listing at the same time share one fetch, within this
// process and across processes. Negative answers are stored (D38).

import { isDoneSince } from '../../base/clock.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import { tie } from '../../rules/product/identity.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import { shopHits } from '../../read/retailers/search/search-answers.ts';
import { collectBarcode } from './collect-barcode.ts';
import { collectFromShop, type CollectWith } from './collect-from-shops.ts';
import { collectOwn } from './collect-own.ts';
import type { CollectOutcome, CollectParts, PageOutcome } from './collect-outcome.ts';
import { collectPage, type PageToCollect } from './collect-page.ts';
import { shownAt } from './shown-at.ts';
import { slugOf } from './slug-of.ts';
import { goneChanges } from './storing/store-listing.ts';
import { addressReadAtMs } from '../../base/listing/stored-listing.ts';
import { isAtOrBelow } from '../../data/takedowns.ts';
import { writeChanges } from '../../data/answers/answer-writes.ts';
import { upsertMiss } from '../../data/answers/misses.ts';
import { ofOwnAddress, STILL_FETCHING } from './asking/failed-fetch.ts';
import { searchWebByBarcode } from './asking/search-web.ts';
import { createSharedWork } from './coordination/single-flight.ts';
import { keyName, listingKeyOf, type ListingKey } from './listing-key.ts';

export type Collect = {
  /**
   * Collects the listing of a page or of a retailer's own identifier. It is fetched unless the store already has one fetched
   * at or after `sinceMs`.
   */
  collect(key: ListingKey, sinceMs: number, context: FetchContext): Promise<PageOutcome>;
  /** Collects the listing that a known retailer has for a barcode. The retailer's answer is stored either way. */
  collectBarcode(
    retailer: KnownSlug,
    gtin: Gtin14,
    sinceMs: number,
    context: FetchContext,
  ): Promise<CollectOutcome>;
  /**
   * Asks all shops that are searched for barcodes, at the same time. Returns whether one of them confirms that it sells the
   * product.
   */
  collectFromShops(gtin: Gtin14, sinceMs: number, context: FetchContext): Promise<boolean>;
  /**
   * Collects the product that a shop with a stored listing sells under a barcode, found by the shop's own search or through
   * a search engine (D46). Null if this installation does not know the shop, or neither can be asked.
   */
  collectShop(
    slug: string,
    gtin: Gtin14,
    sinceMs: number,
    context: FetchContext,
  ): Promise<CollectOutcome | null>;
};

export function createCollect(parts: CollectParts): Collect {
  const sharePage = createSharedWork<PageOutcome>(STILL_FETCHING);
  const share = createSharedWork<CollectOutcome>(STILL_FETCHING);
  const shareShop = createSharedWork<CollectOutcome | null>(STILL_FETCHING);
  const collect: Collect['collect'] = (key, sinceMs, context) =>
    notOlder(sinceMs, () =>
      sharePage(keyName(key), context, (shared) =>
        inTurn(parts, `listing ${keyName(key)}`, shared, () =>
          collectListing(parts, { key, sinceMs, collect }, shared),
        ),
      ),
    );
  const fromShop = (host: string, gtin: Gtin14, sinceMs: number, context: FetchContext) =>
    shareShop(`${host} ${gtin}`, context, (shared) => {
      const collectWith: CollectWith = (own, key, sharing) =>
        sharePage(`${keyName(key)} ${gtin}`, sharing, (last) =>
          inTurn(parts, `listing ${keyName(key)}`, last, () =>
            collectListing(own, { key, sinceMs, collect }, last),
          ),
        );
      return collectFromShop(parts, { host, gtin, sinceMs }, collectWith, shared);
    });
  return {
    collect,
    collectFromShops: async (gtin, sinceMs, context) => {
      const asked = parts.barcodeShops.map((host) => fromShop(host, gtin, sinceMs, context));
      if (asked.length === 0) return false;
      const outcomes = await soonEnough(parts, Promise.all(asked), context);
      return outcomes.some((each) => each?.kind === 'read' && each.identity?.state === 'confirmed');
    },
    collectShop: (slug, gtin, sinceMs, context) =>
      shareShop(`${slug} ${gtin}`, context, (shared) =>
        collectShop(parts, { collect, fromShop }, { slug, gtin, sinceMs }, shared),
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

/** The maximum time for shops that are searched for barcodes, which is then missing for the retailers asked after them. */
const SHOPS_MS = 4_000;

/** Returns the outcomes, or none if they come too late. Late answers of the shops are stored nevertheless. */
async function soonEnough<T>(
  { clock }: CollectParts,
  outcomes: Promise<readonly T[]>,
  { signal }: FetchContext,
): Promise<readonly T[]> {
  const isOver = new AbortController();
  const late = clock.sleep(SHOPS_MS, AbortSignal.any([signal, isOver.signal])).then(
    () => [],
    () => [],
  );
  try {
    return await Promise.race([outcomes, late]);
  } finally {
    isOver.abort();
  }
}

/**
 * Does the work when no other process is doing it. `work` reads the store again before fetching, because another process may
 * have stored the listing.
 */
async function inTurn<Outcome extends PageOutcome>(
  { exclusive }: CollectParts,
  name: string,
  context: FetchContext,
  work: () => Promise<Outcome>,
): Promise<Outcome | typeof STILL_FETCHING> {
  const ran = await exclusive.inTurn(name, context, work);
  return ran.ran ? ran.value : STILL_FETCHING;
}

/** Repeats a shared fetch that was answered before this call began (D19). */
async function notOlder<Outcome extends PageOutcome>(
  sinceMs: number,
  fetchShared: () => Promise<Outcome>,
): Promise<Outcome> {
  const collected = await fetchShared();
  if (!('stored' in collected) || collected.stored.fetchedAtMs >= sinceMs) return collected;
  return fetchShared();
}

type ShopRequest = { readonly slug: string; readonly gtin: Gtin14; readonly sinceMs: number };

type FromShop = (
  host: string,
  gtin: Gtin14,
  sinceMs: number,
  context: FetchContext,
) => Promise<CollectOutcome | null>;

async function collectShop(
  parts: CollectParts,
  { collect, fromShop }: Pick<Collect, 'collect'> & { readonly fromShop: FromShop },
  { slug, gtin, sinceMs }: ShopRequest,
  context: FetchContext,
): Promise<CollectOutcome | null> {
  const shop = await parts.store.shops.findShopBySlug(slug);
  if (shop === null) return null;
  for (const host of parts.barcodeShops.filter((each) => isAtOrBelow(each, shop.domain))) {
    const own = await fromShop(host, gtin, sinceMs, context);
    if (own?.kind === 'read' && own.identity?.state === 'confirmed') return own;
  }
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

/** Ties a page that was found for a barcode to that barcode. */
function tied(parts: CollectParts, gtin: Gtin14, collected: PageOutcome): CollectOutcome {
  if (!('stored' in collected)) return ofOwnAddress(collected);
  const { stored } = collected;
  return { kind: 'read', stored, identity: tie(gtin, stored, parts.isTrustedShop(stored)) };
}

type ListingRequest = {
  readonly key: ListingKey;
  readonly sinceMs: number;
  readonly collect: Collect['collect'];
};

async function collectListing(
  parts: CollectParts,
  { key, sinceMs, collect }: ListingRequest,
  context: FetchContext,
): Promise<PageOutcome> {
  const { store, clock } = parts;
  const slug = await slugOf(store, key);
  // Another fetch may have stored the listing after the caller read the store.
  const storedListing = await store.listings.findListing(slug, key.key);
  const isNew =
    storedListing !== null && isDoneSince(addressReadAtMs(storedListing), sinceMs, clock.now());
  const shown = isNew ? await shownAt(store.listings, storedListing) : null;
  if (storedListing !== null && shown !== null) {
    return shown.id === storedListing.id
      ? { kind: 'read', stored: storedListing, identity: null }
      : { kind: 'moved', from: storedListing, stored: shown };
  }
  const miss = await store.misses.findMiss(keyName(key), clock.now());
  if (miss !== null && isDoneSince(miss.notedAtMs, sinceMs, clock.now())) {
    return { kind: 'miss', miss };
  }
  const collectOther: PageToCollect['collectOther'] = (other, shared) =>
    collect(other, sinceMs, shared);
  const collected =
    key.kind === 'retailer' && key.identifier !== null
      ? await collectOwn(parts, { ...key, identifier: key.identifier }, context)
      : await collectPage(parts, { key, slug, collectOther }, context);
  if (collected.kind === 'miss') {
    const nowMs = clock.now();
    const isGone = collected.miss.upstream === null;
    const here = isGone ? await store.listings.findShownAt(slug, key.key) : [];
    const gone = here.flatMap((each) => goneChanges(each, nowMs));
    await writeChanges(store.sql, gone, upsertMiss(keyName(key), collected.miss, nowMs));
  }
  return collected;
}
