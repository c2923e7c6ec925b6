// Calls to an official API that several questions share, and their limits, by a clock that only the test moves.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createSharedCalls } from '../../../src/answer/collect/coordination/shared-calls.ts';
import { createCallLimits } from '../../../src/answer/collect/coordination/call-limits.ts';
import type { FetchContext } from '../../../src/base/fetch-context.ts';
import { createInProgress } from '../../../src/base/in-progress.ts';
import type {
  AskedTogether,
  CallLimit,
  FetchOutcome,
  Page,
  PageRequest,
} from '../../../src/base/listing/page.ts';
import { CALLER, contextOf } from '../../support/contexts.ts';
import { openTestStore } from '../../support/stores.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

const SINGLE: CallLimit = { name: 'shop.api one', perSecond: 0.5, burst: 1 };
const SEVERAL: CallLimit = { name: 'shop.api several', perSecond: 0.1, burst: 1 };
/** The twentieth by which calls begin further apart than allowed. */
const APART_MS = 10_500;

function pageOf(url: string, text: string, status = 200, headers = {}): Page {
  const body = new TextEncoder().encode(text);
  return { requestedUrl: url, url, status, headers, body, fetchedAtMs: 0 };
}

/** An API whose answer to several is one line for each, of which it knows all but `unknown`. */
function requestFor(item: string, most = 3): PageRequest {
  const together: AskedTogether = {
    kind: 'lines',
    item,
    most,
    limit: SEVERAL,
    request: (items) => ({ url: `https://api.example/?of=${items.join(',')}`, accept: 'json' }),
    shares: ([page]) => {
      const lines = new TextDecoder().decode(page?.body).split('\n');
      return (wanted) => {
        const line = lines.find((each) => each === wanted);
        return line === undefined || page === undefined ? null : pageOf(page.url, line);
      };
    },
  };
  const operation = { limit: SINGLE, together };
  return { url: `https://api.example/${item}`, accept: 'json', isOfficial: true, operation };
}

/** The context of a lookup that is one of many. */
const OF_MANY = { onGathering: () => undefined };

type Sent = { readonly url: string; readonly atMs: number; readonly context: FetchContext };

type Answers = (url: string) => Promise<FetchOutcome>;

const answered: Answers = (url) => {
  const items = new URL(url).searchParams.get('of') ?? new URL(url).pathname.slice(1);
  const page = pageOf(url, items.replaceAll(',', '\n'));
  return Promise.resolve({ ok: true, page });
};

