// Known retailers: by their own identifier and by barcode. Ties what came back to what was asked (D34, D35)
// and files listing, observation and cell in one unit.

import type { FetchContext } from '../core/fetch-context.ts';
import { isoTimestamp } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import { identityMethodOf, NOT_CHECKED, tie, type Identity } from '../product/identity.ts';
import type { Listing } from '../listing/listing.ts';
import type { ReadNotes } from '../listing/page.ts';
import type { KnownSlug } from '../core/retailer.ts';
import { identifierOfListing } from '../retailers/own-identifier.ts';
import { retailerHits, searchHostOf } from '../retailers/search-providers.ts';
import { listingIdOf } from '../store/listings.ts';
import { writeChanges } from '../store/answer-writes.ts';
import type { Cell, CellStatus } from '../store/cells.ts';
import { askRetailer, CANNOT_ASK, type AnsweredBy, type RetailerOutcome } from './ask-retailer.ts';
import type { CollectOutcome, CollectParts } from './collect-outcome.ts';
import { likelyHits, type LikelyHits } from './likely-hits.ts';
import {
  deleteMissOf,
  listingChanges,
  storedListing,
  type ListingToStore,
} from './store-listing.ts';
import { tallied, writeTally, type ReadTally } from './read-tally.ts';
import { searchWebByBarcode } from './search-web.ts';
import { ownAddressOf, servedInstead, type OwnListingKey, type OwnAddress } from './own-place.ts';
import type { FoundVia } from '../listing/stored-listing.ts';

/** A listing that was read, with who answered. */
type FoundListing = AnsweredBy & {
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** A search engine led to it. */
  readonly viaSearch?: boolean;
};

