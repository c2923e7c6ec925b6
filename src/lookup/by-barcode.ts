// A barcode: what is held under it, and whom to ask when nothing is (D36, D37).

import { FaultError, type Fault } from '../domain/fault.ts';
import type { Gtin14 } from '../domain/gtin.ts';
import type { Identity } from '../domain/identity.ts';
import type { StoredListing } from '../domain/product.ts';
import { KNOWN_SLUGS, isKnownSlug, type KnownSlug } from '../domain/retailer.ts';
import { chooseAnchor } from '../domain/source-order.ts';
import type { Store } from '../store/store.ts';
import type { Collect } from './collect.ts';
import type { Collected } from './collected.ts';
import type { Miss } from './misses.ts';

/** The anchor of a barcode lookup, with its tie to the barcode; null identity: its own page was submitted. */
export type BarcodeAnchor = {
  readonly stored: StoredListing;
  readonly identity: Identity | null;
};

/** Listings that publish the barcode, and those that a cell ties to it without contradiction. */
export async function heldByBarcode(
  store: Store,
  gtin: Gtin14,
  retailer: string | null,
): Promise<BarcodeAnchor | null> {
  const anchors = new Map<string, BarcodeAnchor>();
  for (const stored of await store.catalog.findListingsByGtin(gtin)) {
    anchors.set(stored.id, { stored, identity: null });
  }
  for (const cell of await store.cells.findCells(gtin)) {
    if (cell.listingId === null || cell.identity.state === 'mismatch') continue;
    const known = anchors.get(cell.listingId)?.stored;
    const stored = known ?? (await store.catalog.findListingById(cell.listingId));
    if (stored !== null) anchors.set(stored.id, { stored, identity: cell.identity });
  }
  const all = [...anchors.values()];
  if (retailer !== null) return all.find((each) => each.stored.retailer === retailer) ?? null;
  const best = chooseAnchor(all.map((each) => each.stored));
  return best === null ? null : (anchors.get(best.id) ?? null);
}

type Ask = {
  readonly collect: Collect;
  readonly gtin: Gtin14;
  readonly sinceMs: number;
};

/** What asking came to: an anchor, "not there" from those who could know, or nobody knows. */
export type BarcodeAnswer =
  | { readonly kind: 'read'; readonly anchor: BarcodeAnchor }
  | { readonly kind: 'miss'; readonly miss: Miss }
  | { readonly kind: 'failed'; readonly fault: Fault };

/**
 * D37: retailer_w's catalog first; when it has nothing the others at once, and the best answers. With
 * `retailer` only that one is asked (D18).
 */
export async function askByBarcode(
  ask: Ask,
  retailer: string | null,
  signal: AbortSignal,
): Promise<BarcodeAnswer> {
  if (retailer !== null) {
    if (!isKnownSlug(retailer)) {
      const found = await ask.collect.collectShop(retailer, ask.gtin, ask.sinceMs, signal);
      if (found === null) throw new FaultError(needsUrl(retailer));
      return answerOf([found]);
    }
    return answerOf([await askOne(ask, retailer, signal)]);
  }
  const first = await askOne(ask, 'retailer_w', signal);
  if (isUsable(first)) return answerOf([first]);
  const others = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_w');
  return answerOf([first, ...(await Promise.all(others.map((slug) => askOne(ask, slug, signal))))]);
}

async function askOne(ask: Ask, slug: KnownSlug, signal: AbortSignal): Promise<Collected> {
  return ask.collect.collectBarcode(slug, ask.gtin, ask.sinceMs, signal);
}

/** A mismatch is another product: it anchors nothing. */
function isUsable(collected: Collected): collected is Extract<Collected, { kind: 'read' }> {
  return collected.kind === 'read' && collected.identity?.state !== 'mismatch';
}

function answerOf(all: readonly Collected[]): BarcodeAnswer {
  const usable = all.filter(isUsable);
  const best = chooseAnchor(usable.map((each) => each.stored));
  if (best !== null) {
    const identity = usable.find((each) => each.stored.id === best.id)?.identity ?? null;
    return { kind: 'read', anchor: { stored: best, identity } };
  }
  const failed = all.find((each) => each.kind === 'failed');
  if (failed !== undefined) return failed;
  const miss = all.find((each) => each.kind === 'miss');
  const detail = 'Every retailer that was asked shows another product for this barcode.';
  return miss ?? { kind: 'miss', miss: { detail, upstream: null } };
}

/** D46. */
function needsUrl(retailer: string): Fault {
  return {
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail: `"${retailer}" is asked by address: send the URL of a product page on that shop.`,
  };
}
