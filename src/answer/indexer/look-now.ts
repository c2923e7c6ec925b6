// Checks a watch while its owner waits (D93): fetches what it covers and lets it judge that, whenever its next check is due.

import { FaultError } from '../../base/fault.ts';
import { MINUTE_MS, type Clock } from '../../base/clock.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { insertWatchListing, noteLook } from '../../data/watches/watch-writes.ts';
import type { Sql } from '../../data/sql.ts';
import type { Job } from '../../data/turns/jobs.ts';
import type { ShownWatch } from '../../rules/watches/stored-watch.ts';
import type { Collect } from '../collect/collect.ts';
import type { ManageWatches } from '../lookup/watches/manage-watches.ts';
import { perform } from './perform.ts';
import type { WatchRoundParts } from './watch-rounds.ts';
import type { WorkerParts } from './worker.ts';

type LookNowParts = Pick<WatchRoundParts, 'questionsOf'> &
  Pick<WorkerParts, 'notifyWatches'> & {
    readonly sql: Sql;
    readonly clock: Clock;
    readonly collect: Collect;
    readonly find: ManageWatches['find'];
  };

/**
 * Returns the watch after the check. Throws FaultError `throttled` if the last one was less than five minutes ago,
 * `upstream_unavailable` if nothing could be read, `invalid_parameter` if the watch fetches nothing.
 */
export type LookNow = (
  organizationId: string,
  id: string,
  context: FetchContext,
) => Promise<ShownWatch>;

const APART_MS = 5 * MINUTE_MS;

export function createLookNow(parts: LookNowParts): LookNow {
  const { sql, clock, find, questionsOf, collect, notifyWatches } = parts;
  return async (organizationId, id, context) => {
    const watch = await find(organizationId, id);
    if (watch.pausedAtMs !== null || watch.rules.isHandedIn === true) throw fetchesNothing();
    const nowMs = clock.now();
    if (!(await sql.write([noteLook(watch, nowMs, APART_MS)])).done) {
      const untilMs = (watch.lookedAtMs ?? nowMs) + APART_MS;
      throw new FaultError({
        code: 'throttled',
        retryAfterSeconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1_000)),
        detail: 'A watch can be checked on request once in five minutes. Its own checks continue.',
      });
    }
    const questions = await questionsOf(watch);
    const known = questions.flatMap(({ listingId }) => (listingId === null ? [] : [listingId]));
    await sql.write(known.map((listingId) => insertWatchListing(id, listingId)));
    const reasons = await Promise.all(
      questions.map(async ({ subject }) => {
        const job: Job = {
          id,
          subject,
          organizationId,
          attempts: 1,
          sinceMs: nowMs,
          isCharged: true,
          fencingToken: '',
        };
        const ending = await perform(collect, job, nowMs, { ...context, isForWatches: 'paid' });
        const stored = ending.kind === 'done' ? ending.stored : undefined;
        const came = stored ?? ending.reason;
        if (came !== undefined) await notifyWatches(job, came);
        return stored === undefined ? (ending.reason ?? 'no answer') : null;
      }),
    );
    if (!reasons.includes(null)) throw nothingRead(reasons[0] ?? null);
    return find(organizationId, id);
  };
}

function fetchesNothing(): FaultError {
  return new FaultError({
    code: 'invalid_parameter',
    parameter: 'id',
    detail: 'This watch fetches nothing: it is paused, or watches only pages that are handed in.',
  });
}

function nothingRead(reason: string | null): FaultError {
  const words = reason?.replace(/^[a-z_]+: /, '') ?? 'No shop can be asked for it.';
  return new FaultError({
    code: 'upstream_unavailable',
    retryAfterSeconds: APART_MS / 1_000,
    detail: `Nothing could be read. ${words}`,
  });
}
