// How many calls are processed at once, which wait, and which are refused. The clock is passed in.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  createAdmission,
  type AdmissionLimits,
  type Work,
} from '../../src/server/listen/admission.ts';

type Call = { state: 'waiting' | 'running' | 'refused'; seconds: number; work: Work | null };

function set(limits: Partial<AdmissionLimits> = {}) {
  let nowMs = 1_000_000;
  const all = { maxLookups: 2, maxFetching: 3, maxWriting: 4, maxWaitMs: 100, ...limits };
  const admission = createAdmission(all, { nowMs: () => nowMs, sweepSoon: () => undefined });
  const call = (isGone = () => false, caller = 'one'): Call => {
    const made: Call = { state: 'waiting', seconds: 0, work: null };
    admission.enter({
      start: (work) => Object.assign(made, { state: 'running', work }),
      refuse: (seconds) => Object.assign(made, { state: 'refused', seconds }),
      isGone,
      caller,
    });
    return made;
  };
  const pass = (ms: number) => {
    nowMs += ms;
    admission.sweep();
  };
  return {
    admission,
    call,
    pass,
    calls: (count: number) => Array.from({ length: count }, () => call()),
  };
}

const states = (calls: readonly Call[]) => calls.map(({ state }) => state).join(' ');

test('no more calls are worked on than the limit, and the next begins when one has ended', () => {
  const { call, calls } = set();
  const [first, second] = calls(2);
  const third = call();
  assert.equal(states([first!, second!, third]), 'running running waiting');
  first?.work?.ends();
  first?.work?.ends();
  assert.equal(third.state, 'running');
  assert.equal(call().state, 'waiting');
});

test('a call that waits for shops or for its charge makes room for another one', () => {
  const { admission, call, calls } = set();
  const [first, second] = calls(2);
  assert.equal(first?.work?.becomes('fetching'), true);
  assert.equal(second?.work?.becomes('writing'), true);
  assert.equal(states([call(), call()]), 'running running');
  assert.deepEqual(admission.inHand(), { lookup: 2, fetching: 1, writing: 1, waiting: 0 });
});

test('calls that wait for shops beyond the limit are refused with Retry-After', () => {
  const { call } = set({ maxFetching: 1 });
  assert.equal(call().work?.becomes('fetching'), true);
  const room = call().work?.becomes('fetching');
  assert.ok(room !== true && (room?.retryAfterSeconds ?? 0) >= 1);
});

test('no call is begun that would find no room for its charge', () => {
  const { call, calls } = set({ maxLookups: 10, maxWriting: 3 });
  const begun = calls(3);
  assert.equal(call().state, 'waiting');
  assert.ok(begun.every(({ work }) => work?.becomes('writing') === true));
  assert.equal(call().state, 'waiting');
});

test('a burst is served whole, however long that takes within 30 seconds', () => {
  const { calls, pass } = set();
  const all = calls(20);
  pass(29_999);
  assert.equal(all.filter(({ state }) => state === 'refused').length, 0);
  pass(2);
  assert.equal(all.filter(({ state }) => state === 'refused').length, 18);
  const seconds = all.filter(({ state }) => state === 'refused').map((each) => each.seconds);
  assert.ok(seconds.every((each) => each >= 1 && each <= 30));
});

test('while more and more come nobody waits longer than the limit, and the newest are served first', () => {
  const { calls, pass, call } = set();
  const running = calls(2);
  /** One call every 20 ms, of which none is served. */
  const come = (ms: number) =>
    Array.from({ length: ms / 20 }, () => {
      pass(20);
      return call();
    });
  assert.ok(come(2_980).every(({ state }) => state === 'waiting'));
  come(200);
  const late = come(100);
  assert.ok(late.every(({ state }) => state === 'waiting'));
  const newest = call();
  running[0]?.work?.ends();
  assert.equal(newest.state, 'running');
  come(120);
  assert.ok(late.every(({ state }) => state === 'refused'));
});

test('a few that wait after a slow commit are not overload: they are served in their order', () => {
  const { calls, pass, call } = set();
  const running = calls(2);
  const first = call();
  pass(3_001);
  const second = call();
  pass(20);
  assert.equal(states([first, second]), 'waiting waiting');
  running[0]?.work?.ends();
  assert.equal(states([first, second]), 'running waiting');
});

test('never more wait than 2,048: the oldest is refused for a new one', () => {
  const { calls, call } = set();
  const all = calls(2 + 2_048);
  assert.equal(all.at(2)?.state, 'waiting');
  assert.equal(call().state, 'waiting');
  assert.equal(all.at(2)?.state, 'refused');
});

test('a caller who has gone takes nobody else’s turn', () => {
  const { call, calls } = set();
  const [first] = calls(2);
  const gone = call(() => true);
  const next = call();
  first?.work?.ends();
  assert.equal(states([gone, next]), 'waiting running');
});

