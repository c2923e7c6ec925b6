// Each documented failure of each official API (D79): what the caller reads, what is shown of the source, which metric moves,
// and when the API is asked again. The pages of the retailer are walls.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';

import { askRetailer } from '../../../src/answer/collect/asking/ask-retailer.ts';
import { failedFetch } from '../../../src/answer/collect/asking/failed-fetch.ts';
import { createOfficialSources } from '../../../src/answer/collect/asking/official-sources.ts';
import { askedSource, createAccess } from '../../../src/answer/collect/asking/source-access.ts';
import { bookInMemory } from '../../../src/answer/collect/coordination/source-book.ts';
import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { KnownSlug } from '../../../src/base/retailer.ts';
import { createFetcher } from '../../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../../src/egress/origins.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import {
  DOCUMENTED_FAILURES,
  type DocumentedFailure,
} from '../../read/retailers/documented-failures.ts';
import { contextOf } from '../../support/contexts.ts';
import { manualClock } from '../../support/manual-clock.ts';

const GTIN = toGtin14('036000291452');
assert.ok(GTIN !== null);
const QUESTION = { kind: 'barcode', gtin: GTIN } as const;
const STARTED_MS = Date.UTC(2026, 10, 30);

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

const CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'retailer_a.creators': {
    CREATORS_ID: 'secret-id',
    CREATORS_SECRET: 'secret-word',
    CREATORS_VERSION: '3.1',
    PARTNER_TAG: 'secret-tag',
  },
  'retailer_a.selling_partner': {
    SP_CLIENT_ID: 'secret-id',
    SP_CLIENT_SECRET: 'secret-word',
    SP_REFRESH_TOKEN: 'secret-refresh',
    SP_SELLER_ID: 'secret-seller',
  },
  'retailer_w.affiliate': {
    CONSUMER_ID: 'secret-consumer',
    KEY_VERSION: '1',
    PRIVATE_KEY: PRIVATE_KEY,
  },
  'retailer_w.marketplace': { CLIENT_ID: 'secret-id', CLIENT_SECRET: 'secret-word' },
  'retailer_e.browse': { CLIENT_ID: 'secret-id', CLIENT_SECRET: 'secret-word' },
  'retailer_b.products': { API_KEY: 'secret-key' },
};

/** What each API answers when it works and has no such product. */
const NOTHING: Readonly<Record<string, object>> = {
  'retailer_a.creators': { searchResult: { totalResultCount: 0, items: [] } },
  'retailer_a.selling_partner': { numberOfResults: 0, items: [] },
  'retailer_w.affiliate': { totalResults: 0 },
  'retailer_w.marketplace': {},
  'retailer_e.browse': { total: 0 },
  'retailer_b.products': { total: 0, products: [] },
};

type Answer = Pick<DocumentedFailure, 'status' | 'body' | 'type' | 'headers'>;

/** What the world answers now; set by each test. */
let answered: { readonly api: Answer; readonly token: Answer };
let requests: ('api' | 'token')[] = [];
const WALL = { status: 403, body: '<h1>Access Denied</h1> Reference #1', type: 'text/html' };

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const ready = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', ready.resolve);
  await ready.promise;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const apis = await listening((request, response) => {
  const kind = request.url?.endsWith('/token') === true ? 'token' : 'api';
  requests.push(kind);
  request.resume();
  const { status, body, type = 'application/json', headers = {} } = answered[kind];
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
});
const walls = await listening((request, response) => {
  const status = request.url === '/robots.txt' ? 404 : WALL.status;
  response.writeHead(status, { 'content-type': WALL.type }).end(WALL.body);
});
const { origins } = parseOrigins(
  Object.values(publicOrigins())
    .flatMap(({ page, api }) => [
      `${page}=${walls}`,
      ...new Set(Object.values(api).map((origin) => `${origin}=${apis}`)),
    ])
    .join(','),
);

