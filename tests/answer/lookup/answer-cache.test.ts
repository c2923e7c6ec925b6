// What is cached of answers: from the third request on, within its byte limit, the least recently used evicted first, and only
// while nothing the answer was made from has changed.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { createAnswerCache, type Question } from '../../../src/answer/lookup/cache/answer-cache.ts';
import { gzipBytes, type CacheEntry } from '../../../src/answer/lookup/cache/cached-bodies.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { createCachedLines } from '../../../src/server/batch/cached-lines.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const UNTIL_MS = 1_000;
const MUCH = 10_000_000;
const ROUTE = 'GET /v1/products/{id}';

function open(maxBytes: number) {
  const now = { ms: 0, circumstances: 'a', revision: 1, made: 0 };
  const cache = createAnswerCache({
    revisionsOf: async (subjects) =>
      subjects.map((subject) => ({ subject, revision: now.revision })),
    circumstances: () => now.circumstances,
    clock: { now: () => now.ms },
    maxBytes,
  });
  const questionOf = (name: string, more: Partial<Question> = {}): Question => ({
    kind: 'product',
    asked: { name },
    own: null,
    currency: null,
    terms: null,
    ...more,
  });
  /** Asks once. The result states how many times something was made. */
  const find = (question: Question, subjects: readonly string[] | null = ['*', 'x']) =>
    cache.find(question, async () => ({
      found: { made: (now.made += 1) },
      madeFrom: () => (subjects === null ? null : { subjects, untilMs: UNTIL_MS }),
    }));
  const keep = (entry: CacheEntry, target: string, text: string, presentation = '') =>
    cache.keep(entry, { target, route: ROUTE, presentation, body: { text }, tokens: 1 });
  /** Asks until the answer is cached, and stores a text of it. */
  const stored = async (name: string, text = name) => {
    for (let times = 1; times <= 3; times += 1) {
      const { entry } = await find(questionOf(name));
      if (entry !== null) keep(entry, `/${name}`, text);
    }
    return cache.bodyFor(`/${name}`);
  };
  return { now, cache, questionOf, find, keep, stored };
}

async function entryOf({ find, questionOf }: ReturnType<typeof open>, name: string) {
  for (let times = 1; times <= 3; times += 1) await find(questionOf(name));
  return (await find(questionOf(name))).entry ?? assert.fail(`${name} is not cached`);
}

test('an answer is cached from the third time on, when its revisions were read before it was made', async () => {
  const { find, questionOf } = open(MUCH);
  const question = questionOf('a');
  assert.deepEqual(await find(question), { found: { made: 1 }, entry: null });
  assert.deepEqual(await find(question), { found: { made: 2 }, entry: null });
  const third = await find(question);
  assert.deepEqual(third.found, { made: 3 });
  assert.deepEqual(third.entry?.revisions, [
    { subject: '*', revision: 1 },
    { subject: 'x', revision: 1 },
  ]);
  assert.equal((await find(question)).found, third.found, 'it is not made again');
});

test('an answer that depends on a revision that was not read before is cached the next time', async () => {
  const { find, questionOf } = open(MUCH);
  const question = questionOf('a');
  await find(question);
  await find(question);
  assert.equal((await find(question, ['*', 'x', 'y'])).entry, null);
  assert.notEqual((await find(question, ['*', 'y'])).entry, null);
});

test('a revision that changes while the answer is made is not that of the answer', async () => {
  const { cache, now, questionOf, find } = open(MUCH);
  const question = questionOf('a');
  await find(question);
  await find(question);
  await cache.find(question, async () => {
    now.revision += 1;
    return { found: 'of before', madeFrom: () => ({ subjects: ['x'], untilMs: UNTIL_MS }) };
  });
  assert.deepEqual((await find(question)).found, { made: 3 }, 'it is made again');
});

test('an answer that depends on what has no revision is made each time', async () => {
  const { find, questionOf } = open(MUCH);
  const question = questionOf('a');
  for (let times = 1; times <= 5; times += 1) {
    assert.deepEqual(await find(question, null), { found: { made: times }, entry: null });
  }
});

