// Fetches what a lookup needs and the store does not hold: a listing by its key, or a barcode at one retailer or at all
// of them (D36, D37). Forced lookups take nothing that is older than the call (D13, D18, D19).

import { isDoneSince } from '../../core/clock.ts';
import type { FetchContext } from '../../core/fetch-context.ts';
import { isKnownSlug, type KnownSlug } from '../../core/retailer.ts';
import type { CollectOutcome } from '../../collect/collect-outcome.ts';
import type { Collect } from '../../collect/collect.ts';
import { ofOwnAddress } from '../../collect/asking/failed-fetch.ts';
import { FRESH_MS, STALE_MS } from '../../collect/freshness.ts';
import { isShortLinkKey, listingKeyOf } from '../../collect/listing-key.ts';
import type { Gtin14 } from '../../identifiers/gtin.ts';
import { tie } from '../../product/identity.ts';
import type { Anchor } from '../held/anchor.ts';
import {
  heldForBarcode,
  heldKey,
  type HeldAnchor,
  type HeldParts,
  type KnownKey,
} from './find-held.ts';
import { NOTHING_HELD, type HeldForBarcode } from '../held/held-for-barcode.ts';
import { unanswered, OTHERS } from '../held/is-answered.ts';
import { noRetailerHasIt, type RetailerReply } from './no-retailer.ts';
import { askedTooEarly } from '../held/judged-anew.ts';
import {
  bareOnly,
  isRetailerB,
  needsUrl,
  type LookupKey,
  type ParsedLookup,
} from './parse-lookup.ts';

export type FetchParts = HeldParts & { readonly collect: Collect };

type KeyOutcome =
  | { readonly kind: 'known'; readonly key: KnownKey }
  | Exclude<CollectOutcome, { kind: 'read' }>;

