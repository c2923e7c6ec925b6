// Queues the background jobs after an answer (D37, D38): stale listings to be read again, and for a barcode the retailers
// that have not answered, or whose answer is out of date. The indexer processes the queue.

import { isJudgedAgain } from '../stored/judged-again.ts';
import { DAY_MS, isDoneSince, MINUTE_MS, type Clock } from '../../../base/clock.ts';
import { productCode, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import { KNOWN_SLUGS, type KnownSlug, type Slug } from '../../../base/retailer.ts';
import { type BarcodeAnswer, type BarcodeRow } from '../../../rules/product/barcode-rows.ts';
import { identityMethodOf } from '../../../rules/product/identity.ts';
import { enqueueJob, type JobSubject } from '../../../data/turns/jobs.ts';
import type { Store } from '../../../data/store.ts';
import type { CanAskByBarcode } from '../../collect/asking/source-access.ts';
import type { Miss } from '../../../data/answers/misses.ts';
import { AFTER_FAILURE_MS, FRESH_MS } from '../../collect/freshness.ts';
import { listingKeyOf, type ListingKey } from '../../collect/listing-key.ts';
import {
  addressReadAtMs,
  isWithheld,
  type StoredListing,
} from '../../../base/listing/stored-listing.ts';

/** The facts known about a product when its lookup is answered. */
type AnsweredProduct = {
  /** The barcode that was sent, else the one that the listing publishes. Also null if only the anchor matters. */
  readonly gtin: Gtin14 | null;
  /** The listing that answers. */
  readonly anchor: StoredListing;
  /** If the sent address shows another product now, the listing that it showed before (D90). */
  readonly from?: StoredListing;
  /** Whether the anchor's address or its retailer's own identifier was sent. */
  readonly isOwn: boolean;
  readonly rows: readonly BarcodeRow[];
  /** Listings that publish the barcode, and those named in the answers. */
  readonly listings: readonly StoredListing[];
};

type WantedJob = { readonly subject: JobSubject; readonly priority: number };

/** The priority of a retailer that was never asked: it comes before every listing that is merely stale. */
const NEVER_ASKED = 30;
/** Maximum listings of one product that are read again at their own address, the oldest first. */
const MAX_LISTINGS = 20;

/**
 * Returns the background jobs of one answer: at most one for each known retailer, and one for each stale listing that no answer
 * for the barcode names.
 */
export function backgroundJobs(
  known: AnsweredProduct,
  canAskByBarcode: CanAskByBarcode,
  nowMs: number,
): readonly WantedJob[] {
  const gtin = known.gtin !== null && productCode(known.gtin).usable ? known.gtin : null;
  const askable = gtin === null ? [] : KNOWN_SLUGS.filter(canAskByBarcode);
  const barcodes = askable.flatMap((retailer) => {
    const priority = gtin === null ? null : priorityOf(known, { retailer, gtin }, nowMs);
    if (gtin === null || priority === null) return [];
    return [{ subject: { kind: 'barcode' as const, retailer, gtin }, priority }];
  });
  const { anchor, from = anchor } = known;
  const shown = known.rows.flatMap(({ stored }) => (stored === null ? [] : [stored]));
  // Asking a retailer for the barcode reads a listing again if it was the answer. A listing that was not the answer may be
  // gone, or have another price, which only its own page shows.
  const isAnswer = ({ id, retailer }: StoredListing): boolean =>
    askable.some((slug) => slug === retailer) && answerOf(known, retailer)?.listingId === id;
  const isNeverAsked = ({ retailer }: StoredListing): boolean =>
    askable.some((slug) => slug === retailer) && answerOf(known, retailer) === null;
  const again = shown
    .filter(({ id }) => id !== anchor.id && id !== from.id)
    .filter((each) => !isAnswer(each) && !isNeverAsked(each))
    .toSorted((a, b) => a.fetchedAtMs - b.fetchedAtMs)
    .slice(0, MAX_LISTINGS);
  const isAnchorRead =
    barcodes.some(({ subject }) => subject.retailer === anchor.retailer) && isAnswer(anchor);
  const listings = [...(isAnchorRead ? [] : [from]), ...again];
  return [
    ...barcodes,
    ...listings
      .filter((listing) => isStale(listing, nowMs))
      .map((listing) => ({ subject: listingJob(listing), priority: daysOld(listing, nowMs) })),
  ];
}

/** Returns the retailers that were never asked for the barcode, and will be in the background. */
export function notAskedYet(
  known: Pick<AnsweredProduct, 'gtin' | 'rows'>,
  canAskByBarcode: CanAskByBarcode,
): readonly KnownSlug[] {
  if (known.gtin === null || !productCode(known.gtin).usable) return [];
  return KNOWN_SLUGS.filter((slug) => answerOf(known, slug) === null && canAskByBarcode(slug));
}

function answerOf({ rows }: Pick<AnsweredProduct, 'rows'>, retailer: Slug): BarcodeAnswer | null {
  return rows.find((each) => each.retailer === retailer)?.answer ?? null;
}

/** Returns the priority of asking a retailer for the barcode; null if its data is recent enough. */
function priorityOf(
  known: AnsweredProduct,
  { retailer, gtin }: { readonly retailer: KnownSlug; readonly gtin: Gtin14 },
  nowMs: number,
): number | null {
  const answer = answerOf(known, retailer);
  if (answer === null) return isSearchedByWords(retailer) ? NEVER_ASKED - 1 : NEVER_ASKED;
  if (answer.askedAtMs === null) {
    return isDoneSince(answer.checkedAtMs, nowMs - AFTER_FAILURE_MS, nowMs) ? null : 1;
  }
  if (isJudgedAgain(known, answer, gtin)) return 1;
  if (answer.listingId === null) {
    const pauseMs = answer.status === 'not_found' ? FRESH_MS : AFTER_FAILURE_MS;
    return isDoneSince(answer.checkedAtMs, nowMs - pauseMs, nowMs) ? null : 1;
  }
  // The anchor's own page gives more than a search for its barcode would. It has a job of its own when stale.
  if (known.isOwn && known.anchor.id === answer.listingId) return null;
  const listing = known.listings.find(({ id }) => id === answer.listingId);
  if (listing === undefined) return NEVER_ASKED;
  return isStale(listing, nowMs) ? daysOld(listing, nowMs) : null;
}

/**
 * Checks whether the retailer is searched by words: it is asked after the others, so that its hits are judged by what they
 * confirm.
 */
function isSearchedByWords(retailer: KnownSlug): boolean {
  return identityMethodOf(retailer) === null;
}

function isStale(stored: StoredListing, nowMs: number): boolean {
  return isWithheld(stored) || !isDoneSince(addressReadAtMs(stored), nowMs - FRESH_MS, nowMs);
}

/** Returns the age in days: staler listings come first. */
function daysOld(stored: StoredListing, nowMs: number): number {
  return Math.min(NEVER_ASKED - 2, Math.floor((nowMs - addressReadAtMs(stored)) / DAY_MS));
}

function listingJob({ retailer, key, url }: StoredListing): JobSubject {
  return { kind: 'listing', retailer, key, url };
}

/** An answered lookup, as needed for scheduling. */
type AnsweredLookup = AnsweredProduct & {
  /** The calling organization; null for a call without one, as from the command line. */
  readonly organizationId: string | null;
};

/** Queues the jobs after an answer. Resolves when they are queued; never rejects. */
export type ScheduleInBackground = (answered: AnsweredLookup) => Promise<void>;

type ScheduleParts = {
  readonly store: Store;
  /** Returns a negative answer from the last day. */
  readonly knownMiss: (key: ListingKey) => Promise<Miss | null>;
  readonly canAskByBarcode: CanAskByBarcode;
  readonly clock: Clock;
  /** Runs to completion even when the service stops. Never rejects. */
  readonly inBackground: (work: () => Promise<unknown>) => Promise<void>;
  /** Called when a job was queued. */
  readonly enqueued: () => void;
};

/**
 * A product is scheduled at most once in this time, or until the next of its listings becomes stale. A popular product must
 * not cost a write with each answer.
 */
export const ONCE_IN_MS = MINUTE_MS;
const MAX_CACHED = 10_000;

export function createScheduleInBackground(parts: ScheduleParts): ScheduleInBackground {
  const scheduled = new Map<string, { readonly untilMs: number; readonly done: Promise<void> }>();
  return (answered) => {
    const name = `${(answered.from ?? answered.anchor).id} ${answered.gtin}`;
    const nowMs = parts.clock.now();
    const before = scheduled.get(name);
    if (before !== undefined && nowMs < before.untilMs) return before.done;
    const wanted = backgroundJobs(answered, parts.canAskByBarcode, nowMs);
    // After most answers nothing is left to do: starting background work needlessly took 4 % of a first answer.
    const done =
      wanted.length === 0
        ? Promise.resolve()
        : parts.inBackground(() => schedule(parts, answered, wanted));
    scheduled.delete(name);
    scheduled.set(name, { untilMs: scheduledUntil(answered, nowMs), done });
    const oldest = scheduled.keys().next();
    if (scheduled.size > MAX_CACHED && !oldest.done) scheduled.delete(oldest.value);
    return done;
  };
}

function scheduledUntil(
  { anchor, from = anchor, listings }: AnsweredProduct,
  nowMs: number,
): number {
  const untilMs = nowMs + ONCE_IN_MS;
  return [from, ...listings].reduce((soonest, stored) => {
    const staleFromMs = Math.min(
      addressReadAtMs(stored) + FRESH_MS + 1,
      stored.limits?.endsAtMs ?? Infinity,
    );
    return staleFromMs > nowMs ? Math.min(soonest, staleFromMs) : soonest;
  }, untilMs);
}

async function schedule(
  parts: ScheduleParts,
  { organizationId }: AnsweredLookup,
  wanted: readonly WantedJob[],
): Promise<void> {
  const { store, clock } = parts;
  const nowMs = clock.now();
  const known = await Promise.all(wanted.map(({ subject }) => isKnownMiss(parts, subject)));
  const left = wanted.filter((_, index) => known[index] === false);
  if (left.length === 0) return;
  const jobs = left.map((each) => ({ ...each, organizationId, runAtMs: nowMs }));
  await store.sql.write(jobs.flatMap((job) => enqueueJob(job, nowMs)));
  parts.enqueued();
}

/** D38: a listing found to be gone is not fetched again for a day. */
async function isKnownMiss({ knownMiss }: ScheduleParts, subject: JobSubject): Promise<boolean> {
  if (subject.kind !== 'listing') return false;
  const key = listingKeyOf({ kind: 'url', value: subject.url });
  return key !== null && (await knownMiss(key)) !== null;
}