const GIVEN_TOKEN = { status: 200, body: JSON.stringify({ access_token: 'T', expires_in: 9_000 }) };
const NOTHING_OF = (source: string): Answer => ({
  status: 200,
  body: JSON.stringify(NOTHING[source]),
});

/** An installation with the credentials of one official source; `limit` is its daily limit. */
function installation(source: string, limit: number | null = null) {
  const [slug, name] = source.split('.') as [KnownSlug, string];
  const clock = manualClock(STARTED_MS);
  const lines: (readonly [string, object | undefined])[] = [];
  const counts: string[] = [];
  const note = (text: string, fields?: object) => void lines.push([text, fields]);
  const official = createOfficialSources({
    book: bookInMemory(clock.now, null),
    limitOf: (each) => (each === source ? limit : null),
    log: { info: note, warn: note },
    metrics: {
      sourceCalled: (each) => counts.push(`called ${each}`),
      sourceFailed: (each, kind) => counts.push(`${each} ${kind}`),
    },
  });
  const credentials = { [slug]: CREDENTIALS[source] ?? {} };
  const fetch = createFetcher({
    clock,
    version: '0.0.0',
    origins,
    hostIntervalMs: 0,
    resolve: () => Promise.reject(new Error('no names in this test')),
  });
  const access = createAccess({ fetch, clock, credentials, newId: () => 'id', official });
  const parts = {
    fetch,
    access,
    clock,
    readAnswer: async (...given: Parameters<typeof readAnswer>) => readAnswer(...given),
  };
  const own = access.sourcesOf(slug).find((each) => each.name === name);
  assert.ok(own !== undefined);
  requests = [];
  return {
    clock,
    lines,
    counts,
    ask: () =>
      askRetailer(
        parts,
        slug,
        QUESTION,
        contextOf(AbortSignal.timeout(20_000), undefined, clock.now() + 15_000),
      ),
    report: () => official.report(askedSource(slug, own)),
  };
}

/** Seconds for which the source is left alone after a failure of the kind that states no time. */
const RESTS = {
  credentials_refused: 3_600,
  not_eligible: 3_600,
  quota_spent: 3_600,
  throttled: 60,
  unreachable: 0,
  unreadable: 0,
} as const;

/** The documentation states that the limit is of one second. */
const restOf = ({ kind, body }: DocumentedFailure): number =>
  /per second limit|over qps/i.test(body) ? 1 : RESTS[kind];

for (const failure of DOCUMENTED_FAILURES) {
  const { source, endpoint, status, body, kind } = failure;
  test(`${source}, ${endpoint}, ${status} ${body.slice(0, 80)}: ${kind} is what the caller reads, not the wall`, async () => {
    answered = { api: NOTHING_OF(source), token: GIVEN_TOKEN, [endpoint]: failure };
    const { clock, lines, counts, ask, report } = installation(source);
    assert.equal((await report()).state, 'unknown');
    const outcome = await ask();
    assert.ok(outcome.kind === 'failed', JSON.stringify(outcome));
    const { detail, code, retryAfterSeconds } = outcome.fault;
    assert.deepEqual([outcome.official, code], [kind, 'upstream_unavailable']);
    assert.match(detail, new RegExp(`official API ${source.replace('.', '\\.')}\\b`));
    assert.match(detail, /since 2026-11-30T00:00:00\.000Z\. /);
    assert.doesNotMatch(JSON.stringify([detail, lines]), /secret|refuses automated/);
    assert.equal(/OPENSHELF_RETAILER_/.test(detail), kind === 'credentials_refused');
    const rest = restOf(failure);
    assert.equal(retryAfterSeconds, rest || 60);

    const shown = await report();
    assert.deepEqual(
      [shown.state, shown.sinceMs, shown.lastOutcome, shown.detail, shown.restSeconds],
      [kind, STARTED_MS, kind, detail, rest || null],
    );
    assert.equal(counts.filter((each) => each === `${source} ${kind}`).length, 1);
    const calls = requests.filter((each) => each === 'api').length;
    assert.equal(shown.calls, calls);
    assert.equal(counts.filter((each) => each === `called ${source}`).length, calls);

    const before = requests.length;
    // A token that was not issued is not requested again for a minute, whatever the reason.
    const waitMs = Math.max(rest, endpoint === 'token' ? 60 : 0) * 1_000;
    if (waitMs > 0) {
      clock.advance(waitMs - 1);
      const again = await ask();
      assert.ok(again.kind === 'failed' && again.official === kind);
      assert.equal(again.fault.retryAfterSeconds, 1);
      assert.equal(requests.length, before, 'nothing is sent meanwhile');
      clock.advance(1);
    }
    answered = { api: NOTHING_OF(source), token: GIVEN_TOKEN };
    await ask();
    assert.ok(requests.length > before, 'it is asked again');
    assert.deepEqual([(await report()).state, (await report()).detail], ['ok', null]);
    assert.deepEqual(
      lines.map(([text]) => text),
      ['an official source fails', 'an official source answers again'],
    );
  });
}

