// The product lookup: identifier -> readings in order -> what is held or fetched -> one product. Says what
// must be asked; `collect.ts` asks, `compose.ts` decides what stands where.

import { dayOf, DAY_MS, HOUR_MS, type Clock } from '../domain/clock.ts';
import { composeProduct, type HistoryInHand } from '../domain/compose.ts';
import { FaultError, URL_NOT_ALLOWED } from '../domain/fault.ts';
import type { Gtin14 } from '../domain/gtin.ts';
import type { Candidate } from '../domain/identifier.ts';
import type { AsinMatch, Product, StoredListing } from '../domain/product.ts';
import { chooseAnchor } from '../domain/source-order.ts';
import type { Store } from '../store/store.ts';
import { FRESH_MS, STALE_MS, faultOfMiss, slugOf, type Collect } from './collect.ts';
import { checkRetailer } from './retailer-rule.ts';
import { identify } from './identify.ts';
import { targetOf, type Target } from './target.ts';

export type ProductRequest = {
  /** The identifier as it was sent, decoded once. */
  readonly text: string;
  readonly format?: string | undefined;
  readonly retailer?: string | undefined;
  readonly forceRefresh: boolean;
};

/** A request that is well formed, with its readings in the order they are tried. */
export type Prepared = {
  readonly candidates: readonly Candidate[];
  readonly retailer: string | null;
  readonly forceRefresh: boolean;
};

export type LookupProduct = {
  /** Throws the fault of a request that can never be answered; asks nobody. */
  prepare(request: ProductRequest): Prepared;
  /** The product from what is held, or null when something must be fetched before an answer. */
  held(prepared: Prepared): Promise<Product | null>;
  /** The product, fetching what is needed within the signal's deadline. */
  fetched(prepared: Prepared, signal: AbortSignal): Promise<Product>;
};

export type LookupParts = {
  readonly store: Store;
  readonly collect: Collect;
  readonly clock: Clock;
  /** Whether the guard would let this text be asked: no shop is contacted for what it refuses. */
  readonly isAllowedUrl: (text: string) => boolean;
  /** Runs work behind the answer: refreshing what is stale (D38). */
  readonly inBackground: (work: (signal: AbortSignal) => Promise<unknown>) => void;
};

export function createLookupProduct(parts: LookupParts): LookupProduct {
  return {
    prepare: (request) => prepare(parts, request),
    held: (prepared) => held(parts, prepared),
    fetched: (prepared, signal) => fetched(parts, prepared, signal),
  };
}

function prepare(parts: LookupParts, request: ProductRequest): Prepared {
  if (request.forceRefresh && request.retailer === undefined) {
    throw new FaultError({
      code: 'force_refresh_requires_retailer',
      parameter: 'force_refresh',
      detail: 'force_refresh=true fetches from one retailer: name it with retailer=<slug>.',
    });
  }
  const trimmed = request.text.trim();
  if (/^https?:\/\//i.test(trimmed) && !parts.isAllowedUrl(trimmed)) {
    throw new FaultError(URL_NOT_ALLOWED);
  }
  const identified = identify(trimmed, request.format);
  if (!identified.ok) throw new FaultError(identified.fault);
  for (const candidate of identified.candidates) {
    if (candidate.kind !== 'url') continue;
    if (!parts.isAllowedUrl(candidate.value) || targetOf(candidate) === null) {
      throw new FaultError(URL_NOT_ALLOWED);
    }
  }
  const candidates = checkRetailer(identified, request.retailer ?? null);
  return { candidates, retailer: request.retailer ?? null, forceRefresh: request.forceRefresh };
}

async function held(parts: LookupParts, prepared: Prepared): Promise<Product | null> {
  if (prepared.forceRefresh) return null;
  for (const candidate of prepared.candidates) {
    const target = targetOf(candidate);
    if (target !== null && parts.collect.knownMiss(target) !== null) continue;
    const stored = await storedFor(parts, prepared, candidate, target);
    if (stored === null) return null;
    const age = parts.clock.now() - stored.fetchedAtMs;
    if (age > STALE_MS) return null;
    if (age > FRESH_MS && target !== null) {
      const sinceMs = parts.clock.now() - FRESH_MS;
      parts.inBackground((signal) => parts.collect.collect(target, sinceMs, signal));
    }
    return compose(parts, prepared, candidate, stored);
  }
  return null;
}

/** What is held for one reading; for a barcode the best listing that publishes it. */
async function storedFor(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  target: Target | null,
): Promise<StoredListing | null> {
  if (target !== null) {
    const retailer = await slugOf(parts.store, target);
    refuseOtherShop(prepared, candidate, retailer);
    return (await parts.store.catalog.findListing(retailer, target.key))?.held ?? null;
  }
  if (!('gtin14' in candidate)) return null;
  const listings = await parts.store.catalog.findListingsByGtin(candidate.gtin14);
  if (prepared.retailer === null) return chooseAnchor(listings);
  return listings.find((each) => each.retailer === prepared.retailer) ?? null;
}

