// Promise 10: work survives workers. Any lease holder may die at any time: every job is done, none is begun more than five
// times, it is resumed when the lease has expired, and a job that kills its worker is parked.

import { enqueueJob, type Job, type NewJob } from '../../src/data/turns/jobs.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { integerBelow, randomFrom, seedOf } from '../../tests/support/random.ts';
import { storeAt } from '../../tests/support/stores.ts';
import type { Store } from '../../src/data/store.ts';
import { startChild } from './children.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 10;
const LEASE_MS = 30_000;
const MAX_ATTEMPTS = 5;
/** A lease of 30 s, and the time to detect its expiry. */
const RESUMED_WITHIN_MS = 45_000;

export const workers: Proof = {
  name: 'workers',
  promise: 10,
  says: 'Work survives workers.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const kills = isLong ? 200 : 40;
    const virtual = await virtualKills(kills, problems);
    say(`${kills} kills on a clock that is moved`);
    const figures = [
      `seed ${seedOf(SEED)}`,
      `${kills} workers died with their leases: ${virtual.done} jobs done, ${virtual.parked} parked, at most ${virtual.most} attempts`,
    ];
    if (isLong) {
      const real = await realKills(20, problems);
      figures.push(
        `${real.killed} processes killed with kill -9: ${real.done} jobs done, resumed after ${(real.resumedMs / 1_000).toFixed(1)} s`,
        `a job that kills its worker: parked after ${real.poisonAttempts} attempts`,
      );
    }
    return problems.result(figures);
  },
};

function jobOf(path: string, nowMs: number): NewJob {
  const url = `https://lampshop.example${path}`;
  const subject = { kind: 'listing' as const, retailer: 'lampshop', key: url, url };
  return { subject, organizationId: null, priority: 0, runAtMs: nowMs };
}

async function put(store: Store, paths: readonly string[], nowMs: number): Promise<void> {
  await store.sql.write(paths.flatMap((path) => enqueueJob(jobOf(path, nowMs), nowMs)));
}

/** Each worker takes some jobs, does some of them, and dies with the rest. */
async function virtualKills(kills: number, problems: Problems) {
  const random = randomFrom(seedOf(SEED));
  await using database = await newDatabase('migrated');
  await using store = await storeAt(database.url);
  let nowMs = Date.UTC(2026, 0, 5);
  const wanted = Array.from({ length: kills * 2 }, (_, at) => `/job/${at}`);
  await put(store, [...wanted, '/poison'], nowMs);
  let tokens = 0;
  let done = 0;
  let most = 0;
  const begun = new Map<string, number>();
  const leaseNext = async (): Promise<Job | null> => {
    const job = await store.jobs.lease(`token ${(tokens += 1)}`, nowMs);
    if (job !== null) {
      begun.set(job.id, (begun.get(job.id) ?? 0) + 1);
      most = Math.max(most, job.attempts);
      problems.check(job.attempts === begun.get(job.id), 'an attempt was not counted');
    }
    return job;
  };
  const isPoison = ({ subject }: Job) =>
    subject.kind === 'listing' && subject.url.endsWith('/poison');
  for (let kill = 0; kill < kills; kill += 1) {
    const held: Job[] = [];
    for (let each = 0; each < 4; each += 1) {
      const job = await leaseNext();
      if (job !== null) held.push(job);
    }
    for (const job of held) {
      // It dies with a third of the jobs it holds, except those on their last attempt.
      const dies = isPoison(job) || (integerBelow(random, 3) === 0 && job.attempts < MAX_ATTEMPTS);
      if (!dies) done += (await store.jobs.complete(job)) ? 1 : 0;
    }
    nowMs += LEASE_MS + 1;
  }
  for (let idle = 0; idle < 6;) {
    const job = await leaseNext();
    if (job === null) {
      nowMs += LEASE_MS + 1;
      idle += 1;
    } else if (!isPoison(job)) done += (await store.jobs.complete(job)) ? 1 : 0;
  }
  const { parked, waiting, running } = await store.jobs.countJobs(nowMs);
  problems.check(done === wanted.length, `${done} of ${wanted.length} jobs were done`);
  problems.check(parked === 1 && waiting + running === 0, `${parked} parked, ${waiting} left`);
  problems.check(most <= MAX_ATTEMPTS, `a job was begun ${most} times`);
  return { done, parked, most };
}

async function realKills(count: number, problems: Problems) {
  await using database = await newDatabase('migrated');
  await using store = await storeAt(database.url);
  const total = count * 8;
  await put(
    store,
    Array.from({ length: total }, (_, at) => `/job/${at}`),
    Date.now(),
  );
  // Slow enough that each of them dies with work in progress.
  const doomed = Array.from({ length: count }, () =>
    startChild('worker-child.ts', [database.url, '60000']),
  );
  await Promise.all(doomed.map((child) => child.ask('go')));
  await until(async () => (await store.jobs.countJobs(Date.now())).running >= count * 4);
  await Promise.all(doomed.map((child) => child.kill()));
  const killedAtMs = Date.now();
  await using heir = startChild('worker-child.ts', [database.url, '1']);
  await heir.ask('go');
  const again = 'select count(*) as n from jobs where attempts > 1';
  await until(
    async () => Number((await store.sql.all(again))[0]?.['n']) > 0 || (await isEmpty(store)),
  );
  const resumedMs = Date.now() - killedAtMs;
  await until(() => isEmpty(store));
  problems.check(resumedMs <= RESUMED_WITHIN_MS, `resumed after ${resumedMs} ms`);
  await put(store, ['/poison'], Date.now());
  let killed = count;
  const parked = async () => (await store.jobs.countJobs(Date.now())).parked === 1;
  while (!(await parked())) {
    // Simulates the passing of time: the leases that the next worker waits for have expired.
    await store.sql.write([
      { text: 'update jobs set lease_until_ms = 1 where lease_until_ms > 1' },
    ]);
    const child = startChild('worker-child.ts', [database.url, '1']);
    await child.ask('go').catch(() => undefined);
    await until(
      async () => (await parked()) || (await store.jobs.countJobs(Date.now())).running > 0,
    );
    await child.kill();
    killed += 1;
  }
  const [row] = await store.sql.all('select attempts from jobs');
  const poisonAttempts = Number(row?.['attempts']);
  problems.check(poisonAttempts <= MAX_ATTEMPTS, `the poison was begun ${poisonAttempts} times`);
  return { killed, done: total, resumedMs, poisonAttempts };
}

async function isEmpty(store: Store): Promise<boolean> {
  const { waiting, running } = await store.jobs.countJobs(Date.now());
  return waiting + running === 0;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 120_000;
  while (!(await holds())) if (Date.now() > endMs) throw new Error('it never came');
}
