// Background work: a queue with leases. A job's id is derived from its subject, so that work requested by many callers is
// done once; only a second check of the subject is a separate job. Leasing, completing and postponing are conditional on the
// fencing token: a worker that has lost its lease changes nothing.

import { createHash } from 'node:crypto';

import { DAY_MS } from '../../base/clock.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { KnownSlug, Slug } from '../../base/retailer.ts';
import { reviseBarcodesOfJobs, reviseSubjects } from '../answers/revisions.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { numberOrNull, padded, placeholdersOf } from '../statement-values.ts';

/** How long a lease lasts without a heartbeat. After that another worker may take the job. */
const LEASE_MS = 30_000;
export const HEARTBEAT_MS = 5_000;
/** Attempts after which a job is parked with the reason. */
const MAX_ATTEMPTS = 5;
/** The first enqueue after this long restarts a parked job. */
const PARKED_MS = DAY_MS;

/** The request of a job: a known retailer for a barcode, or one listing again. */
export type JobSubject =
  | { readonly kind: 'barcode'; readonly retailer: KnownSlug; readonly gtin: Gtin14 }
  | {
      readonly kind: 'listing';
      readonly retailer: Slug;
      readonly key: string;
      readonly url: string;
    };

export type NewJob = {
  readonly subject: JobSubject;
  /** The organization whose turn is used; null if the job belongs to none. */
  readonly organizationId: string | null;
  /** Among the jobs of one organization, the highest goes first. */
  readonly priority: number;
  /** The earliest time at which it may run. */
  readonly runAtMs: number;
  /** Anything read at or after this instant is new enough. If absent, anything at most a day old is. */
  readonly sinceMs?: number;
  /** Whether a watch is charged for the read. */
  readonly isCharged?: boolean;
  /**
   * Whether it is a second check: a separate job for the same subject, because the existing one could run earlier and
   * replace it.
   */
  readonly isSecondCheck?: boolean;
};

/** A job leased by this worker. */
export type Job = {
  readonly id: string;
  readonly subject: JobSubject;
  readonly organizationId: string | null;
  /** Attempts so far, including the current one. */
  readonly attempts: number;
  /** Anything read at or after this instant is new enough. If null, anything at most a day old is. */
  readonly sinceMs: number | null;
  readonly isCharged: boolean;
  /** Rejects writes of a worker whose lease has run out, because the next lease has another token. */
  readonly fencingToken: string;
};

type JobCounts = {
  readonly waiting: number;
  /** Jobs with an unexpired lease. */
  readonly running: number;
  readonly parked: number;
};

/** When and why an unsuccessful attempt is retried. */
type Deferral = { readonly reason: string; readonly runAtMs: number };

export type Jobs = {
  /** Whether `lease` would find a job; does not write. */
  isDue(nowMs: number): Promise<boolean>;
  /** Returns when `lease` will find a job, now or later; null if there is none to be found. Does not write. */
  findNextDue(): Promise<number | null>;
  /**
   * Returns the next job, leased for `LEASE_MS` under a fencing token that was never used before; null if none is due.
   * Organizations take turns, those without a leased job first: jobs of an organization with slow shops last a minute, and
   * would otherwise take every second turn. Within an organization, jobs are ordered by priority, then by demand, then by
   * waiting time.
   */
  lease(fencingToken: string, nowMs: number): Promise<Job | null>;
  /** Renews the lease. False if it was lost: the outcome of the work will then change nothing. */
  extend(job: Job, nowMs: number): Promise<boolean>;
  /**
   * Ends the job. If newer data was requested meanwhile than this job had to find, the job stays on the queue for that. False
   * if the lease was lost.
   */
  complete(job: Job): Promise<boolean>;
  /** Records a failed attempt: it is retried at `runAtMs`, or parked if it was the last attempt. */
  fail(job: Job, deferral: Deferral, nowMs: number): Promise<'again' | 'parked' | 'lost'>;
  /** Parks the job, because asking again soon would change nothing. False if the lease was lost. */
  park(job: Job, reason: string, nowMs: number): Promise<boolean>;
  /**
   * Postpones the job, because the service itself prevented any attempt; the attempt is not counted. False if the lease was
   * lost.
   */
  postpone(job: Job, deferral: Deferral): Promise<boolean>;
  /** Returns the retailers for which a job for this barcode is waiting or running, and not parked: `indexing` (D34). */
  findLiveJobs(gtin: Gtin14): Promise<ReadonlySet<Slug>>;
  countJobs(nowMs: number): Promise<JobCounts>;
  /** Returns since when the job that waits longest has been due; null if none is. */
  findDueSince(nowMs: number): Promise<number | null>;
};

