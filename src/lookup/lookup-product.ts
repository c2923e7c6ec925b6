// The product lookup: identifier -> readings in order -> what is held or fetched -> one product. Says what
// must be asked; `collect.ts` asks, `assemble-product.ts` makes the product of what is held then.

import type { AddOns } from '../core/call-cost.ts';
import type { IdentifierMatch } from '../product/cell.ts';
import type { Clock } from '../core/clock.ts';
import { FaultError, URL_NOT_ALLOWED } from '../core/fault.ts';
import type { Identifier } from '../identifiers/parse-identifier.ts';
import type { Product } from '../product/product.ts';
import type { Store } from '../store/store.ts';
import type { ProductOptions, Assemble } from './assemble-product.ts';
import { askByBarcode, heldByBarcode, type Anchor, type AnchorOutcome } from './ask-by-barcode.ts';
import { faultOfMiss, type Collect } from '../collect/collect.ts';
import { slugOf } from '../collect/store-listing.ts';
import { askAnchor, bareOnly, isRetailerB } from './forced-lookup.ts';
import { FRESH_MS, STALE_MS } from '../collect/freshness.ts';
import { NOTHING_HELD, readHeldForBarcode, type HeldForBarcode } from './held-for-barcode.ts';
import { checkRetailer, refuseOtherShop } from './retailer-rule.ts';
import { identify } from './identify.ts';
import type { Matching } from '../matching/matcher.ts';
import { needsFetch, type LiveAddOns } from './product-add-ons.ts';
import type { ScheduleBehind } from './schedule.ts';
import { findSubject, heldSubject, type Subject } from './subject.ts';
import { listingKeyOf, type ListingKey } from '../collect/listing-key.ts';

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
  /** Only the listing that answers matters: nobody else is asked behind the answer. */
  readonly anchorOnly?: boolean;
  /** Who asks: what is asked behind the answer takes this organization's turn (D37). */
  readonly organizationId?: string | undefined;
};

/** A request that is well formed, with its readings in the order they are tried. */
export type Prepared = ProductOptions & {
  readonly identifiers: readonly Identifier[];
  /** Nothing older than the call is taken (D18, D19). */
  readonly isForced: boolean;
  readonly anchorOnly: boolean;
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
  readonly matching: Matching;
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
  checkForced(request);
  const trimmed = request.text.trim();
  if (/^https?:\/\//i.test(trimmed) && !parts.isAllowedUrl(trimmed)) {
    throw new FaultError(URL_NOT_ALLOWED);
  }
  const identified = identify(trimmed, request.format);
  if (!identified.ok) throw new FaultError(identified.fault);
  for (const identifier of identified.identifiers) {
    if (identifier.kind !== 'url') continue;
    if (!parts.isAllowedUrl(identifier.value) || listingKeyOf(identifier) === null) {
      throw new FaultError(URL_NOT_ALLOWED);
    }
  }
  const identifiers = checkRetailer(identified, request.retailer ?? null);
  const [first] = identifiers;
  const isForced = request.forceRefresh || addOns.includeForceRefresh === true;
  const isBare = !identified.fromUrl;
  if (isForced && isBare && first?.kind === 'retailer_b_product_id') {
    throw bareOnly(first);
  }
  return {
    identifiers,
    retailer: request.retailer ?? null,
    isForced,
    isBare,
    addOns,
    identifierMatch: request.identifierMatch ?? 'confirmed',
    anchorOnly: request.anchorOnly === true,
    organizationId: request.organizationId ?? null,
  };
}

/** D18. */
function checkForced({ forceRefresh, retailer, addOns }: ProductRequest): void {
  if (!forceRefresh) return;
  if (addOns?.includeForceRefresh === true) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'include_force_refresh',
      detail:
        'force_refresh and include_force_refresh both fetch now: send only one of them. force_refresh with ' +
        'retailer=<slug> costs no extra tokens.',
    });
  }
  if (retailer === undefined) {
    throw new FaultError({
      code: 'force_refresh_requires_retailer',
      parameter: 'force_refresh',
      detail: 'force_refresh=true requires retailer=<slug>: it fetches from one retailer.',
    });
  }
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
  for (const identifier of prepared.identifiers) {
    const subject = await heldSubject(parts, identifier, prepared.retailer);
    if (subject === null) return null;
    const { target } = subject;
    if (target !== null && (await parts.collect.knownMiss(target)) !== null) continue;
    const { anchor, under } = await heldFor(parts, prepared, subject);
    if (anchor === null) return null;
    const age = parts.clock.now() - anchor.stored.fetchedAtMs;
    if (age > STALE_MS) return null;
    return answerWith(parts, prepared, { ...subject, under }, anchor);
  }
  return null;
}

