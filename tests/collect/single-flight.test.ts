import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createSharedWork } from '../../src/collect/single-flight.ts';
import { BACKGROUND, contextOf } from '../support/contexts.ts';

test('a caller that joins work under way raises its priority, and waits no longer than its own deadline', async () => {
  const share = createSharedWork<string>('late');
  const background = contextOf(undefined, BACKGROUND);
  const patient = contextOf();
  const hurried = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  let begun = 0;
  const work = () => {
    begun += 1;
    return promise;
  };
  const first = share('page', background, work);
  assert.equal(background.priority.current, BACKGROUND);
  const second = share('page', patient, work);
  assert.equal(background.priority.current, patient.priority.current);
  const third = share('page', contextOf(hurried.signal), work);
  hurried.abort();
  assert.equal(await third, 'late');
  resolve('read');
  assert.deepEqual(await Promise.all([first, second]), ['read', 'read']);
  assert.equal(begun, 1);
  assert.equal(await share('page', patient, async () => 'again'), 'again');
});
