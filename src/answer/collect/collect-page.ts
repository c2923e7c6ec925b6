// Fetches any shop's page by its address, reads it, and stores it under the listing of the product that it names.

import type { FetchContext } from '../../base/fetch-context.ts';
import { originOf } from '../../base/listing/origin.ts';
import { isKnownSlug } from '../../base/retailer.ts';
import { isAddressOf } from '../../read/retailers/addresses/address-books.ts';
import type { NotedListing } from '../../data/answers/listings.ts';
import { REDESIGNED } from './asking/ask-retailer.ts';
import { ELSEWHERE, failedFetch, outcomeOfVerdict } from './asking/failed-fetch.ts';
import type { Gathered } from './asking/doors.ts';
import { gatherPages } from './asking/gather-pages.ts';
import { writeChanges, type AnswerChange } from '../../data/answers/answer-writes.ts';
import type { CollectOutcome, CollectParts, PageOutcome } from './collect-outcome.ts';
import { goalOfShortLink, keyName, listingKeyOf, type ListingKey } from './listing-key.ts';
import { slugOf } from './slug-of.ts';
import {
  chosenIn,
  fileAt,
  leaveBehind,
  namedOf,
  type Address,
  type Reading,
} from './storing/file-reading.ts';
import { tallied, type ReadTally } from './storing/read-tally.ts';
import { storeUnderSlug } from './storing/store-listing.ts';

export type PageToCollect = Address & {
  /** Collects another retailer's listing, to which the address now leads. */
  readonly collectOther: (key: ListingKey, context: FetchContext) => Promise<PageOutcome>;
};

/** Collects any shop's page by its address. A shop without its own reader is read by the generic reader. */
export async function collectPage(
  parts: CollectParts,
  page: PageToCollect,
  context: FetchContext,
): Promise<PageOutcome> {
  const { key, slug } = page;
  const host = new URL(key.url).hostname;
  const [known, doors] = await Promise.all([
    parts.store.shops.findShopFacts(host),
    parts.store.shops.findShopDoors(host),
  ]);
  const counting = tallied(parts);
  const isOwn = (url: string): boolean => speaksFor(parts, { slug, url: key.url }, url);
  const shownBefore = await parts.store.listings.findShownAt(slug, key.key);
  const gathered = await gatherPages(counting, {
    url: key.url,
    slug,
    shop: { facts: known, doors },
    context,
    before: shownBefore.findLast(({ moved }) => moved === undefined)?.listing ?? null,
    wantsBarcode: parts.isTrustedShop({ retailer: slug, url: key.url }),
    chosenBefore: chosenIn(shownBefore),
    isOwn,
  });
  const learned = gathered.learned.map((door) => ({ kind: 'shop-door', door }) as const);
  const { shopFacts } = gathered;
  const shownHere = await parts.store.listings.findShownAt(slug, key.key);
  const found = { gathered, shownHere, tally: counting.tally, learned };
  const read = readOf(found, key);
  if (read === null) return withoutListing(parts, slug, found);
  const reading: Reading = {
    foundVia: 'submitted_url',
    source: 'primary',
    origin: originOf(slug, gathered.door, gathered.door),
    fetchedAtMs: gathered.fetchedAtMs ?? parts.clock.now(),
    listing: read.listing,
    notes: read.notes,
  };
  const answered = listingKeyOf({ kind: 'url', value: read.url });
  const isLedAway = answered === null || keyName(answered) !== keyName(key);
  const isOther = shownHere.length > 0 && (await namedOf(parts, shownHere, reading)) === null;
  if (isOther && isLedAway) return moveAway(parts, page, { ...found, reading, answered }, context);
  // Another shop's page does not speak for this one, even of the same product.
  if (gathered.result.kind === 'elsewhere') return withoutListing(parts, slug, found);
  if (isOther) counting.tally.markMoved();
  const goal = goalOfShortLink(key, read.listing);
  if (goal !== null) {
    // The listing is stored under its own identifier too, so that a lookup of that identifier finds it.
    const own = { learned: [], counts: [], context };
    await storeUnderSlug(parts, { key: goal, slug }, reading, own);
  }
  const facts = shopFacts === null ? [] : [{ kind: 'shop-facts', facts: shopFacts } as const];
  const counts = counting.tally.take();
  const alongside = { learned: [...facts, ...learned], counts, context };
  const stored = await fileAt(parts, page, { reading, shownHere }, alongside);
  const [first] = shownHere;
  return first === undefined || first.id === stored.id
    ? { kind: 'read', stored, identity: null }
    : { kind: 'moved', from: first, stored };
}

