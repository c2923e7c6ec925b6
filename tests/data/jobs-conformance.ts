// What the queue of background work promises on every database. Each database's own test file runs it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import {
  enqueueJob,
  type Job,
  type JobSubject,
  type NewJob,
  wakeJobs,
} from '../../src/data/turns/jobs.ts';
import type { Store } from '../../src/data/store.ts';

export const LEASE_MS = 30_000;
export const MAX_ATTEMPTS = 5;
const NOON = Date.parse('2026-03-14T12:00:00Z');
const GTIN = '00012345678905' as Gtin14;

const page = (name: string): JobSubject => ({
  kind: 'listing',
  retailer: 'lampshop',
  key: name,
  url: `https://lampshop.example/${name}`,
});

async function put(store: Store, subject: JobSubject, over: Partial<NewJob> = {}, nowMs = NOON) {
  const job = { subject, organizationId: null, priority: 0, runAtMs: nowMs, ...over };
  await store.sql.write(enqueueJob(job, nowMs));
}

let tokens = 0;
const lease = (store: Store, nowMs: number): Promise<Job | null> =>
  store.jobs.lease(`token ${(tokens += 1)}`, nowMs);

async function leased(store: Store, nowMs: number): Promise<Job> {
  const job = await lease(store, nowMs);
  assert.ok(job !== null, 'a job is due');
  return job;
}

const nameOf = ({ subject }: Job): string =>
  subject.kind === 'listing' ? subject.key : `${subject.retailer} ${subject.gtin}`;

/** Returns names in the order in which one worker gets them. */
async function order(store: Store, nowMs: number): Promise<readonly string[]> {
  const names: string[] = [];
  for (let job = await lease(store, nowMs); job !== null; job = await lease(store, nowMs)) {
    names.push(nameOf(job));
    assert.equal(await store.jobs.complete(job), true);
  }
  return names;
}

async function rowOf(store: Store, key: string) {
  const rows = await store.sql.all('select * from jobs where listing_key = $1', [key]);
  return rows[0];
}

/** Registers the suite; `open` returns a new store each time. */
export function testJobs(name: string, open: () => Promise<Store>): void {
  testLeases(name, open);
  testAttempts(name, open);
  testOrder(name, open);
}

function testLeases(name: string, open: () => Promise<Store>): void {
  test(`${name}: of twenty workers at the same time none leases the job of another`, async () => {
    await using store = await open();
    await Promise.all(Array.from({ length: 200 }, (_, n) => put(store, page(`p${n}`))));
    const taken: string[] = [];
    const worker = async () => {
      for (let job = await lease(store, NOON); job !== null; job = await lease(store, NOON)) {
        taken.push(nameOf(job));
      }
    };
    await Promise.all(Array.from({ length: 20 }, worker));
    assert.equal(taken.length, 200);
    assert.equal(new Set(taken).size, 200);
    assert.deepEqual(await store.jobs.countJobs(NOON), { waiting: 0, running: 200, parked: 0 });
  });

  test(`${name}: a lease that ran out is another's, and who lost it changes nothing`, async () => {
    await using store = await open();
    await put(store, page('lamp'));
    const lost = await leased(store, NOON);
    assert.equal(await lease(store, NOON + LEASE_MS - 1), null);
    const job = await leased(store, NOON + LEASE_MS);
    assert.deepEqual([nameOf(job), job.attempts], ['lamp', 2]);
    const later = NOON + LEASE_MS + 1;
    const deferral = { reason: 'x', runAtMs: later };
    const before = await rowOf(store, 'lamp');
    assert.deepEqual(
      [
        await store.jobs.extend(lost, later),
        await store.jobs.complete(lost),
        await store.jobs.fail(lost, deferral, later),
        await store.jobs.postpone(lost, deferral),
        await store.jobs.park(lost, 'x', later),
      ],
      [false, false, 'lost', false, false],
    );
    assert.deepEqual(await rowOf(store, 'lamp'), before);
    assert.equal(await store.jobs.complete(job), true);
    assert.equal(await rowOf(store, 'lamp'), undefined);
  });

  test(`${name}: a heartbeat keeps the lease for as long again`, async () => {
    await using store = await open();
    await put(store, page('lamp'));
    const job = await leased(store, NOON);
    assert.equal(await store.jobs.extend(job, NOON + LEASE_MS - 1), true);
    assert.equal(await lease(store, NOON + 2 * LEASE_MS - 2), null);
    assert.equal((await leased(store, NOON + 2 * LEASE_MS - 1)).attempts, 2);
  });

  test(`${name}: a job is put on the queue with the transaction that it belongs to, or not at all`, async () => {
    await using store = await open();
    const job = { subject: page('lamp'), organizationId: null, priority: 0, runAtMs: NOON };
    const nothing = { text: 'select 1 as one where 1 = 2', mustReturn: true };
    const refused = await store.sql.write([...enqueueJob(job, NOON), nothing]);
    assert.equal(refused.done, false);
    assert.equal(await store.jobs.isDue(NOON), false);
    assert.equal((await store.sql.write(enqueueJob(job, NOON))).done, true);
    assert.equal(await store.jobs.isDue(NOON - 1), false);
    assert.equal(await store.jobs.isDue(NOON), true);
  });
}

