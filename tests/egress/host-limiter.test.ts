// Pacing on a clock that tests move: pauses, one at a time, Retry-After, the circuit breaker, refusals.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Priority } from '../../src/base/fetch-context.ts';
import { createCircuit } from '../../src/egress/pacing/circuit-breaker.ts';
import { createHostLimiter } from '../../src/egress/pacing/host-limiter.ts';
import { retryAfterSeconds } from '../../src/base/retry-after.ts';
import { randomFrom } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { at, BACKGROUND, CALLER, contextOf } from '../support/contexts.ts';

const never = new AbortController().signal;

function setUp(intervalMs = 1_000, maxConcurrent = 32) {
  const clock = createVirtualClock();
  const limits = { intervalMs, maxConcurrent, maxOfOneOrganization: 8, maxWaitMs: 10_000 };
  const options = { clock, ...limits, random: () => 0 };
  return { clock, limiter: createHostLimiter(options) };
}

test('a host gets one request at a time with the pause between the end of one and the next', async () => {
  const { clock, limiter } = setUp();
  const starts: number[] = [];
  const began = clock.now();
  const calls = [0, 1, 2].map(async () => {
    const turn = await limiter.turn(at('a.example'), contextOf(never));
    assert.ok(turn.ok);
    starts.push(clock.now() - began);
    await clock.sleep(300);
    turn.done({ result: 'answered' });
  });
  await clock.advance(10_000);
  await Promise.all(calls);
  assert.deepEqual(starts, [0, 1_300, 2_600]);
});

test('10,000 mixed calls: no overlap, no gap under the minimum, nothing before Retry-After', async (t) => {
  const seed = 7;
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const { clock, limiter } = setUp(1_000, 8);
  const hosts = Array.from({ length: 12 }, (_, index) => `h${index}.example`);
  const log = new Map(hosts.map((host) => [host, { inFlight: 0, endedAt: -1e9, notBefore: 0 }]));
  let inFlight = 0;
  let violations = 0;
  let served = 0;
  const call = async () => {
    const host = hosts[Math.floor(random() * hosts.length)] ?? '';
    const seen = log.get(host);
    assert.ok(seen);
    const turn = await limiter.turn(at(host), contextOf(never));
    if (!turn.ok) return;
    served += 1;
    inFlight += 1;
    seen.inFlight += 1;
    const now = clock.now();
    if (seen.inFlight > 1 || inFlight > 8) violations += 1;
    if (now - seen.endedAt < 1_000 || now < seen.notBefore) violations += 1;
    await clock.sleep(Math.floor(random() * 800));
    seen.inFlight -= 1;
    inFlight -= 1;
    seen.endedAt = clock.now();
    if (random() < 0.02) {
      const seconds = 1 + Math.floor(random() * 20);
      seen.notBefore = clock.now() + seconds * 1_000;
      turn.done({ result: 'failed', asked: { name: host, seconds } });
    } else turn.done({ result: 'answered' });
  };
  const calls: Promise<void>[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    calls.push(call());
    if (count % 10 === 9) await clock.advance(Math.floor(random() * 1_500));
  }
  await clock.advance(60_000);
  await Promise.all(calls);
  t.diagnostic(`${served} served`);
  assert.ok(served > 1_000);
  assert.equal(violations, 0);
});

test('a fetch that would wait beyond its deadline fails at once, with the seconds to wait', async () => {
  const { clock, limiter } = setUp(5_000);
  const first = await limiter.turn(at('a.example'), contextOf(never));
  assert.ok(first.ok);
  first.done({ result: 'answered' });
  const late = await limiter.turn(
    at('a.example'),
    contextOf(undefined, CALLER, clock.now() + 2_000),
  );
  assert.ok(!late.ok);
  assert.deepEqual([late.failure.kind, late.failure.retryAfterSeconds], ['busy', 5]);
  const other = await limiter.turn(
    at('b.example'),
    contextOf(undefined, CALLER, clock.now() + 2_000),
  );
  assert.ok(other.ok);
});

test('when a caller leaves the queue, the turn is that of the next', async () => {
  const { clock, limiter } = setUp(0);
  const first = await limiter.turn(at('a.example'), contextOf(never));
  assert.ok(first.ok);
  const leaving = new AbortController();
  const second = limiter.turn(at('a.example'), contextOf(leaving.signal));
  const third = limiter.turn(at('a.example'), contextOf(never));
  leaving.abort();
  assert.equal((await second).ok, false);
  first.done({ result: 'answered' });
  await clock.advance(1);
  assert.equal((await third).ok, true);
});

