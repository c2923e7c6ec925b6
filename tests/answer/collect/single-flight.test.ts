import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import type { FetchContext } from '../../../src/base/fetch-context.ts';
import {
  createSharedWork,
  orLate,
} from '../../../src/answer/collect/coordination/single-flight.ts';
import { BACKGROUND, contextOf } from '../../support/contexts.ts';

test('a caller that joins background work gives it its turns, and waits no longer than its own deadline', async () => {
  const share = createSharedWork<string>('late');
  const background = contextOf(undefined, BACKGROUND);
  const patient = contextOf();
  const hurried = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const given: FetchContext[] = [];
  const work = (context: FetchContext) => {
    begun += 1;
    given.push(context);
    return promise;
  };
  const turns = () => given[0]?.turns();
  const first = share('page', background, work);
  assert.deepEqual(turns(), [BACKGROUND]);
  const second = share('page', patient, work);
  assert.deepEqual(turns(), patient.turns());
  const third = share('page', contextOf(hurried.signal), work);
  hurried.abort();
  assert.equal(await third, 'late');
  resolve('read');
  assert.deepEqual(await Promise.all([first, second]), ['read', 'read']);
  assert.equal(begun, 1);
  assert.equal(await share('page', patient, async () => 'again'), 'again');
});

test('work whose first caller has no time left begins again, once, for those that joined it', async () => {
  const share = createSharedWork<string>('late');
  const hurried = new AbortController();
  const begun: FetchContext[] = [];
  const work = (context: FetchContext) => {
    begun.push(context);
    return orLate(next.promise, context.signal, 'given up');
  };
  const next = Promise.withResolvers<string>();
  const first = share('page', contextOf(hurried.signal), work);
  const patient = [contextOf(), contextOf()];
  const others = patient.map((context) => share('page', context, work));
  hurried.abort();
  assert.equal(await first, 'given up');
  await setImmediate();
  assert.deepEqual(
    begun.map(({ signal }) => signal),
    [hurried.signal, patient[0]?.signal],
  );
  next.resolve('read');
  assert.deepEqual(await Promise.all(others), ['read', 'read']);
  assert.equal(begun.length, 2);
});
