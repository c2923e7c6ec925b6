// The watch scheduler: queues the checks that are due, where organizations take turns and each host's pace applies. Any number
// of processes may do this. A check belongs to the process that writes its round first.

import { MINUTE_MS, monthOf, type Clock } from '../../base/clock.ts';
import { findUsage } from '../../data/accounts/balances.ts';
import { enqueueJob, type JobSubject } from '../../data/turns/jobs.ts';
import { madeId } from '../../data/made-id.ts';
import type { Sql, Statement } from '../../data/sql.ts';
import { insertNoticeToDeliver } from '../../data/watches/notices-to-deliver.ts';
import {
  deleteOtherListings,
  insertWatchListing,
  updateRound,
} from '../../data/watches/watch-writes.ts';
import type { Watches } from '../../data/watches/watches.ts';
import type { Watch } from '../../rules/watches/stored-watch.ts';
import { troubleBody } from '../../rules/watches/notice.ts';
import { decideRound } from '../../rules/watches/rounds.ts';
import { newEnoughSinceMs, nextSlotMs } from '../../rules/watches/schedule.ts';

type WatchRoundParts = {
  readonly sql: Sql;
  readonly watches: Pick<Watches, 'findDue'>;
  readonly clock: Clock;
  /** Returns a watch's questions: the listings that it covers, or a barcode if they are not known. */
  readonly questionsOf: (
    watch: Watch,
  ) => Promise<readonly { readonly subject: JobSubject; readonly listingId: string | null }[]>;
  /** Called when jobs have been queued. */
  readonly enqueued: () => void;
  readonly onError: (what: string, error: unknown) => void;
};

/** Due watches processed together. */
const AT_ONCE = 100;
/** The priority of checks: after what callers of lookups wait for, before what is merely stale. */
const PRIORITY = 20;
const EVERY_MS = 1_000;

/**
 * Tokens that an organization has left, less the possible cost of checks already started and the reservations of calls in
 * progress.
 */
type Left = { readonly remaining: number; readonly reserved: number };

type Balances = Map<string, Promise<Left>>;

/**
 * How long a check is postponed if its tokens are only reserved. By then the reserving call has been charged, or its
 * reservation has expired.
 */
const PUT_OFF_MS = MINUTE_MS;

/** Looks for due watches every second until the signal aborts. */
export async function keepWatching(parts: WatchRoundParts, stop: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const balances: Balances = new Map();
      while ((await startRounds(parts, balances)) === AT_ONCE && !stop.aborted);
    } catch (error) {
      parts.onError('could not check for due watches', error);
    }
    await parts.clock.sleep(EVERY_MS, stop);
  }
}

/** Starts the checks that are due, at most a hundred; returns how many watches were examined. */
export async function startRounds(
  parts: WatchRoundParts,
  balances: Balances = new Map(),
): Promise<number> {
  const due = await parts.watches.findDue(parts.clock.now(), AT_ONCE);
  const failed: { readonly id: string; readonly error: unknown }[] = [];
  let hasStarted = false;
  for (const watch of due) {
    const { organizationId } = watch;
    const reading = balances.get(organizationId) ?? readLeft(parts, organizationId);
    balances.set(organizationId, reading);
    try {
      const left = await reading;
      const tokens = await startRound(parts, watch, left);
      hasStarted ||= tokens > 0;
      const remaining = left.remaining - tokens;
      balances.set(organizationId, Promise.resolve({ ...left, remaining }));
    } catch (error) {
      failed.push({ id: watch.id, error });
    }
  }
  if (hasStarted) parts.enqueued();
  const [first] = failed;
  if (first !== undefined) {
    const more = failed.length === 1 ? '' : ` and ${failed.length - 1} more`;
    parts.onError(`could not start the check of watch ${first.id}${more}`, first.error);
  }
  // Failed watches are due again at once. They are not counted, so that a caller polling for more does not only find them
  // again.
  return due.length - failed.length;
}

async function readLeft({ sql, clock }: WatchRoundParts, organizationId: string): Promise<Left> {
  const account = { organizationId, month: monthOf(clock.now()) };
  const { remaining, allowance, used } = await findUsage(sql, account);
  return { remaining, reserved: allowance - used - remaining };
}

/** Starts a watch's check. Returns its maximum cost in tokens; 0 if no check is made, or another process makes it. */
async function startRound(
  parts: WatchRoundParts,
  watch: Watch,
  { remaining, reserved }: Left,
): Promise<number> {
  const nowMs = parts.clock.now();
  const questions = await parts.questionsOf(watch);
  const costs = Math.max(1, questions.length);
  if (remaining < costs && remaining + reserved >= costs) {
    await parts.sql.write([updateRound(watch, { ...watch, nextAtMs: nowMs + PUT_OFF_MS })]);
    return 0;
  }
  const decided = decideRound({
    nowMs,
    intervalMs: watch.intervalMs,
    lastRoundMs: watch.roundAtMs,
    readAtMs: watch.readAtMs,
    failedRounds: watch.failedRounds,
    failingAfter: watch.failingAfter,
    trouble: watch.trouble,
    costs,
    remaining,
  });
  const nextAtMs = nextSlotMs(watch.seed, watch.intervalMs, Math.max(nowMs, watch.nextAtMs));
  const roundAtMs = decided.isMade ? watch.nextAtMs : null;
  const written = await parts.sql.write([
    updateRound(watch, { ...decided, roundAtMs, nextAtMs }),
    ...told(watch, decided, nowMs),
    ...(decided.isMade ? asked(watch, questions, nowMs) : []),
  ]);
  return written.done && decided.isMade ? questions.length : 0;
}

function told(
  watch: Watch,
  { tells, failedRounds }: ReturnType<typeof decideRound>,
  nowMs: number,
): readonly Statement[] {
  if (tells === null) return [];
  const { id: watchId, organizationId, identifiers, channels, reason, state, nextAtMs } = watch;
  const known = Object.values(state.known)[0] ?? null;
  const body = troubleBody(tells, { identifiers, known }, { why: reason, rounds: failedRounds });
  const id = madeId('ntc', `${tells}\n${watchId}\n${nextAtMs}`);
  const listingId = known?.listingId ?? null;
  return insertNoticeToDeliver({
    id,
    organizationId,
    watchId,
    listingId,
    kind: tells,
    body,
    atMs: nowMs,
    channels,
    identifiers,
  });
}

function asked(
  watch: Watch,
  questions: Awaited<ReturnType<WatchRoundParts['questionsOf']>>,
  nowMs: number,
): readonly Statement[] {
  const { organizationId, intervalMs, nextAtMs: dueMs } = watch;
  const sinceMs = newEnoughSinceMs(dueMs, intervalMs);
  const known = questions.flatMap(({ listingId }) => (listingId === null ? [] : [listingId]));
  const jobs = questions.flatMap(({ subject }) =>
    enqueueJob(
      { subject, organizationId, priority: PRIORITY, runAtMs: nowMs, sinceMs, isCharged: true },
      nowMs,
    ),
  );
  return [
    ...(known.length === 0 ? [] : [deleteOtherListings(watch.id, known)]),
    ...known.map((listingId) => insertWatchListing(watch.id, listingId)),
    ...jobs,
  ];
}
