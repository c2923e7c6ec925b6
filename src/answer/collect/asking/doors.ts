// The doors of a shop that is not a known retailer: protocols in which shops answer programs, in addition to their pages
// (D82). This file defines what a protocol is. Each protocol has its own file, and gather-pages.ts tries them in order.

import { DAY_MS, HOUR_MS, isDoneSince, SECOND_MS } from '../../../base/clock.ts';
import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type {
  ChosenVariant,
  FailedVerdict,
  FetchFailure,
  Page,
  PageRequest,
  ReadNotes,
} from '../../../base/listing/page.ts';
import type { Door } from '../../../base/listing/origin.ts';
import { strictest } from '../../../base/listing/signals.ts';
import type { ShopDoor, ShopFacts } from '../../../data/answers/shops.ts';
import type { StatedShopFacts } from '../../../read/retailers/hosted-store.ts';
import { missingFields } from '../../../read/retailers/expected-fields.ts';
import { looksLikeJson } from '../../../read/retailers/page-status.ts';

export type Read = {
  readonly kind: 'read';
  readonly listing: Listing;
  readonly notes: ReadNotes;
  /** The address that answered, after redirects. */
  readonly url: string;
};

/** A listing, a page without one, or a failed fetch. */
export type Gathered = {
  readonly result:
    | Read
    | { readonly kind: 'verdict'; readonly verdict: FailedVerdict }
    | { readonly kind: 'failure'; readonly failure: FetchFailure }
    /** The address led to a page that does not speak for the shop; `read` is null if it is not a product page either. */
    | { readonly kind: 'elsewhere'; readonly read: Read | null };
  /** When the newest answer arrived; null if none did. */
  readonly fetchedAtMs: number | null;
  /** Which answer names the product. */
  readonly door: Extract<Door, 'ucp' | 'store_api' | 'product_json' | 'page'>;
  /** Currency and platform as the page states them. Null without a page, or if its address cannot be a hosted store's. */
  readonly shopFacts: ShopFacts | null;
};

/** A page that was read, and the facts that it states about its shop; null if no page was read. */
export type GatheredPage = Gathered & { readonly shop: StatedShopFacts | null };

/** The facts known about a shop before it is asked. */
export type KnownShop = {
  readonly facts: ShopFacts | null;
  readonly doors: readonly ShopDoor[];
};

/** A question for a protocol: the product at an address of a shop that speaks it. */
export type DoorQuestion = {
  /** The address of the product page, which is never asked of a shop whose robots.txt forbids it. */
  readonly url: string;
  readonly shop: KnownShop;
  /** The value that `recognize` returned for a page of the shop, or that the protocol itself recorded. */
  readonly detail: string | null;
  /** The listing that the address showed last; null if none is stored. */
  readonly before: Listing | null;
  readonly chosenBefore: ChosenVariant | null;
  /** Whether the shop's listings count for a barcode, which some protocols do not state. */
  readonly wantsBarcode: boolean;
  readonly context: FetchContext;
  readonly nowMs: number;
  /** The page, if it was read for this question already. */
  readonly page: GatheredPage | null;
  /** Reads the page. However often this is called, the page is read only once. */
  readonly readPage: () => Promise<GatheredPage>;
  /** Asks an endpoint of the shop in place of the page, and follows where its reader leads, unless told not to. */
  readonly ask: (request: PageRequest, follows?: boolean) => Promise<EndpointAnswer>;
  /** Fetches an answer that is not a product, without reading it. */
  readonly fetchUnread: (request: PageRequest) => Promise<EndpointAnswer>;
  /** Records a fact about the shop's endpoints, which is stored with the answer. */
  readonly note: (door: Omit<ShopDoor, 'host' | 'learnedAtMs'>) => void;
};

/** An endpoint's answer, and the page that brought it; null if none arrived. */
export type EndpointAnswer = { readonly gathered: Gathered; readonly page: Page | null };

/**
 * `not_there`: the shop does not speak the protocol, which is stored for a day if its page then shows a product. `refused`:
 * the shop refused, which ends the question. `failed`: the request failed this time, or for this product. After `not_there`
 * and `failed` the next door is tried, without any report to the caller.
 */
