// What a batch takes from the service: lines in turns and no further ahead than its client reads, nothing once the client is
// gone, with capacity left for single calls.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';

import type { Clock } from '../../src/base/clock.ts';
import { answerLines } from '../../src/server/batch/answer-lines.ts';
import { createBatchLines } from '../../src/server/batch/batch-lines.ts';
import type { LineAnswer } from '../../src/server/batch/line-answer.ts';
import { readLines } from '../../src/server/batch/read-lines.ts';
import { createOwnTurn, createTurns } from '../../src/server/batch/turns.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import type { BatchOrder } from '../../src/answer/wire/batch.ts';
import { startService, type Service } from '../support/service.ts';

type Begun = {
  readonly lines: readonly number[];
  readonly finish: (bytes?: number) => void;
  readonly fail: (error: unknown) => void;
};

/** Lines with their own identifiers, and answers controlled by the test. */
function storedBatch(
  count: number,
  order: BatchOrder,
  ids = (n: number) => `id-${n}`,
  isCached = false,
) {
  const builder = createBatchLines();
  for (let n = 0; n < count; n += 1) builder.take(JSON.stringify({ id: ids(n) }), n + 1);
  const begun: Begun[] = [];
  let ends = 0;
  const stream = answerLines({
    batch: builder.done(),
    order,
    answer: ({ lines }) => {
      const { promise, resolve, reject } = Promise.withResolvers<LineAnswer>();
      begun.push({ lines, finish: (bytes = 10) => resolve(answerOf(bytes)), fail: reject });
      return promise;
    },
    isCached: () => isCached,
    tooLargeToRepeat: () => ({ ...answerOf(0), status: 503, product: null, problem: '{}' }),
    ended: () => void (ends += 1),
  });
  return { reader: stream.getReader(), begun, ends: () => ends };
}

function answerOf(bytes: number): LineAnswer {
  return {
    status: 200,
    isReplayed: false,
    retryAfterSeconds: null,
    problem: null,
    product: Buffer.from(`{"text":"${'x'.repeat(bytes)}"`),
    tokensConsumed: 1,
    tokensRemaining: 9,
  };
}

type Line = {
  readonly line: number;
  readonly status: number;
  readonly product: { readonly tokens_consumed: number } | null;
};

const parsed = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const textOf = ({ value }: { readonly value?: Uint8Array | undefined }): string =>
  Buffer.from(value ?? []).toString();