test('what has to be fetched is not cached', async () => {
  const { cache, questionOf } = open(MUCH);
  let made = 0;
  const nothing = async () => {
    made += 1;
    return { found: null, madeFrom: () => ({ subjects: [], untilMs: UNTIL_MS }) };
  };
  for (let times = 1; times <= 5; times += 1) {
    assert.deepEqual(await cache.find(questionOf('a'), nothing), { found: null, entry: null });
  }
  assert.equal(made, 5);
});

for (const [what, change, back] of [
  ['a revision', ({ now }) => (now.revision = 2), ({ now }) => (now.revision = 1)],
  [
    'the circumstances',
    ({ now }) => (now.circumstances = 'b'),
    ({ now }) => (now.circumstances = 'a'),
  ],
  ['the time', ({ now }) => (now.ms = UNTIL_MS), ({ now }) => (now.ms = 0)],
  ['the clock, which was set back', ({ now }) => (now.ms = -1), ({ now }) => (now.ms = 0)],
] satisfies readonly [string, ...((of: ReturnType<typeof open>) => unknown)[]][]) {
  test(`when ${what} changed, an answer is made again, and its bytes are gone`, async () => {
    const of = open(MUCH);
    const { cache, find, questionOf } = of;
    const body = (await of.stored('a')) ?? assert.fail('not cached');
    change?.(of);
    assert.deepEqual((await find(questionOf('a'))).found, { made: 4 });
    back?.(of);
    assert.equal(cache.bodyFor('/a'), null);
    assert.notEqual((await find(questionOf('a'))).entry, body.entry);
  });
}

test('bytes are of their time and circumstances, and go when they are found to be out of date', async () => {
  const { now, cache, stored } = open(MUCH);
  const isThere = () => cache.bodyFor('/a') !== null;
  const body = (await stored('a')) ?? assert.fail('not cached');
  now.ms = UNTIL_MS - 1;
  assert.ok(isThere() && cache.isOfNow(body));
  now.ms = UNTIL_MS;
  assert.equal(cache.isOfNow(body), false);
  assert.equal(isThere(), false);
  now.ms = 5;
  assert.equal(isThere(), false, 'they are gone');
  await stored('a');
  now.ms = 4;
  assert.equal(isThere(), false, 'the clock was set back');
  await stored('a');
  now.circumstances = 'b';
  assert.equal(isThere(), false);
  const again = (await stored('a')) ?? assert.fail('not cached');
  cache.drop(body);
  assert.ok(isThere(), 'only the answer that is out of date is dropped');
  cache.drop(again);
  assert.equal(isThere(), false);
  assert.equal(cache.bytes(), 0);
});

test('after a change an answer is cached again when it is made next', async () => {
  const { now, cache, find, questionOf, stored } = open(MUCH);
  const body = (await stored('a')) ?? assert.fail('not cached');
  now.revision = 2;
  cache.drop(body);
  assert.notEqual((await find(questionOf('a'))).entry, null);
});

test('everything that decides an answer distinguishes questions', async () => {
  const { find, questionOf, now } = open(MUCH);
  const questions = [
    questionOf('a'),
    questionOf('b'),
    questionOf('a', { kind: 'comparison' }),
    questionOf('a', { kind: 'history' }),
    questionOf('a', { own: 'one' }),
    questionOf('a', { own: 'another' }),
    questionOf('a', { currency: 'EUR' }),
    questionOf('a', { terms: 'EUR' }),
  ];
  const first: unknown[] = [];
  for (const question of questions) {
    for (let times = 1; times <= 2; times += 1) await find(question);
    first.push((await find(question)).found);
  }
  assert.equal(now.made, 3 * questions.length);
  for (const [at, question] of questions.entries()) {
    assert.equal((await find(question)).found, first[at]);
  }
});

