// What is kept of answers: from the third time on, within its bytes, the least recently used gone first, and only of its time.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { createKeptAnswers } from '../../src/server/batch/kept-answers.ts';
import { createPreparedAnswers, type MadeAnswer } from '../../src/server/short/prepared-answers.ts';
import { gzipBytes, headOf, splicedBody } from '../../src/server/short/spliced-body.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';

const UNTIL_MS = 1_000;

function open(maxBytes: number) {
  const now = { ms: 0, circumstances: 'a' };
  const answers = createPreparedAnswers({
    noted: {
      revisionsOf: (subjects) =>
        Promise.resolve(subjects.map((subject) => ({ subject, revision: 1 }))),
      circumstances: () => now.circumstances,
    },
    clock: { now: () => now.ms },
    maxBytes,
  });
  const made = (text: string, subjects: readonly string[] = ['*', 'x']): MadeAnswer => ({
    route: 'GET /v1/products/{id}',
    body: { text },
    tokens: 1,
    dependence: { subjects, untilMs: UNTIL_MS },
  });
  const ask = async (target: string, answer: MadeAnswer) => {
    const preparing = await answers.begin(target);
    preparing?.keep(answer);
    return preparing !== null;
  };
  const keep = async (target: string, answer: MadeAnswer) => {
    for (let time = 0; time < 3; time += 1) await ask(target, answer);
  };
  return { now, answers, made, ask, keep };
}

test('an answer is kept from the third time on, when its subjects were known before it was made', async () => {
  const { answers, made, ask } = open(1e6);
  assert.equal(await ask('/a', made('1')), false, 'most are asked for once');
  assert.equal(await ask('/a', made('1')), true);
  assert.equal(answers.find('/a'), null, 'its revisions were read by nobody');
  await ask('/a', made('1', ['*', 'x', 'y']));
  assert.equal(answers.find('/a'), null, 'one of its revisions was read by nobody');
  await ask('/a', made('1', ['*', 'y']));
  assert.deepEqual(answers.find('/a')?.revisions, [
    { subject: '*', revision: 1 },
    { subject: 'y', revision: 1 },
  ]);
  assert.equal(await ask('/a', made('1')), false, 'it is there');
});

test('an answer that depends on what nobody is told of is never kept', async () => {
  const { answers, made, ask, keep } = open(1e6);
  await keep('/a', { ...made('1'), dependence: null });
  assert.equal(answers.find('/a'), null);
  assert.equal(await ask('/a', made('1')), false);
});

test('an answer is of its time and its circumstances, and goes when it is found to be of the past', async () => {
  const { now, answers, made, keep } = open(1e6);
  const isKept = () => answers.find('/a') !== null;
  await keep('/a', made('1'));
  now.ms = UNTIL_MS - 1;
  assert.ok(isKept());
  now.ms = UNTIL_MS;
  assert.equal(isKept(), false);
  now.ms = 5;
  assert.equal(isKept(), false, 'it is gone');
  await keep('/a', made('1'));
  now.ms = 4;
  assert.equal(isKept(), false, 'the clock was set back');
  await keep('/a', made('1'));
  now.circumstances = 'b';
  assert.equal(isKept(), false);
  await keep('/a', made('1'));
  const answer = answers.find('/a') ?? assert.fail('not kept');
  answers.drop(answer);
  assert.equal(isKept(), false);
  assert.equal(answers.bytes(), 0);
});

/** It takes as much compressed as it is long. */
const randomText = (characters: number) => randomBytes(characters / 2).toString('latin1');

test('what is kept stays within its bytes, and what was used last stays', async () => {
  const { answers, made, keep } = open(100_000);
  const text = randomText(4_000);
  await keep('/first', made(text));
  for (let at = 0; at < 100; at += 1) {
    await keep(`/${at}`, made(text));
    assert.ok(answers.bytes() <= 100_000);
    assert.ok(answers.find('/first') !== null, 'it is asked for all the time');
    assert.ok(answers.find(`/${at}`) !== null);
  }
  assert.equal(answers.find('/0'), null);
  await keep('/large', made(randomText(400_000)));
  assert.equal(answers.find('/large'), null);
  assert.ok(answers.bytes() <= 100_000);
});

test('a text is that of its answer, whether it is beside it or made of what is compressed', async () => {
  const { answers, made, keep } = open(100_000);
  const textOf = (at: number) => `${at} ${'lamp ä '.repeat(at * 30)}`;
  for (let at = 0; at < 40; at += 1) await keep(`/${at}`, made(textOf(at)));
  // More text than there is memory for all of it, first of those that went.
  for (const at of [0, 1, 39, 38, 0, 0, 39]) {
    const answer = answers.find(`/${at}`) ?? assert.fail(`${at} is not kept`);
    assert.equal(`${answers.headOf(answer).toString()}}`, JSON.stringify({ text: textOf(at) }));
    assert.ok(answers.bytes() <= 100_000);
  }
  const before = answers.find('/5') ?? assert.fail('not kept');
  for (let time = 0; time < 8; time += 1) answers.headOf(before);
  assert.equal(answers.headOf(before), answers.headOf(before), 'what is asked for often stays');
  answers.drop(before);
  await keep('/5', made('another'));
  const after = answers.find('/5') ?? assert.fail('not kept');
  assert.equal(`${answers.headOf(before).toString()}}`, JSON.stringify({ text: textOf(5) }));
  assert.equal(`${answers.headOf(after).toString()}}`, JSON.stringify({ text: 'another' }));
});

test('the last fields stand behind any body, plain and compressed', (t) => {
  const seed = seedOf(3);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const words = ['lamp', 'ä', '\u{1f980}', '"', '\\', '}', 'x'.repeat(70_000), ''];
  for (let round = 0; round < 200; round += 1) {
    const values = Array.from({ length: integerBelow(random, 30) }, () => pick(random, words));
    const body = { values };
    const { body: spliced, head } = splicedBody(JSON.stringify(body));
    assert.deepEqual(headOf(spliced), head);
    for (const left of [round, 9_007_199_254_740_991]) {
      const fields = `,"tokens_consumed":1,"tokens_remaining":${left}}`;
      const whole = JSON.stringify({ ...body, tokens_consumed: 1, tokens_remaining: left });
      assert.equal(head.toString() + fields, whole);
      assert.equal(gunzipSync(gzipBytes(spliced, fields)).toString(), whole);
    }
  }
});

test('a batch that waited for room gives no answer whose time is over', async () => {
  const { now, answers, made, keep } = open(1e6);
  await keep('/v1/products/1', made('1'));
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
  };
  const room = { becomes: () => true as const, ends: () => undefined };
  const lines = createKeptAnswers(
    {
      prepared: answers,
      preparedAnswered: () => undefined,
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
  assert.equal(await lines.answer(line), null, 'it is of the past by then');
  assert.equal(charges, 1);
});
