// One retailer's listing, now: fetch, read, file. The only caller of the readers; a listing, its
// observation and what was learnt about the shop become durable together or not at all.

import { DAY_MS, type Clock } from '../domain/clock.ts';
import { FaultError, type Fault } from '../domain/fault.ts';
import type { Listing } from '../domain/listing.ts';
import type { PageVerdict } from '../domain/page.ts';
import type { FoundVia, StoredListing } from '../domain/product.ts';
import { numberedSlug } from '../retailers/shop-slug.ts';
import { fileListing, listingIdOf } from '../store/catalog.ts';
import { appendObservation } from '../store/history.ts';
import { claimShop, rememberShopFacts } from '../store/shops.ts';
import type { Statement } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { gatherPages, type Gathered, type GatherParts } from './gather-pages.ts';
import { createMisses, type Miss, type Misses } from './misses.ts';
import { faultOfFailure, faultOfVerdict } from './outcome.ts';
import { createSingleFlight } from './single-flight.ts';
import { targetName, type Target } from './target.ts';

/** What asking one retailer came to. */
export type Collected =
  | { readonly kind: 'read'; readonly stored: StoredListing }
  /** The shop answered, and it is not there or no product: remembered for a day (D38). */
  | { readonly kind: 'miss'; readonly miss: Miss }
  /** Nobody knows: blocked, slow, down, unusable. */
  | { readonly kind: 'failed'; readonly fault: Fault };

export type Collect = {
  /**
   * Asks the retailer, unless a listing fetched at or after `sinceMs` arrived meanwhile. Callers that ask
   * at the same time share one fetch.
   */
  collect(target: Target, sinceMs: number, signal: AbortSignal): Promise<Collected>;
  /** A negative answer of the last day. */
  knownMiss(target: Target): Miss | null;
};

export type CollectParts = GatherParts & { readonly store: Store; readonly clock: Clock };

export function createCollect(parts: CollectParts): Collect {
  const misses: Misses = createMisses(parts.clock, 10_000);
  const share = createSingleFlight<Collected>();
  return {
    knownMiss: (target) => misses.find(targetName(target)),
    collect: (target, sinceMs, signal) =>
      share(targetName(target), async () => {
        const collected = await collectOnce(parts, target, sinceMs, signal);
        if (collected.kind === 'miss') misses.remember(targetName(target), collected.miss);
        else if (collected.kind === 'read') misses.forget(targetName(target));
        return collected;
      }),
  };
}

/** D10: the slug that the domain owns in this store, else the first free one that it would claim. */
export async function slugOf(store: Store, target: Target): Promise<string> {
  if (target.kind === 'retailer') return target.retailer;
  const { shop } = target;
  const owned = await store.shops.findShopByDomain(shop.domain);
  if (owned !== null) return owned.slug;
  let wanted = shop.slug;
  for (let count = 1; (await store.shops.findShopBySlug(wanted)) !== null; count += 1) {
    wanted = count === 1 ? shop.otherSlug : numberedSlug(shop, count);
  }
  return wanted;
}

async function collectOnce(
  parts: CollectParts,
  target: Target,
  sinceMs: number,
  signal: AbortSignal,
): Promise<Collected> {
  const slug = await slugOf(parts.store, target);
  // A flight that ended between the caller's look at the store and this one has already brought it.
  const held = (await parts.store.catalog.findListing(slug, target.key))?.held;
  if (held && held.fetchedAtMs >= sinceMs) return { kind: 'read', stored: held };
  const facts = await parts.store.shops.findShopFacts(new URL(target.url).hostname);
  const gathered = await gatherPages(parts, { url: target.url, slug, facts, signal });
  const { result } = gathered;
  if (result.kind === 'failure') {
    return { kind: 'failed', fault: faultOfFailure(result.failure) };
  }
  const { verdict } = result;
  switch (verdict.kind) {
    case 'read':
      return { kind: 'read', stored: await file(parts, target, gathered, verdict) };
    case 'not_found':
      return { kind: 'miss', miss: { detail: verdict.why, upstream: null } };
    case 'not_a_product':
      return { kind: 'miss', miss: { detail: verdict.why, upstream: 'not_a_product' } };
    case 'blocked':
    case 'retry':
    case 'unreadable':
    case 'follow':
      return { kind: 'failed', fault: faultOfVerdict(verdict) };
  }
}

type Reading = Extract<PageVerdict<Listing>, { kind: 'read' }>;

/** Files under the slug that is the domain's; claims it with the first listing. */
async function file(
  parts: CollectParts,
  target: Target,
  gathered: Gathered,
  { value: listing, notes }: Reading,
): Promise<StoredListing> {
  const fetchedAtMs = gathered.fetchedAtMs ?? parts.clock.now();
  const foundVia: FoundVia = target.kind === 'shop' ? 'submitted_url' : 'native_catalog';
  const statementsFor = (retailer: string): readonly Statement[] => {
    const id = listingIdOf(retailer, target.key);
    return [
      ...(target.kind === 'shop'
        ? claimShop({ slug: retailer, domain: target.shop.domain }, fetchedAtMs)
        : []),
      fileListing({
        retailer,
        key: target.key,
        url: target.url,
        foundVia,
        fetchedAtMs,
        listing,
        notes,
      }),
      appendObservation({
        listingId: id,
        observedAtMs: fetchedAtMs,
        price: listing.price,
        inStock: listing.inStock,
      }),
      ...(gathered.learnt === null ? [] : [rememberShopFacts(gathered.learnt)]),
    ];
  };
  // A second round is needed only when another domain claimed the slug in between (D10).
  for (let round = 0; round < 3; round += 1) {
    const retailer = await slugOf(parts.store, target);
    const written = await parts.store.sql.write(statementsFor(retailer));
    if (!written.done) continue;
    const id = listingIdOf(retailer, target.key);
    return { id, retailer, key: target.key, url: target.url, foundVia, fetchedAtMs, listing };
  }
  throw new Error(`no slug could be claimed for ${targetName(target)}`);
}

/** D38: older than this is refreshed behind the answer. */
export const FRESH_MS = DAY_MS;
/** D38: older than this is fetched before the answer. */
export const STALE_MS = 14 * DAY_MS;

/** A miss as the fault its caller sees. */
export function faultOfMiss(miss: Miss): FaultError {
  return new FaultError({
    code: 'not_found',
    detail: miss.detail,
    ...(miss.upstream === null ? {} : { upstream: miss.upstream }),
  });
}