test('what is one organization’s own is cached, and found by no path, which says nothing of whose call it is', async () => {
  const { cache, find, keep, questionOf } = open(MUCH);
  const question = questionOf('a', { own: 'one' });
  for (let times = 1; times <= 4; times += 1) {
    const { entry } = await find(question);
    if (entry !== null) keep(entry, '/a', 'its own');
  }
  assert.notEqual((await find(question)).entry, null);
  assert.equal(cache.bodyFor('/a'), null);
});

test('one answer is found by each spelling of its path, and each presentation of it has its own bytes', async () => {
  const of = open(MUCH);
  const { cache, keep } = of;
  const entry = await entryOf(of, 'a');
  const textAt = (target: string) => {
    const body = cache.bodyFor(target);
    return body === null ? null : cache.textOf(body).toString();
  };
  keep(entry, '/a', 'whole');
  keep(entry, '/v1/products?url=a', 'whole');
  assert.equal(cache.bodyFor('/v1/products?url=a'), null, 'another route is another presentation');
  keep(entry, '/v1/products?url=a', 'whole');
  assert.equal(cache.bodyFor('/v1/products?url=a')?.pattern, '/v1/products');
  assert.equal(cache.bodyFor('/a')?.pattern, '/v1/products/{id}');
  keep(entry, '/%61', 'whole');
  assert.equal(cache.bodyFor('/%61'), cache.bodyFor('/a'));
  keep(entry, '/a?short', 'short', 'short');
  assert.equal(textAt('/a?short'), null, 'most presentations are asked for once');
  keep(entry, '/a?short', 'short', 'short');
  assert.equal(textAt('/a?short'), '{"text":"short"');
  assert.equal(textAt('/a'), '{"text":"whole"');
});

test('an answer has a bounded number of paths and presentations, of which the newest stay', async () => {
  const of = open(MUCH);
  const { cache, keep } = of;
  const entry = await entryOf(of, 'a');
  for (let at = 0; at < 40; at += 1) {
    keep(entry, `/a?${at}`, 'whole');
    assert.ok(cache.bodyFor(`/a?${at}`) !== null);
  }
  const paths = Array.from({ length: 40 }, (_, at) => cache.bodyFor(`/a?${at}`));
  assert.equal(paths.filter((each) => each !== null).length, 8);
  const before = cache.bytes();
  for (let at = 0; at < 40; at += 1) {
    for (let times = 1; times <= 2; times += 1) keep(entry, `/p${at}`, 'part', `part ${at}`);
    assert.ok(cache.bodyFor(`/p${at}`) !== null);
  }
  assert.ok(cache.bytes() < before + 40_000);
  const parts = Array.from({ length: 40 }, (_, at) => cache.bodyFor(`/p${at}`));
  assert.equal(parts.filter((each) => each !== null).length, 8);
});

/** Returns text whose compressed size equals its length. */
const randomText = (characters: number) => randomBytes(characters / 2).toString('latin1');

test('what is cached stays within its bytes, and what was used last stays', async () => {
  const { cache, stored } = open(200_000);
  const text = randomText(4_000);
  await stored('first', text);
  for (let at = 0; at < 100; at += 1) {
    await stored(`${at}`, text);
    assert.ok(cache.bytes() <= 200_000);
    assert.ok(cache.bodyFor('/first') !== null, 'it is asked for all the time');
    assert.ok(cache.bodyFor(`/${at}`) !== null);
  }
  assert.equal(cache.bodyFor('/0'), null);
  await stored('large', randomText(600_000));
  assert.equal(cache.bodyFor('/large'), null);
  assert.ok(cache.bytes() <= 200_000);
});

test('what is asked for once does not displace what is cached', async () => {
  const { cache, find, questionOf, stored } = open(100_000);
  await stored('often');
  for (let at = 0; at < 2_000; at += 1) await find(questionOf(`once ${at}`));
  assert.ok(cache.bodyFor('/often') !== null);
});

