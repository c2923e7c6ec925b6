// The questions of a due watch: its listings, as far as they are known, else its barcode at the retailers that may have it.
// Only that is fetched (D70). Only reads.

import type { CanAskByBarcode } from '../../collect/asking/source-access.ts';
import { listingKeyOf, type ListingKey } from '../../collect/listing-key.ts';
import { shownAt } from '../../collect/shown-at.ts';
import { slugOf } from '../../collect/slug-of.ts';
import { isKnownSlug, KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import { ANCHOR_ORDER } from '../../../rules/product/source-order.ts';
import { listingIdOf } from '../../../data/answers/listings.ts';
import type { JobSubject } from '../../../data/turns/jobs.ts';
import type { Store } from '../../../data/store.ts';
import type { Reads } from '../cache/read-session.ts';
import type { Watch } from '../../../rules/watches/stored-watch.ts';
import { NEW_STATE } from '../../../rules/watches/watch.ts';
import { storedForBarcode, type FindStoredParts } from '../steps/find-stored.ts';
import { parseInput, type Input } from '../steps/parse-input.ts';

type WatchQuestion = {
  readonly subject: JobSubject;
  /** The requested listing; null if it only becomes known with the answer. */
  readonly listingId: string | null;
};

/** Returns a watch's questions, at most one for each retailer or address. */
type QuestionsOf = (watch: Watch) => Promise<readonly WatchQuestion[]>;

export type WatchQuestionParts = FindStoredParts & { readonly canAskByBarcode: CanAskByBarcode };

export function createQuestionsOf(parts: WatchQuestionParts): QuestionsOf {
  return async (watch) =>
    watch.gtin === null ? ofPages(parts, watch) : ofBarcode(parts, watch, watch.gtin);
}

type PageQuestion = WatchQuestion & { readonly listingId: string };

/** Returns the ids of the listings whose pages are watched. */
export async function listingsOfPages(
  store: Store,
  identifiers: readonly string[],
): Promise<readonly string[]> {
  return (await ofPages({ store }, { identifiers, state: NEW_STATE })).map(
    ({ listingId }) => listingId,
  );
}

/**
 * Returns the page that an address means. A Digital Link means its barcode first, which has no page, and then the page
 * (D75).
 */
export function pageMeantBy({ identifiers, fromUrl }: Input): ListingKey | null {
  const meant = fromUrl ? identifiers : identifiers.slice(0, 1);
  return meant.map(listingKeyOf).find((key) => key !== null) ?? null;
}

async function ofPages(
  { store }: Pick<WatchQuestionParts, 'store'>,
  { identifiers, state }: Pick<Watch, 'identifiers' | 'state'>,
): Promise<readonly PageQuestion[]> {
  const questions: PageQuestion[] = [];
  for (const text of identifiers) {
    const parsed = parseInput(text);
    const key = parsed.ok ? pageMeantBy(parsed) : null;
    if (key === null) continue;
    const retailer = await slugOf(store, key);
    const subject = { kind: 'listing', retailer, key: key.key, url: key.url } as const;
    const own = { subject, listingId: listingIdOf(retailer, key.key) };
    const seen = await watchedAt(store, subject, identifiers.length === 1 ? state : NEW_STATE);
    questions.push(seen === null || seen.id === own.listingId ? own : ofListing(seen));
  }
  return questions;
}

/**
 * Returns the listing that the watch of one address covers, if the address has shown several (D90): the one that the watch has
 * read, or else what the address shows now. Null if neither is stored.
 */
async function watchedAt(
  { listings }: Reads,
  { retailer, key }: { readonly retailer: string; readonly key: string },
  { known }: Watch['state'],
): Promise<StoredListing | null> {
  const [read] = Object.keys(known);
  if (read !== undefined) return listings.findListingById(read);
  const storedListing = await listings.findListing(retailer, key);
  return storedListing === null ? null : shownAt(listings, storedListing);
}

async function ofBarcode(
  parts: WatchQuestionParts,
  { retailer, state }: Watch,
  gtin: Gtin14,
): Promise<readonly WatchQuestion[]> {
  const { anchor, forBarcode } = await storedForBarcode(parts, gtin, null);
  const rows = forBarcode.rows.filter(({ identity }) => identity.state !== 'mismatch');
  const shown = (slug: string): StoredListing | null =>
    rows.find(({ retailer: shop }) => shop === slug)?.stored ?? null;
  const ask = (slug: KnownSlug, stored = shown(slug)): WatchQuestion => {
    return stored === null
      ? { subject: { kind: 'barcode', retailer: slug, gtin }, listingId: null }
      : ofListing(stored);
  };
  if (retailer === 'any' || retailer === 'best') {
    // A listing that merely prints the barcode may be another product: its retailer is asked for the barcode instead (D80).
    const speaking = (slug: KnownSlug) =>
      rows.find((row) => row.retailer === slug && row.speaksAs !== null)?.stored ?? null;
    return KNOWN_SLUGS.filter(parts.canAskByBarcode).map((slug) => ask(slug, speaking(slug)));
  }
  if (retailer !== 'anchor') {
    const stored = shown(retailer);
    if (isKnownSlug(retailer)) return [ask(retailer)];
    return stored === null ? [] : [ofListing(stored)];
  }
  if (anchor !== null) return [ofListing(anchor.stored)];
  // No retailer is known to have it. They are asked one after the other, in anchor order.
  const answered = (slug: KnownSlug): boolean =>
    forBarcode.rows.some((row) => row.retailer === slug && row.isAsked);
  const order = ANCHOR_ORDER.filter(parts.canAskByBarcode);
  const next = order.find((slug) => !answered(slug)) ?? order[0];
  const before = Object.values(state.known)[0];
  if (next === undefined) return [];
  return [before !== undefined && isKnownSlug(before.retailer) ? ask(before.retailer) : ask(next)];
}

function ofListing({ id, retailer, key, url }: StoredListing): PageQuestion {
  return { subject: { kind: 'listing', retailer, key, url }, listingId: id };
}
