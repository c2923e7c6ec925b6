// A listing as it is stored: the facts that one retailer stated, where and when they were read, and how the address became
// known.

import { HOUR_MS } from '../clock.ts';
import type { Listing } from './listing.ts';
import type { Origin } from './origin.ts';
import type { Signals } from './signals.ts';
import type { Slug } from '../retailer.ts';

/** How a listing's address became known (D39). */
export type FoundVia =
  | 'native_catalog'
  | 'retailer_a_catalog'
  | 'search_provider'
  | 'submitted_url';

/** Where a listing's product went: its address has shown another listing since (D90). */
export type Move = {
  /** Id of the listing that the address shows now. */
  readonly toId: string;
  /** The first of the consecutive readings that showed another product, ms since 1970. */
  readonly sinceMs: number;
  /** The last one. */
  readonly readAtMs: number;
};

/** Returns whether a second reading, at least an hour after the first, confirmed it. */
export function isSureMove({ sinceMs, readAtMs }: Move): boolean {
  return readAtMs - sinceMs >= HOUR_MS;
}

/** A listing as it is stored. */
export type StoredListing = {
  readonly id: string;
  readonly retailer: Slug;
  /** The retailer's identifier, or the reduced address for a shop without identifiers (D9). */
  readonly key: string;
  /** Where it was read. */
  readonly url: string;
  readonly foundVia: FoundVia;
  readonly fetchedAtMs: number;
  readonly listing: Listing;
  /** Present while its address shows another product. `fetchedAtMs` is then the last reading of this product. */
  readonly moved?: Move;
  /** Absent if it was stored before origins were. */
  readonly origin?: Origin;
  /** The terms of its source; absent for a source without terms. */
  readonly limits?: Limits;
  /** The shop's signals about the use of the page when it was read; absent if there were none. */
  readonly signals?: Signals;
  /** The rows whose observations are its price history, where that is not the row `id` alone. */
  readonly series?: readonly string[];
  /** The organization whose fact it is; absent for everybody's. */
  readonly owner?: Owner;
  /** Whether another organization brought it, which the reader sees only because the operator trusts that one's key. */
  readonly isForeign?: true;
};

/** The effect of the source's terms on a listing now (D81). */
export type Limits = {
  readonly source: string;
  /** The facts that may no longer be returned: the sale (price, stock, ...), or everything but its address and its tie. */
  readonly withheld: 'nothing' | 'sale' | 'facts';
  /** Whether a history may be made of it. */
  readonly history: boolean;
  /** Whether watches may be judged by it. */
  readonly alerts: boolean;
  /** Whether it contributes nothing to results from several sources. */
  readonly isApart: boolean;
  readonly notice: string | null;
  /** When more than now will be withheld (ms since 1970); null for never. */
  readonly endsAtMs: number | null;
};

/**
 * Checks whether a listing contributes nothing to results from several listings: it is shown separately (D81), or left out
 * where shops are searched or compared (D83).
 */
export function isApart(listing: Pick<StoredListing, 'limits' | 'signals'>): boolean {
  return listing.limits?.isApart === true || isUnsearched(listing);
}

/** Checks whether its shop asks not to be found by search or compared with others (D83). */
export function isUnsearched({ signals }: Pick<StoredListing, 'signals'>): boolean {
  return signals?.search === false;
}

/** Checks whether the terms of its source withhold some of a listing. */
export function isWithheld({ limits }: Pick<StoredListing, 'limits'>): boolean {
  return limits !== undefined && limits.withheld !== 'nothing';
}

/** An organization that brought a fact. */
export type Owner = {
  readonly organizationId: string;
  /** Whether others may see it, because the operator trusts the key that it came with: then as `unconfirmed` (D84). */
  readonly isShared: boolean;
};

/** The rows whose observations are the history of a listing. */
export function seriesOf({ id, series }: Pick<StoredListing, 'id' | 'series'>): readonly string[] {
  return series ?? [id];
}

/** Returns when the listing's address was last read. */
export function addressReadAtMs({ fetchedAtMs, moved }: StoredListing): number {
  return moved?.readAtMs ?? fetchedAtMs;
}

/** A listing identified by its address. */
export type ListingAddress = { readonly retailer: Slug; readonly url: string };