test('a text is that of its answer, whether it is stored or made of what is compressed', async () => {
  const { cache, now, stored } = open(200_000);
  const textOf = (at: number) => `${at} ${'lamp ä '.repeat(at * 30)}`;
  for (let at = 0; at < 40; at += 1) await stored(`${at}`, textOf(at));
  // More text than fits in memory, starting with the texts evicted first.
  for (const at of [0, 1, 39, 38, 0, 0, 39]) {
    const body = cache.bodyFor(`/${at}`) ?? assert.fail(`${at} is not cached`);
    assert.equal(`${cache.textOf(body).toString()}}`, JSON.stringify({ text: textOf(at) }));
    assert.ok(cache.bytes() <= 200_000);
  }
  const before = cache.bodyFor('/5') ?? assert.fail('not cached');
  for (let time = 0; time < 8; time += 1) cache.textOf(before);
  assert.equal(cache.textOf(before), cache.textOf(before), 'what is asked for often stays');
  now.revision = 2;
  cache.drop(before);
  const after = (await stored('5', 'another')) ?? assert.fail('not cached');
  assert.equal(`${cache.textOf(before).toString()}}`, JSON.stringify({ text: textOf(5) }));
  assert.equal(`${cache.textOf(after).toString()}}`, JSON.stringify({ text: 'another' }));
});

test('what goes takes its product and its text along', async () => {
  const { cache, stored } = open(MUCH);
  const bodies = [];
  for (let at = 0; at < 20; at += 1) bodies.push(await stored(`${at}`, 'x'.repeat(2_000)));
  assert.ok(cache.bytes() > 20 * 2_000);
  for (const body of bodies) if (body !== null) cache.drop(body);
  assert.equal(cache.bytes(), 0);
});

test('the last fields stand after any body, plain and compressed', async (t) => {
  const seed = seedOf(3);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const words = ['lamp', 'ä', '\u{1f980}', '"', '\\', '}', 'x'.repeat(70_000), ''];
  for (let round = 0; round < 200; round += 1) {
    const values = Array.from({ length: integerBelow(random, 30) }, () => pick(random, words));
    const body = { values };
    const of = open(MUCH);
    const target = '/v1/products/1';
    const entry = await entryOf(of, '1');
    of.cache.keep(entry, { target, route: ROUTE, presentation: '', body, tokens: 1 });
    const found = of.cache.bodyFor(target) ?? assert.fail('the body is not cached');
    const head = of.cache.textOf(found);
    for (const left of [round, 9_007_199_254_740_991]) {
      const fields = `,"tokens_consumed":1,"tokens_remaining":${left}}`;
      const whole = JSON.stringify({ ...body, tokens_consumed: 1, tokens_remaining: left });
      assert.equal(head.toString() + fields, whole);
      assert.equal(gunzipSync(gzipBytes(found.body, fields)).toString(), whole);
    }
  }
});

test('a batch that waited for room gives no answer whose time is over', async () => {
  const of = open(MUCH);
  const { now, cache } = of;
  const entry = await entryOf(of, '1');
  of.keep(entry, '/v1/products/1', '1');
  let charges = 0;
  const charge = async () => {
    charges += 1;
    return { consumed: 1, remaining: 9, rateLimit: { policy: '', state: '' } };
  };
  const caller = {
    organizationId: 'org',
    organization: 'test',
    keyId: 'key',
    scopes: [],
    throttlePerMinute: 60,
    throttleBurst: 60,
    throttleSpared: 0,
    hasOwnFacts: false,
  };
  const room = { becomes: () => true as const, ends: () => undefined };
  const lines = createCachedLines(
    {
      cache,
      metrics: { cachedAnswered: () => undefined },
      newId: () => 'one',
      clock: systemClock,
      isStopping: () => false,
      billing: { metering: { charge } },
    },
    {
      idempotencyKey: null,
      callerNow: async () => caller,
      signal: new AbortController().signal,
      admit: async () => {
        now.ms += UNTIL_MS / 2;
        return room;
      },
    },
  );
  const line = { id: '1', query: {} };
  const given = await lines.answer(line);
  assert.equal(given?.product?.toString(), '{"text":"1"');
  assert.equal(await lines.answer(line), null, 'its time is over by then');
  assert.equal(charges, 1);
});