test('a 429 that states a time rests the source for that long', async () => {
  const source = 'retailer_a.selling_partner';
  const body = JSON.stringify({ errors: [{ code: 'QuotaExceeded' }] });
  answered = { api: { status: 429, body, headers: { 'retry-after': '7' } }, token: GIVEN_TOKEN };
  const { clock, ask } = installation(source);
  const first = await ask();
  assert.ok(first.kind === 'failed' && first.fault.retryAfterSeconds === 7);
  const before = requests.length;
  clock.advance(6_999);
  await ask();
  assert.equal(requests.length, before);
});

test('a spent limit rests the source until a call is free, and is logged and counted once', async () => {
  const source = 'retailer_e.browse';
  answered = { api: NOTHING_OF(source), token: GIVEN_TOKEN };
  const { clock, lines, counts, ask, report } = installation(source, 3);
  for (let n = 0; n < 3; n += 1) assert.notEqual((await ask()).kind, 'failed');
  for (let n = 0; n < 2; n += 1) {
    const spent = await ask();
    assert.ok(spent.kind === 'failed' && spent.official === 'quota_spent');
    assert.match(spent.fault.detail, /daily limit.*retailer_e\.browse.*OPENSHELF_SOURCE_LIMITS/);
  }
  const shown = await report();
  assert.deepEqual([shown.state, shown.calls, shown.dailyLimit], ['quota_spent', 3, 3]);
  assert.deepEqual(
    [lines.length, counts.filter((each) => each === `${source} quota_spent`).length],
    [1, 1],
  );
  clock.advance((shown.restSeconds ?? 0) * 1_000 - 1);
  assert.equal((await ask()).kind, 'failed');
  clock.advance(1);
  assert.notEqual((await ask()).kind, 'failed');
});

test('a request that our own pacing held back after failures of the API names the API, and since when', async () => {
  const clock = manualClock(STARTED_MS);
  const official = createOfficialSources({
    book: bookInMemory(clock.now, null),
    limitOf: () => null,
  });
  const source = { name: 'retailer_e.browse', settings: [] };
  const busy = failedFetch({ kind: 'busy', detail: 'paused', retryAfterSeconds: 50 });
  assert.equal(await official.heldBack(source, 'barcode', busy), busy);
  await official.failed(source, 'barcode', { kind: 'unreachable', reason: '500' });
  clock.advance(5_000);
  const held = await official.heldBack(source, 'barcode', busy);
  assert.deepEqual(
    [held.official, held.isPaced, held.fault.retryAfterSeconds],
    ['unreachable', true, 50],
  );
  assert.match(held.fault.detail, /retailer_e\.browse.*since 2026-11-30T00:00:00\.000Z/);
  assert.equal(await official.heldBack(source, 'offers', busy), busy);
});
