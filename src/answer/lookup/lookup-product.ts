// The product lookup: parse the identifier, find stored data, fetch missing data, compose. Its callers charge and answer.
// Each step has its own file, in `steps`.

import type { AddOns } from '../../base/call-cost.ts';
import { barcodeRemark } from '../../base/identifiers/code-remarks.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { Slug } from '../../base/retailer.ts';
import { later } from '../../base/once.ts';
import { faultOfMiss, knownMissOf } from '../collect/known-miss.ts';
import type { Product } from '../../rules/product/product.ts';
import type { Anchor } from './stored/anchor.ts';
import type { Assemble } from './steps/assemble-product.ts';
import type { FetchParts } from './steps/fetch-missing.ts';
import { findStored, storedKey, type KnownKey } from './steps/find-stored.ts';
import {
  NOTHING_STORED,
  readStoredForBarcode,
  type StoredForBarcode,
} from './stored/stored-for-barcode.ts';
import type { ReadSession } from './cache/read-session.ts';
import type { Identify } from './steps/identify.ts';
import type { LookupKey, ParsedLookup, ProductRequest } from './steps/parse-lookup.ts';
import { needsFetch, type LiveAddOns } from './add-ons/product-add-ons.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import {
  backgroundJobs,
  notAskedYet,
  ONCE_IN_MS,
  type ScheduleInBackground,
} from './steps/schedule.ts';

/** Loaded with the first fetch: an answer from the store does not need it. */
const fetching = later(() => import('./steps/fetch-missing.ts'));

/** A lookup and its result: a product, or its comparison over the retailers. */
export type Lookup<Found> = {
  /** Throws the fault of a request that can never be answered; reads and fetches nothing. */
  parse(request: ProductRequest): ParsedLookup;
  /** Answers from the store. Null if something must be fetched first. */
  fromStore(lookup: ParsedLookup): Promise<Found | null>;
  /** Fetches the missing data within the context's deadline. */
  fromShops(lookup: ParsedLookup, context: FetchContext): Promise<Found>;
};

export type LookupProduct = Lookup<Product>;

/**
 * Returns the record of a page that an organization has just brought, as the organization sees it; null if it is not
 * stored. Fetches nothing.
 */
export type OwnRecord = (
  identifier: Identifier,
  organizationId: string,
  addOns?: Pick<AddOns, 'includeCrossRetailer'>,
) => Promise<Product | null>;

/** A lookup that reads the store only through the call's session. */
export type SessionLookup<Found> = {
  /** As `Lookup.fromStore`. The session then states the basis of the answer. */
  readonly fromStore: (session: ReadSession, lookup: ParsedLookup) => Promise<Found | null>;
  /** As `Lookup.fromShops`; the session reads the primary. */
  readonly fromShops: (
    session: ReadSession,
    lookup: ParsedLookup,
    context: FetchContext,
  ) => Promise<Found>;
};

export type LookupParts<Found> = Omit<FetchParts, 'store'> & {
  readonly assemble: Assemble<Found>;
  readonly addLive: LiveAddOns<Found>;
  /** Called when nothing was found. Null if no other source can be asked. */
  readonly identify?: Identify<Found> | null;
  /** Called for every answer: queues the listings to fetch afterwards (D37, D38). Null if nothing is fetched. */
  readonly scheduleInBackground: ScheduleInBackground | null;
  /** Whether every answer shows which retailers are queued. */
  readonly showsQueue?: boolean;
};

/** The parts of one call. */
type CallParts<Found> = LookupParts<Found> & { readonly store: ReadSession };

export function createLookup<Found>(made: LookupParts<Found>): SessionLookup<Found> {
  return {
    fromStore: async (store, lookup) => {
      const parts = { ...made, store };
      const storedAnchor = needsFetch(lookup.addOns)
        ? null
        : await anchoredFromStore(parts, lookup);
      return storedAnchor === null ? null : compose(parts, lookup, storedAnchor);
    },
    fromShops: async (store, lookup, context) => {
      const parts = { ...made, store };
      const live = needsFetch(lookup.addOns);
      const sinceMs = parts.clock.now();
      const anchored =
        (live ? await anchoredFromStore(parts, lookup) : null) ??
        (await anchoredFromShops(parts, lookup, context).catch((error: unknown) => ({ error })));
      const product = await ('error' in anchored
        ? identified(parts, lookup, { error: anchored.error, context })
        : compose(parts, lookup, anchored));
      if (!live) return product;
      const recompose = async (page: StoredListing) =>
        'error' in anchored
          ? product
          : compose(parts, lookup, withPage(anchored, await asOwn(parts, lookup, page)));
      return parts.addLive(product, lookup.addOns, { context, sinceMs, recompose });
    },
  };
}

/** Returns the known facts about a product that no retailer has (D86). Throws the given error if there are none. */
async function identified<Found>(
  { identify = null, store }: CallParts<Found>,
  lookup: ParsedLookup,
  missed: { readonly error: unknown; readonly context: FetchContext },
): Promise<Found> {
  if (identify === null) throw missed.error;
  return identify(store, lookup, missed);
}

