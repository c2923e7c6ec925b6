// The product lookup: identifier -> readings in order -> what is held or fetched -> one product. Says what
// must be asked; `collect.ts` asks, `compose.ts` decides what stands where.

import { dayOf, DAY_MS, type Clock } from '../domain/clock.ts';
import { composeProduct, type HistoryInHand } from '../domain/compose.ts';
import { FaultError, URL_NOT_ALLOWED } from '../domain/fault.ts';
import type { Gtin14 } from '../domain/gtin.ts';
import type { Candidate } from '../domain/identifier.ts';
import type { AsinMatch, Product, StoredListing } from '../domain/product.ts';
import type { Store } from '../store/store.ts';
import {
  askByBarcode,
  heldByBarcode,
  type BarcodeAnchor,
  type BarcodeAnswer,
} from './by-barcode.ts';
import { substituted } from './collect-retailer.ts';
import { faultOfMiss, type Collect } from './collect.ts';
import { slugOf } from './filing.ts';
import { FRESH_MS, STALE_MS } from './freshness.ts';
import { checkRetailer } from './retailer-rule.ts';
import { identify } from './identify.ts';
import type { AddOns, AddOnsAsked } from './product-add-ons.ts';
import { targetOf, type Target } from './target.ts';

export type ProductRequest = {
  /** The identifier as it was sent, decoded once. */
  readonly text: string;
  readonly format?: string | undefined;
  readonly retailer?: string | undefined;
  readonly forceRefresh: boolean;
  /** Live offers: something is fetched whatever is held (D31). */
  readonly includeOffers?: boolean | undefined;
  readonly includeOffersReviews?: boolean | undefined;
};

/** A request that is well formed, with its readings in the order they are tried. */
export type Prepared = {
  readonly candidates: readonly Candidate[];
  readonly retailer: string | null;
  readonly forceRefresh: boolean;
  readonly addOns: AddOnsAsked;
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
  readonly addOns: AddOns;
  readonly clock: Clock;
  /** Whether the guard would let this text be asked: no shop is contacted for what it refuses. */
  readonly isAllowedUrl: (text: string) => boolean;
  /** Runs work behind the answer: refreshing what is stale (D38). */
  readonly inBackground: (work: (signal: AbortSignal) => Promise<unknown>) => void;
};

export function createLookupProduct(parts: LookupParts): LookupProduct {
  return {
    prepare: (request) => prepare(parts, request),
    held: async (prepared) => (prepared.addOns.offers ? null : held(parts, prepared)),
    fetched: (prepared, signal) => withAddOns(parts, prepared, signal),
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
  return {
    candidates,
    retailer: request.retailer ?? null,
    forceRefresh: request.forceRefresh,
    addOns: {
      offers: request.includeOffers === true || request.includeOffersReviews === true,
      reviews: request.includeOffersReviews === true,
    },
  };
}

/** The product, from what is held where only its offers must be live. */
async function withAddOns(
  parts: LookupParts,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Product> {
  if (!prepared.addOns.offers) return fetched(parts, prepared, signal);
  const product = (await held(parts, prepared)) ?? (await fetched(parts, prepared, signal));
  return parts.addOns(product, prepared.addOns, signal);
}

async function held(parts: LookupParts, prepared: Prepared): Promise<Product | null> {
  if (prepared.forceRefresh) return null;
  for (const candidate of prepared.candidates) {
    const target = targetOf(candidate);
    if (target !== null && parts.collect.knownMiss(target) !== null) continue;
    const anchor = await heldFor(parts, prepared, candidate, target);
    if (anchor === null) return null;
    const age = parts.clock.now() - anchor.stored.fetchedAtMs;
    if (age > STALE_MS) return null;
    if (age > FRESH_MS) refreshBehind(parts, prepared, candidate, target);
    return compose(parts, prepared, candidate, anchor);
  }
  return null;
}

/** D38: what is older than a day is fetched again behind the answer. */
function refreshBehind(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  target: Target | null,
): void {
  const sinceMs = parts.clock.now() - FRESH_MS;
  const { collect } = parts;
  if (target !== null) {
    parts.inBackground((signal) => collect.collect(target, sinceMs, signal));
  } else if ('gtin14' in candidate) {
    const ask = { collect, gtin: candidate.gtin14, sinceMs };
    parts.inBackground((signal) => askByBarcode(ask, prepared.retailer, signal));
  }
}

/** What is held for one reading; for a barcode the best listing that is tied to it. */
async function heldFor(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  target: Target | null,
): Promise<BarcodeAnchor | null> {
  if (target !== null) {
    const retailer = await slugOf(parts.store, target);
    refuseOtherShop(prepared, candidate, retailer);
    const stored = await parts.store.catalog.findListing(retailer, target.key);
    return stored === null ? null : { stored, identity: null };
  }
  if (!('gtin14' in candidate)) return null;
  return heldByBarcode(parts.store, candidate.gtin14, prepared.retailer);
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
    const stored = await heldFor(parts, prepared, candidate, target);
    const answer = await ask(parts, prepared, { candidate, target, sinceMs }, signal);
    if (answer.kind === 'read') return compose(parts, prepared, candidate, answer.anchor);
    if (answer.kind === 'miss') {
      missed ??= faultOfMiss(answer.miss);
      continue;
    }
    // D38: what is held is served when the fetch fails, but a forced refresh never answers stale (D19).
    if (stored !== null && !prepared.forceRefresh) {
      return compose(parts, prepared, candidate, stored);
    }
    throw new FaultError(answer.fault);
  }
  throw missed ?? new FaultError({ code: 'not_found', detail: 'Nothing is known of it.' });
}

type Ask = {
  readonly candidate: Candidate;
  readonly target: Target | null;
  readonly sinceMs: number;
};

async function ask(
  parts: LookupParts,
  prepared: Prepared,
  { candidate, target, sinceMs }: Ask,
  signal: AbortSignal,
): Promise<BarcodeAnswer> {
  const { collect } = parts;
  if (target === null) {
    if (!('gtin14' in candidate)) throw new Error(`${candidate.kind} has no address`);
    return askByBarcode({ collect, gtin: candidate.gtin14, sinceMs }, prepared.retailer, signal);
  }
  const known = prepared.forceRefresh ? null : collect.knownMiss(target);
  if (known !== null) return { kind: 'miss', miss: known };
  const collected = await collect.collect(target, sinceMs, signal);
  return collected.kind === 'read' ? { kind: 'read', anchor: collected } : collected;
}

async function compose(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  { stored: anchor, identity }: BarcodeAnchor,
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
    // D35: a listing that is only guessed to be the product has no vote on its stock.
    anchorVotes: identity?.state !== 'unconfirmed',
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
  throw substituted(candidate.value, served);
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
