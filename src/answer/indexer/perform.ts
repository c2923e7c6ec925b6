// Performs one job: fetches what the job wants and decides the outcome of the attempt. The worker stores that.

import type { FetchContext } from '../../base/fetch-context.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import type { Collect } from '../collect/collect.ts';
import type { PageOutcome } from '../collect/collect-outcome.ts';
import { FRESH_MS } from '../collect/freshness.ts';
import { listingKeyOf } from '../collect/listing-key.ts';
import type { StoredListing } from '../../base/listing/stored-listing.ts';
import type { Job } from '../../data/turns/jobs.ts';

/** The outcome of an attempt, for the queue. */
export type Ending =
  /** The question is answered, possibly negatively. */
  | {
      readonly kind: 'done';
      /** The listing that was read, or that another fetch had just read. */
      readonly stored?: StoredListing;
      /** The negative answer, if nothing was read. Absent if a listing was. */
      readonly reason?: string;
    }
  /** Nothing was fetched, for a reason within the service. It is retried after the wait, and the attempt does not count. */
  | { readonly kind: 'postponed'; readonly reason: string; readonly waitMs: number }
  /** There is no answer yet. It is retried after the wait. */
  | { readonly kind: 'failed'; readonly reason: string; readonly waitMs: number }
  /** Another attempt soon would fail the same way. */
  | { readonly kind: 'hopeless'; readonly reason: string };

const MOVED = 'moved: The page at the address now shows another product.';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Fetches what the job wants; `collect` stores the result. Throws the service's own errors. */
export async function perform(
  collect: Collect,
  job: Job,
  nowMs: number,
  context: FetchContext,
): Promise<Ending> {
  try {
    const sinceMs = job.sinceMs ?? nowMs - FRESH_MS;
    const collected = await ask(collect, job, sinceMs, {
      ...context,
      isForWatches: job.isCharged && (context.isForWatches ?? true),
    });
    return collected === null
      ? { kind: 'hopeless', reason: 'the address does not belong to a page' }
      : endingOf(collected, job);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return endingOf({ kind: 'failed', fault: error.fault }, job);
  }
}

/**
 * Requests what the job wants. Null if the address names no page. What was read less than a day ago is not fetched again.
 */
async function ask(
  collect: Collect,
  { subject }: Job,
  sinceMs: number,
  context: FetchContext,
): Promise<PageOutcome | null> {
  if (subject.kind === 'barcode') {
    return collect.collectBarcode(subject.retailer, subject.gtin, sinceMs, context);
  }
  const key = listingKeyOf({ kind: 'url', value: subject.url });
  return key === null ? null : collect.collect(key, sinceMs, context);
}

function endingOf(collected: PageOutcome, { subject, attempts }: Job): Ending {
  if (collected.kind === 'miss') return { kind: 'done', reason: collected.miss.detail };
  if (collected.kind === 'read') return { kind: 'done', stored: collected.stored };
  if (collected.kind === 'moved') {
    const { stored } = collected;
    const isWanted = subject.kind === 'listing' && subject.key === stored.key;
    return isWanted ? { kind: 'done', stored } : { kind: 'done', reason: MOVED };
  }
  const { fault } = collected;
  const reason = reasonOf(fault);
  if (collected.isPaced === true) {
    return { kind: 'postponed', reason, waitMs: (fault.retryAfterSeconds ?? 1) * 1_000 };
  }
  // A retry can help only if the fault has a retry time (D49), or if a name could not be resolved (D50).
  const mayChange = fault.retryAfterSeconds !== undefined || fault.code === 'url_not_allowed';
  if (!mayChange) return { kind: 'hopeless', reason };
  const waitMs = Math.max((fault.retryAfterSeconds ?? 0) * 1_000, backoffMs(attempts));
  return { kind: 'failed', reason, waitMs };
}

/** Returns the pause after the given attempt: longer each time, at most six hours. */
export function backoffMs(attempts: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 4 ** attempts);
}

function reasonOf({ code, upstream, detail }: Fault): string {
  return `${upstream ?? code}: ${detail}`.slice(0, 300);
}