function testAttempts(name: string, open: () => Promise<Store>): void {
  test(`${name}: the fifth attempt that fails is the last: parked with its reason`, async () => {
    await using store = await open();
    await put(store, page('lamp'));
    let now = NOON;
    const fates: string[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const job = await leased(store, now);
      assert.equal(job.attempts, attempt);
      const deferral = { reason: `no answer ${attempt}`, runAtMs: now + HOUR_MS };
      fates.push(await store.jobs.fail(job, deferral, now));
      assert.equal(await lease(store, now + HOUR_MS - 1), null);
      now += HOUR_MS;
    }
    assert.deepEqual(fates, ['again', 'again', 'again', 'again', 'parked']);
    assert.equal(await lease(store, now + 365 * DAY_MS), null);
    assert.equal((await rowOf(store, 'lamp'))?.['reason'], 'no answer 5');
    assert.deepEqual(await store.jobs.countJobs(now), { waiting: 0, running: 0, parked: 1 });
  });

  test(`${name}: a job that ends every worker is parked: an attempt counts when it begins`, async () => {
    await using store = await open();
    await put(store, page('poison'));
    let now = NOON;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      assert.equal((await leased(store, now)).attempts, attempt);
      now += LEASE_MS;
    }
    await put(store, page('lamp'), {}, now);
    assert.equal(nameOf(await leased(store, now)), 'lamp');
    assert.match(String((await rowOf(store, 'poison'))?.['reason']), /no worker .* 5 attempts/);
    assert.equal((await store.jobs.countJobs(now)).parked, 1);
  });

  test(`${name}: what was postponed runs again later with its attempt given back`, async () => {
    await using store = await open();
    await put(store, page('lamp'));
    let now = NOON;
    for (let round = 0; round < 3 * MAX_ATTEMPTS; round += 1) {
      const job = await leased(store, now);
      assert.equal(job.attempts, 1);
      const deferral = { reason: 'paced', runAtMs: now + 10_000 };
      assert.equal(await store.jobs.postpone(job, deferral), true);
      assert.equal(await lease(store, now + 9_999), null);
      now += 10_000;
    }
    // The pause was requested: more callers that want the job do not shorten it.
    await store.jobs.postpone(await leased(store, now), { reason: 'paced', runAtMs: now + 5_000 });
    await put(store, page('lamp'), {}, now);
    assert.equal(await lease(store, now + 4_999), null);
    assert.equal((await leased(store, now + 5_000)).attempts, 1);
  });

  test(`${name}: what is asked for again while it is done, and newer, is done again at its time`, async () => {
    await using store = await open();
    await put(store, page('lamp'), { sinceMs: NOON - 1 });
    const job = await leased(store, NOON);
    const laterMs = NOON + HOUR_MS;
    await put(store, page('lamp'), { runAtMs: laterMs, sinceMs: laterMs });
    assert.equal(await store.jobs.complete(job), true);
    assert.equal(await lease(store, laterMs - 1), null);
    const again = await leased(store, laterMs);
    assert.deepEqual([nameOf(again), again.attempts, again.sinceMs], ['lamp', 1, laterMs]);
    await put(store, page('lamp'), { sinceMs: laterMs });
    assert.equal(await store.jobs.complete(again), true);
    assert.equal(await rowOf(store, 'lamp'), undefined, 'nothing newer is wanted');
  });

  test(`${name}: a second look waits for its hour, whatever asks for the same page before`, async () => {
    await using store = await open();
    const laterMs = NOON + HOUR_MS;
    const secondCheck = { runAtMs: laterMs, sinceMs: laterMs, isSecondCheck: true };
    for (let time = 0; time < 2; time += 1) await put(store, page('lamp'), secondCheck);
    await put(store, page('lamp'), { sinceMs: NOON - 1, isCharged: true });
    const check = await leased(store, NOON);
    assert.deepEqual([check.sinceMs, check.isCharged], [NOON - 1, true]);
    assert.equal(await store.jobs.complete(check), true);
    assert.equal(await lease(store, laterMs - 1), null);
    const second = await leased(store, laterMs);
    assert.deepEqual(second.subject, check.subject);
    assert.deepEqual([second.sinceMs, second.isCharged], [laterMs, false]);
    assert.equal(await store.jobs.complete(second), true);
    assert.equal(await lease(store, laterMs), null, 'it is made once');
  });

  test(`${name}: what a clock put years ahead that was set back since is due, the rest at its time`, async () => {
    await using store = await open();
    const ahead = NOON + 900 * DAY_MS;
    for (const each of ['failed', 'left', 'parked']) {
      await put(store, page(each), {}, ahead);
      const job = await leased(store, ahead);
      const deferral = { reason: 'busy', runAtMs: ahead + HOUR_MS };
      if (each === 'failed') await store.jobs.fail(job, deferral, ahead);
      if (each === 'parked') await store.jobs.park(job, 'hopeless', ahead);
    }
    await put(store, page('sound'), { runAtMs: NOON + HOUR_MS });
    await store.sql.write([wakeJobs(NOON)]);
    assert.deepEqual(await order(store, NOON), ['failed']);
    assert.deepEqual(await order(store, NOON + LEASE_MS), ['left']);
    await put(store, page('parked'), {}, NOON + DAY_MS);
    assert.deepEqual((await order(store, NOON + DAY_MS)).toSorted(), ['parked', 'sound']);
  });

  test(`${name}: a parked job is left alone for a day, then the next who asks begins again`, async () => {
    await using store = await open();
    await put(store, page('lamp'), { organizationId: 'org-a' });
    assert.equal(await store.jobs.park(await leased(store, NOON), 'gone', NOON), true);
    await put(store, page('lamp'), { organizationId: 'org-b' }, NOON + DAY_MS - 1);
    assert.equal(await lease(store, NOON + DAY_MS), null);
    await put(store, page('lamp'), { organizationId: 'org-b' }, NOON + DAY_MS);
    const job = await leased(store, NOON + DAY_MS);
    assert.deepEqual([job.attempts, job.organizationId], [1, 'org-b']);
    assert.equal((await rowOf(store, 'lamp'))?.['reason'], null);
  });

  test(`${name}: a retailer is awaited while a job that is not parked will ask it`, async () => {
    await using store = await open();
    for (const retailer of ['retailer_w', 'retailer_b', 'retailer_h'] as const) {
      await put(store, { kind: 'barcode', retailer, gtin: GTIN });
    }
    const other = '00036000291452' as Gtin14;
    await put(store, { kind: 'barcode', retailer: 'retailer_e', gtin: other });
    await put(store, page('lamp'));
    const ends: Record<string, (job: Job) => Promise<unknown>> = {
      retailer_w: (job) => store.jobs.complete(job),
      retailer_b: (job) => store.jobs.park(job, 'robots.txt', NOON),
      retailer_h: (job) => store.jobs.postpone(job, { reason: 'paced', runAtMs: NOON + 1 }),
    };
    for (let job = await lease(store, NOON); job !== null; job = await lease(store, NOON)) {
      await ends[job.subject.retailer]?.(job);
    }
    assert.deepEqual([...(await store.jobs.findLiveJobs(GTIN))], ['retailer_h']);
    assert.deepEqual([...(await store.jobs.findLiveJobs(other))], ['retailer_e']);
  });
}

