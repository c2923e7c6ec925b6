// Fetches the data that a lookup needs and the store lacks: a listing by its key, or a barcode at one retailer or at all of
// them (D36, D37). A forced lookup uses nothing older than the call (D13, D18, D19).

import { isDoneSince } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import { isKnownSlug, type KnownSlug } from '../../../base/retailer.ts';
import type { CollectOutcome, PageOutcome } from '../../collect/collect-outcome.ts';
import type { Collect } from '../../collect/collect.ts';
import { knownMissOf } from '../../collect/known-miss.ts';
import { ofOwnAddress } from '../../collect/asking/failed-fetch.ts';
import { FRESH_MS, STALE_MS } from '../../collect/freshness.ts';
import { isShortLinkKey, listingKeyOf } from '../../collect/listing-key.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { tie } from '../../../rules/product/identity.ts';
import type { Anchor } from '../stored/anchor.ts';
import {
  storedForBarcode,
  storedKey,
  type StoredAnchor,
  type FindStoredParts,
  type KnownKey,
} from './find-stored.ts';
import { NOTHING_STORED, type StoredForBarcode } from '../stored/stored-for-barcode.ts';
import { unanswered, OTHERS } from '../stored/is-answered.ts';
import { noRetailerHasIt, type RetailerReply } from './no-retailer.ts';
import { askedTooEarly } from '../stored/judged-again.ts';
import {
  bareOnly,
  isRetailerB,
  needsUrl,
  type LookupKey,
  type ParsedLookup,
} from './parse-lookup.ts';

export type FetchParts = FindStoredParts & {
  readonly collect: Collect;
  /** Whether an official API of this installation is asked for such an identifier. */
  readonly hasOfficialSource: (identifier: Identifier) => boolean;
};

type KeyOutcome =
  | { readonly kind: 'known'; readonly key: KnownKey }
  | Exclude<CollectOutcome, { kind: 'read' }>;

