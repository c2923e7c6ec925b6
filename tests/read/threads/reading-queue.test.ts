// Which page is read next, and its limits: organizations take turns by the cost of their pages, callers come before
// background work, a caller who is gone gets nothing, and an endless page is interrupted in a thread that continues.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Priority } from '../../../src/base/fetch-context.ts';
import { createReaderPool } from '../../../src/read/threads/reader-pool.ts';
import { createReadingQueue } from '../../../src/read/threads/reading-queue.ts';
import { OutOfTime, runWithin } from '../../../src/read/threads/time-limit.ts';
import { BACKGROUND, contextOf } from '../../support/contexts.ts';

const caller = (organization: string): Priority => ({ kind: 'caller', organization });

function page(name: string, priority: Priority) {
  return { name, context: contextOf(undefined, priority) };
}

test('an organization with many costly pages waits behind one with few, background work behind both', () => {
  const queue = createReadingQueue<ReturnType<typeof page>>();
  const names: string[] = [];
  queue.add(page('background', BACKGROUND));
  for (let index = 0; index < 5; index += 1) queue.add(page(`many ${index}`, caller('many')));
  for (let turn = 0; turn < 8; turn += 1) {
    if (turn === 2) queue.add(page('few 0', caller('few')));
    if (turn === 2) queue.add(page('few 1', caller('few')));
    const next = queue.next();
    assert.ok(next);
    names.push(next.name);
    queue.spent(next, next.name.startsWith('many') ? 100 : 5);
  }
  assert.deepEqual(names.slice(0, 5), ['many 0', 'many 1', 'few 0', 'few 1', 'many 2']);
  assert.equal(names.at(-1), 'background');
});

test('an organization that comes late has no credit for the time before it', () => {
  const queue = createReadingQueue<ReturnType<typeof page>>();
  const serve = () => {
    const next = queue.next();
    if (next !== undefined) queue.spent(next, 10);
    return next?.name ?? '';
  };
  for (let index = 0; index < 10; index += 1) queue.add(page('old', caller('old')));
  for (let index = 0; index < 6; index += 1) serve();
  for (let index = 0; index < 4; index += 1) queue.add(page('new', caller('new')));
  const names = Array.from({ length: 6 }, serve);
  assert.ok(names.slice(0, 4).includes('old'), names.join(' '));
});

test('a page whose caller is gone is not read, and a caller has its answer when its time ends', async () => {
  const entry = new URL('../../support/misbehaving-thread.ts', import.meta.url);
  const pool = createReaderPool({ entry, maxThreads: 1, deadlineMs: 60_000 });
  const stop = new AbortController();
  const at = (path: string) => {
    const url = `https://shop.example.com${path}`;
    const body = new Uint8Array(3);
    return { requestedUrl: url, url, status: 200, headers: {}, body, fetchedAtMs: 0 };
  };
  const reading = pool.answer(at('/loop'), 'product', undefined, contextOf(stop.signal));
  const waiting = pool.answer(at('/x'), 'product', undefined, contextOf(stop.signal));
  stop.abort();
  for (const verdict of [await reading, await waiting]) {
    assert.equal(verdict?.kind, 'retry');
    assert.match(verdict.why, /no time left/);
  }
  await pool.close();
});

test('work that takes too long is interrupted in place, and the thread goes on', () => {
  let rounds = 0;
  const endless = () => {
    for (;;) rounds += 1;
  };
  assert.throws(() => runWithin(30, endless), OutOfTime);
  assert.ok(rounds > 0);
  assert.throws(() => runWithin(30, () => /^(?:a+)+$/.test(`${'a'.repeat(40)}b`)), OutOfTime);
  assert.equal(
    runWithin(1_000, () => 7),
    7,
  );
  assert.throws(
    () =>
      runWithin(1_000, () => {
        throw new TypeError('of the work');
      }),
    TypeError,
  );
});