export function createJobs(sql: Sql): Jobs {
  return {
    isDue: async (nowMs) => ((await findNextDue(sql)) ?? Infinity) <= nowMs,
    findNextDue: () => findNextDue(sql),
    lease: (fencingToken, nowMs) => lease(sql, fencingToken, nowMs),
    extend: (job, nowMs) => change(sql, job, 'lease_until_ms = $3', [nowMs + LEASE_MS]),
    complete: (job) => complete(sql, job),
    fail: (job, deferral, nowMs) => fail(sql, job, deferral, nowMs),
    park: async ({ id, fencingToken }, reason, nowMs) => {
      const text = `update jobs set ${RELEASED}, parked_at_ms = $3, reason = $4
        where id = $1 and claim_token = $2 returning id`;
      const params = [id, fencingToken, nowMs, reason];
      return (await endedRows(sql, id, { text, params })).length > 0;
    },
    postpone: (job, { runAtMs, reason }) =>
      change(sql, job, `${RELEASED}, attempts = attempts - 1, run_at_ms = $3, reason = $4`, [
        runAtMs,
        reason,
      ]),
    findLiveJobs: (gtin) => liveJobs(sql, gtin),
    countJobs: (nowMs) => counts(sql, nowMs),
    findDueSince: async (nowMs) => {
      const text = `select job.run_at_ms from jobs job where ${DUE} order by job.run_at_ms limit 1`;
      return numberOrNull((await sql.all(text, [nowMs]))[0]?.['run_at_ms']);
    },
  };
}