/**
 * The product; what should be asked behind it goes on the queue, first where the answer shows what waits there. A
 * forced call asks its retailer and nobody else (D19).
 */
async function answerWith(
  parts: LookupParts,
  prepared: Prepared,
  subject: Subject & { readonly under?: HeldForBarcode },
  anchor: Anchor,
): Promise<Product> {
  const gtin = subject.gtin ?? anchor.stored.listing.gtin;
  // What was fetched since stands there too by now.
  const under =
    subject.under?.gtin === gtin ? subject.under : await readHeldForBarcode(parts.store, gtin);
  if (!prepared.isForced) {
    const { organizationId, addOns } = prepared;
    const isOwn = subject.target !== null;
    const known = prepared.anchorOnly ? NOTHING_HELD : under;
    const done = parts.scheduleBehind({ ...known, anchor: anchor.stored, isOwn, organizationId });
    if (addOns.includeCrossRetailer === true) await done;
  }
  return parts.assemble(prepared, subject, anchor, under);
}

/** What is held of a subject; for a barcode the best listing that is tied to it. */
async function heldFor(
  parts: LookupParts,
  prepared: Prepared,
  { identifier, target, gtin }: Subject,
): Promise<{ readonly anchor: Anchor | null; readonly under: HeldForBarcode }> {
  if (target !== null) {
    const retailer = await slugOf(parts.store, target);
    refuseOtherShop(prepared.retailer, identifier, retailer);
    const stored = await parts.store.listings.findListing(retailer, target.key);
    const anchor = stored === null ? null : { stored, identity: null };
    return { anchor, under: NOTHING_HELD };
  }
  const under = await readHeldForBarcode(parts.store, gtin);
  return { anchor: heldByBarcode(parts.matching, under, prepared.retailer), under };
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
  for (const identifier of prepared.identifiers) {
    const found = await findSubject(parts, identifier, prepared.retailer, signal);
    const outcome =
      found.kind === 'subject'
        ? await read(parts, prepared, { subject: found.subject, sinceMs }, signal)
        : found;
    if (outcome.kind === 'product') return outcome.product;
    if (outcome.kind === 'failed') throw new FaultError(outcome.fault);
    missed ??= faultOfMiss(outcome.miss);
  }
  throw (
    missed ??
    new FaultError({ code: 'not_found', detail: 'No product was found for this identifier.' })
  );
}

type Ask = { readonly subject: Subject; readonly sinceMs: number };

type Outcome =
  | { readonly kind: 'product'; readonly product: Product }
  | Exclude<AnchorOutcome, { kind: 'read' }>;

async function read(
  parts: LookupParts,
  prepared: Prepared,
  { subject, sinceMs }: Ask,
  signal: AbortSignal,
): Promise<Outcome> {
  const { anchor: held } = await heldFor(parts, prepared, subject);
  const answer = await ask(parts, prepared, { subject, sinceMs, held }, signal);
  const assembled = async (anchor: Anchor): Promise<Outcome> => ({
    kind: 'product',
    product: await answerWith(parts, prepared, subject, anchor),
  });
  if (answer.kind === 'read') return assembled(answer.anchor);
  // D38: what is held is served when the fetch fails, but a forced refresh never answers stale (D19).
  const isStaleServed = answer.kind === 'failed' && !prepared.isForced;
  return isStaleServed && held !== null ? assembled(held) : answer;
}

async function ask(
  parts: LookupParts,
  prepared: Prepared,
  { subject, sinceMs, held }: Ask & { readonly held: Anchor | null },
  signal: AbortSignal,
): Promise<AnchorOutcome> {
  const { collect } = parts;
  const { isForced, retailer } = prepared;
  const { identifier, target, gtin } = subject;
  if (target === null) {
    if (gtin === null) throw new Error(`${identifier.kind} names neither page nor barcode`);
    const question = { collect, matching: parts.matching, gtin, sinceMs };
    return isForced && retailer === null && held !== null
      ? askAnchor(question, held, signal)
      : askByBarcode(question, retailer, signal);
  }
  if (isForced && prepared.isBare && isRetailerB(identifier)) {
    // D13: whether it is retailer_b's is all that is asked.
    const known = await askTarget(collect, target, parts.clock.now() - FRESH_MS, signal);
    if (known.kind === 'read') throw bareOnly(identifier);
    return known;
  }
  const miss = isForced ? null : await collect.knownMiss(target);
  if (miss !== null) return { kind: 'miss', miss };
  return askTarget(collect, target, sinceMs, signal);
}

async function askTarget(
  collect: Collect,
  target: ListingKey,
  sinceMs: number,
  signal: AbortSignal,
): Promise<AnchorOutcome> {
  const collected = await collect.collect(target, sinceMs, signal);
  return collected.kind === 'read' ? { kind: 'read', anchor: collected } : collected;
}