/** Returns the key with its barcode, which is read from its retailer if it is not stored. */
export async function fetchKey(
  parts: FetchParts,
  key: LookupKey,
  context: FetchContext,
): Promise<KeyOutcome> {
  const known = await storedKey(parts, key);
  if (known !== null) return followShortLink(parts, known, context);
  const { identifier, listing } = key as Extract<LookupKey, { by: 'barcode_of_listing' }>;
  const outcome = await fetchListing(parts, { ...key, by: 'listing', listing }, context);
  if (!('stored' in outcome)) return outcome;
  const { gtin } = outcome.stored.listing;
  if (gtin !== null) return { kind: 'known', key: { identifier, by: 'barcode', gtin } };
  const detail =
    `${listing.retailer} states no barcode for ${listing.key}, so no other retailer can be searched for it. Leave ` +
    `out retailer=.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/** Follows a short link for the first time, to find the product that is looked up. */
async function followShortLink(
  parts: FetchParts,
  key: KnownKey,
  context: FetchContext,
): Promise<KeyOutcome> {
  if (key.by !== 'listing' || !isShortLinkKey(key.listing)) return { kind: 'known', key };
  const outcome = await fetchListing(parts, key, context);
  if (!('stored' in outcome)) {
    const storedAnchor = await parts.store.listings.findListing(
      key.listing.retailer,
      key.listing.key,
    );
    return storedAnchor === null ? outcome : { kind: 'known', key };
  }
  return { kind: 'known', key: (await storedKey(parts, key)) ?? key };
}

type ListingLookupKey = Extract<KnownKey, { by: 'listing' }>;

/**
 * Fetches a listing, unless one from the last day is stored. A negative answer from the last day counts even if a listing from
 * the same day is stored: a forced lookup may since have found it gone.
 */
async function fetchListing(
  parts: FetchParts,
  { listing }: ListingLookupKey,
  context: FetchContext,
): Promise<PageOutcome> {
  const miss = await knownMissOf(parts, listing);
  if (miss !== null) return { kind: 'miss', miss };
  return parts.collect.collect(listing, parts.clock.now() - FRESH_MS, context);
}

/** The anchor of the answer, with the data stored for its barcode if that was read; else the reason why there is none. */
type AnchorOutcome =
  | { readonly kind: 'anchor'; readonly anchor: Anchor; readonly forBarcode: StoredForBarcode }
  | Exclude<CollectOutcome, { kind: 'read' }>;

/** `stored` is the stored data of the key. A forced lookup of a barcode reads it again. */
export async function fetchAnchor(
  parts: FetchParts,
  { retailer, isForced, isBare }: ParsedLookup,
  { key, storedAnchor }: { readonly key: KnownKey; readonly storedAnchor: StoredAnchor },
  context: FetchContext,
): Promise<AnchorOutcome> {
  const sinceMs = isForced ? parts.clock.now() : parts.clock.now() - FRESH_MS;
  if (key.by === 'barcode') {
    const lookup = { parts, gtin: key.gtin, sinceMs };
    return isForced && retailer === null && storedAnchor.anchor !== null
      ? fetchAnchorAgain(lookup, storedAnchor.anchor, context)
      : fetchBarcode(lookup, { retailer, isForced }, storedAnchor, context);
  }
  if (!isForced) return anchored(await fetchListing(parts, key, context), retailer);
  if (isBare && isRetailerB(key.identifier)) {
    // D13: an unforced fetch shows whether retailer_b has this number. If so, the call is refused.
    const known = await parts.collect.collect(key.listing, parts.clock.now() - FRESH_MS, context);
    if ('stored' in known) throw bareOnly(key.identifier);
    return known;
  }
  return anchored(await parts.collect.collect(key.listing, sinceMs, context), retailer);
}

/** D18: with `retailer` no other shop answers, not even the one to which the address leads now. */
function anchored(outcome: PageOutcome, retailer: string | null = null): AnchorOutcome {
  if (outcome.kind === 'moved') {
    const { stored, from } = outcome;
    if (retailer !== null && stored.retailer !== retailer) {
      const detail = `${retailer} no longer shows a product at this address: it leads to ${stored.url}.`;
      return { kind: 'miss', miss: { detail, upstream: null } };
    }
    return { kind: 'anchor', anchor: { stored, identity: null, from }, forBarcode: NOTHING_STORED };
  }
  return outcome.kind === 'read'
    ? { kind: 'anchor', anchor: outcome, forBarcode: NOTHING_STORED }
    : outcome;
}

type BarcodeLookup = {
  readonly parts: FetchParts;
  readonly gtin: Gtin14;
  readonly sinceMs: number;
};

/**
 * Fetches the anchor's page now. If it is gone or now shows another product, its retailer is searched for the barcode: the
 * listing may have a new address.
 */
async function fetchAnchorAgain(
  lookup: BarcodeLookup,
  { stored }: Anchor,
  context: FetchContext,
): Promise<AnchorOutcome> {
  const { parts, gtin, sinceMs } = lookup;
  const listing = listingKeyOf({ kind: 'url', value: stored.url });
  const collected =
    listing === null ? null : await parts.collect.collect(listing, sinceMs, context);
  if (collected?.kind === 'failed') return ofOwnAddress(collected);
  if (collected?.kind === 'read') {
    const { retailer } = stored;
    const identity = tie(gtin, { ...collected.stored, retailer }, parts.isTrustedShop(stored));
    if (identity.state !== 'mismatch') return anchored({ ...collected, identity });
  }
  if (isKnownSlug(stored.retailer)) {
    return fetchBarcode(lookup, { retailer: stored.retailer, isForced: true }, null, context);
  }
  const detail = `${stored.retailer} no longer shows this product at ${stored.url}.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/**
 * D37, D56: asks retailer_w's catalog first. If it has nothing or does not answer, asks all others that were not asked, at
 * once. With `retailer` only that one is asked (D18). The anchor is then chosen from the rows.
 */
async function fetchBarcode(
  lookup: BarcodeLookup,
  { retailer, isForced }: { readonly retailer: string | null; readonly isForced: boolean },
  storedAnchor: StoredAnchor | null,
  context: FetchContext,
): Promise<AnchorOutcome> {
  const { parts, gtin, sinceMs } = lookup;
  if (retailer !== null && !isKnownSlug(retailer)) {
    const outcome = await parts.collect.collectShop(retailer, gtin, sinceMs, context);
    if (outcome === null) throw needsUrl(retailer);
    return outcome.kind === 'read' && outcome.identity?.state === 'mismatch'
      ? noRetailerHasIt([{ slug: retailer, outcome }])
      : anchored(outcome);
  }
  // Done first, because the other steps may query a search engine.
  if (retailer === null && (await parts.collect.collectFromShops(gtin, sinceMs, context))) {
    const found = await storedForBarcode(parts, gtin, null);
    if (
      found.anchor !== null &&
      isDoneSince(found.anchor.stored.fetchedAtMs, sinceMs, parts.clock.now())
    )
      return { kind: 'anchor', anchor: found.anchor, forBarcode: found.forBarcode };
  }
  const first = await ask(lookup, retailer ?? 'retailer_w', context);
  const replies = [first];
  if (retailer === null && !isUsable(first.outcome)) {
    const asking = { canAsk: parts.canAskByBarcode, nowMs: parts.clock.now() };
    const open =
      isForced || storedAnchor === null ? OTHERS : unanswered(storedAnchor.forBarcode, asking);
    // A retailer that cannot be asked sends no request; its reply lets a failure message include it.
    const others = OTHERS.filter((slug) => open.includes(slug) || !asking.canAsk(slug));
    replies.push(...(await Promise.all(others.map((slug) => ask(lookup, slug, context)))));
  }
  const { anchor, forBarcode } = await judgedBarcode(lookup, retailer, context);
  const nowMs = parts.clock.now();
  if (anchor !== null && isServable(anchor, replies, { sinceMs, isForced, nowMs })) {
    return { kind: 'anchor', anchor, forBarcode };
  }
  const [only, second] = replies;
  if (only !== undefined && second === undefined && only.outcome.kind !== 'read') {
    return only.outcome;
  }
  return noRetailerHasIt(replies);
}

/** A retailer's confirmed listing may change how another's hits are judged, which may change a further judgement. */
const MOST_ROUNDS = 2;

/** Returns the stored data, after re-asking retailers whose hits were judged too early (D56). */
async function judgedBarcode(
  lookup: BarcodeLookup,
  retailer: string | null,
  context: FetchContext,
): Promise<StoredAnchor> {
  const { parts, gtin } = lookup;
  let storedAnchor = await storedForBarcode(parts, gtin, retailer);
  const rounds = retailer === null ? MOST_ROUNDS : 0;
  for (let round = 0; round < rounds; round += 1) {
    const early = askedTooEarly(
      storedAnchor.forBarcode,
      storedAnchor.anchor,
      parts.canAskByBarcode,
    );
    if (early.length === 0) break;
    await Promise.all(early.map((slug) => ask(lookup, slug, context)));
    storedAnchor = await storedForBarcode(parts, gtin, retailer);
  }
  return storedAnchor;
}

/**
 * Checks whether an anchor that no reply of this call returned may answer. Never if the call forces a fetch. If its own
 * retailer has just answered that it has nothing, only while the listing is within the age limit for a stored one.
 */
function isServable(
  { stored }: Anchor,
  replies: readonly RetailerReply[],
  { sinceMs, isForced, nowMs }: { sinceMs: number; isForced: boolean; nowMs: number },
): boolean {
  if (isDoneSince(stored.fetchedAtMs, sinceMs, nowMs)) return true;
  if (isForced) return false;
  const reply = replies.find(({ slug }) => slug === stored.retailer);
  return reply?.outcome.kind !== 'miss' || nowMs - stored.fetchedAtMs <= STALE_MS;
}

async function ask(
  { parts, gtin, sinceMs }: BarcodeLookup,
  slug: KnownSlug,
  context: FetchContext,
): Promise<RetailerReply> {
  return { slug, outcome: await parts.collect.collectBarcode(slug, gtin, sinceMs, context) };
}

/** Checks whether the outcome may be the anchor: a mismatch is another product. */
function isUsable(outcome: CollectOutcome): outcome is Extract<CollectOutcome, { kind: 'read' }> {
  return outcome.kind === 'read' && outcome.identity?.state !== 'mismatch';
}