/** Returns how many event loop turns others get while something is done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const done = new AbortController();
  const others = async () => {
    for (; !done.signal.aborted; turns += 1) await setImmediate();
  };
  const counted = others();
  await work();
  done.abort();
  await counted;
  return turns;
}

test('others have their turns while the lines of a batch are read, whatever stands in them', async () => {
  for (const [line, count] of [
    ['{', 10_000],
    ['', 10_000],
    [`{"x":"${'x'.repeat(60_000)}"}`, 200],
  ] as const) {
    const body = [Buffer.from(`${line}\n`.repeat(count))];
    const turns = await turnsDuring(async () => void (await readLines(body, () => undefined)));
    assert.ok(turns >= 90, `${turns} turns while ${count} lines were read`);
  }
});

test('others have their turns while a batch is sent that waits for nothing', async () => {
  const builder = createBatchLines();
  for (let n = 1; n <= 1_000; n += 1) builder.take(`{"id":"${n}"}`, n);
  const stream = answerLines({
    batch: builder.done(),
    order: 'sent',
    answer: () => Promise.resolve(answerOf(10_000)),
    isCached: () => false,
    tooLargeToRepeat: () => answerOf(0),
    ended: () => undefined,
  });
  const turns = await turnsDuring(async () => {
    for await (const chunk of stream) assert.ok(chunk.length > 0);
  });
  assert.ok(turns >= 100, `${turns} turns while 10 MB were sent`);
});

/** Resolves when everything due here has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

test('a bounded number of lines is worked on, and no more is begun than the client takes', async () => {
  for (const order of ['sent', 'finished'] as const) {
    const { reader, begun } = storedBatch(1_000, order);
    await settled();
    assert.equal(begun.length, 0, 'nothing is begun before the client asks');
    const first = reader.read();
    await settled();
    assert.equal(begun.length, 16);
    let finished = 0;
    // The client reads one chunk, then nothing.
    const finishAll = async () => {
      while (finished < begun.length) {
        begun[finished]?.finish();
        finished += 1;
        await settled();
      }
    };
    await finishAll();
    await first;
    await finishAll();
    assert.ok(begun.length <= 100, 'lines are begun as the client takes them');
    await reader.cancel();
  }
});

test('one slow line holds up a bounded number of others, and with order=finished none', async () => {
  const sent = storedBatch(200, 'sent');
  const waiting = sent.reader.read();
  await settled();
  for (let at = 1; at < sent.begun.length; at += 1) {
    sent.begun[at]?.finish();
    await settled();
  }
  assert.ok(sent.begun.length < 100, 'answers that wait for the first line are bounded');
  sent.begun[0]?.finish();
  const chunk = parsed(textOf(await waiting));
  assert.deepEqual(
    chunk.map(({ line }) => line),
    chunk.map((_, at) => at + 1),
  );
  await sent.reader.cancel();

  const free = storedBatch(200, 'finished');
  const other = free.reader.read();
  await settled();
  free.begun[5]?.finish();
  assert.deepEqual(
    parsed(textOf(await other)).map(({ line }) => line),
    [6],
  );
  await free.reader.cancel();
});

test('cached answers are charged for in groups, the next when the one before is paid', async () => {
  const { reader, begun } = storedBatch(1_000, 'sent', undefined, true);
  const first = reader.read();
  await settled();
  assert.equal(begun.length, 128);
  for (const { finish } of begun) finish();
  assert.equal(parsed(textOf(await first)).length, 128);
  const second = reader.read();
  await settled();
  assert.equal(begun.length, 256);
  begun[128]?.finish();
  assert.equal(parsed(textOf(await second)).length, 1);
  await reader.cancel();
});

test('a failure of ours breaks the answer off, so that it is not taken for whole', async () => {
  const { reader, begun, ends } = storedBatch(3, 'sent');
  const first = reader.read();
  await settled();
  begun[1]?.fail(new Error('a defect'));
  await assert.rejects(first, /a defect/);
  assert.equal(ends(), 1);
});

test('a client that goes ends the batch once: nothing is begun any more', async () => {
  const { reader, begun, ends } = storedBatch(100, 'sent');
  void reader.read().catch(() => undefined);
  await settled();
  await reader.cancel();
  assert.equal(ends(), 1);
  for (const { finish } of begun) finish();
  await settled();
  assert.equal(begun.length, 16);
  assert.equal(ends(), 1);
});

test('answers are kept for duplicates as far as memory is set aside, and said to be on their line beyond', async () => {
  const distinct = 12;
  const { reader, begun } = storedBatch(2 * distinct, 'sent', (n) => `id-${n % distinct}`);
  const lines: Line[] = [];
  let rest = '';
  for (;;) {
    const reading = reader.read();
    await settled();
    for (const { finish } of begun) finish(8_000_000);
    const chunk = await reading;
    if (chunk.done) break;
    rest += textOf(chunk);
    const cut = rest.lastIndexOf('\n') + 1;
    lines.push(...parsed(rest.slice(0, cut)));
    rest = rest.slice(cut);
  }
  assert.equal(lines.length, 2 * distinct);
  assert.ok(lines.slice(0, distinct).every(({ status }) => status === 200));
  const repeated = lines.slice(distinct).map(({ status }) => status);
  assert.deepEqual(repeated, [...Array<number>(8).fill(200), ...Array<number>(4).fill(503)]);
  const charged = lines.map(({ product }) => product?.tokens_consumed ?? 0);
  assert.equal(
    charged.reduce((sum, each) => sum + each),
    distinct,
  );
});

test('turns are taken in order, and one that is given up is nobody’s', async () => {
  const turns = createTurns(1);
  const never = new AbortController();
  const first = await turns.take(never.signal);
  const gone = new AbortController();
  const given = turns.take(gone.signal);
  const third = turns.take(never.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(given, /gone/);
  first.end();
  first.end();
  (await third).end();
  (await turns.take(never.signal)).end();
});

test('who takes a turn again has one, and leaves none behind', async () => {
  const turns = createTurns(1);
  const never = new AbortController();
  const own = createOwnTurn(turns);
  own.leave();
  for (let time = 0; time < 3; time += 1) await own.take(never.signal);
  own.leave();
  own.leave();
  (await turns.take(never.signal)).end();
});

/** Sends a batch and returns its answer as a stream. */
async function open(service: Service, key: string, lines: readonly unknown[], headers = {}) {
  const asked = httpRequest(`${service.url}/v1/products/batch`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  asked.on('error', () => undefined);
  asked.end(lines.map((line) => JSON.stringify(line)).join('\n'));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

/** Reads until this many lines have arrived. */
async function firstLines(response: IncomingMessage, count: number): Promise<readonly Line[]> {
  let text = '';
  for await (const piece of response.iterator({ destroyOnReturn: false })) {
    text += String(piece);
    if (text.split('\n').length > count) break;
  }
  return parsed(text);
}

const FLAGS = ['include_history', 'include_stats', 'include_fee_breakdown'];
/** The same product eight times, as separate lookups. */
const eightOf = (id: string) =>
  Array.from({ length: 8 }, (_, n) => ({
    id,
    ...Object.fromEntries(FLAGS.map((flag, bit) => [flag, ((n >> bit) & 1) === 1])),
  }));

test('a batch waits for its throttle, leaves some of it to single calls, and ends with its connection', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  await service.lookup(item);
  await service.untilQueueIdle();
  const throttle = { throttlePerMinute: 1, throttleBurst: 8 };
  for (let round = 0; round < 6; round += 1) {
    const organization = `slow-${round}`;
    const key = await service.newKey({ organization, note: null, ...throttle });
    const response = await open(service, key, eightOf(item));
    const lines = await firstLines(response, 6);
    assert.deepEqual(
      lines.map(({ status }) => status),
      Array(6).fill(200),
    );
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await service.get(`/v1/products/${item}`, headers)).status, 200);
    response.destroy();
    await once(response, 'close');
  }
  const [row] = await service.app.store.sql.all('select count(*) as n from ledger');
  assert.equal(Number(row?.['n']), 1 + 6 * 7);
});