/** The key with its barcode, read from its retailer where that is not held. */
export async function fetchKey(
  parts: FetchParts,
  key: LookupKey,
  context: FetchContext,
): Promise<KeyOutcome> {
  const known = await heldKey(parts, key);
  if (known !== null) return followShortLink(parts, known, context);
  const { identifier, listing } = key as Extract<LookupKey, { by: 'barcode_of_listing' }>;
  const outcome = await fetchListing(parts, { ...key, by: 'listing', listing }, context);
  if (outcome.kind !== 'read') return outcome;
  const { gtin } = outcome.stored.listing;
  if (gtin !== null) return { kind: 'known', key: { identifier, by: 'barcode', gtin } };
  const detail =
    `${listing.retailer} states no barcode for ${listing.key}, so no other retailer can be searched for it. Leave ` +
    `out retailer=.`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/** A short link that was never followed is, to know the product that is looked up. */
async function followShortLink(
  parts: FetchParts,
  key: KnownKey,
  context: FetchContext,
): Promise<KeyOutcome> {
  if (key.by !== 'listing' || !isShortLinkKey(key.listing)) return { kind: 'known', key };
  const outcome = await fetchListing(parts, key, context);
  if (outcome.kind !== 'read') {
    const held = await parts.store.listings.findListing(key.listing.retailer, key.listing.key);
    return held === null ? outcome : { kind: 'known', key };
  }
  return { kind: 'known', key: (await heldKey(parts, key)) ?? key };
}

type ListingLookupKey = Extract<KnownKey, { by: 'listing' }>;

/**
 * Nothing older than a day is taken. A negative answer of the last day stands even where a listing of the same day is
 * held: a forced lookup may have found since that it is gone.
 */
async function fetchListing(
  { collect, clock }: FetchParts,
  { listing }: ListingLookupKey,
  context: FetchContext,
): Promise<CollectOutcome> {
  const miss = await collect.knownMiss(listing);
  if (miss !== null) return { kind: 'miss', miss };
  return collect.collect(listing, clock.now() - FRESH_MS, context);
}

/** The anchor that answers, with what is held of its barcode where that was read; else why there is none. */
export type AnchorOutcome =
  | { readonly kind: 'anchor'; readonly anchor: Anchor; readonly forBarcode: HeldForBarcode }
  | Exclude<CollectOutcome, { kind: 'read' }>;

/** `held`: what is held of the key, which a forced lookup of a barcode reads again. */
export async function fetchAnchor(
  parts: FetchParts,
  { retailer, isForced, isBare }: ParsedLookup,
  { key, held }: { readonly key: KnownKey; readonly held: HeldAnchor },
  context: FetchContext,
): Promise<AnchorOutcome> {
  const sinceMs = isForced ? parts.clock.now() : parts.clock.now() - FRESH_MS;
  if (key.by === 'barcode') {
    const lookup = { parts, gtin: key.gtin, sinceMs };
    return isForced && retailer === null && held.anchor !== null
      ? fetchAnchorAgain(lookup, held.anchor, context)
      : fetchBarcode(lookup, { retailer, isForced }, held, context);
  }
  if (!isForced) return anchored(await fetchListing(parts, key, context));
  if (isBare && isRetailerB(key.identifier)) {
    // D13: a fetch that is not forced shows whether retailer_b has this number; if so, the call is refused.
    const known = await parts.collect.collect(key.listing, parts.clock.now() - FRESH_MS, context);
    if (known.kind === 'read') throw bareOnly(key.identifier);
    return known;
  }
  return anchored(await parts.collect.collect(key.listing, sinceMs, context));
}

function anchored(outcome: CollectOutcome): AnchorOutcome {
  return outcome.kind === 'read'
    ? { kind: 'anchor', anchor: outcome, forBarcode: NOTHING_HELD }
    : outcome;
}

type BarcodeLookup = {
  readonly parts: FetchParts;
  readonly gtin: Gtin14;
  readonly sinceMs: number;
};

/**
 * The anchor's page, fetched now. When it is gone, or became another product's, its retailer is searched for the
 * barcode: the listing may have another address now.
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
 * D37, D56: retailer_w's catalog first; when it has nothing or does not answer, all others that were not asked, at once.
 * With `retailer` only that one is asked (D18). The anchor is chosen from the rows as they are then.
 */
async function fetchBarcode(
  lookup: BarcodeLookup,
  { retailer, isForced }: { readonly retailer: string | null; readonly isForced: boolean },
  held: HeldAnchor | null,
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
  const first = await ask(lookup, retailer ?? 'retailer_w', context);
  const replies = [first];
  if (retailer === null && !isUsable(first.outcome)) {
    const asking = { canAsk: parts.canAskByBarcode, nowMs: parts.clock.now() };
    const open = isForced || held === null ? OTHERS : unanswered(held.forBarcode, asking);
    // One that cannot be asked sends no request, and a failure names it.
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

/** What one retailer confirms may change what another's hits are taken for, and that once more. */
const MOST_ROUNDS = 2;

/** What is held now, after asking those again whose hits were judged too early (D56). */
async function judgedBarcode(
  lookup: BarcodeLookup,
  retailer: string | null,
  context: FetchContext,
): Promise<HeldAnchor> {
  const { parts, gtin } = lookup;
  let held = await heldForBarcode(parts, gtin, retailer);
  const rounds = retailer === null ? MOST_ROUNDS : 0;
  for (let round = 0; round < rounds; round += 1) {
    const early = askedTooEarly(held.forBarcode, held.anchor, parts.canAskByBarcode);
    if (early.length === 0) break;
    await Promise.all(early.map((slug) => ask(lookup, slug, context)));
    held = await heldForBarcode(parts, gtin, retailer);
  }
  return held;
}

/**
 * Whether an anchor may answer that no reply of this call brought. Never where the call forces a fetch; and where its own
 * retailer has just said that it has nothing, only while the listing is as new as one that is held may be.
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

/** A mismatch is another product: it anchors nothing. */
function isUsable(outcome: CollectOutcome): outcome is Extract<CollectOutcome, { kind: 'read' }> {
  return outcome.kind === 'read' && outcome.identity?.state !== 'mismatch';
}