/** D46: a URL whose host does not belong to the slug that was named. */
function refuseOtherShop(prepared: Prepared, candidate: Candidate, retailer: string): void {
  if (prepared.retailer === null || prepared.retailer === retailer) return;
  if (candidate.kind !== 'url') return;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: [retailer],
    detail: `This address belongs to "${retailer}": send retailer=${retailer}, or leave it out.`,
  });
}

async function fetched(
  parts: LookupParts,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Product> {
  let missed: FaultError | null = null;
  const now = parts.clock.now();
  // A forced refresh takes nothing that is older than the call (D19).
  const sinceMs = prepared.forceRefresh ? now : now - FRESH_MS;
  for (const candidate of prepared.candidates) {
    const target = targetOf(candidate);
    const stored = await storedFor(parts, prepared, candidate, target);
    if (target === null) {
      if (stored !== null) return compose(parts, prepared, candidate, stored);
      throw noOneToAsk();
    }
    const known = prepared.forceRefresh ? null : parts.collect.knownMiss(target);
    if (known !== null) {
      missed ??= faultOfMiss(known);
      continue;
    }
    const collected = await parts.collect.collect(target, sinceMs, signal);
    if (collected.kind === 'read') return compose(parts, prepared, candidate, collected.stored);
    if (collected.kind === 'miss') {
      missed ??= faultOfMiss(collected.miss);
      continue;
    }
    // D38: what is held is served when the fetch fails, but a forced refresh never answers stale (D19).
    if (stored !== null && !prepared.forceRefresh) {
      return compose(parts, prepared, candidate, stored);
    }
    throw new FaultError(collected.fault);
  }
  throw missed ?? noOneToAsk();
}

/** D36: "not found" is said only when those who could know have answered. */
function noOneToAsk(): FaultError {
  return new FaultError({
    code: 'upstream_unavailable',
    retryAfterSeconds: HOUR_MS / 1_000,
    detail:
      'No listing with this barcode is held, and no retailer that can be asked by barcode is ' +
      'connected. Look the product up by the address of its page first.',
  });
}

async function compose(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  anchor: StoredListing,
): Promise<Product> {
  const others = await othersOf(parts, anchor, anchor.listing.gtin);
  const asinMatch = asinMatchOf(candidate, anchor.listing.asin);
  return composeProduct({
    anchor,
    others,
    history: await historyOf(parts, prepared, candidate, [anchor, ...others]),
    today: dayOf(parts.clock.now()),
    anchorOnly: prepared.retailer !== null,
    withLinks: candidate.kind !== 'item_id',
    askedAsin: candidate.kind === 'asin' ? candidate.value : null,
    asinMatch,
    resolvedByRetailerB:
      candidate.kind === 'retailer_b_sku' || candidate.kind === 'retailer_b_product_id',
  });
}

/** D45; a substituted listing reaches the caller only as a 404 (specification: `asin_match`). */
function asinMatchOf(candidate: Candidate, served: string | null): AsinMatch | null {
  if (candidate.kind !== 'asin') return null;
  if (served === null) return { state: 'unknown', matchedAsin: null };
  if (served === candidate.value) return { state: 'exact', matchedAsin: served };
  throw new FaultError({
    code: 'identity_mismatch',
    matchedAsin: served,
    detail:
      `The page of ${candidate.value} shows ${served}, a different product. This is no stock verdict: ` +
      'keep your last known price and stock.',
  });
}

async function othersOf(
  parts: LookupParts,
  anchor: StoredListing,
  gtin: Gtin14 | null,
): Promise<readonly StoredListing[]> {
  if (gtin === null) return [];
  const listings = await parts.store.catalog.findListingsByGtin(gtin);
  return listings.filter((each) => each.id !== anchor.id);
}

/** 180 days and today, whatever the hour. */
const WINDOW_MS = 181 * DAY_MS;

/** D29: retailer_w's, except that `retailer=` or the URL of another shop makes it the anchor's. */
async function historyOf(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  listings: readonly StoredListing[],
): Promise<HistoryInHand | null> {
  const ofAnchor = prepared.retailer !== null || candidate.kind === 'url';
  const listing = ofAnchor ? listings[0] : listings.find((each) => each.retailer === 'retailer_w');
  if (listing === undefined) return null;
  const since = parts.clock.now() - WINDOW_MS;
  return {
    listing,
    observations: await parts.store.history.observationsSince(listing.id, since),
    span: await parts.store.history.observedSpan(listing.id),
  };
}