/** Waits are short, while the throttle uses the machine's time. */
const IMPATIENT: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
};

test('a key that is revoked and a throttle that is raised count for the lines of a batch that is in progress', async () => {
  await using service = await startService({ withRetailers: true, clock: IMPATIENT });
  const { item_id: item } = service.sandbox.describe();
  await service.lookup(item);
  await service.untilQueueIdle();
  const { accounts, sql } = service.app.store;
  const fast = { throttlePerMinute: 60_000, throttleBurst: 100 };
  const changes = {
    revoked: { change: (id: string) => accounts.revokeKey(id, Date.now()), last: 401 },
    raised: {
      change: () => accounts.updateOrganization({ name: 'raised', ...fast }, 0),
      last: 200,
    },
  };
  for (const [organization, { change, last }] of Object.entries(changes)) {
    const throttle = { throttlePerMinute: 1, throttleBurst: 8 };
    const key = await service.newKey({ organization, note: null, ...throttle });
    const response = await open(service, key, eightOf(item));
    const first = await firstLines(response, 6);
    await change(key.slice(9, 17));
    const rest = parsed(await text(response));
    assert.deepEqual(
      [...first, ...rest].map(({ status }) => status),
      [...Array<number>(6).fill(200), last, last],
    );
    const [row] = await sql.all(
      `select count(*) as n from ledger join organizations on organizations.id = organization_id where name = $1`,
      [organization],
    );
    assert.equal(Number(row?.['n']), last === 200 ? 8 : 6, 'only these are charged');
  }
});

test('an organization has four batches under way, and a closed connection gives its place back', async () => {
  await using service = await startService({ withRetailers: true });
  const { item_id: item } = service.sandbox.describe();
  await service.lookup(item);
  const key = await service.newKey({
    organization: 'many',
    note: null,
    throttlePerMinute: 1,
    throttleBurst: 1,
  });
  const begun: IncomingMessage[] = [];
  for (let n = 0; n < 4; n += 1) {
    const response = await open(service, key, eightOf(item));
    assert.equal(response.statusCode, 200);
    begun.push(response);
  }
  const fifth = await open(service, key, [{ id: item }]);
  assert.equal(fifth.statusCode, 429);
  assert.ok(Number(fifth.headers['retry-after']) > 0);
  fifth.resume();
  const other = await open(service, service.key, [{ id: item }]);
  assert.equal(other.statusCode, 200, 'others are not concerned');
  other.resume();
  begun[0]?.destroy();
  for (let attempt = 0; ; attempt += 1) {
    const again = await open(service, key, [{ id: 'nope' }]);
    again.resume();
    if (again.statusCode === 200) break;
    assert.ok(attempt < 1_000, 'the place is never given back');
  }
  for (const response of begun) response.destroy();
});

test('a client that expects 100 Continue gets it once its key is known', async () => {
  await using service = await startService();
  const asked = httpRequest(`${service.url}/v1/products/batch`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${service.key}`, expect: '100-continue' },
  });
  asked.flushHeaders();
  await once(asked, 'continue');
  asked.end('{"id":"nope"}');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  assert.equal((await firstLines(response, 1))[0]?.status, 400);
});
