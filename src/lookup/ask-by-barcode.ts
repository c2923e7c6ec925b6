// A barcode: what is held under it, and whom to ask when nothing is (D36, D37).

import { FaultError, type Fault } from '../core/fault.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import { tie, type Identity } from '../product/identity.ts';
import { KNOWN_SLUGS, isKnownSlug, type KnownSlug } from '../core/retailer.ts';
import { anchorOrder } from '../product/source-order.ts';
import { CANNOT_ASK } from '../collect/ask-retailer.ts';
import type { Collect } from '../collect/collect.ts';
import type { CollectOutcome } from '../collect/collect-outcome.ts';
import type { HeldForBarcode } from './held-for-barcode.ts';
import type { Matching } from '../matching/matcher.ts';
import type { Miss } from '../store/misses.ts';
import type { StoredListing } from '../listing/stored-listing.ts';

/** The anchor of a barcode lookup, with its tie to the barcode; null identity: its own page was submitted. */
export type Anchor = {
  readonly stored: StoredListing;
  readonly identity: Identity | null;
};

/** Listings that publish the barcode, and those that a cell ties to it without contradiction. */
export function heldByBarcode(
  matching: Matching,
  { gtin, cells, listings }: HeldForBarcode,
  retailer: string | null,
): Anchor | null {
  const anchors = new Map<string, Anchor>();
  if (gtin === null) return null;
  for (const stored of listings) {
    // What the listing says now decides: it may have been read again since it was tied.
    const identity = tie(gtin, stored.retailer, stored.listing.gtin, stored.fetchedAtMs);
    if (identity.state === 'mismatch') continue;
    const isTied = cells.some((each) => each.listingId === stored.id);
    anchors.set(stored.id, { stored, identity: isTied ? identity : null });
  }
  const all = [...anchors.values()];
  if (retailer !== null) return all.find((each) => each.stored.retailer === retailer) ?? null;
  const best = anchorAmong(
    matching,
    gtin,
    all.map((each) => each.stored),
  );
  return best === null ? null : (anchors.get(best.id) ?? null);
}

/**
 * The listing that speaks for a barcode: the first in order that does not contradict the others that publish it. A
 * listing that was filed under a wrong barcode anchors nothing once the others tell (D27, D40).
 */
function anchorAmong(
  matching: Matching,
  gtin: Gtin14,
  listings: readonly StoredListing[],
): StoredListing | null {
  const ordered = anchorOrder(listings);
  const carriers = ordered.filter((each) => each.listing.gtin === gtin);
  const { agreeing } = matching.agreementOf(carriers);
  return ordered.find((each) => !carriers.includes(each) || agreeing.includes(each)) ?? null;
}

export type BarcodeLookup = {
  readonly collect: Collect;
  readonly matching: Matching;
  readonly gtin: Gtin14;
  readonly sinceMs: number;
};

/** What asking came to: an anchor, "not there" from those who could know, or nobody knows. */
export type AnchorOutcome =
  | { readonly kind: 'read'; readonly anchor: Anchor }
  | { readonly kind: 'miss'; readonly miss: Miss }
  | { readonly kind: 'failed'; readonly fault: Fault };

/**
 * D37: retailer_w's catalog first; when it has nothing the others at once, and the best answers. With
 * `retailer` only that one is asked (D18).
 */
export async function askByBarcode(
  ask: BarcodeLookup,
  retailer: string | null,
  signal: AbortSignal,
): Promise<AnchorOutcome> {
  if (retailer !== null) {
    if (!isKnownSlug(retailer)) {
      const found = await ask.collect.collectShop(retailer, ask.gtin, ask.sinceMs, signal);
      if (found === null) throw new FaultError(needsUrl(retailer));
      return answerOf(ask, [{ slug: retailer, collected: found }]);
    }
    return answerOf(ask, [await askOne(ask, retailer, signal)]);
  }
  const first = await askOne(ask, 'retailer_w', signal);
  if (isUsable(first.collected)) return answerOf(ask, [first]);
  const others = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_w');
  return answerOf(ask, [
    first,
    ...(await Promise.all(others.map((slug) => askOne(ask, slug, signal)))),
  ]);
}

type RetailerReply = { readonly slug: string; readonly collected: CollectOutcome };

async function askOne(
  ask: BarcodeLookup,
  slug: KnownSlug,
  signal: AbortSignal,
): Promise<RetailerReply> {
  const collected = await ask.collect.collectBarcode(slug, ask.gtin, ask.sinceMs, signal);
  return { slug, collected };
}

/** A mismatch is another product: it anchors nothing. */
function isUsable(
  collected: CollectOutcome,
): collected is Extract<CollectOutcome, { kind: 'read' }> {
  return collected.kind === 'read' && collected.identity?.state !== 'mismatch';
}

function answerOf({ matching, gtin }: BarcodeLookup, all: readonly RetailerReply[]): AnchorOutcome {
  const usable = all.map((each) => each.collected).filter(isUsable);
  const best = anchorAmong(
    matching,
    gtin,
    usable.map((each) => each.stored),
  );
  if (best !== null) {
    const identity = usable.find((each) => each.stored.id === best.id)?.identity ?? null;
    return { kind: 'read', anchor: { stored: best, identity } };
  }
  const [only, second] = all;
  if (only !== undefined && second === undefined && only.collected.kind !== 'read') {
    return only.collected;
  }
  return nobodyHasIt(all);
}

/** Where the failure itself names no time, as when an answer could not be read. */
const RETRY_AFTER_SECONDS = 3_600;

/**
 * D36: "not there" needs the word of every retailer that could know. One that no source of this installation can
 * ask could not, and to try again later would not change it; one that did not answer could.
 */
function nobodyHasIt(all: readonly RetailerReply[]): AnchorOutcome {
  const silent: { readonly slug: string; readonly fault: Fault }[] = [];
  const notAskable: string[] = [];
  for (const { slug, collected } of all) {
    if (collected.kind !== 'failed') continue;
    if (collected.fault === CANNOT_ASK.fault) notAskable.push(slug);
    else silent.push({ slug, fault: collected.fault });
  }
  const [first] = silent;
  if (first !== undefined) {
    const { fault } = silent.find((each) => each.fault.code === 'upstream_unavailable') ?? first;
    const slugs = silent.map((each) => each.slug).join(', ');
    const detail = `No answer from ${slugs}; no other retailer has the product. ${fault.detail}`;
    const retryAfterSeconds = fault.retryAfterSeconds ?? RETRY_AFTER_SECONDS;
    return {
      kind: 'failed',
      fault: { ...fault, code: 'upstream_unavailable', retryAfterSeconds, detail },
    };
  }
  if (notAskable.length === all.length) return { kind: 'failed', fault: CANNOT_ASK.fault };
  const left =
    notAskable.length === 0
      ? ''
      : ` Not asked, because no source is configured for them: ${notAskable.join(', ')}.`;
  const detail = `No retailer that was asked has a product with this barcode.${left}`;
  return { kind: 'miss', miss: { detail, upstream: null } };
}

/** D46. */
function needsUrl(retailer: string): Fault {
  return {
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail: `"${retailer}" cannot be searched by identifier. Send the URL of a product page of that shop.`,
  };
}