test('Retry-After holds back all requests to the host for that long, those that wait already included', async () => {
  const { clock, limiter } = setUp(100);
  const turn = () => limiter.turn(at('a.example'), contextOf(never));
  const first = await turn();
  assert.ok(first.ok);
  const waiting = [turn(), turn()];
  first.done({ result: 'failed', asked: { name: 'a.example', seconds: 120 } });
  await clock.advance(200);
  for (const refused of await Promise.all(waiting)) {
    assert.ok(!refused.ok);
    assert.equal(refused.failure.kind, 'busy');
  }
  await clock.advance(118_900);
  const still = await turn();
  assert.ok(!still.ok);
  assert.equal(still.failure.retryAfterSeconds, 1);
  await clock.advance(1_000);
  assert.equal((await turn()).ok, true);
});

test('a pause that one name asked for leaves the shop next to it alone, with its pace', async () => {
  const { clock, limiter } = setUp(100);
  const turn = (name: string) => limiter.turn({ host: 'shop.example', name }, contextOf(never));
  const first = await turn('old.shop.example');
  assert.ok(first.ok);
  first.done({ result: 'failed', asked: { name: 'old.shop.example', seconds: 86_400 } });
  const beside = turn('www.shop.example');
  await clock.advance(100);
  const second = await beside;
  assert.ok(second.ok);
  second.done({ result: 'failed', asked: { name: 'shop.example', seconds: 10 } });
  assert.equal((await turn('www.shop.example')).ok, false, 'the whole host asked');
  await clock.advance(10_000);
  assert.equal((await turn('old.shop.example')).ok, false);
  assert.equal((await turn('www.shop.example')).ok, true);
  assert.deepEqual(limiter.troubled(), [
    { host: 'shop.example', failures: 2, leftMs: 0, pausedFor: null },
    { host: 'old.shop.example', failures: 0, leftMs: 86_389_900, pausedFor: 'everyone' },
  ]);
});

test('an answer that was on its way and a shorter pause do not end the pause that a shop asked for', async () => {
  const { clock, limiter } = setUp(0);
  const turn = () => limiter.turn(at('a.example'), contextOf(never));
  const first = await turn();
  assert.ok(first.ok);
  first.done({ result: 'failed', asked: { name: 'a.example', seconds: 600 } });
  limiter.found('a.example', { result: 'answered' }, 'org-a');
  await clock.advance(60_000);
  const refused = await turn();
  assert.equal(refused.ok ? null : refused.failure.retryAfterSeconds, 540);
});

test('the breaker opens after five failures in a row, doubles up to 15 minutes and closes on an answer', () => {
  const circuit = createCircuit(() => 0);
  let now = 0;
  const failed = () => circuit.record({ result: 'failed' }, 'org-a', now);
  const leftMs = () => circuit.pauseLeft(now).concludedMs;
  for (let count = 0; count < 4; count += 1) failed();
  circuit.record({ result: 'neutral' }, 'org-a', now);
  assert.equal(leftMs(), 0);
  const pauses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    failed();
    pauses.push(leftMs() / 1_000);
    now += leftMs();
  }
  assert.deepEqual(pauses, [60, 120, 240, 480, 900, 900]);
  circuit.record({ result: 'answered' }, 'org-a', now);
  for (let count = 0; count < 4; count += 1) failed();
  assert.equal(leftMs(), 0);
  const jittered = createCircuit(() => 0.999);
  for (let count = 0; count < 5; count += 1) jittered.record({ result: 'failed' }, 'org-a', 0);
  const { concludedMs } = jittered.pauseLeft(0);
  assert.ok(concludedMs > 60_000 && concludedMs <= 75_000);
});

test('a pause for one organization refuses its fetches and background work that wait; others go on, one at a time', async () => {
  const { clock, limiter } = setUp(100);
  const callerOf = (organization: string): Priority => ({ kind: 'caller', organization });
  const turn = (priority: Priority) =>
    limiter.turn(at('a.example'), contextOf(undefined, priority, clock.now() + 60_000));
  for (let count = 0; count < 4; count += 1)
    limiter.found('a.example', { result: 'failed' }, 'org-a');
  const last = await turn(callerOf('org-a'));
  assert.ok(last.ok);
  const refused = [turn(callerOf('org-a')), turn(BACKGROUND)];
  const others = [turn(callerOf('org-b')), turn(CALLER)];
  last.done({ result: 'failed' });
  await clock.advance(100);
  assert.deepEqual(
    (await Promise.all(refused)).map((each) => each.ok),
    [false, false],
  );
  const [first, second] = others;
  const probe = await first;
  assert.ok(probe?.ok);
  probe.done({ result: 'failed' });
  assert.equal((await second)?.ok, false, 'a probe that fails is the second organization');
});

