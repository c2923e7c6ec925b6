// An identifier's price history (D43), from the store; fetches nothing. This file chooses the listings of a history. The store
// pages through them, and rules/history/history-stats.ts computes the figures.

import { daysBefore, dayOf, type Clock } from '../../../base/clock.ts';
import { FaultError, INVALID_CURSOR } from '../../../base/fault.ts';
import { once } from '../../../base/once.ts';
import { historyStats, type HistoryStats } from '../../../rules/history/history-stats.ts';
import { currencyThrough, lensOf, type Lens } from '../../../base/listing/lens.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import {
  LOOK_BACK_MS,
  mayBeSupported,
  suspicionsOf,
  type Observation,
  type Peers,
  type Timeframe,
  TIMEFRAME_DAYS,
} from '../../../rules/history/daily-bars.ts';
import type { SuspectReason } from '../../../rules/history/suspect-reason.ts';
import type { Door } from '../../../base/listing/origin.ts';
import type { Slug } from '../../../base/retailer.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { disputedRetailers } from '../../../rules/matching/agreement.ts';
import type { MatchingLater } from '../../../rules/matching/matching-later.ts';
import type { ObservationPlace } from '../../../data/history/recent-observations.ts';
import { counts, type IsTrusted } from '../../../rules/product/barcode-rows.ts';
import { anchorOrder } from '../../../rules/product/source-order.ts';
import type { StoredListing } from '../../../base/listing/stored-listing.ts';
import type { KnownListing } from '../../../data/answers/listings.ts';
import type { Reads } from '../cache/read-session.ts';
import { parseAllowedInput, type IsAllowedUrl } from '../steps/parse-input.ts';
import { EVERY_RETAILER, namedRetailer, usualRetailer } from './history-retailer.ts';
import { readsThrough } from '../../collect/reads-through.ts';
import { readStoredForBarcode } from '../stored/stored-for-barcode.ts';
import { peersOf } from '../../collect/price-peers.ts';
import { findIdentified, listingsOf } from './known-listings.ts';

export type HistoryRequest = {
  /** The identifier as sent, decoded once. */
  readonly text: string;
  readonly timeframe: Timeframe;
  /** A slug, an alias or `all`. If absent, D62 decides. */
  readonly retailer?: string | undefined;
  /** `next` of the previous page; absent for the first page. */
  readonly cursor?: string | undefined;
  /** The currency of the answer, or `native`; the installation's if absent (D87). */
  readonly currency?: string | undefined;
  /** Whose call it is. */
  readonly organizationId?: string;
  /** Whether the organization has facts of its own, which then lie over the common ones. */
  readonly hasOwnFacts?: boolean;
};

type HistoryRow = Observation & {
  readonly retailer: Slug;
  /** Whether this row counts in the figures. With `all`, only rows of tied, undisputed listings do. */
  readonly isCounted: boolean;
  /** Why the price is suspect (D68), for the days that the figures cover; null if it is not. */
  readonly suspicion: SuspectReason | null;
  /** How it came, in a series of the caller's own (D84). */
  readonly via?: Door;
};

export type PriceHistory = {
  /** The identifier in its normal form: GTIN-14, the retailer's identifier, or the reduced address. */
  readonly identifier: string;
  readonly retailer: Slug;
  readonly timeframe: Timeframe;
  /** The currency of every price (D87). */
  readonly currency: string;
  /** Newest first. */
  readonly observations: readonly HistoryRow[];
  /** Null when nothing is stored (D43). */
  readonly stats: HistoryStats | null;
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
  /** Sources whose terms allow no history of their facts (D81). */
  readonly withheldBy: readonly string[];
};

/** D43: maximum rows in one answer. */
const MAX_ROWS = 10_000;

type HistoryParts = {
  readonly store: Reads;
  /** The currency of the answer; dollars if absent. */
  readonly lens?: Lens;
  readonly clock: Clock;
  readonly isAllowedUrl: IsAllowedUrl;
  readonly isTrustedShop: IsTrusted;
  readonly matching: MatchingLater;
  /** Maximum rows in one answer, for tests; `MAX_ROWS` otherwise. */
  readonly maxRows?: number;
};

export type LookupHistory = (request: HistoryRequest) => Promise<PriceHistory>;