/** Derives the id from the subject, so that a second enqueue finds the first. */
function jobIdOf(subject: JobSubject, isSecondCheck = false): string {
  const key = subject.kind === 'barcode' ? subject.gtin : subject.key;
  const name = `${subject.kind}\n${subject.retailer}\n${key}${isSecondCheck ? '\nsecond look' : ''}`;
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

/** The organization of jobs without one: in SQL `organization_id = ...` does not match null. */
const NO_ORGANIZATION = '';

/**
 * Puts a job on the queue. A job that is already there gains demand, and the higher of the two priorities. It may run earlier
 * unless an attempt has postponed it, because the retailer then asked for the pause. A parked job restarts after `PARKED_MS`,
 * but not earlier unless a watch requests it: each check of a watch is a separate attempt.
 */
export function enqueueJob(job: NewJob, nowMs: number): readonly Statement[] {
  const { subject, priority, runAtMs } = job;
  const organizationId = job.organizationId ?? NO_ORGANIZATION;
  return [
    ...(subject.kind === 'barcode' ? [reviseSubjects([subject.gtin])] : []),
    {
      text: `insert into job_turns (organization_id, turn) values ($1, 0)
        on conflict (organization_id) do nothing`,
      params: [organizationId],
    },
    {
      text: `insert into jobs (id, kind, retailer, gtin14, listing_key, url, organization_id,
          priority, demand, run_at_ms, attempts, created_at_ms, since_ms, is_charged)
        values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, 0, $10, cast($11 as bigint), cast($12 as bigint))
        on conflict (id) do update set
          demand = jobs.demand + 1,
          priority = case when excluded.priority > jobs.priority
            then excluded.priority else jobs.priority end,
          run_at_ms = case
            when jobs.parked_at_ms is not null then excluded.run_at_ms
            when jobs.reason is null and excluded.run_at_ms < jobs.run_at_ms
              then excluded.run_at_ms
            else jobs.run_at_ms end,
          organization_id = case when jobs.parked_at_ms is null
            then jobs.organization_id else excluded.organization_id end,
          attempts = case when jobs.parked_at_ms is null then jobs.attempts else 0 end,
          reason = case when jobs.parked_at_ms is null then jobs.reason else null end,
          created_at_ms = case when jobs.parked_at_ms is null
            then jobs.created_at_ms else excluded.created_at_ms end,
          since_ms = case
            when excluded.since_ms is null then jobs.since_ms
            when jobs.since_ms is null or jobs.since_ms < excluded.since_ms then excluded.since_ms
            else jobs.since_ms end,
          is_charged = case when excluded.is_charged > jobs.is_charged
            then excluded.is_charged else jobs.is_charged end,
          parked_at_ms = null
        where jobs.parked_at_ms is null or excluded.since_ms is not null
          or jobs.parked_at_ms <= $10 - ${PARKED_MS}`,
      params: [
        jobIdOf(subject, job.isSecondCheck),
        subject.kind,
        subject.retailer,
        subject.kind === 'barcode' ? subject.gtin : null,
        subject.kind === 'listing' ? subject.key : null,
        subject.kind === 'listing' ? subject.url : null,
        organizationId,
        priority,
        runAtMs,
        nowMs,
        job.sinceMs ?? null,
        job.isCharged === true ? 1 : 0,
      ],
    },
  ];
}

/**
 * Returns whether one of these subjects is still to be requested before an instant: for the first time, or also again after a
 * failed attempt (`again`).
 */
export async function isToBeTried(
  sql: Sql,
  subjects: readonly JobSubject[],
  { beforeMs, again }: { readonly beforeMs: number; readonly again: boolean },
): Promise<boolean> {
  const ids = padded(subjects.map((subject) => jobIdOf(subject)));
  if (ids.length === 0) return false;
  const untried = again ? '' : 'and (attempts = 0 or lease_until_ms is not null)';
  const rows = await sql.all(
    `select 1 as found from jobs where id in (${placeholdersOf(ids, 2)})
       and parked_at_ms is null and run_at_ms < $1 ${untried} limit 1`,
    [beforeMs, ...ids],
  );
  return rows.length > 0;
}

/** The name of a statement that returns rows of `jobs`. */
const JOB = 'job';

/** Condition on `job` for being due at $1. */
const DUE = `job.parked_at_ms is null and job.run_at_ms <= $1
  and (job.lease_until_ms is null or job.lease_until_ms <= $1)`;

const NEXT_ORGANIZATION = `select organization_id from job_turns
  where exists (select 1 from jobs job where job.organization_id = job_turns.organization_id and ${DUE})`;

/** A leased job was due when it was leased. */
async function findNextDue(sql: Sql): Promise<number | null> {
  const [row] = await sql.all(
    `select min(due_ms) as due_ms from (
       select min(lease_until_ms) as due_ms from jobs where lease_until_ms is not null
       union all
       select * from (select run_at_ms from jobs where parked_at_ms is null and lease_until_ms is null
         order by run_at_ms limit 1) as first) as either`,
  );
  const dueMs = row?.['due_ms'] ?? null;
  return dueMs === null ? null : Number(dueMs);
}

/**
 * Leases the next job with three statements in one transaction. A job whose workers died `MAX_ATTEMPTS` times is parked, the
 * next job is leased, and its organization moves to the end of the queue. The organization is chosen first, so that its jobs
 * are found by index and, on PostgreSQL, its turn is not locked.
 */
async function lease(sql: Sql, fencingToken: string, nowMs: number): Promise<Job | null> {
  const isGivenUp = `lease_until_ms is not null and lease_until_ms <= $1 and attempts >= ${MAX_ATTEMPTS}`;
  const written = await sql.write([
    reviseBarcodesOfJobs(isGivenUp, [nowMs]),
    {
      text: `update jobs set lease_until_ms = null, claim_token = null, parked_at_ms = $1,
          reason = 'no worker finished it in ${MAX_ATTEMPTS} attempts'
        where ${isGivenUp}`,
      params: [nowMs],
    },
    {
      text: `update jobs set attempts = attempts + 1, claim_token = $2, lease_until_ms = $3
        where id = (
          select job.id from jobs job
          where job.organization_id = coalesce(
              (${NEXT_ORGANIZATION} and organization_id not in (
                select organization_id from jobs where lease_until_ms > $1) order by turn limit 1),
              (${NEXT_ORGANIZATION} order by turn limit 1))
            and ${DUE}
          order by job.priority desc, job.demand desc, job.run_at_ms
          limit 1${sql.skipLocked})
        returning *`,
      params: [nowMs, fencingToken, nowMs + LEASE_MS],
      name: JOB,
    },
    {
      text: `update job_turns set turn = (select max(turn) + 1 from job_turns)
        where organization_id = (select organization_id from jobs where claim_token = $1)`,
      params: [fencingToken],
    },
  ]);
  const [row] = written.done ? (written.rows[JOB] ?? []) : [];
  return row === undefined ? null : toJob(row);
}

function toJob(row: Row): Job {
  const organizationId = String(row['organization_id']);
  return {
    id: String(row['id']),
    subject: toSubject(row),
    organizationId: organizationId === NO_ORGANIZATION ? null : organizationId,
    attempts: Number(row['attempts']),
    sinceMs: typeof row['since_ms'] === 'number' ? row['since_ms'] : null,
    isCharged: row['is_charged'] === 1,
    fencingToken: String(row['claim_token']),
  };
}

function toSubject(row: Row): JobSubject {
  // SAFETY: only `enqueueJob` writes rows, from the same union; the schema checks which columns go together.
  if (row['kind'] === 'barcode') {
    const retailer = String(row['retailer']) as KnownSlug;
    return { kind: 'barcode', retailer, gtin: String(row['gtin14']) as Gtin14 };
  }
  return {
    kind: 'listing',
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
    url: String(row['url']),
  };
}

const RELEASED = 'lease_until_ms = null, claim_token = null';

/** Changes a job whose lease the worker still has; `values` are $3 and on. */
async function change(
  sql: Sql,
  { id, fencingToken }: Job,
  set: string,
  values: readonly (string | number)[],
): Promise<boolean> {
  const text = `update jobs set ${set} where id = $1 and claim_token = $2 returning id`;
  return (await rowsOf(sql, { text, params: [id, fencingToken, ...values] })).length > 0;
}

async function complete(sql: Sql, { id, fencingToken, sinceMs }: Job): Promise<boolean> {
  const written = await sql.write([
    reviseBarcodesOfJobs('id = $1', [id]),
    {
      text: `update jobs set ${RELEASED}, attempts = 0, reason = null, run_at_ms = since_ms
        where id = $1 and claim_token = $2 and since_ms > $3 returning id`,
      params: [id, fencingToken, sinceMs ?? 0],
      name: JOB,
    },
    {
      text: 'delete from jobs where id = $1 and claim_token = $2 returning id',
      params: [id, fencingToken],
      name: JOB,
    },
  ]);
  return written.done && (written.rows[JOB] ?? []).length > 0;
}

async function fail(
  sql: Sql,
  { id, fencingToken }: Job,
  { runAtMs, reason }: Deferral,
  nowMs: number,
): Promise<'again' | 'parked' | 'lost'> {
  const rows = await endedRows(sql, id, {
    text: `update jobs set ${RELEASED}, run_at_ms = $3, reason = $4,
        parked_at_ms = case when attempts >= ${MAX_ATTEMPTS} then cast($5 as bigint) else null end
      where id = $1 and claim_token = $2 returning parked_at_ms`,
    params: [id, fencingToken, runAtMs, reason, nowMs],
  });
  const [row] = rows;
  if (row === undefined) return 'lost';
  return row['parked_at_ms'] === null ? 'again' : 'parked';
}

async function rowsOf(sql: Sql, statement: Statement): Promise<readonly Row[]> {
  const written = await sql.write([{ ...statement, name: JOB }]);
  return written.done ? (written.rows[JOB] ?? []) : [];
}

/** The same if the job may end: its barcode then waits for one retailer fewer. */
async function endedRows(sql: Sql, id: string, statement: Statement): Promise<readonly Row[]> {
  const revised = reviseBarcodesOfJobs('id = $1', [id]);
  const written = await sql.write([revised, { ...statement, name: JOB }]);
  return written.done ? (written.rows[JOB] ?? []) : [];
}

async function liveJobs(sql: Sql, gtin: Gtin14): Promise<ReadonlySet<Slug>> {
  const rows = await sql.all(
    'select retailer from jobs where gtin14 = $1 and parked_at_ms is null',
    [gtin],
  );
  return new Set(rows.map((row) => String(row['retailer'])));
}

async function counts(sql: Sql, nowMs: number): Promise<JobCounts> {
  const rows = await sql.all(
    // Each count comes from an index: reading through the rows themselves takes three times as long.
    `select (select count(*) from jobs) as jobs,
       (select count(*) from jobs where parked_at_ms is null) as live,
       (select count(*) from jobs where lease_until_ms > $1) as running`,
    [nowMs],
  );
  const count = (name: string): number => Number(rows[0]?.[name] ?? 0);
  const [live, running] = [count('live'), count('running')];
  return { waiting: live - running, running, parked: count('jobs') - live };
}

/** The longest pause before the next attempt is a day and a quarter (base/retry-after.ts). */
const LONGEST_PAUSE_MS = 2 * DAY_MS;

/**
 * Repairs times from a clock that has since been set back. A job whose time is later than possible gets the current one: if
 * it waits it is due now, and if it is leased or parked it counts as such from now on.
 */
export function wakeJobs(nowMs: number): Statement {
  return {
    text: `update jobs set
        run_at_ms = case when run_at_ms > $2 then $1 else run_at_ms end,
        since_ms = case when since_ms > $2 then $1 else since_ms end,
        lease_until_ms = case when lease_until_ms > $2 then cast($1 as bigint) + ${LEASE_MS} else lease_until_ms end,
        parked_at_ms = case when parked_at_ms > $2 then $1 else parked_at_ms end
      where run_at_ms > $2 or since_ms > $2 or lease_until_ms > $2 or parked_at_ms > $2`,
    params: [nowMs, nowMs + LONGEST_PAUSE_MS],
  };
}

/** Deletes a job. A worker that has it loses its lease. */
export function deleteJob(id: string): readonly Statement[] {
  return [
    reviseBarcodesOfJobs('id = $1', [id]),
    { text: 'delete from jobs where id = $1', params: [id] },
  ];
}