type Found = {
  readonly gathered: Gathered;
  /** The listings that the address has shown. */
  readonly shownHere: readonly NotedListing[];
  readonly tally: ReadTally;
  /** The state of the shop's doors. */
  readonly learned: readonly AnswerChange[];
};

/**
 * Returns the product that was read. A page that does not speak for the shop counts only as evidence of another product than
 * the shop's stored one.
 */
function readOf({ gathered: { result }, shownHere }: Found, key: ListingKey) {
  if (result.kind === 'read') return result;
  const mayHaveMoved = result.kind === 'elsewhere' && key.kind === 'shop' && shownHere.length > 0;
  return mayHaveMoved ? result.read : null;
}

/** Returns the outcome if nothing was read that can be stored. */
async function withoutListing(
  parts: CollectParts,
  slug: string,
  { gathered: { result }, shownHere, tally, learned }: Found,
): Promise<CollectOutcome> {
  const counts = tally.take();
  // A caller can name any number of shops, and counts for a shop that was never read have nothing to be compared with.
  if (counts.length + learned.length > 0 && (await isKnownShop(parts, slug))) {
    await writeChanges(parts.store.sql, learned, counts);
  }
  if (result.kind === 'failure') return failedFetch(result.failure);
  if (result.kind !== 'verdict') return ELSEWHERE;
  // If the page was a product when last read, it has more likely been redesigned than turned into something else.
  const isChanged = shownHere.length > 0 && result.verdict.kind === 'not_a_product';
  return isChanged ? REDESIGNED : outcomeOfVerdict(result.verdict);
}

type LedAway = Found & { readonly reading: Reading; readonly answered: ListingKey | null };

/**
 * Handles an address that led to another one, whose page is of another product. It is stored under its own address, and the
 * first address's listings have moved (D90).
 */
async function moveAway(
  parts: CollectParts,
  { key, slug, collectOther }: PageToCollect,
  { reading, answered, shownHere, tally }: LedAway,
  context: FetchContext,
): Promise<PageOutcome> {
  const [from] = shownHere;
  if (answered === null || from === undefined) return ELSEWHERE;
  tally.markMoved();
  const alongside = { learned: [], counts: tally.take(), context };
  const readAtMs = reading.fetchedAtMs;
  const goal = goalOfShortLink(key, reading.listing);
  if (answered.kind === 'retailer' && goal === null) {
    // Only the retailer's own reader knows which of its products the page shows.
    if (answered.identifier === null) return ELSEWHERE;
    await parts.store.sql.write(alongside.counts);
    const other = await collectOther(answered, context);
    if (other.kind === 'failed') return other;
    if (other.kind === 'miss') return ELSEWHERE;
    await leaveBehind(parts, shownHere, { shown: other.stored, readAtMs });
    return { kind: 'moved', from, stored: other.stored };
  }
  const address =
    goal === null
      ? { key: answered, slug: await slugOf(parts.store, answered) }
      : { key: goal, slug };
  const shownThere = await parts.store.listings.findShownAt(address.slug, address.key.key);
  const stored =
    goal === null
      ? await fileAt(parts, address, { reading, shownHere: shownThere }, alongside)
      : await storeUnderSlug(parts, address, reading, alongside);
  await leaveBehind(parts, shownHere, { shown: stored, readAtMs });
  return { kind: 'moved', from, stored };
}

/**
 * Checks whether a page reached from an address speaks for a shop. An open redirect can lead anywhere: for a shop that counts
 * for a barcode, only a page on its own hosts speaks (D57).
 */
export function speaksFor(
  { isTrustedShop }: Pick<CollectParts, 'isTrustedShop'>,
  { slug, url }: { readonly slug: string; readonly url: string },
  answered: string,
): boolean {
  if (isKnownSlug(slug)) return isAddressOf(slug, answered);
  const isTrusted = (address: string) => isTrustedShop({ retailer: slug, url: address });
  return !isTrusted(url) || isTrusted(answered);
}

async function isKnownShop({ store }: CollectParts, slug: string): Promise<boolean> {
  return isKnownSlug(slug) || (await store.shops.findShopBySlug(slug)) !== null;
}
