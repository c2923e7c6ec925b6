// Reading in threads: the same verdicts as without them, and only the page whose thread is lost fails.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Worker } from 'node:worker_threads';

import { createByteBudget } from '../../../src/base/byte-budget.ts';
import type { Page } from '../../../src/base/listing/page.ts';
import { startOwnThread } from '../../../src/read/threads/own-thread.ts';
import { createReaderPool } from '../../../src/read/threads/reader-pool.ts';
import { OutOfTime, runWithin } from '../../../src/read/threads/time-limit.ts';
import { readCandidates } from '../../../src/read/candidates/candidates.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import { contextOf } from '../../support/contexts.ts';
import { PRODUCT_PAGE } from '../../support/hostile-bodies.ts';

const misbehaving = new URL('../../support/misbehaving-thread.ts', import.meta.url);

function pageAt(path: string, body: string = PRODUCT_PAGE): Page {
  return {
    requestedUrl: `https://shop.example.com${path}`,
    url: `https://shop.example.com${path}`,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(body),
    fetchedAtMs: 0,
  };
}

const real = createReaderPool();
after(() => real.close());

test('a page read in a thread has the verdict that the reader gives, and stays the caller’s', async () => {
  const page = pageAt('/p/1');
  assert.deepEqual(await real.answer(page, 'product'), readAnswer(page, 'product'));
  assert.equal(page.body.byteLength, PRODUCT_PAGE.length);
  assert.deepEqual(await real.answer(page, 'product'), await real.answer(page, 'product'));
});

const isLinux = process.platform === 'linux';
test('only a reading thread gives way to the others', { skip: !isLinux }, async () => {
  await real.answer(pageAt('/p/1'), 'product');
  const niceOf = (thread: string | number): string | undefined =>
    readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16];
  const reading = readdirSync('/proc/self/task')
    .map(niceOf)
    .filter((nice) => nice === '5');
  assert.equal(reading.length, 1);
  assert.notEqual(niceOf(process.pid), '5');
});

test('what a page states about its shop is read in the same threads', async () => {
  const shop = await real.shop(pageAt('/p/1'));
  assert.equal(shop.isHosted, false);
});

test('the candidates of a page are read in the same threads, in four times the time', async () => {
  const page = pageAt('/p/1', `${PRODUCT_PAGE}<p>$5.00</p>`);
  const context = contextOf();
  const read = await real.candidates(page, 'example', context);
  assert.deepEqual(read, readCandidates(page, 'example'));
  assert.ok(read.kind === 'read' && read.value.candidates.length > 0);
  await using pool = disposable(createReaderPool({ entry: misbehaving, deadlineMs: 25 }));
  const lost = await pool.candidates(pageAt('/loop'), 'example', context);
  assert.deepEqual(lost, { kind: 'unreadable', why: 'reading took longer than 400 ms' });
});

test('endless reading ends at the deadline and the next page is read', async () => {
  await using pool = disposable(createReaderPool({ entry: misbehaving, deadlineMs: 100 }));
  const [lost, next] = await Promise.all([
    pool.answer(pageAt('/loop'), 'product'),
    pool.answer(pageAt('/x'), 'product'),
  ]);
  assert.deepEqual(lost, { kind: 'unreadable', why: 'reading took longer than 400 ms' });
  assert.equal(next?.kind, 'not_found');
});

test('work for which the machine has no time is late, and its page unread and to be tried again', async () => {
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  assert.throws(
    () => runWithin(20, () => Atomics.wait(blocked, 0, 0)),
    (error) => error instanceof OutOfTime && error.isLate,
  );
  await using pool = disposable(createReaderPool({ entry: misbehaving }));
  assert.deepEqual(await pool.answer(pageAt('/late'), 'product'), {
    kind: 'retry',
    why: 'no time',
    retryAfterSeconds: 1,
    isUnread: true,
  });
});

test('a page that uses up the memory or ends the thread is unreadable, and the next page is read', async () => {
  const options = { entry: misbehaving, deadlineMs: 20_000, maxHeapMb: 32 };
  await using pool = disposable(createReaderPool(options));
  for (const path of ['/memory', '/exit', '/throw']) {
    const lost = await pool.answer(pageAt(path), 'product');
    assert.equal(lost?.kind, 'unreadable', path);
    assert.equal((await pool.answer(pageAt('/x'), 'product'))?.kind, 'not_found', path);
  }
});

test('a result with the id of another job is not taken for this one', async () => {
  await using pool = disposable(createReaderPool({ entry: misbehaving }));
  const verdict = await pool.answer(pageAt('/late-twin'), 'product');
  assert.deepEqual(verdict, { kind: 'not_found', why: 'mine' });
});

