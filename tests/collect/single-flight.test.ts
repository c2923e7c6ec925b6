import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createSharedWork } from '../../src/collect/single-flight.ts';

test('who joins work under way is told of, and waits for it no longer than the own deadline', async () => {
  const joined: (readonly [AbortSignal, AbortSignal])[] = [];
  const share = createSharedWork<string>({
    joined: (...signals) => joined.push(signals),
    late: 'late',
  });
  const background = new AbortController().signal;
  const patient = new AbortController().signal;
  const hurried = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const work = () => {
    begun += 1;
    return promise;
  };
  const first = share('page', background, work);
  const second = share('page', patient, work);
  const third = share('page', hurried.signal, work);
  hurried.abort();
  assert.equal(await third, 'late');
  resolve('read');
  assert.deepEqual(await Promise.all([first, second]), ['read', 'read']);
  assert.equal(begun, 1);
  assert.deepEqual(joined, [
    [background, patient],
    [background, hurried.signal],
  ]);
  assert.equal(await share('page', patient, async () => 'again'), 'again');
});