async function bench(answers: Answers = answered, clock: VirtualClock = createVirtualClock()) {
  const store = await openTestStore();
  const sent: Sent[] = [];
  const startMs = clock.now();
  const limits = createCallLimits(store, clock, clock);
  const fetcher = createSharedCalls({
    fetcher: ({ url }, context) => {
      sent.push({ url, atMs: clock.now() - startMs, context });
      return answers(url);
    },
    limits,
    clock,
  });
  const signals = new Map<string, AbortController>();
  const ask = (item: string, forMs = Number.POSITIVE_INFINITY, most = 3) => {
    const abort = new AbortController();
    signals.set(item, abort);
    const context = { ...contextOf(abort.signal, CALLER, clock.now() + forMs), ...OF_MANY };
    return fetcher(requestFor(item, most), context).then(shown);
  };
  return {
    ask,
    fetcher,
    sent,
    clock,
    limits,
    leave: (item: string) => signals.get(item)?.abort(),
    /** Moves time, and lets the store answer meanwhile. */
    pass: async (ms: number) => {
      for (const endMs = clock.now() + ms; ;) {
        for (let round = 0; round < 5; round += 1) await store.sql.probe();
        await clock.advance(Math.min(100, endMs - clock.now()));
        if (clock.now() >= endMs) break;
      }
      for (let round = 0; round < 5; round += 1) await store.sql.probe();
    },
    calls: () => sent.map(({ url, atMs }) => `${atMs} ${url.slice('https://api.example/'.length)}`),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function shown(outcome: FetchOutcome): string {
  if (outcome.ok) {
    const { status, body } = outcome.page;
    return `${status} ${new TextDecoder().decode(body)}`;
  }
  const { kind, retryAfterSeconds } = outcome.failure;
  return retryAfterSeconds === undefined ? kind : `${kind} ${retryAfterSeconds}`;
}

test('questions within 200 ms are one call, and each has the share that its own call would have brought', async () => {
  await using api = await bench();
  const first = api.ask('a');
  await api.pass(100);
  const second = api.ask('b');
  const again = api.ask('a');
  await api.pass(100);
  assert.deepEqual(api.calls(), ['200 ?of=a,b']);
  assert.deepEqual(await Promise.all([first, second, again]), ['200 a', '200 b', '200 a']);
});

test('a full call does not wait for the window, and what does not fit is the next call', async () => {
  await using api = await bench();
  const all = ['a', 'b', 'c', 'd', 'e'].map((item) => api.ask(item));
  await api.pass(0);
  assert.deepEqual(api.calls(), ['0 ?of=a,b,c']);
  await api.pass(APART_MS);
  assert.deepEqual(api.calls(), ['0 ?of=a,b,c', `${APART_MS} ?of=d,e`]);
  assert.deepEqual(await Promise.all(all), ['200 a', '200 b', '200 c', '200 d', '200 e']);
});

test('a question alone is asked as usual, within the limit of that operation', async () => {
  await using api = await bench();
  const first = api.ask('a');
  await api.pass(200);
  const second = api.ask('b');
  await api.pass(2_100);
  assert.deepEqual(api.calls(), ['200 a', '2300 b']);
  assert.deepEqual(await Promise.all([first, second]), ['200 a', '200 b']);
});

test('a single lookup is asked at once if it may be; while it may not, it is asked together with others', async () => {
  await using api = await bench();
  const asked = ['a', 'b', 'c'].map((item) => api.fetcher(requestFor(item), contextOf()));
  await api.pass(1_000);
  // Whose turn is refused first, and when it says so, is the database's choice.
  assert.match(api.calls().join(), /^\d+ \w,\d+ \?of=\w,\w$/);
  assert.deepEqual((await Promise.all(asked)).map(shown), ['200 a', '200 b', '200 c']);
});

test('a question that comes while a call waits for its turn joins it', async () => {
  await using api = await bench();
  const all = ['a', 'b', 'c', 'd', 'e'].map((item) => api.ask(item));
  await api.pass(5_000);
  all.push(api.ask('f'));
  await api.pass(APART_MS);
  assert.deepEqual(api.calls(), ['0 ?of=a,b,c', `${APART_MS} ?of=d,e,f`]);
  assert.equal(await all.at(-1), '200 f');
});

test('a call that would wait beyond the deadline fails at once with the wait, and the others are sent', async () => {
  await using api = await bench();
  const before = ['a', 'b', 'c'].map((item) => api.ask(item));
  const hasty = api.ask('d', 5_000, 4);
  const patient = api.ask('e', 60_000, 4);
  const also = api.ask('f', 60_000, 4);
  await api.pass(200);
  assert.equal(await hasty, 'throttled 11');
  assert.equal(await api.ask('g', 2_000, 4), 'throttled 11');
  await api.pass(APART_MS);
  assert.deepEqual(api.calls().at(-1), `${APART_MS} ?of=e,f`);
  assert.deepEqual(await Promise.all([patient, also]), ['200 e', '200 f']);
  await Promise.all(before);
});

test('who gives up takes nothing from the others; a call that nobody waits for is not sent', async () => {
  await using api = await bench();
  const all = ['a', 'b'].map((item) => api.ask(item));
  api.leave('a');
  await api.pass(200);
  // The one that is left is alone.
  assert.deepEqual(api.calls(), ['200 b']);
  assert.deepEqual(await Promise.all(all), ['timeout', '200 b']);
  const gone = ['c', 'd'].map((item) => api.ask(item));
  api.leave('c');
  api.leave('d');
  await api.pass(APART_MS);
  assert.equal(api.sent.length, 1);
  assert.deepEqual(await Promise.all(gone), ['timeout', 'timeout']);
});

test('a call in progress ends when its last caller gives up', async () => {
  await using api = await bench(() => new Promise(() => undefined));
  const all = ['a', 'b'].map((item) => api.ask(item));
  await api.pass(200);
  const signal = api.sent[0]?.context.signal;
  api.leave('a');
  assert.equal(await all[0], 'timeout');
  assert.equal(signal?.aborted, false);
  api.leave('b');
  assert.equal(await all[1], 'timeout');
  assert.equal(signal?.aborted, true);
});

for (const [what, outcome, expected] of [
  ['a status', { ok: true, page: pageOf('https://api.example/', 'no', 429) }, '429 no'],
  ['no answer', { ok: false, failure: { kind: 'reset', detail: '' } }, 'reset'],
] as const) {
  test(`a failed call fails for all of its callers alike: ${what}`, async () => {
    await using api = await bench(() => Promise.resolve(outcome));
    const all = ['a', 'b'].map((item) => api.ask(item));
    await api.pass(200);
    assert.deepEqual(await Promise.all(all), [expected, expected]);
    assert.equal(api.sent.length, 1);
  });
}

test('an item that the common answer leaves open is asked alone', async () => {
  await using api = await bench((url) => answered(url.replace('a,', '')));
  const all = ['a', 'b'].map((item) => api.ask(item));
  await api.pass(400);
  assert.deepEqual(api.calls(), ['200 ?of=a,b', '200 a']);
  assert.deepEqual(await Promise.all(all), ['200 a', '200 b']);
});

test('an answer that several callers read is reported to the pacing once', async () => {
  let response = 0;
  await using api = await bench(async (url) => ({
    ...(await answered(url)),
    found: () => Promise.resolve(void (response += 1)),
  }));
  const context = { ...contextOf(), ...OF_MANY };
  const asked = ['a', 'b'].map((item) => api.fetcher(requestFor(item), context));
  await api.pass(200);
  for (const outcome of await Promise.all(asked)) if (outcome.ok) await outcome.found?.('answer');
  assert.equal(response, 1);
});

test('the rate that an answer states replaces the documented one, unless it is not a rate', async () => {
  await using api = await bench((url) =>
    Promise.resolve({
      ok: true,
      page: pageOf(url, 'a\nb', 200, { 'x-amzn-ratelimit-limit': '1.0' }),
    }),
  );
  for (let call = 0; call < 3; call += 1) {
    const all = ['a', 'b'].map((item) => api.ask(item));
    await api.pass(APART_MS);
    await Promise.all(all);
  }
  const [, second = 0, third = 0] = api.sent.map(({ atMs }) => atMs);
  assert.equal(third - second, APART_MS, 'as far apart as they were asked');
  const { isTaken, atMs } = await api.limits.take(SEVERAL, Number.POSITIVE_INFINITY);
  assert.ok(isTaken && atMs <= api.clock.now());
  const next = await api.limits.take(SEVERAL, Number.POSITIVE_INFINITY);
  assert.equal(next.atMs - atMs, 1_050);
  for (const stated of ['0', '-1', 'NaN', '', '1e9']) {
    api.limits.hear(SEVERAL, pageOf('', '', 200, { 'x-amzn-ratelimit-limit': stated }));
  }
  const last = await api.limits.take(SEVERAL, Number.POSITIVE_INFINITY);
  assert.equal(last.atMs - next.atMs, 1_050);
});

test('as many more may be in progress as a call still takes that the others wait for', async () => {
  await using api = await bench();
  const progress = createInProgress(2, () => undefined);
  const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const asked: Promise<FetchOutcome>[] = [];
  const startMore = () => {
    const before = asked.length;
    while (progress.room() > 0 && items.length > 0) {
      const { end, onGathering } = progress.begin();
      const context = { ...contextOf(), onGathering };
      asked.push(api.fetcher(requestFor(items.shift() ?? '', 5), context).finally(end));
    }
    return asked.length - before;
  };
  assert.equal(startMore(), 5, 'two, and three more for which there is room');
  assert.equal(startMore(), 0, 'the call is full');
  await api.pass(0);
  await Promise.all(asked);
  assert.equal(startMore(), 3);
  await api.pass(APART_MS);
  assert.deepEqual(api.calls(), ['0 ?of=a,b,c,d,e', `${APART_MS} ?of=f,g,h`]);
});