/**
 * Replaces the anchor with a page that was read since, if that page is the anchor's. What is stored for the barcode must be
 * read again.
 */
function withPage(anchored: Anchored, page: StoredListing): Anchored {
  const { anchor } = anchored;
  const isAnchor = page.id === anchor.stored.id;
  return {
    ...anchored,
    anchor: isAnchor ? { ...anchor, stored: page } : anchor,
    forBarcode: NOTHING_STORED,
  };
}

/** Returns the anchor of the first key that is not known to be missing; null if its listing is not stored, or too old. */
async function anchoredFromStore(
  parts: FetchParts,
  lookup: ParsedLookup,
): Promise<Anchored | null> {
  if (lookup.isForced) return null;
  for (const each of lookup.keys) {
    const key = await storedKey(parts, each);
    if (key === null) return null;
    const miss = key.by === 'listing' ? await knownMissOf(parts, key.listing) : null;
    if (miss !== null && lookup.own === null) continue;
    const { anchor, isAnswered, forBarcode } = await findStored(parts, lookup, key);
    if (miss !== null && !isOwnSince(anchor, miss.notedAtMs)) continue;
    return anchor === null || !isAnswered ? null : { key, anchor, forBarcode };
  }
  return null;
}

/** Returns the new reading as the organization sees it: its rules may have given it a row of its own (D85). */
async function asOwn(
  { store }: FetchParts,
  { own }: ParsedLookup,
  read: StoredListing,
): Promise<StoredListing> {
  return own === null ? read : ((await store.listings.findListingById(read.id)) ?? read);
}

/** Whether the organization itself has seen the listing since its shop said that there is none (D84). */
function isOwnSince(anchor: Anchor | null, sinceMs: number): boolean {
  const stored = anchor?.stored;
  return stored?.owner !== undefined && stored.isForeign !== true && stored.fetchedAtMs > sinceMs;
}

/**
 * Returns the anchor of the first key that resolves to something. If none does, throws the fault of the first that did not.
 */
async function anchoredFromShops(
  parts: FetchParts,
  lookup: ParsedLookup,
  context: FetchContext,
): Promise<Anchored> {
  const misses: Missed[] = [];
  const cannotAsk: Slug[] = [];
  for (const [at, each] of lookup.keys.entries()) {
    const { fetchKey } = await fetching.load();
    const resolved = await fetchKey(parts, each, context);
    const outcome =
      resolved.kind === 'known'
        ? await fetchForKey(parts, lookup, resolved.key, context)
        : resolved;
    if (outcome.kind === 'anchored') {
      const { anchor } = outcome.anchored;
      const stored = await asOwn(parts, lookup, anchor.stored);
      return { ...outcome.anchored, anchor: { ...anchor, stored }, cannotAsk };
    }
    if (
      outcome.kind === 'failed' &&
      outcome.cannotAsk === true &&
      isSku(parts, lookup.keys[at + 1])
    ) {
      cannotAsk.push('retailer_w');
      misses.push({ identifier: each.identifier, fault: NOT_QUERIED, isFailure: false });
      continue;
    }
    // D75: no retailer answered for the barcode of a Digital Link. Its page may still identify the product.
    const isPageLeft =
      'gtin14' in each.identifier && lookup.keys[at + 1]?.identifier.kind === 'url';
    // The fault of an earlier meaning remains if no source of this installation can be asked about this one.
    if (misses.length > 0 && outcome.kind === 'failed' && outcome.cannotAsk === true) continue;
    if (outcome.kind === 'failed' && !isPageLeft) {
      const [first] = misses;
      throw new FaultError(first?.isFailure === true ? first.fault : outcome.fault);
    }
    const isFailure = outcome.kind === 'failed';
    const fault = isFailure ? outcome.fault : faultOfMiss(outcome.miss).fault;
    misses.push({ identifier: each.identifier, fault, isFailure });
  }
  throw nothingFound(misses);
}

/**
 * D78: the next key is a SKU, for which retailer_b's official API is asked. That retailer_w cannot be asked at all then
 * counts as its answer "not found". The result is not stored as the meaning of the number, which may be retailer_w's.
 */
function isSku({ hasOfficialSource }: FetchParts, key: LookupKey | undefined): boolean {
  return key?.identifier.kind === 'retailer_b_sku' && hasOfficialSource(key.identifier);
}

const NOT_QUERIED: Fault = {
  code: 'not_found',
  detail:
    'This installation cannot search the catalog of retailer_w: it has no source for it, or ' +
    'robots.txt forbids its pages.',
};

type Missed = {
  readonly identifier: Identifier;
  readonly fault: Fault;
  /** Whether a source that gave no answer may know the identifier. */
  readonly isFailure: boolean;
};