export type DoorAnswer =
  | { readonly kind: 'answered'; readonly gathered: Gathered }
  | { readonly kind: 'refused'; readonly gathered: Gathered }
  | { readonly kind: 'not_there' }
  | { readonly kind: 'failed' };

export type ShopProtocol = {
  readonly door: Exclude<Gathered['door'], 'page'>;
  /**
   * Checks whether the shop is known to speak the protocol at this address. The protocol is then tried before the page.
   */
  readonly isSpoken: (shop: KnownShop, url: URL) => boolean;
  /**
   * Returns the part of a page that is needed to ask the shop, '' if nothing is needed; null if the page does not show that
   * the shop speaks the protocol. If it does, the protocol is tried after this page, and from then on before it.
   */
  readonly recognize: (stated: StatedShopFacts, url: URL) => string | null;
  readonly ask: (question: DoorQuestion) => Promise<DoorAnswer>;
};

/**
 * Returns the stored facts about a door; null if there are none, or if they only state that it was not there more than a
 * day ago.
 */
export function doorOf(
  { doors }: KnownShop,
  name: ShopDoor['door'],
  nowMs: number,
): ShopDoor | null {
  const found = doors.find(({ door }) => door === name);
  if (found === undefined) return null;
  return found.isThere || isDoneSince(found.learnedAtMs, nowMs - DAY_MS, nowMs) ? found : null;
}

/**
 * Combines the notes of the answers that a listing was made from. Of the shop's signals about their use, the strictest
 * counts.
 */
export function joinedNotes(listing: Listing, reads: readonly Read[]): ReadNotes {
  const chosen = reads.map(({ notes }) => notes.chosen).find(Boolean);
  const signals = strictest(reads.map(({ notes }) => notes.signals));
  return {
    missing: missingFields(listing),
    remarks: reads.flatMap(({ notes }) => notes.remarks),
    ...(chosen === undefined ? {} : { chosen }),
    ...(signals === undefined ? {} : { signals }),
  };
}

/** Statuses of an endpoint that is not there (D82). */
const NOT_THERE: ReadonlySet<number> = new Set([401, 403, 404, 405]);
export const REFUSED: ReadonlySet<number> = new Set([429, 451]);

/** Checks whether an answer comes from the endpoint itself, so that its reader can read it. */
export function isOfEndpoint(page: Page): boolean {
  return !NOT_THERE.has(page.status) && looksLikeJson(page);
}

/** Returns the meaning that an endpoint's answer without a listing has for the question. */
export function withoutListing({ gathered, page }: EndpointAnswer): DoorAnswer {
  const { result } = gathered;
  const refused = { kind: 'refused', gathered } as const;
  if (result.kind === 'failure') {
    const { kind, isOfPage } = result.failure;
    if (kind === 'robots') return isOfPage === true ? refused : { kind: 'not_there' };
    if (kind === 'license') return refused;
    // Our own pacing: the page would have to wait as well.
    return kind === 'busy' ? refused : { kind: 'failed' };
  }
  if (page !== null && NOT_THERE.has(page.status)) return { kind: 'not_there' };
  const isWall = result.kind === 'verdict' && result.verdict.kind === 'blocked';
  if (isWall || (page !== null && REFUSED.has(page.status))) return refused;
  return page !== null && page.status < 400 && !looksLikeJson(page)
    ? { kind: 'not_there' }
    : { kind: 'failed' };
}

/** The minimum time for which no other door of a shop is tried after a refusal. */
export const REFUSED_MS = HOUR_MS;

/**
 * After a refusal at one door, no other door of the shop is tried for an hour, or for as long as the shop requested (D82).
 */
export function refusedUntil({ result }: Gathered, nowMs: number): number | null {
  if (result.kind !== 'verdict') return null;
  const { verdict } = result;
  const seconds = 'retryAfterSeconds' in verdict ? (verdict.retryAfterSeconds ?? 0) : 0;
  return nowMs + Math.max(REFUSED_MS, seconds * SECOND_MS);
}
