// The worker on a clock controlled by tests, over a real queue. Queried sources answer as each test says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HOUR_MS } from '../../../src/base/clock.ts';
import { FaultError, URL_NOT_ALLOWED, type Fault } from '../../../src/base/fault.ts';
import { backoffMs } from '../../../src/answer/indexer/perform.ts';
import { createWorker } from '../../../src/answer/indexer/worker.ts';
import type { Collect } from '../../../src/answer/collect/collect.ts';
import type { CollectOutcome } from '../../../src/answer/collect/collect-outcome.ts';
import { enqueueJob } from '../../../src/data/turns/jobs.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';
import { BACKGROUND, contextOf } from '../../support/contexts.ts';

const MISS: CollectOutcome = { kind: 'miss', miss: { detail: 'not there', upstream: null } };
const DOWN: Fault = { code: 'upstream_unavailable', detail: 'no answer', retryAfterSeconds: 60 };

type Answer = (key: string, signal: AbortSignal, sinceMs: number) => Promise<CollectOutcome>;

type Bench = AsyncDisposable & {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly errors: string[];
  readonly worker: ReturnType<typeof createWorker>;
  put(...keys: readonly string[]): Promise<void>;
  row(key: string): Promise<Record<string, unknown> | undefined>;
  /** Advances time in small steps until a condition holds; a limit keeps a failure from hanging. */
  until(what: string, holds: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>;
};

async function bench(answer: Answer, concurrency = 4): Promise<Bench> {
  const clock = createVirtualClock();
  const store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const errors: string[] = [];
  let ids = 0;
  const collect: Pick<Collect, 'collect'> = {
    collect: (key, sinceMs, { signal }) => answer(new URL(key.url).pathname, signal, sinceMs),
  };
  const worker = createWorker({
    sql: store.sql,
    jobs: store.jobs,
    // Only listings are collected here.
    collect: collect as Collect,
    clock,
    random: () => 0,
    newId: () => `token ${(ids += 1)}`,
    notifyWatches: () => Promise.resolve(),
    endChecks: () => Promise.resolve(),
    contextFor: (stop) => contextOf(stop, BACKGROUND),
    onError: (what, error) => errors.push(`${what}: ${String(error)}`),
    concurrency,
  });
  return {
    clock,
    store,
    errors,
    worker,
    async put(...keys) {
      const now = clock.now();
      const jobs = keys.map((key) => {
        const url = `https://lampshop.example${key}`;
        const subject = { kind: 'listing' as const, retailer: 'lampshop', key, url };
        return { subject, organizationId: null, priority: 0, runAtMs: now };
      });
      await store.sql.write(jobs.flatMap((job) => enqueueJob(job, now)));
    },
    async row(key) {
      const rows = await store.sql.all('select * from jobs where listing_key = $1', [key]);
      return rows[0] === undefined ? undefined : { ...rows[0] };
    },
    async until(what, holds, stepMs = 0) {
      for (let round = 0; round < 2_000; round += 1) {
        if (await holds()) return;
        // Time advances, then the store answers what it was asked.
        await clock.advance(stepMs);
        await store.sql.probe();
      }
      assert.fail(`never: ${what}`);
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

test('what is put on the queue by the same process is begun at once, by another within a second', async () => {
  const asked: string[] = [];
  await using b = await bench(async (key) => {
    asked.push(key);
    return MISS;
  });
  b.worker.start();
  await b.until('the worker waits', () => b.clock.sleepers > 0);
  await b.put('/a');
  b.worker.wake();
  await b.until('the job is done', async () => (await b.row('/a')) === undefined);
  await b.until('the worker waits', () => b.clock.sleepers > 0);
  await b.put('/b');
  const from = b.clock.now();
  await b.until('the other is done', async () => (await b.row('/b')) === undefined, 100);
  assert.ok(b.clock.now() - from <= 1_200, `${b.clock.now() - from} ms`);
  assert.deepEqual(asked, ['/a', '/b']);
});

test('as many as it may do at once, and the next when one has ended', async () => {
  const open = new Map<string, (collected: CollectOutcome) => void>();
  await using b = await bench((key) => {
    const { promise, resolve } = Promise.withResolvers<CollectOutcome>();
    open.set(key, resolve);
    return promise;
  }, 2);
  await b.put('/a', '/b', '/c');
  b.worker.start();
  await b.until('two are asked', () => open.size === 2);
  for (let round = 0; round < 20; round += 1) await b.store.sql.probe();
  assert.equal(open.size, 2);
  [...open.values()][0]?.(MISS);
  await b.until('the third is asked', () => open.size === 3);
  for (const end of open.values()) end(MISS);
});

test('failures are tried again later and later, five times, then parked with the reason', async () => {
  const at: number[] = [];
  await using b = await bench(async () => {
    at.push(b.clock.now());
    return { kind: 'failed', fault: DOWN };
  });
  await b.put('/a');
  b.worker.start();
  const isParked = async () => (await b.row('/a'))?.['parked_at_ms'] !== null;
  await b.until('it is parked', isParked, 20_000);
  assert.equal(at.length, 5);
  const gaps = at.slice(1).map((each, index) => each - (at[index] ?? 0));
  gaps.forEach((gap, index) => assert.ok(gap >= backoffMs(index + 1), `${gap} after ${index + 1}`));
  assert.match(String((await b.row('/a'))?.['reason']), /no answer/);
  assert.deepEqual([backoffMs(1), backoffMs(4), backoffMs(9)], [120_000, 7_680_000, 6 * HOUR_MS]);
});

test('our own pace is not an attempt, however often it keeps a job back', async () => {
  let asked = 0;
  await using b = await bench(async () => {
    asked += 1;
    return asked <= 12 ? { kind: 'failed', fault: DOWN, isPaced: true } : MISS;
  });
  await b.put('/a');
  b.worker.start();
  const from = b.clock.now();
  await b.until('it is done', async () => (await b.row('/a')) === undefined, 1_000);
  assert.equal(asked, 13);
  assert.ok(b.clock.now() - from >= 12 * 60_000, 'each wait was waited for');
});

test('what asking again would not change is parked at once; a name that is not resolved is tried again', async () => {
  const faults: Readonly<Record<string, Fault>> = {
    '/robots': { code: 'source_unusable', upstream: 'robots_disallowed', detail: 'robots.txt' },
    '/other': { code: 'identity_mismatch', detail: 'another product' },
    '/name': URL_NOT_ALLOWED,
  };
  await using b = await bench(async (key) => {
    const fault = faults[key] ?? DOWN;
    if (key === '/other') throw new FaultError(fault);
    return { kind: 'failed', fault };
  });
  await b.put('/robots', '/other', '/name');
  b.worker.start();
  await b.until('all have ended once', async () => {
    const rows = await b.store.sql.all('select * from jobs where reason is null');
    return rows.length === 0;
  });
  assert.match(String((await b.row('/robots'))?.['reason']), /^robots_disallowed/);
  assert.ok((await b.row('/robots'))?.['parked_at_ms'] !== null);
  assert.ok((await b.row('/other'))?.['parked_at_ms'] !== null);
  assert.equal((await b.row('/name'))?.['parked_at_ms'], null);
});

test('an error is one line of the log and a failed attempt, and the others go on', async () => {
  await using b = await bench(async (key) => {
    if (key === '/broken') throw new TypeError('undefined is not a page');
    return MISS;
  });
  await b.put('/broken', '/a', '/b');
  b.worker.start();
  await b.until('the others are done', async () => {
    const rows = await b.store.sql.all('select * from jobs where claim_token is not null');
    const { waiting } = await b.store.jobs.countJobs(b.clock.now());
    return rows.length === 0 && waiting === 1;
  });
  assert.equal(b.errors.length, 1);
  assert.match(b.errors[0] ?? '', /undefined is not a page/);
  const row = await b.row('/broken');
  assert.deepEqual([row?.['attempts'], row?.['reason']], [1, 'undefined is not a page']);
});

test('a job that takes long is kept by its heartbeat; one whose lease was lost is given up', async () => {
  let signal: AbortSignal | null = null;
  let asked = 0;
  await using b = await bench((_, given) => {
    asked += 1;
    signal = given;
    const { promise, resolve } = Promise.withResolvers<CollectOutcome>();
    given.addEventListener('abort', () => resolve({ kind: 'failed', fault: DOWN }));
    return promise;
  });
  await b.put('/a');
  b.worker.start();
  await b.until('it is asked', () => signal !== null);
  const from = b.clock.now();
  await b.until('it takes long', () => b.clock.now() - from > 4 * 30_000, 1_000);
  assert.equal(asked, 1, 'no other worker got it');
  const token = async () => String((await b.row('/a'))?.['claim_token']);
  assert.equal(await token(), 'token 1');
  // Another worker has it, as after a pause of the whole machine.
  const others = { text: "update jobs set claim_token = 'other', attempts = 2" };
  await b.store.sql.write([others]);
  await b.until('it is given up', () => signal?.aborted === true, 1_000);
  await b.store.sql.probe();
  assert.equal(await token(), 'other');
  assert.equal((await b.row('/a'))?.['attempts'], 2);
});

test('stopping waits for no job: what runs is cut off and given back', async () => {
  let asked = 0;
  const b = await bench((_, signal) => {
    asked += 1;
    const { promise, resolve } = Promise.withResolvers<CollectOutcome>();
    signal.addEventListener('abort', () => resolve({ kind: 'failed', fault: DOWN }));
    return promise;
  });
  await b.put('/a', '/b', '/c', '/d', '/e');
  b.worker.start();
  await b.until('four are asked', () => asked === 4);
  await b.worker.stop();
  const counts = await b.store.jobs.countJobs(b.clock.now());
  assert.deepEqual(counts, { waiting: 5, running: 0, parked: 0 });
  const rows = await b.store.sql.all('select attempts from jobs');
  assert.ok(rows.every((row) => row['attempts'] === 0));
  assert.equal(b.clock.sleepers, 0);
  await b[Symbol.asyncDispose]();
});
