// The watch scheduler: queues the checks that are due, where organizations take turns and each host's pace applies. Any number
// of processes may do this. A check belongs to the process that writes its round first.

import { MINUTE_MS, monthOf, type Clock } from '../../base/clock.ts';
import { findUsage } from '../../data/accounts/balances.ts';
import { enqueueJob, isToBeTried, type JobSubject } from '../../data/turns/jobs.ts';
import { listingIdOf } from '../../data/answers/listings.ts';
import { madeId } from '../../data/made-id.ts';
import type { Database, Sql, Statement } from '../../data/sql.ts';
import { insertNoticeToDeliver } from '../../data/watches/notices-to-deliver.ts';
import {
  deleteOtherListings,
  insertWatchListing,
  noteFailing,
  updateRound,
} from '../../data/watches/watch-writes.ts';
import type { Watches } from '../../data/watches/watches.ts';
import type { Watch } from '../../rules/watches/stored-watch.ts';
import { untilDue } from '../../data/until-due.ts';
import { troubleBody, type NoticeKind } from '../../rules/watches/notice.ts';
import { decideRound, failingAtEnd } from '../../rules/watches/rounds.ts';
import { newEnoughSinceMs, nextSlotMs } from '../../rules/watches/schedule.ts';

export type WatchRoundParts = {
  readonly sql: Sql & Pick<Database, 'changes'>;
  readonly watches: Pick<Watches, 'findDue' | 'findNextDue' | 'findWatching'>;
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
/** The priority of checks: after listings that callers of lookups wait for, before listings that are merely stale. */
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

/** Starts the checks of watches when they are due, until the signal aborts. */
export async function keepWatching(parts: WatchRoundParts, stop: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const balances: Balances = new Map();
      while ((await startRounds(parts, balances)) === AT_ONCE && !stop.aborted);
    } catch (error) {
      parts.onError('could not check for due watches', error);
    }
    const findNext = () => parts.watches.findNextDue();
    await untilDue(parts, { everyMs: EVERY_MS, findNext }, stop);
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
  const { tells, failedRounds: rounds } = decided;
  const dueMs = watch.nextAtMs;
  const written = await parts.sql.write([
    updateRound(watch, { ...decided, roundAtMs, nextAtMs }),
    ...(tells === null ? [] : troubleNotice(watch, tells, { nowMs, dueMs, rounds })),
    ...(decided.isMade ? asked(watch, questions, nowMs) : []),
  ]);
  if (!written.done || !decided.isMade) return 0;
  const { version } = watch;
  const started = { ...watch, ...decided, roundAtMs, nextAtMs, version: version + 1 };
  // A shop may have asked for a pause that outlasts the check.
  await reportIfFailing(parts, started, { again: true });
  return questions.length;
}

type ReportParts = Pick<WatchRoundParts, 'clock' | 'questionsOf'> & {
  readonly sql: Sql;
  readonly watches: Pick<Watches, 'findWatching'>;
};

/** Attempts if other processes change the watch meanwhile. */
const ATTEMPTS = 4;

/**
 * Notifies of the watches whose check is over now that a job has ended, if it read nothing and that was the last failure they
 * allow. Call it once the job is back in the queue or gone.
 */
export async function reportFailedChecks(parts: ReportParts, subject: JobSubject): Promise<void> {
  const listingId = subject.kind === 'listing' ? listingIdOf(subject.retailer, subject.key) : '';
  const gtin = subject.kind === 'barcode' ? subject.gtin : null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await parts.watches.findWatching(listingId, gtin);
    const reports = found
      .filter(({ watch }) => watch.pausedAtMs === null && watch.rules.isHandedIn !== true)
      .map(({ watch }) => reportIfFailing(parts, watch, { again: false }));
    if (!(await Promise.all(reports)).includes('changed')) return;
  }
}

/** `again`: a failed attempt that will be repeated before the next check counts as one that may still read something. */
async function reportIfFailing(
  { sql, clock, questionsOf }: ReportParts,
  watch: Watch,
  { again }: { readonly again: boolean },
): Promise<'changed' | 'done'> {
  const nowMs = clock.now();
  const rounds = failingAtEnd({ ...watch, nowMs });
  if (rounds === null) return 'done';
  const subjects = (await questionsOf(watch)).map(({ subject }) => subject);
  if (await isToBeTried(sql, subjects, { beforeMs: watch.nextAtMs, again })) return 'done';
  const dueMs = watch.roundAtMs ?? nowMs;
  const written = await sql.write([
    noteFailing(watch),
    ...troubleNotice(watch, 'failing', { nowMs, dueMs, rounds }),
  ]);
  return written.done ? 'done' : 'changed';
}

function troubleNotice(
  watch: Watch,
  kind: Exclude<NoticeKind, 'fired'>,
  at: { readonly nowMs: number; readonly dueMs: number; readonly rounds: number },
): readonly Statement[] {
  const { id: watchId, organizationId, identifiers, channels, reason, state } = watch;
  // A notice is stored from now on: longer than the terms of a source may allow what it stated earlier.
  const known = Object.values(state.known).find(({ source }) => source === undefined) ?? null;
  return insertNoticeToDeliver({
    id: madeId('ntc', `${kind}\n${watchId}\n${at.dueMs}`),
    organizationId,
    watchId,
    listingId: known?.listingId ?? null,
    kind,
    body: troubleBody(kind, { identifiers, known }, { why: reason, rounds: at.rounds }),
    atMs: at.nowMs,
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