function testOrder(name: string, open: () => Promise<Store>): void {
  test(`${name}: a thing is asked once however many want it, and what more want goes first`, async () => {
    await using store = await open();
    await put(store, page('a'), { runAtMs: NOON - 3 });
    await put(store, page('b'), { runAtMs: NOON - 2 });
    await put(store, page('urgent'), { priority: 7, runAtMs: NOON - 1 });
    for (let count = 0; count < 3; count += 1) await put(store, page('b'));
    assert.equal((await rowOf(store, 'b'))?.['demand'], 4);
    assert.deepEqual(await order(store, NOON), ['urgent', 'b', 'a']);
  });

  test(`${name}: who asks again may bring a job forward, and make it matter more, never less`, async () => {
    await using store = await open();
    await put(store, page('a'), { priority: 3, runAtMs: NOON + DAY_MS });
    await put(store, page('a'), { priority: 1, runAtMs: NOON + HOUR_MS });
    await put(store, page('a'), { priority: 2, runAtMs: NOON + 2 * DAY_MS });
    const row = await rowOf(store, 'a');
    assert.deepEqual([row?.['priority'], row?.['run_at_ms']], [3, NOON + HOUR_MS]);
    assert.equal(await lease(store, NOON + HOUR_MS - 1), null);
    assert.deepEqual(await order(store, NOON + HOUR_MS), ['a']);
  });

  test(`${name}: organizations take turns, however much one of them asks`, async () => {
    await using store = await open();
    for (let n = 0; n < 5; n += 1)
      await put(store, page(`a${n}`), { organizationId: 'org-a', priority: 20 - n });
    await put(store, page('n0'));
    for (let n = 0; n < 2; n += 1)
      await put(store, page(`b${n}`), { organizationId: 'org-b', priority: 9 - n });
    const [first, ...rest] = await order(store, NOON);
    const all = [first ?? '', ...rest];
    const turns = all.slice(0, 3).map((each) => each[0]);
    assert.deepEqual(
      new Set(turns),
      new Set(['a', 'b', 'n']),
      'each once before one a second time',
    );
    assert.ok(all.indexOf('b1') < all.indexOf('a2'), all.join(' '));
    assert.deepEqual(
      all.filter((each) => each.startsWith('a')),
      ['a0', 'a1', 'a2', 'a3', 'a4'],
    );
    // The organization served last waits for a newcomer, even with a higher priority.
    await put(store, page('a9'), { organizationId: 'org-a', priority: 99 });
    await put(store, page('b9'), { organizationId: 'org-b' });
    assert.deepEqual(await order(store, NOON), ['b9', 'a9']);
  });

  test(`${name}: an organization whose jobs last long has no turn while another one has none under way`, async () => {
    await using store = await open();
    for (let n = 0; n < 9; n += 1) await put(store, page(`a${n}`), { organizationId: 'org-a' });
    for (let n = 0; n < 3; n += 1) await leased(store, NOON);
    for (let n = 0; n < 4; n += 1) await put(store, page(`b${n}`), { organizationId: 'org-b' });
    const next: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const job = await leased(store, NOON);
      next.push(nameOf(job).slice(0, 1));
      if (job.organizationId === 'org-b') await store.jobs.complete(job);
    }
    assert.equal(next.join(''), 'bbbba');
  });
}
