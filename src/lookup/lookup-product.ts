// The product lookup: identifier -> readings in order -> what is held or fetched -> one product. Says what
// must be asked; `collect.ts` asks, `assemble-product.ts` makes the product of what is held then.

import type { AddOns } from '../domain/call-cost.ts';
import type { IdentifierMatch } from '../domain/cell.ts';
import type { Clock } from '../domain/clock.ts';
import { FaultError, URL_NOT_ALLOWED } from '../domain/fault.ts';
import type { Candidate } from '../domain/identifier.ts';
import type { Product } from '../domain/product.ts';
import type { Store } from '../store/store.ts';
import type { Asked, Assemble } from './assemble-product.ts';
import {
  askByBarcode,
  heldByBarcode,
  type BarcodeAnchor,
  type BarcodeAnswer,
} from './by-barcode.ts';
import { faultOfMiss, type Collect } from './collect.ts';
import { slugOf } from './filing.ts';
import { FRESH_MS, STALE_MS } from './freshness.ts';
import { checkRetailer } from './retailer-rule.ts';
import { identify } from './identify.ts';
import { needsFetch, type LiveAddOns } from './product-add-ons.ts';
import type { ScheduleBehind } from './schedule.ts';
import { targetOf, type Target } from './target.ts';

export type ProductRequest = {
  /** The identifier as it was sent, decoded once. */
  readonly text: string;
  readonly format?: string | undefined;
  readonly retailer?: string | undefined;
  /** Fetch from `retailer` now; needs it (D18). */
  readonly forceRefresh: boolean;
  /** What is asked for beside the base record. */
  readonly addOns?: AddOns;
  /** Which cells are shown (D34); `confirmed` unless said. */
  readonly identifierMatch?: IdentifierMatch;
  /** Who asks: what is asked behind the answer takes this organization's turn (D37). */
  readonly organizationId?: string | undefined;
};

/** A request that is well formed, with its readings in the order they are tried. */
export type Prepared = Asked & {
  readonly candidates: readonly Candidate[];
  /** Nothing older than the call is taken (D18, D19). */
  readonly isForced: boolean;
  readonly organizationId: string | null;
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
  readonly assemble: Assemble;
  readonly liveAddOns: LiveAddOns;
  readonly clock: Clock;
  /** Whether the guard would let this text be asked: no shop is contacted for what it refuses. */
  readonly isAllowedUrl: (text: string) => boolean;
  /** Told of every answer: what it needs asked goes on the queue (D37, D38). */
  readonly scheduleBehind: ScheduleBehind;
};

export function createLookupProduct(parts: LookupParts): LookupProduct {
  return {
    prepare: (request) => prepare(parts, request),
    held: async (prepared) => (needsFetch(prepared.addOns) ? null : held(parts, prepared)),
    fetched: (prepared, signal) => withAddOns(parts, prepared, signal),
  };
}

function prepare(parts: LookupParts, request: ProductRequest): Prepared {
  const { addOns = {} } = request;
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
    isForced: request.forceRefresh || addOns.includeForceRefresh === true,
    addOns,
    identifierMatch: request.identifierMatch ?? 'confirmed',
    organizationId: request.organizationId ?? null,
  };
}

/** The product, from what is held where only its add-ons must be live. */
async function withAddOns(
  parts: LookupParts,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Product> {
  if (!needsFetch(prepared.addOns)) return fetched(parts, prepared, signal);
  const product = (await held(parts, prepared)) ?? (await fetched(parts, prepared, signal));
  return parts.liveAddOns(product, prepared.addOns, signal);
}

async function held(parts: LookupParts, prepared: Prepared): Promise<Product | null> {
  if (prepared.isForced) return null;
  for (const candidate of prepared.candidates) {
    const target = targetOf(candidate);
    if (target !== null && parts.collect.knownMiss(target) !== null) continue;
    const anchor = await heldFor(parts, prepared, candidate, target);
    if (anchor === null) return null;
    const age = parts.clock.now() - anchor.stored.fetchedAtMs;
    if (age > STALE_MS) return null;
    return answerWith(parts, prepared, candidate, anchor);
  }
  return null;
}

/** The product; what should be asked behind it goes on the queue. A forced call asks its retailer only (D19). */
async function answerWith(
  parts: LookupParts,
  prepared: Prepared,
  candidate: Candidate,
  anchor: BarcodeAnchor,
): Promise<Product> {
  const product = await parts.assemble(prepared, candidate, anchor);
  if (prepared.isForced) return product;
  const isOwn = !('gtin14' in candidate);
  const gtin = 'gtin14' in candidate ? candidate.gtin14 : anchor.stored.listing.gtin;
  const { organizationId } = prepared;
  parts.scheduleBehind({ gtin, anchor: anchor.stored, isOwn, organizationId });
  return product;
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
  const sinceMs = prepared.isForced ? now : now - FRESH_MS;
  for (const candidate of prepared.candidates) {
    const target = targetOf(candidate);
    const stored = await heldFor(parts, prepared, candidate, target);
    const answer = await ask(parts, prepared, { candidate, target, sinceMs }, signal);
    if (answer.kind === 'read') return answerWith(parts, prepared, candidate, answer.anchor);
    if (answer.kind === 'miss') {
      missed ??= faultOfMiss(answer.miss);
      continue;
    }
    // D38: what is held is served when the fetch fails, but a forced refresh never answers stale (D19).
    if (stored !== null && !prepared.isForced) {
      return answerWith(parts, prepared, candidate, stored);
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
  const known = prepared.isForced ? null : collect.knownMiss(target);
  if (known !== null) return { kind: 'miss', miss: known };
  const collected = await collect.collect(target, sinceMs, signal);
  return collected.kind === 'read' ? { kind: 'read', anchor: collected } : collected;
}