/** D67: states which retailers were asked, the answer of each, and possible mistakes in the digits as a barcode. */
function nothingFound(misses: readonly Missed[]): FaultError {
  const [first] = misses;
  if (first === undefined) {
    return new FaultError({
      code: 'not_found',
      detail: 'No product was found for this identifier.',
    });
  }
  const said = misses.map(({ identifier, fault }) => {
    const { detail } = fault;
    const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`;
    return fault === NOT_QUERIED ? sentence : `${whoWasAsked(identifier)}${sentence}`;
  });
  return new FaultError({ ...first.fault, detail: [...new Set(said)].join(' ') + remarkOn(first) });
}

/** Returns advice to the caller about the first question asked. */
function remarkOn({ identifier, fault }: Missed): string {
  if (identifier.kind === 'item_id') return barcodeRemark(identifier.value);
  if (identifier.kind !== 'url' || fault.code !== 'not_found') return '';
  return fault.upstream === 'not_a_product'
    ? ' Send the address of a product page.'
    : ' Check the address: the page may be gone.';
}

/** The meaning in which digits and letters were looked up, if a text can have several. */
const TAKEN_FOR: Partial<Record<Identifier['kind'], string>> = {
  asin: 'ASIN ',
  item_id: 'item_id ',
  retailer_b_sku: 'SKU ',
  retailer_b_product_id: 'product id ',
};

/** Returns the words before a retailer's answer; none if several were asked. */
function whoWasAsked(identifier: Identifier): string {
  if ('retailer' in identifier) {
    const { retailer, kind, value } = identifier;
    return `${retailer}, queried for ${TAKEN_FOR[kind] ?? ''}${value}: `;
  }
  const host = identifier.kind === 'url' ? URL.parse(identifier.value)?.host : undefined;
  return host === undefined ? '' : `${host}, queried for this page: `;
}

async function fetchForKey(
  parts: FetchParts,
  lookup: ParsedLookup,
  key: KnownKey,
  context: FetchContext,
) {
  const storedAnchor = await findStored(parts, lookup, key);
  const anchored = (anchor: Anchor, forBarcode: StoredForBarcode) => ({
    kind: 'anchored' as const,
    anchored: { key, anchor, forBarcode },
  });
  // A read replica may have lacked data that is stored on the primary.
  if (
    key.by === 'barcode' &&
    !lookup.isForced &&
    storedAnchor.isAnswered &&
    storedAnchor.anchor !== null
  ) {
    return anchored(storedAnchor.anchor, storedAnchor.forBarcode);
  }
  const { fetchAnchor } = await fetching.load();
  const outcome = await fetchAnchor(parts, lookup, { key, storedAnchor }, context);
  if (outcome.kind === 'anchor') return anchored(outcome.anchor, outcome.forBarcode);
  // D38: if the fetch fails, stored data is served; but a forced refresh never returns stale data (D19).
  const isStaleServed = outcome.kind === 'failed' && !lookup.isForced;
  return isStaleServed && storedAnchor.anchor !== null
    ? anchored(storedAnchor.anchor, NOTHING_STORED)
    : outcome;
}

type Anchored = {
  readonly key: KnownKey;
  readonly anchor: Anchor;
  /** What has been read for the barcode so far: `NOTHING_STORED` for a listing. */
  readonly forBarcode: StoredForBarcode;
  /** Retailers that would have been asked first and cannot be asked here (D78). */
  readonly cannotAsk?: readonly Slug[];
};

/**
 * Makes the lookup's result. Follow-up fetches are queued, before composing if the answer shows which retailers are queued.
 * A forced call asks its retailer and no other (D19).
 */
async function compose<Found>(
  parts: CallParts<Found>,
  lookup: ParsedLookup,
  { key, anchor, forBarcode, cannotAsk = [] }: Anchored,
): Promise<Found> {
  const { store, scheduleInBackground } = parts;
  const gtin = key.by === 'barcode' ? key.gtin : anchor.stored.listing.gtin;
  // Data that was just fetched is stored by now, and is read with the rest.
  const storedAnchor =
    forBarcode.gtin === gtin ? forBarcode : await readStoredForBarcode(parts, gtin);
  let notAsked: readonly Slug[] = [];
  if (!lookup.isForced && scheduleInBackground !== null) {
    const { organizationId, addOns } = lookup;
    const isOwn = key.by === 'listing';
    const known = lookup.anchorOnly ? NOTHING_STORED : storedAnchor;
    const { stored, from } = anchor;
    const answered = { ...known, anchor: stored, ...(from && { from }), isOwn, organizationId };
    // Background fetches may be queued again after a while: the answer is reused until then.
    store.endsAt(() => {
      const nowMs = parts.clock.now();
      const isOpen = backgroundJobs(answered, parts.canAskByBarcode, nowMs).length > 0;
      return isOpen ? nowMs + ONCE_IN_MS : null;
    });
    const done = scheduleInBackground(answered);
    if (addOns.includeCrossRetailer === true || parts.showsQueue === true) await done;
    notAsked = lookup.retailer === null ? notAskedYet(known, parts.canAskByBarcode) : [];
  }
  return parts.assemble(store, {
    lookup,
    identifier: key.identifier,
    anchor,
    forBarcode: storedAnchor,
    notAsked,
    cannotAsk,
  });
}
