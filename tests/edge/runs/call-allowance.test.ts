// The duration of a run of calls follows from the limits that the service states for a key.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createAllowanceBook, msForCalls } from '../../../src/edge/runs/call-allowance.ts';

const POLICY = '"default";q=600;w=60, "forced";q=100;w=60, "quota";q=1000;w=2592000;qu="tokens"';

function heard(...answers: readonly (readonly [policy: string | null, state: string | null])[]) {
  const book = createAllowanceBook();
  for (const [policy, state] of answers) {
    book.hear({ get: (name) => (name === 'ratelimit' ? state : policy) });
  }
  return book.last();
}

test('calls that are let in at once take no time, the others come at the pace of the key', () => {
  const allowance = heard([POLICY, '"default";r=400;t=0, "quota";r=990;t=600']);
  assert.deepEqual(allowance, { now: 400, perSecond: 10 });
  assert.equal(msForCalls(400, allowance), 0);
  assert.equal(msForCalls(1_000, allowance), 60_000);
});

test('the last answer counts, and one without the fields or with others changes nothing', () => {
  const first = [POLICY, '"default";r=400;t=0'] as const;
  assert.equal(heard(first, [POLICY, '"default";r=12;t=1'])?.now, 12);
  for (const other of [
    [null, null],
    [POLICY, null],
    [POLICY, '"quota";r=5;t=1'],
    ['"quota";q=1000;w=60;qu="tokens"', '"quota";r=5;t=1'],
    ['"default";q=0;w=60', '"default";r=0;t=1'],
    ['600', '12'],
  ] as const) {
    assert.equal(heard(first, other)?.now, 400, String(other));
  }
  assert.equal(heard([null, null]), null);
  assert.equal(msForCalls(1_000_000, null), 0);
});
