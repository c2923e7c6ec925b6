import assert from 'node:assert/strict';
import { test } from 'node:test';

import { enqueueJob, type Job } from '../../src/data/turns/jobs.ts';
import { openTestStore } from '../support/stores.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { LEASE_MS, MAX_ATTEMPTS, testJobs } from './jobs-conformance.ts';

const open = () => openTestStore();
const START = Date.parse('2026-03-14T12:00:00Z');

testJobs('the queue', open);

test('workers that die between lease and end: every job is done or parked, none tried more than 5 times', async (t) => {
  const seed = seedOf(101);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using store = await open();
  const { jobs } = store;
  const names = Array.from({ length: 200 }, (_, n) => `p${n}`);
  const poison = new Set(names.filter(() => random() < 0.1));
  for (const name of names) {
    const subject = { kind: 'listing' as const, retailer: 'shop', key: name, url: `u/${name}` };
    const organizationId = pick(random, ['org-a', 'org-b', null]);
    const job = { subject, organizationId, priority: integerBelow(random, 3), runAtMs: START };
    await store.sql.write(enqueueJob(job, START));
  }
  let now = START;
  let leases = 0;
  const tries = new Map<string, number>();
  const outcomes = { done: 0, deaths: 0, lost: 0, parked: 0 };
  let stored: { readonly job: Job; readonly name: string }[] = [];
  const begin = async () => {
    const job = await jobs.lease(`c${(leases += 1)}`, now);
    if (job === null || job.subject.kind !== 'listing') return;
    const name = job.subject.key;
    tries.set(name, (tries.get(name) ?? 0) + 1);
    stored.push({ job, name });
  };
  const end = async ({ job, name }: { readonly job: Job; readonly name: string }) => {
    stored = stored.filter((each) => each.job !== job);
    const fate = random();
    if (poison.has(name) || fate < 0.3) {
      outcomes.deaths += 1;
      return;
    }
    const deferral = { reason: 'random', runAtMs: now + integerBelow(random, 20_000) };
    if (fate < 0.4) {
      const failed = await jobs.fail(job, deferral, now);
      if (failed === 'parked') outcomes.parked += 1;
      if (failed === 'lost') outcomes.lost += 1;
    } else if (fate < 0.5) {
      if (await jobs.postpone(job, deferral)) tries.set(name, (tries.get(name) ?? 0) - 1);
      else outcomes.lost += 1;
    } else if (await jobs.complete(job)) outcomes.done += 1;
    else outcomes.lost += 1;
  };
  for (let step = 0; step < 60_000; step += 1) {
    const { waiting, running } = await jobs.countJobs(now);
    if (waiting === 0 && running === 0 && stored.length === 0) break;
    const act = random();
    if (stored.length < 6 && act < 0.5) await begin();
    else if (stored.length > 0 && act < 0.7) {
      const { job } = pick(random, stored);
      await jobs.extend(job, now);
    } else if (stored.length > 0 && act < 0.95) await end(pick(random, stored));
    else now += integerBelow(random, LEASE_MS + 5_000);
    // A queue that only waits for due times: time advances.
    if (stored.length === 0 && !(await jobs.isDue(now))) now += 5_000;
  }
  const { waiting, running, parked } = await jobs.countJobs(now);
  t.diagnostic(`${JSON.stringify(outcomes)}, ${leases} leases`);
  assert.deepEqual([waiting, running], [0, 0], 'nothing is left');
  assert.equal(outcomes.done + parked, names.length, 'each once');
  assert.ok(Math.max(...tries.values()) <= MAX_ATTEMPTS);
  assert.ok(parked >= poison.size && outcomes.deaths > 150);
});