test('a thread that cannot be loaded leaves the pages that wait for it unread, to be tried again, and is not started forever', async () => {
  const entry = new URL('../../support/no-such-thread.ts', import.meta.url);
  await using pool = disposable(createReaderPool({ entry }));
  const verdicts = await Promise.all([1, 2, 3].map((n) => pool.answer(pageAt(`/${n}`), 'product')));
  assert.deepEqual(
    verdicts.map((each) => each?.kind),
    ['retry', 'retry', 'retry'],
  );
});

test('two threads read at once, many pages wait, each gets its own verdict', async () => {
  await using pool = disposable(createReaderPool({ entry: misbehaving, maxThreads: 2 }));
  const sizes = Array.from({ length: 60 }, (_, index) => index);
  const verdicts = await Promise.all(
    sizes.map((size) => pool.answer(pageAt('/x', 'a'.repeat(size)), 'product')),
  );
  assert.deepEqual(
    verdicts,
    sizes.map((size) => ({ kind: 'not_found', why: String(size) })),
  );
});

test('a page gives its bytes back, whether it is read, its caller is gone before or meanwhile, or the pool has ended', async () => {
  const budget = createByteBudget(1_000_000);
  const pool = createReaderPool({ entry: misbehaving, budget });
  const leaving = new AbortController();
  const read = pool.answer(pageAt('/x'), 'product', undefined, contextOf());
  const left = pool.answer(pageAt('/loop'), 'product', undefined, contextOf(leaving.signal));
  assert.equal(budget.held(), 2 * PRODUCT_PAGE.length);
  leaving.abort();
  assert.deepEqual([(await read)?.kind, (await left)?.kind], ['not_found', 'retry']);
  const gone = contextOf(AbortSignal.abort());
  assert.equal((await pool.answer(pageAt('/x'), 'product', undefined, gone))?.kind, 'retry');
  assert.equal((await pool.shop(pageAt('/x'), gone)).isHosted, false);
  await pool.close();
  assert.equal((await pool.answer(pageAt('/x'), 'product', undefined, contextOf()))?.kind, 'retry');
  assert.equal(budget.held(), 0);
});

test('a thread without work ends, and the next page gets a new one; one can be started before its page is there', async () => {
  const started: Worker[] = [];
  const start: typeof startOwnThread = (...given) => {
    const worker = startOwnThread(...given);
    started.push(worker);
    return worker;
  };
  await using pool = disposable(createReaderPool({ start, idleMs: 0, maxThreads: 2 }));
  const page = pageAt('/p/1');
  const expected = readAnswer(page, 'product');
  for (const count of [1, 2, 3]) {
    pool.prepare();
    pool.prepare();
    assert.equal(started.length, count);
    const ended = once(started.at(-1) ?? assert.fail(), 'exit');
    if (count > 1) assert.deepEqual(await pool.answer(page, 'product'), expected);
    assert.equal(started.length, count);
    await ended;
  }
});

test('where the system starts no thread, pages are unread and to be tried again, as soon as it does', async () => {
  let isFull = true;
  const start: typeof startOwnThread = (...given) => {
    if (isFull) throw new Error('no thread left');
    return startOwnThread(...given);
  };
  const budget = createByteBudget(1_000_000);
  await using pool = disposable(createReaderPool({ entry: misbehaving, start, budget }));
  const ask = () => pool.answer(pageAt('/x'), 'product', undefined, contextOf());
  pool.prepare();
  for (const verdict of await Promise.all([ask(), ask()])) {
    const why = 'no thread left';
    assert.deepEqual(verdict, { kind: 'retry', why, retryAfterSeconds: 1, isUnread: true });
  }
  assert.equal(budget.held(), 0);
  isFull = false;
  assert.equal((await ask())?.kind, 'not_found');
  // Those that run read on.
  isFull = true;
  const kinds = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual(
    kinds.map((each) => each?.kind),
    ['not_found', 'not_found', 'not_found'],
  );
});

test('closing fails what still runs and what comes later', async () => {
  const pool = createReaderPool({ entry: misbehaving, deadlineMs: 60_000 });
  const running = pool.answer(pageAt('/loop'), 'product');
  const waiting = pool.answer(pageAt('/x'), 'product');
  await pool.close();
  for (const verdict of [
    await running,
    await waiting,
    await pool.answer(pageAt('/x'), 'product'),
  ]) {
    const why = 'the service is stopping';
    assert.deepEqual(verdict, { kind: 'retry', why, retryAfterSeconds: 1, isUnread: true });
  }
});

function disposable<T extends { close(): Promise<void> }>(pool: T): T & AsyncDisposable {
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() });
}
