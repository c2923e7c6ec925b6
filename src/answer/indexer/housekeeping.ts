// Housekeeping while the service runs. Data that this process has collected is written. One process at a time deletes what
// has expired. Price history is compacted.

import { DAY_MS, SET_BACK_MS, dayOf, type Clock } from '../../base/clock.ts';
import type { Retention } from '../../rules/history/retention.ts';
import type { ExclusiveWork } from '../collect/coordination/exclusive-work.ts';
import type { DatabaseClock } from '../../data/database-clock.ts';
import type { Store } from '../../data/store.ts';
import { applyTerms } from '../../data/maintenance/apply-terms.ts';
import { wakeChannels } from '../../data/watches/channel-writes.ts';
import { wakeJobs } from '../../data/turns/jobs.ts';
import { sweptQuestions } from '../../data/answers/barcode-facts.ts';
import { pruneFeeds, wakeWatches } from '../../data/watches/watch-writes.ts';
import type { Background } from './background.ts';
import { keepCompact } from './compaction.ts';
import { untilDue } from '../../data/until-due.ts';

type HousekeepingParts = {
  readonly clock: Clock;
  readonly background: Background;
  readonly exclusive: ExclusiveWork;
  readonly store: Pick<
    Store,
    | 'sql'
    | 'terms'
    | 'writes'
    | 'readingCounts'
    | 'misses'
    | 'leases'
    | 'hostSlots'
    | 'hostPauses'
    | 'sourceStates'
  >;
  /** The clock that processes share for waiting on each other. */
  readonly sharedClock: DatabaseClock;
  readonly retention: Retention;
  /** Days for which changes, notices and deliveries are stored. */
  readonly keepChangesDays: number;
  readonly metering: {
    readonly noteUses: () => Promise<unknown>;
    readonly sweep: () => Promise<unknown>;
  };
  /** False if this process only writes what it has collected, and other processes do the rest. */
  readonly keepsStore: boolean;
  /** Called in each round but the first. Null if the operator wants no notices. */
  readonly notifyOperator: (() => Promise<void>) | null;
  /** Called with the service's own errors. */
  readonly onError: (what: string, error: unknown) => void;
};

const SWEEP_EVERY_MS = 10_000;

/**
 * Deletes what has expired: first at once, then every 10 s while something is written, otherwise every minute, until the
 * service stops. Compacts price history periodically. Rejects when the first sweep fails.
 */
export async function keepHouse(parts: HousekeepingParts): Promise<void> {
  const { clock, background, store, sharedClock, retention, onError } = parts;
  // At startup the previous clock reading is unknown: the clock may have been set back since.
  let latestMs = Number.POSITIVE_INFINITY;
  const sweep = async () => {
    await sharedClock.compare();
    await parts.metering.noteUses();
    // Another process does the rest.
    if (!parts.keepsStore) return;
    latestMs = Math.max(latestMs, sharedClock.now());
    await parts.exclusive.ifFree('housekeeping', async () => {
      await sweepStore(parts);
      const nowMs = sharedClock.now();
      // Waking examines every waiting watch, job and notice, so it is not done in every round.
      if (nowMs < latestMs - SET_BACK_MS) {
        await store.sql.write([wakeWatches(nowMs), wakeJobs(nowMs), ...wakeChannels(nowMs)]);
      }
      latestMs = nowMs;
    });
  };
  // The next round tries again. One failure must not end the housekeeping of this process, nor a service that already answers
  // when housekeeping starts.
  const trySweep = () =>
    sweep().catch((error: unknown) => onError('could not delete expired data', error));
  await trySweep();
  void background.run(async (signal) => {
    for (;;) {
      const findNext = async () => (store.writes.isFailing() ? 0 : null);
      await untilDue({ clock, sql: store.sql }, { everyMs: SWEEP_EVERY_MS, findNext }, signal);
      await trySweep();
      await parts
        .notifyOperator?.()
        .catch((error: unknown) => onError('could not notify the operator', error));
      // While writes fail the store is probed, so that recovery is noticed even without calls.
      if (store.writes.isFailing()) await store.sql.probe();
    }
  });
  if (!parts.keepsStore) return;
  keepCompact({
    sql: store.sql,
    retention,
    clock,
    background,
    onError: (error) => onError('could not compact the price history', error),
  });
}

/** All in one commit. */
async function sweepStore(parts: HousekeepingParts): Promise<void> {
  const { metering, store, clock, sharedClock, keepChangesDays } = parts;
  await Promise.all([
    metering.sweep(),
    store.readingCounts.sweep(dayOf(clock.now())),
    store.misses.sweep(clock.now()),
    store.leases.sweep(sharedClock.now()),
    store.hostSlots.sweep(sharedClock.now()),
    store.hostPauses.sweep(sharedClock.now()),
    store.sourceStates.sweep(sharedClock.now()),
    store.sql.write(sweptQuestions(sharedClock.now())),
    applyTerms(store.sql, store.terms, clock.now()),
    store.sql.write(pruneFeeds(clock.now() - keepChangesDays * DAY_MS)),
  ]);
}