/** By the retailer's own identifier. A different listing served in its place is filed as what it is. */
export async function collectOwn(
  parts: CollectParts,
  key: OwnListingKey,
  context: FetchContext,
): Promise<CollectOutcome> {
  const { retailer, identifier } = key;
  const asking = tallied(parts);
  const asked = await askRetailer(asking, retailer, { kind: 'product', identifier }, context);
  const found = asked.kind === 'read' ? productOf(asked) : null;
  if (found === null) {
    await writeTally(parts.store, asking.tally);
    return asked.kind === 'read' ? unreadable() : asked;
  }
  const served = servedInstead(key, found.listing);
  const filing = filingFor(retailer, served ?? key, found);
  const alongside = [deleteMissOf(filing), ...asking.tally.take()];
  await writeChanges(parts.store.sql, listingChanges(filing), alongside);
  if (served === null) return { kind: 'read', stored: storedListing(filing), identity: null };
  if (identifier.kind !== 'asin') {
    const detail = `${retailer} shows ${served.key} at the address of ${key.key}, which is another product.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  throw substituted(identifier.value, served.key);
}

/** D45: a record of another ASIN than the one sent would pass for its product, so the call is a 404. */
export function substituted(asked: string, served: string): FaultError {
  return new FaultError({
    code: 'identity_mismatch',
    matchedAsin: served,
    detail:
      `The page of ${asked} shows ${served}, a different product. This is no stock verdict: keep ` +
      'your last known price and stock; asking again does not change it.',
  });
}

function unreadable(): CollectOutcome {
  const detail = 'The answer could not be read.';
  return {
    kind: 'failed',
    fault: { code: 'source_unusable', upstream: 'upstream_bad_response', detail },
  };
}

function productOf(asked: Extract<RetailerOutcome, { kind: 'read' }>): FoundListing | null {
  const { answer: reading } = asked;
  if (reading.kind === 'product') return { ...asked, listing: reading.listing };
  // A search by the retailer's own id that gives one hit is that product, in the search's few words.
  const [only, second] = reading.kind === 'search' ? reading.hits : [];
  return only === undefined || second !== undefined ? null : { ...asked, listing: only };
}

function filingFor(retailer: KnownSlug, place: OwnAddress, found: FoundListing): ListingToStore {
  const { fetchedAtMs, listing, notes, source } = found;
  const foundVia = found.viaSearch === true ? ('search_provider' as const) : catalogOf(retailer);
  return {
    retailer,
    key: place.key,
    url: place.url,
    foundVia,
    source,
    fetchedAtMs,
    listing,
    notes,
  };
}

/** D39; retailer_a is asked for words, not for a code, and its links say so. */
function catalogOf(retailer: KnownSlug): FoundVia {
  return retailer === 'retailer_a' ? 'retailer_a_catalog' : 'native_catalog';
}

type BarcodeRequest = {
  readonly retailer: KnownSlug;
  readonly gtin: Gtin14;
  readonly sinceMs: number;
};

type TalliedParts = CollectParts & { readonly tally: ReadTally };

/** Product pages that are read for one barcode: near misses stand among a search's first hits. */
const MAX_PAGES = 3;

/** Whatever the retailer sells under a barcode: the confirmed listing, else the best that was found. */
export async function collectBarcode(
  given: CollectParts,
  question: BarcodeRequest,
  context: FetchContext,
): Promise<CollectOutcome> {
  const parts = tallied(given);
  const { retailer, gtin } = question;
  const held = await knownCell(parts, question);
  if (held !== null) return held;
  const direct = await askRetailer(parts, retailer, { kind: 'barcode', gtin }, context);
  const asked = direct === CANNOT_ASK ? await searched(parts, question, context) : direct;
  if (asked.kind === 'miss') {
    await writeCell(parts, question, 'not_found');
    return asked;
  }
  if (asked.kind === 'failed') return failed(parts, question, asked);
  const likely = await likelyHits(parts, retailer, gtin);
  const identifiers =
    asked.kind === 'found'
      ? { found: asked.found, failure: null }
      : await candidatesOf(parts, question, { asked, likely }, context);
  const best = bestOf(
    question,
    identifiers.found.filter(({ listing }) => likely.isLikely(listing)),
  );
  // D36: a page that did not answer may have been the product; another product's page does not say otherwise.
  if (identifiers.failure !== null && (best === null || best.identity.state === 'mismatch')) {
    return failed(parts, question, identifiers.failure);
  }
  if (best === null) {
    await writeCell(parts, question, 'not_found');
    const detail = `${retailer} shows nothing that can be tied to this barcode.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  return fileTied(parts, question, best);
}

/** What was never asked leaves the cell as it is: our own pace says nothing of the retailer. */
async function failed(
  parts: TalliedParts,
  question: BarcodeRequest,
  failure: FailedOutcome,
): Promise<CollectOutcome> {
  if (failure.isPaced === true) await writeTally(parts.store, parts.tally);
  else await writeCell(parts, question, failure.status);
  return failure;
}

/** What a check at or after `sinceMs` came to: its listing, or that there is none. A failure is asked again. */
async function knownCell(
  parts: CollectParts,
  { retailer, gtin, sinceMs }: BarcodeRequest,
): Promise<CollectOutcome | null> {
  const cell = await parts.store.cells.findCell(gtin, retailer);
  if (cell === null || cell.checkedAtMs < sinceMs) return null;
  if (cell.status === 'not_found') {
    const detail = `${retailer} had nothing under this barcode on ${isoTimestamp(cell.checkedAtMs)}.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  if (cell.listingId === null) return null;
  const stored = await parts.store.listings.findListingById(cell.listingId);
  return stored === null ? null : { kind: 'read', stored, identity: cell.identity };
}

type FailedOutcome = Extract<RetailerOutcome, { kind: 'failed' }>;
type ReadOutcome = Extract<RetailerOutcome, { kind: 'read' }>;

type SearchOutcome =
  | Exclude<RetailerOutcome, { kind: 'read' }>
  | { readonly kind: 'found'; readonly found: readonly FoundListing[] };

/** A retailer that takes no barcode is reached through a search engine, where there is one. */
async function searched(
  parts: CollectParts,
  { retailer, gtin }: BarcodeRequest,
  context: FetchContext,
): Promise<SearchOutcome> {
  const answer = await searchWebByBarcode(parts.search, gtin, searchHostOf(retailer), context);
  if (answer === null) return CANNOT_ASK;
  if (answer.kind !== 'hits') return answer;
  const [hit] = retailerHits(answer.hits, retailer);
  if (hit === undefined) {
    const detail = `The search engine knows no page of ${retailer} with this barcode.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  const question = { kind: 'product', identifier: hit.identifier } as const;
  const page = await askRetailer(parts, retailer, question, context);
  if (page.kind !== 'read') return page;
  const product = productOf(page);
  return { kind: 'found', found: product === null ? [] : [{ ...product, viaSearch: true }] };
}

type TiedListing = {
  readonly found: FoundListing;
  readonly place: OwnAddress;
  readonly identity: Identity;
};

/** What the answer offers, read as far as it takes to confirm one. */
async function candidatesOf(
  parts: CollectParts,
  { retailer, gtin }: BarcodeRequest,
  { asked, likely }: { readonly asked: ReadOutcome; readonly likely: LikelyHits },
  context: FetchContext,
): Promise<{ readonly found: readonly FoundListing[]; readonly failure: FailedOutcome | null }> {
  const { answer: reading } = asked;
  if (reading.kind === 'product') {
    return { found: [{ ...asked, listing: reading.listing }], failure: null };
  }
  if (reading.kind !== 'search') return { found: [], failure: null };
  const hits = likely
    .ordered(reading.hits)
    .toSorted((a, b) => Number(b.gtin === gtin) - Number(a.gtin === gtin));
  const found: FoundListing[] = [];
  let failure: FailedOutcome | null = null;
  for (const hit of hits.slice(0, MAX_PAGES)) {
    const identifier = identifierOfListing(retailer, hit);
    if (identifier === null) continue;
    const page = await askRetailer(parts, retailer, { kind: 'product', identifier }, context);
    if (page.kind === 'failed') failure ??= page;
    const product = page.kind === 'read' ? productOf(page) : null;
    if (product === null) continue;
    found.push(product);
    const { state } = tie(gtin, retailer, product.listing.gtin, product.fetchedAtMs);
    // A retailer that can never be confirmed answers with its own best guess first; more pages prove nothing.
    if (state === 'confirmed' || identityMethodOf(retailer) === null) break;
  }
  return { found, failure };
}

const RANK: Readonly<Record<Identity['state'], number>> = {
  confirmed: 0,
  unconfirmed: 1,
  mismatch: 2,
};

function bestOf(
  { retailer, gtin }: BarcodeRequest,
  found: readonly FoundListing[],
): TiedListing | null {
  const tied = found.flatMap((each) => {
    const place = ownAddressOf(retailer, each.listing);
    const identity = tie(gtin, retailer, each.listing.gtin, each.fetchedAtMs);
    return place === null ? [] : [{ found: each, place, identity }];
  });
  return tied.toSorted((a, b) => RANK[a.identity.state] - RANK[b.identity.state])[0] ?? null;
}

async function fileTied(
  parts: TalliedParts,
  { retailer, gtin }: BarcodeRequest,
  { found, place, identity }: TiedListing,
): Promise<CollectOutcome> {
  const filing = filingFor(retailer, place, found);
  const cell: Cell = {
    gtin,
    retailer,
    status: 'ok',
    listingId: listingIdOf(retailer, place.key),
    identity,
    source: found.source,
    foundVia: filing.foundVia,
    checkedAtMs: found.fetchedAtMs,
  };
  await writeChanges(
    parts.store.sql,
    [...listingChanges(filing), { kind: 'cell', cell }],
    [deleteMissOf(filing), ...parts.tally.take()],
  );
  return { kind: 'read', stored: storedListing(filing), identity };
}

/** A row without a resolved listing (D34). */
async function writeCell(
  parts: TalliedParts,
  { retailer, gtin }: BarcodeRequest,
  status: CellStatus,
): Promise<void> {
  const cell: Cell = {
    gtin,
    retailer,
    status,
    listingId: null,
    identity: NOT_CHECKED,
    source: 'primary',
    foundVia: null,
    checkedAtMs: parts.clock.now(),
  };
  const kind = status === 'not_found' ? 'cell' : 'failed-attempt';
  await writeChanges(parts.store.sql, [{ kind, cell }], parts.tally.take());
}
