// Which fetch is next at a host (D37): on a clock that tests move, with the limiter that the fetcher uses.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sharedTurns, type FetchContext, type Priority } from '../../src/base/fetch-context.ts';
import { createHostLimiter } from '../../src/egress/pacing/host-limiter.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { at, BACKGROUND, contextOf } from '../support/contexts.ts';

const callerOf = (organization: string): Priority => ({ kind: 'caller', organization });
const contextIn = (priority: Priority): FetchContext => contextOf(undefined, priority);

function setUp(over: { readonly intervalMs?: number; readonly maxConcurrent?: number } = {}) {
  const clock = createVirtualClock();
  const limits = { intervalMs: 1_000, maxConcurrent: 32, maxOfOneOrganization: 8 };
  const options = { clock, ...limits, random: () => 0, ...over };
  const limiter = createHostLimiter(options);
  const log: string[] = [];
  /** One request of 200 ms, noted by name when its turn comes. */
  const request = async (name: string, context: FetchContext, host = 'a.example') => {
    const turn = await limiter.turn(at(host), context);
    if (!turn.ok) return turn.failure;
    log.push(name);
    await clock.sleep(200);
    turn.done({ result: 'answered' });
    return null;
  };
  return { clock, limiter, log, request };
}

test('a call that a caller waits for goes before background work that waits longer', async () => {
  const { clock, log, request } = setUp();
  const calls = [
    request('first', contextIn(BACKGROUND)),
    request('background', contextIn(BACKGROUND)),
    request('caller', contextIn(callerOf('org-a'))),
    request('caller without organization', contextOf()),
  ];
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['first', 'caller', 'caller without organization', 'background']);
});

test('a caller that comes during the pause goes before the background work that waits for its end', async () => {
  const { clock, log, request } = setUp();
  const calls = [request('first', contextIn(BACKGROUND))];
  await clock.advance(300);
  calls.push(request('background', contextIn(BACKGROUND)));
  await clock.advance(300);
  calls.push(request('caller', contextIn(callerOf('org-a'))));
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['first', 'caller', 'background']);
});

test('organizations take turns, however many requests one of them makes', async () => {
  const { clock, log, request } = setUp();
  const calls = Array.from({ length: 6 }, (_, n) => request(`a${n}`, contextIn(callerOf('org-a'))));
  calls.push(request('b0', contextIn(callerOf('org-b'))));
  calls.push(request('b1', contextIn(callerOf('org-b'))));
  calls.push(request('c0', contextIn(callerOf('org-c'))));
  await clock.advance(60_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2', 'a3', 'a4', 'a5']);
});

/** Work that others may join, and its context. */
function shared(first: Priority) {
  const { join, ...turns } = sharedTurns(contextIn(first));
  return { context: { ...contextIn(first), ...turns }, join };
}

test('background work that a caller joins has the turns of the caller, and so has what it needs', async () => {
  const { clock, log, request } = setUp();
  const joined = shared(BACKGROUND);
  // Like a robots.txt fetch: made for the work that needs it, and itself shared by others.
  const { turns } = sharedTurns(joined.context);
  const calls = [
    request('first', contextIn(BACKGROUND)),
    request('background', contextIn(BACKGROUND)),
    request('joined', joined.context),
  ];
  joined.join(contextIn(callerOf('org-a')));
  joined.join(contextIn(BACKGROUND));
  assert.deepEqual(turns(), [callerOf('org-a')]);
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['first', 'joined', 'background']);
});

test('work that another organization joins goes in its turn where the first has all its requests in flight', async () => {
  const { clock, limiter, log, request } = setUp();
  const held = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      limiter.turn(at(`h${n}.example`), contextIn(callerOf('org-a'))),
    ),
  );
  const joined = shared(callerOf('org-a'));
  // The needed request is waiting for a slot when the other caller joins.
  const needed = sharedTurns(joined.context);
  const calls = [
    request('joined', { ...contextIn(callerOf('org-a')), ...needed }, 'shop.example'),
    request('alone', contextIn(callerOf('org-a')), 'other.example'),
  ];
  await clock.advance(1_000);
  assert.deepEqual(log, []);
  joined.join(contextIn(callerOf('org-b')));
  await clock.advance(1_000);
  assert.deepEqual(log, ['joined'], 'it takes nobody else along');
  for (const turn of held) if (turn.ok) turn.done({ result: 'answered' });
  await clock.advance(1_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['joined', 'alone']);
});

test('work that another organization joins is not held up by the pause of the first', async () => {
  const { limiter } = setUp();
  const joined = shared(callerOf('org-a'));
  joined.join(contextIn(callerOf('org-b')));
  for (let n = 0; n < 5; n += 1) limiter.found('a.example', { result: 'failed' }, 'org-a');
  assert.equal((await limiter.turn(at('a.example'), contextIn(callerOf('org-a')))).ok, false);
  const turn = await limiter.turn(at('a.example'), joined.context);
  assert.ok(turn.ok);
  assert.equal(turn.asker, 'org-b');
});