test('Retry-After grows with how many were refused for each that was served', () => {
  const { calls, pass, admission } = set();
  calls(2 + 2_048 + 500);
  const seconds = Array.from({ length: 100 }, () => admission.retryAfterSeconds());
  assert.ok(Math.max(...seconds) > 10 && Math.max(...seconds) <= 30);
  pass(10_000);
  pass(10_000);
  assert.ok(admission.retryAfterSeconds() <= 2);
});

test('under pressure a fifth of the calls are worked on, and all of them again afterwards', () => {
  const { admission, calls } = set({ maxLookups: 10, maxWriting: 20 });
  admission.setPressed(true);
  const all = calls(10);
  assert.equal(all.filter(({ state }) => state === 'running').length, 2);
  admission.setPressed(false);
  assert.equal(all.filter(({ state }) => state === 'running').length, 10);
});

test('a caller with hundreds of calls delays another one by one call', () => {
  const { call, calls } = set();
  const many = calls(300);
  const others = ['two', 'three'].map((caller) => call(() => false, caller));
  const end = () => many.find(({ state, work }) => state === 'running' && work !== null)?.work;
  for (const count of [1, 2, 3]) {
    const work = end();
    work?.ends();
    many.splice(
      many.findIndex((each) => each.work === work),
      1,
    );
    assert.equal(
      others.filter(({ state }) => state === 'running').length,
      Math.max(0, count - 1),
      states(others),
    );
  }
});

test('of more calls than may wait the caller with most loses its oldest', () => {
  const { call, calls } = set();
  const few = call(() => false, 'few');
  const running = call(() => false, 'few');
  const waits = call(() => false, 'few');
  const many = calls(2_100);
  assert.equal(states([few, running, waits]), 'running running waiting');
  assert.equal(many.filter(({ state }) => state === 'refused').length, 2_100 + 1 - 2_048);
  assert.equal(many[0]?.state, 'refused');
});

test('many callers who wait for shops at once are let in, whatever the pace before; in the long run only as many as are served', () => {
  const { call, pass } = set({ maxLookups: 2_000, maxWriting: 4_000, maxFetching: 1_000 });
  const fetching = (): Call | null => {
    const made = call();
    const room = made.work?.becomes('fetching');
    return room === true ? made : null;
  };
  // One a second is served in a quiet time.
  fetching()?.work?.ends();
  pass(1_000);
  fetching()?.work?.ends();
  const burst = Array.from({ length: 400 }, fetching);
  assert.ok(burst.every((each) => each !== null));
  pass(4_900);
  assert.notEqual(fetching(), null);
  burst[0]?.work?.ends();
  pass(200);
  assert.equal(fetching(), null, 'one a second is served, and hundreds wait');
  for (const each of burst) each?.work?.ends();
  assert.notEqual(fetching(), null);
});

test("an organization whose shops are slow, or that fills all room, refuses its own calls and nobody else's", () => {
  const { call, pass } = set({ maxLookups: 2_000, maxWriting: 4_000, maxFetching: 320 });
  const fetching = (organizationId: string): Call | null => {
    const made = call();
    return made.work?.becomes('fetching', organizationId) === true ? made : null;
  };
  const slow = Array.from({ length: 100 }, () => fetching('slow'));
  pass(5_100);
  slow[0]?.work?.ends();
  assert.equal(fetching('slow'), null, 'one in five seconds is served');
  assert.notEqual(fetching('other'), null);
  const burst = Array.from({ length: 250 }, () => fetching('burst'));
  assert.equal(burst.filter((each) => each === null).length, 30, 'all room is taken');
  assert.notEqual(fetching('other'), null);
  assert.notEqual(fetching('third'), null);
  for (const each of burst) each?.work?.ends();
  assert.notEqual(fetching('burst'), null);
});

test('calls that wait are looked through by one sweep, however often the first of them begins to wait', () => {
  let sweeps = 0;
  const limits = { maxLookups: 1, maxFetching: 1, maxWriting: 1, maxWaitMs: 1_000 };
  const admission = createAdmission(limits, {
    nowMs: () => 0,
    sweepSoon: () => void (sweeps += 1),
  });
  const works: Work[] = [];
  const enter = () =>
    admission.enter({
      caller: 'one',
      isGone: () => false,
      refuse: () => assert.fail('nobody waits for long'),
      start: (work) => works.push(work),
    });
  enter();
  for (let round = 0; round < 10; round += 1) {
    enter();
    works.shift()?.ends();
  }
  assert.equal(sweeps, 1);
  assert.equal(admission.sweep(), false, 'nobody waits');
  enter();
  assert.equal(sweeps, 2);
});