/** Returns the history stored in `parts.store`. FaultError not_found, invalid_parameter, and those of an identifier. */
export async function lookupHistory(
  given: HistoryParts,
  request: HistoryRequest,
): Promise<PriceHistory> {
  const { timeframe } = request;
  const { identifiers, fromUrl } = parseAllowedInput(given.isAllowedUrl, request.text);
  const named =
    request.retailer === undefined
      ? null
      : await namedRetailer(given.store.shops, request.retailer);
  const after = request.cursor === undefined ? null : positionOf(request.cursor);
  const known = await findIdentified(given.store, identifiers);
  if (known === null) throw new FaultError(NOTHING_KNOWN);
  const retailer = named ?? usualRetailer(known, fromUrl);
  // If several prices were seen at the same moment, the first retailer's counts as the newest, whichever was stored first.
  const listings = anchorOrder(listingsOf(known, retailer));
  const { gtin, identifier } = known;
  const all = listings.flatMap(rowsOf);
  const currency = await currencyOf(given, all);
  const parts = { ...given, store: readsThrough(given.store, currency) };
  const tied = once(() => (gtin === null ? Promise.resolve(null) : tiedTo(parts, gtin, known.own)));
  const counted = retailer === EVERY_RETAILER ? countedOf(parts, await tied(), listings) : null;
  const places = new Map(all.map((each) => [each.rowId, each]));
  const isCounted = (rowId: string): boolean =>
    counted?.has(places.get(rowId)?.listing.id ?? rowId) ?? true;
  const today = dayOf(parts.clock.now());
  const limit = parts.maxRows ?? MAX_ROWS;
  const rows = await parts.store.observations.findPage({
    listingIds: all.map(({ rowId }) => rowId),
    fromMs: startOf(today, TIMEFRAME_DAYS[timeframe]),
    after,
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const figures = await figuresOf(parts, { tied, rows: all, isCounted }, today);
  return {
    identifier: normalForm(identifier),
    retailer,
    timeframe,
    currency,
    observations: shown.map((row) => ({
      ...row,
      retailer: places.get(row.listingId)?.listing.retailer ?? retailer,
      isCounted: isCounted(row.listingId),
      suspicion: figures.suspicions.get(placeName(row)) ?? null,
      ...viaOf(places.get(row.listingId)),
    })),
    stats: figures.stats,
    withheldBy: [...new Set(listings.flatMap(({ withheldBy }) => withheldBy ?? []))],
    next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

const NOTHING_KNOWN = {
  code: 'not_found',
  detail:
    'No observation is stored for this identifier. A history begins with the first lookup of the product: look it up ' +
    'first, or import a history file.',
} as const;

/** A row of the store that has observations of a listing. */
type SeriesRow = {
  readonly rowId: string;
  readonly listing: KnownListing;
  /** How the observations of the caller's own came; absent for the common ones. */
  readonly own?: Door;
};

function rowsOf(listing: KnownListing): readonly SeriesRow[] {
  return [
    ...(listing.series ?? [listing.id]).map((rowId) => ({ rowId, listing })),
    ...(listing.ownSeries ?? []).map(({ rowId, door }) => ({ rowId, listing, own: door })),
  ];
}

/**
 * Returns the currency of the answer. `native` is the currency of the first listing with a price, as of a record's anchor;
 * for imported prices, the currency of the newest one.
 */
async function currencyOf(
  { store, lens = lensOf(undefined) }: HistoryParts,
  rows: readonly SeriesRow[],
): Promise<string> {
  if (!lens.isNative) return lens.currency;
  for (const { listing } of rows) {
    const stored = listing.isRead ? await store.listings.findListingById(listing.id) : null;
    const price = stored?.listing.price ?? null;
    if (price !== null) return currencyThrough(lens, price);
  }
  const listingIds = rows.map(({ rowId }) => rowId);
  const newest = await store.observations.findPage({
    listingIds,
    fromMs: 0,
    after: null,
    limit: MOST_WITHOUT_PRICE,
  });
  const priced = newest.find(({ priceCents, native }) => (priceCents ?? native) !== null);
  if (priced === undefined || priced.priceCents !== null) return lens.currency;
  return currencyThrough(lens, priced.native);
}

/** The newest observations among which one with a price is searched for. */
const MOST_WITHOUT_PRICE = 1_000;

function viaOf(row: SeriesRow | undefined): Pick<HistoryRow, 'via'> {
  return row?.own === undefined ? {} : { via: row.own };
}

function normalForm(identifier: Identifier): string {
  return 'gtin14' in identifier ? identifier.gtin14 : identifier.value;
}

/** Returns the first instant of the last `days` days, today (UTC) included. */
function startOf(today: string, days: number | null): number {
  return days === null ? 0 : Date.parse(`${daysBefore(today, days - 1)}T00:00:00Z`);
}

/** The listings tied to a barcode. */
type TiedListings = {
  readonly ids: ReadonlySet<string>;
  /** The listings that publish the barcode, of retailers that speak for it in a lookup (D56). */
  readonly carriers: readonly StoredListing[];
  /** All stored listings of the barcode, including guessed ones. */
  readonly storedListings: readonly StoredListing[];
  /** Retailers named in a disagreement. */
  readonly disputed: ReadonlySet<Slug>;
};

/**
 * `own` is the listing that was sent; null if the barcode was sent. It comes first and represents its retailer, as the anchor
 * of a record does.
 */
async function tiedTo(
  parts: HistoryParts,
  gtin: Gtin14,
  own: KnownListing | null,
): Promise<TiedListings> {
  const { rows, listings: storedListings } = await readStoredForBarcode(parts, gtin);
  const sent = storedListings.filter((each) => each.id === own?.id && parts.isTrustedShop(each));
  const tied = rows.filter((row) => counts(row, own === null));
  const beside = tied.filter((row) => row.stored.retailer !== own?.retailer);
  const published = beside.filter((row) => row.tie === 'published');
  const compared = [...sent, ...anchorOrder(published.map(({ stored }) => stored))];
  const askedFor = sent.length === 0 ? 'barcode' : 'first';
  const { disagreements } = await parts.matching.agreementOf(compared, askedFor);
  return {
    ids: new Set([...sent, ...beside.map(({ stored }) => stored)].map(({ id }) => id)),
    carriers: [...sent, ...published.map(({ stored }) => stored)],
    storedListings,
    disputed: disputedRetailers(disagreements),
  };
}

/**
 * Returns the listings whose rows count in the figures of all retailers together (D62). These are listings tied to the barcode
 * and not contradicted by the others, and what was imported for their retailers. Without a barcode it is only the own listing.
 */
function countedOf(
  { isTrustedShop }: HistoryParts,
  tied: TiedListings | null,
  listings: readonly KnownListing[],
): ReadonlySet<string> {
  const counted = listings.filter((each) => {
    if (tied === null) return true;
    if (tied.disputed.has(each.retailer)) return false;
    return each.isRead ? tied.ids.has(each.id) : isTrustedShop(each);
  });
  return new Set(counted.map(({ id }) => id));
}

type Figured = {
  /** The tied listings; null if no barcode is known. Read once, and only if needed. */
  readonly tied: () => Promise<TiedListings | null>;
  readonly rows: readonly SeriesRow[];
  readonly isCounted: (id: string) => boolean;
};

type Figures = {
  readonly stats: HistoryStats | null;
  /** Reasons for suspicion by `placeName`. */
  readonly suspicions: ReadonlyMap<string, SuspectReason>;
};

const placeName = ({ listingId, observedAtMs }: ObservationPlace): string =>
  `${listingId} ${observedAtMs}`;

async function figuresOf(
  parts: HistoryParts,
  { tied, rows, isCounted }: Figured,
  today: string,
): Promise<Figures> {
  const { store } = parts;
  const suspicions = new Map<string, SuspectReason>();
  // Older prices, from before the period of the figures, are read too: they decide which prices within it are suspect.
  const fromMs = parts.clock.now() - LOOK_BACK_MS;
  // Observations that the caller brought form a series of their own, and are never mixed with the common one.
  const bySeries = Map.groupBy(rows, ({ listing, own }) => `${listing.retailer} ${own ?? ''}`);
  let isAnythingStored = false;
  const series = [];
  for (const some of bySeries.values()) {
    const newest = await newestOf(store, some);
    if (newest === null) continue;
    isAnythingStored = true;
    const seen = await store.observations.findPage({
      listingIds: some.map(({ rowId }) => rowId),
      fromMs,
      after: null,
      limit: MAX_COUNTED,
    });
    const shown = some.map(({ listing }) => listing);
    const peers = await peersAt(parts, { tied, shown, observations: seen, fromMs });
    for (const [row, reason] of suspicionsOf(seen, peers)) suspicions.set(placeName(row), reason);
    const counted = some.filter(({ rowId }) => isCounted(rowId));
    const recent = seen.filter(({ listingId }) => isCounted(listingId));
    const last = counted.length === some.length ? newest : await newestOf(store, counted);
    series.push({ recent, newest: last, peers });
  }
  return { stats: isAnythingStored ? historyStats(series, today) : null, suspicions };
}

/** Maximum rows of one retailer, to limit a call's memory: more than one observation a second for a day. */
const MAX_COUNTED = 100_000;

type PeersAt = Pick<Figured, 'tied'> & {
  /** One retailer's listings. */
  readonly shown: readonly KnownListing[];
  readonly observations: readonly Observation[];
  readonly fromMs: number;
};

/** Returns the prices that support a retailer's prices (D68), as in the product's record. */
async function peersAt(
  parts: HistoryParts,
  { tied, shown, observations, fromMs }: PeersAt,
): Promise<Peers> {
  if (!mayBeSupported(observations)) return [];
  const { storedListings = [], carriers = [] } = (await tied()) ?? {};
  const own = storedListings.find((each) => shown.some(({ id }) => id === each.id));
  return own === undefined ? [] : peersOf(parts, { own, observations, carriers, fromMs });
}

async function newestOf(store: Pick<Reads, 'observations'>, rows: readonly SeriesRow[]) {
  const listingIds = rows.map(({ rowId }) => rowId);
  const page = { listingIds, fromMs: 0, after: null, limit: 1 };
  return (await store.observations.findPage(page))[0] ?? null;
}

function cursorOf({ observedAtMs, listingId }: ObservationPlace): string {
  return `${observedAtMs.toString(36)}.${listingId}`;
}

function positionOf(cursor: string): ObservationPlace {
  const [, at = '', listingId = ''] = /^([0-9a-z]{1,10})\.([\w-]{22})$/.exec(cursor) ?? [];
  const observedAtMs = Number.parseInt(at, 36);
  if (listingId !== '') return { observedAtMs, listingId };
  throw new FaultError(INVALID_CURSOR);
}