test('background work that would wait beyond its deadline fails at once with the wait', async () => {
  const { clock, request } = setUp({ intervalMs: 5_000 });
  const calls = Array.from({ length: 4 }, () => request('x', contextIn(callerOf('org-a'))));
  await clock.advance(100);
  const late = contextOf(undefined, BACKGROUND, clock.now() + 12_000);
  const refused = await request('background', late);
  assert.equal(refused?.kind, 'busy');
  // One request in flight and three that wait, each with its pause of five seconds.
  assert.equal(refused.retryAfterSeconds, 20);
  const other = contextOf(undefined, BACKGROUND, clock.now() + 21_000);
  calls.push(request('background', other));
  await clock.advance(60_000);
  assert.deepEqual(await Promise.all(calls), [null, null, null, null, null]);
});

test('one organization has at most eight requests in flight; others and background work have the rest', async () => {
  const { clock, log, request } = setUp();
  const calls = Array.from({ length: 10 }, (_, n) =>
    request(`a${n}`, contextIn(callerOf('org-a')), `h${n}.example`),
  );
  calls.push(request('b', contextIn(callerOf('org-b')), 'h8.example'));
  calls.push(request('background', contextIn(BACKGROUND), 'h9.example'));
  await clock.advance(100);
  assert.deepEqual(log.toSorted(), [
    ...Array.from({ length: 8 }, (_, n) => `a${n}`),
    'b',
    'background',
  ]);
  await clock.advance(10_000);
  assert.equal((await Promise.all(calls)).filter((failure) => failure !== null).length, 0);
  assert.equal(log.length, 12);
});

test('a slot that becomes free goes to a caller before background work, paced or not', async () => {
  const { clock, limiter, log, request } = setUp({ maxConcurrent: 1 });
  const unpaced = async (name: string, priority: Priority) => {
    const turn = await limiter.slot(contextIn(priority));
    assert.ok(turn.ok);
    log.push(name);
    await clock.sleep(200);
    turn.done({ result: 'neutral' });
  };
  const calls = [
    request('first', contextIn(BACKGROUND)),
    unpaced('unpaced background', BACKGROUND),
    request('background', contextIn(BACKGROUND), 'b.example'),
    request('caller', contextIn(callerOf('org-a')), 'c.example'),
    unpaced('unpaced caller', callerOf('org-a')),
  ];
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.deepEqual(log, ['first', 'caller', 'unpaced caller', 'unpaced background', 'background']);
});

test('a slot that becomes free goes to the organization with the fewest requests, however long others wait', async () => {
  const { clock, log, request } = setUp({ maxConcurrent: 3 });
  const many = (name: string) =>
    Array.from({ length: 9 }, (_, n) =>
      request(name, contextIn(callerOf(name)), `${name}${n}.example`),
    );
  const calls = [...many('a'), ...many('b'), ...many('c')];
  await clock.advance(100);
  calls.push(request('late', contextIn(callerOf('late')), 'late.example'));
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.ok(log.indexOf('late') <= 5, log.join(' '));
});

test('with callers that come and leave at random, every turn is given back and no fetch waits forever', async (t) => {
  const seed = seedOf(31);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const { clock, limiter } = setUp({ intervalMs: 300, maxConcurrent: 5 });
  const priorities = [BACKGROUND, ...['a', 'b', 'c'].map(callerOf)];
  const inFlight = new Map<string, number>();
  let wrong = 0;
  const served = { background: 0, caller: 0 };
  const add = (name: string, by: number) => {
    inFlight.set(name, (inFlight.get(name) ?? 0) + by);
    return inFlight.get(name) ?? 0;
  };
  const call = async (priority: Priority) => {
    const leaving = new AbortController();
    const host = `h${integerBelow(random, 6)}`;
    const isPaced = random() < 0.8;
    const context = contextOf(leaving.signal, priority);
    const waiting = isPaced ? limiter.turn(at(host), context) : limiter.slot(context);
    if (random() < 0.2) void clock.sleep(integerBelow(random, 2_000)).then(() => leaving.abort());
    const turn = await waiting;
    if (!turn.ok) return;
    served[priority.kind] += 1;
    if (add('all', 1) > 5 || (isPaced && add(host, 1) > 1)) wrong += 1;
    await clock.sleep(integerBelow(random, 500));
    add('all', -1);
    if (isPaced) add(host, -1);
    turn.done({ result: random() < 0.1 ? 'failed' : 'answered' });
  };
  const calls: Promise<void>[] = [];
  for (let count = 0; count < 3_000; count += 1) {
    calls.push(call(pick(random, priorities)));
    if (count % 10 === 0) await clock.advance(integerBelow(random, 1_500));
  }
  await clock.advance(3_600_000);
  await Promise.all(calls);
  t.diagnostic(`${served.caller} for callers, ${served.background} in the background`);
  assert.equal(wrong, 0);
  assert.ok(served.background > 50 && served.caller > 300);
  assert.equal(clock.sleepers, 0);
});
