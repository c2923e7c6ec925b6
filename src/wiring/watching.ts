// Wires watches: the scheduler of their checks, what a finished check tells them, and what makes and changes them.

import { tellHeld, type StoreReadParts } from '../collect/store-read.ts';
import type { Config } from '../config.ts';
import { keepWatching, startRounds } from '../indexer/watch-rounds.ts';
import type { WorkerParts } from '../indexer/worker.ts';
import type { IsAllowedUrl } from '../lookup/parse-input.ts';
import { createManageWatches, type ManageWatches } from '../lookup/manage-watches.ts';
import { createWatchPrices, type WatchPrices } from '../lookup/watch-prices.ts';
import { createQuestionsOf, type WatchQuestionParts } from '../lookup/watch-questions.ts';
import type { JobSubject } from '../store/jobs.ts';
import { listingIdOf } from '../store/listings.ts';
import { noteFailure } from '../store/watch-writes.ts';
import type { Needs } from './shared-parts.ts';

export type Watching = {
  /** Puts the checks of watches on the queue, for as long as the service runs. */
  readonly keepWatching: (stop: AbortSignal) => Promise<void>;
  /** Looks once for watches that are due, and returns how many were. */
  readonly checkWatches: () => Promise<number>;
  readonly manageWatches: ManageWatches;
  readonly watchPrices: WatchPrices;
};

type WatchingParts = WatchQuestionParts & {
  readonly isAllowedUrl: IsAllowedUrl;
  /** Jobs were put on the queue. */
  readonly wake: () => void;
};

export function wireWatches(config: Config, needs: Needs, parts: WatchingParts): Watching {
  const { store, sharedClock: clock, onError, newId } = needs;
  const { isAllowedUrl, wake: enqueued } = parts;
  const questionsOf = createQuestionsOf(parts);
  const rounds = { sql: store.sql, watches: store.watches, clock, questionsOf, enqueued, onError };
  return {
    keepWatching: (stop) => keepWatching(rounds, stop),
    checkWatches: () => startRounds(rounds),
    watchPrices: createWatchPrices(store, clock),
    manageWatches: createManageWatches({
      store,
      clock,
      isAllowedUrl,
      newId,
      limits: { watches: config.maxWatches, addresses: config.maxWatchedAddresses },
    }),
  };
}

/** Tells watches what a job came to that they wait for. */
export function tellWatchesOf(parts: StoreReadParts): WorkerParts['tellWatches'] {
  return async ({ subject }, came) => {
    const gtin = subject.kind === 'barcode' ? subject.gtin : null;
    if (typeof came !== 'string') await tellHeld(parts, { stored: came, gtin });
    else await parts.store.sql.write([noteFailure(subjectOfFailure(subject), came)]);
  };
}

function subjectOfFailure(subject: JobSubject) {
  const { retailer } = subject;
  if (subject.kind === 'barcode') return { listingId: null, gtin: subject.gtin, retailer };
  return { listingId: listingIdOf(retailer, subject.key), gtin: null, retailer };
}