test('one organization that fails as often as it may does not keep background work from a shop that answers it', async () => {
  const { clock, limiter } = setUp();
  const turn = (priority: Priority) =>
    limiter.turn(at('a.example'), contextOf(undefined, priority, clock.now() + 100));
  let served = 0;
  for (let second = 0; second < 3_600; second += 2) {
    const failing = await turn({ kind: 'caller', organization: 'org-a' });
    if (failing.ok) failing.done({ result: 'failed' });
    else {
      const waiting = await turn(BACKGROUND);
      if (waiting.ok) {
        served += 1;
        waiting.done({ result: 'answered' });
      }
    }
    await clock.advance(2_000);
  }
  // Each time it takes five failures and a minute.
  assert.ok(served >= 40, `${served} in an hour`);
});

test('Retry-After is parsed in both forms, wherever the machine stands, and is a day at most', (t) => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  t.after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  const now = Date.UTC(2026, 0, 5, 12);
  const cases = [
    ['120', 120],
    [' 5 ', 5],
    ['0', 0],
    ['999999999', 86_400],
    ['Mon, 05 Jan 2026 12:00:30 GMT', 30],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Fri, 31 Dec 2099 23:59:59 GMT', 86_400],
    ['Monday, 05-Jan-26 12:00:40 GMT', 40],
    ['Mon Jan  5 12:00:50 2026', 50],
    ['Mon, 05 Jan 2026 13:01:00 +0100', 60],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    ['2026-01-05', null],
    [undefined, null],
  ] as const;
  for (const [text, seconds] of cases)
    assert.equal(retryAfterSeconds(text, now), seconds, text ?? 'absent');
});

test('all hosts together never exceed the number of slots', async () => {
  const { limiter } = setUp(0, 2);
  const turns = await Promise.all(
    ['a', 'b'].map((host) => limiter.turn(at(`${host}.example`), contextOf(never))),
  );
  const gone = new AbortController();
  const third = limiter.turn(at('c.example'), contextOf(gone.signal));
  const fourth = limiter.turn(at('d.example'), contextOf(never));
  gone.abort();
  assert.equal((await third).ok, false);
  const [first] = turns;
  assert.ok(first?.ok);
  first.done({ result: 'answered' });
  first.done({ result: 'answered' });
  assert.equal((await fourth).ok, true);
});

test('hosts that failed last are listed with the rest of their pause, those that answered are not', async () => {
  const { clock, limiter } = setUp(0);
  for (let count = 0; count < 5; count += 1)
    limiter.found('wall.example', { result: 'failed' }, 'org-a');
  limiter.found('once.example', { result: 'failed' }, 'org-a');
  limiter.found('mended.example', { result: 'failed' }, 'org-a');
  limiter.found('mended.example', { result: 'answered' }, 'org-a');
  await clock.advance(10_000);
  assert.deepEqual(limiter.troubled(), [
    { host: 'wall.example', failures: 5, leftMs: 65_000, pausedFor: 'one_organization' },
    { host: 'once.example', failures: 1, leftMs: 0, pausedFor: null },
  ]);
});

test('hosts that fail are kept while there is room, a paused one longest', async () => {
  const { clock, limiter } = setUp(0);
  const troubled = () => new Set(limiter.troubled().map(({ host }) => host));
  for (let count = 0; count < 9; count += 1)
    limiter.found('paused.example', { result: 'failed' }, 'org-a');
  limiter.found('used.example', { result: 'failed' }, 'org-a');
  const busy = await limiter.turn(at('busy.example'), contextOf(never));
  assert.ok(busy.ok);
  limiter.found('busy.example', { result: 'failed' }, 'org-a');
  for (let count = 0; count < 30_000; count += 1) {
    limiter.found(`h${count}.example`, { result: 'failed' }, 'org-a');
    if (count % 500 === 0) {
      limiter.found('used.example', { result: 'failed' }, 'org-a');
      await clock.advance(1_000);
    }
  }
  const hosts = troubled();
  assert.ok(hosts.size > 9_000 && hosts.size <= 10_000, `${hosts.size}`);
  for (const host of ['paused', 'used', 'busy', 'h29999']) {
    assert.ok(hosts.has(`${host}.example`), host);
  }
  assert.ok(!hosts.has('h0.example'));
});

test('pauses that shops asked for are kept while there is room, the latest longest', async () => {
  const { limiter } = setUp(0, 1);
  for (let count = 0; count < 12_000; count += 1) {
    const name = `h${count}.example`;
    const turn = await limiter.turn(at(name), contextOf(never));
    assert.ok(turn.ok);
    turn.done({ result: 'neutral', asked: { name, seconds: 86_400 } });
  }
  const names = new Set(limiter.troubled().map(({ host }) => host));
  assert.ok(names.size > 9_000 && names.size <= 10_000, `${names.size}`);
  assert.deepEqual([names.has('h11999.example'), names.has('h0.example')], [true, false]);
});
