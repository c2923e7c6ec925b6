// A search engine that cannot be used rests, and the operator reads which setting to check (D65).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { HOUR_MS, SECOND_MS } from '../../../src/base/clock.ts';
import { gs1CheckDigit } from '../../../src/base/identifiers/check-digit.ts';
import { FaultError, type Fault } from '../../../src/base/fault.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { lacksOf } from '../../../src/edge/wiring/installation-lacks.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { shiftedClock, type ShiftedClock } from '../../support/shifted-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let sandbox: Sandbox;

before(async () => {
  const now = () => Date.now();
  sandbox = await startSandbox({ seed: 13, products: 40, now, retailers: publicOrigins() });
});

after(() => sandbox.close());

/** A port on loopback, on which a search engine can be started and stopped. */
async function openPort() {
  let answer = (response: ServerResponse): unknown => found(response);
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    answer(response);
  });
  const start = async (port = 0): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await start();
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked: () => asked,
    answers: (next: (response: ServerResponse) => unknown) => {
      answer = next;
    },
    start: () => start(port),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** An answer with no hits: the engine works. */
function found(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  response.end('{"query": "x", "number_of_results": 1, "results": []}');
}

type Searching = AsyncDisposable & {
  readonly app: App;
  readonly clock: ShiftedClock;
  readonly log: readonly string[];
  /** Looks a barcode up at the retailer that needs the engine; returns the fault, or null if the engine was used. */
  readonly search: () => Promise<Fault | null>;
};

async function openSearching(port: number): Promise<Searching> {
  const folder = temporaryFolder();
  const env = {
    OPENSHELF_SEARXNG_URL: `http://127.0.0.1:${port}/`,
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  };
  const config = withSandbox(readConfig(env, { dataDir: folder.path, port: 0 }), sandbox);
  const clock = shiftedClock();
  const log: string[] = [];
  const app = await openApp(config, { clock, logTo: (line) => void log.push(line) });
  return {
    app,
    clock,
    log,
    search: async () => {
      // Other digits each time: what was not found is not asked again for a day.
      const request = { text: nextCode(), retailer: 'retailer_t', forceRefresh: false };
      const { lookupProduct } = app;
      try {
        await lookupProduct.fromShops(lookupProduct.parse(request), app.lookupContext());
        return null;
      } catch (error) {
        assert.ok(error instanceof FaultError, String(error));
        return error.fault.code === 'not_found' ? null : error.fault;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

let codes = 0;

function nextCode(): string {
  codes += 1;
  const digits = `400638133${String(codes).padStart(3, '0')}`;
  return `${digits}${gs1CheckDigit(digits)}`;
}

async function problemOf({ app }: Searching) {
  return (await (await app.outside()).listRetailers()).searchProblem;
}

test('a search engine that refuses connections rests for an hour, then it is asked again', async () => {
  await using engine = await openPort();
  await engine.stop();
  await using searching = await openSearching(engine.port);
  const { search, clock, log, app } = searching;
  assert.equal(await problemOf(searching), null, 'nobody has asked it');
  const first = await search();
  assert.deepEqual([first?.code, first?.retryAfterSeconds], ['upstream_unavailable', 3_600]);
  assert.match(first?.detail ?? '', /OPENSHELF_SEARXNG_URL/);
  assert.ok(!`${first?.detail}`.includes('127.0.0.1'));
  const lines = log.filter((line) => line.includes('search engine'));
  assert.equal(lines.length, 1);
  const { level, setting, seconds, why } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.deepEqual([level, setting, seconds], ['warn', 'OPENSHELF_SEARXNG_URL', 3_600]);
  assert.match(String(why), /ECONNREFUSED/);

  await engine.start();
  clock.advance(HOUR_MS / 2);
  const second = await search();
  assert.equal(engine.asked(), 0, 'it is left alone');
  assert.ok((second?.retryAfterSeconds ?? 0) <= 1_800, 'the rest of the hour');
  const problem = await problemOf(searching);
  assert.equal(problem?.setting, 'OPENSHELF_SEARXNG_URL');
  assert.ok(problem.pausedSeconds > 1_700 && problem.pausedSeconds <= 1_800);
  assert.ok(!problem.detail.includes('127.0.0.1'));
  const states = await (await app.outside()).listRetailers();
  const lacks = lacksOf(readConfig({}, { dataDir: '.', port: 0 }), states);
  assert.ok(
    lacks.some(
      ({ what, settings }) =>
        what.includes('search engine') && settings.includes('OPENSHELF_SEARXNG_URL'),
    ),
  );

  clock.advance(HOUR_MS / 2);
  assert.equal(await search(), null);
  assert.equal(engine.asked(), 1);
  assert.equal(await problemOf(searching), null);
  assert.ok(log.some((line) => line.includes('answers again')));
});

test('a lookup goes on without a search engine that refuses connections', async () => {
  for (const isResting of [false, true]) {
    await using engine = await openPort();
    await engine.stop();
    await using searching = await openSearching(engine.port);
    const { app, search } = searching;
    if (isResting) await search();
    assert.equal((await problemOf(searching)) !== null, isResting);
    const { gtin } = sandbox.describe();
    const prepared = app.lookupProduct.parse({ text: gtin, forceRefresh: false });
    const product = await app.lookupProduct.fromShops(prepared, app.lookupContext());
    assert.ok(product.gtin?.endsWith(gtin));
  }
});

test('requests that were sent together begin one rest', async () => {
  await using engine = await openPort();
  await engine.stop();
  await using searching = await openSearching(engine.port);
  await Promise.all(Array.from({ length: 5 }, () => searching.search()));
  assert.equal(searching.log.filter((line) => line.includes('search engine')).length, 1);
});

const status = (code: number, headers: Readonly<Record<string, string>> = {}) => {
  return (response: ServerResponse) => response.writeHead(code, headers).end('no');
};

/** What an engine does, and for how many seconds it is not asked then. */
const ENGINES: readonly (readonly [string, (response: ServerResponse) => unknown, number])[] = [
  ['refuses the key', status(401), 3_600],
  ['does not allow the format', status(403), 3_600],
  ['asks for a pause', status(429, { 'retry-after': '120' }), 120],
  ['is restarted behind a proxy', status(503, { 'retry-after': '30' }), 30],
  ['turns the service away for no stated time', status(429), 3_600],
  ['is broken', status(500), 0],
  ['has no search at the address', status(404), 0],
  ['does not understand the question', status(400), 0],
  ['closes the connection', (response) => response.destroy(), 0],
  ['answers with a page', (response) => response.end('<h1>search</h1>'), 0],
  ['answers with half an answer', (response) => response.end('{"results": ['), 0],
  ['finds nothing', found, 0],
];

test('an engine rests if no question would be answered or it asked for a pause, and not for the fault of a question', async () => {
  for (const [what, answer, seconds] of ENGINES) {
    await using engine = await openPort();
    engine.answers(answer);
    await using searching = await openSearching(engine.port);
    const { search, clock } = searching;
    await search();
    assert.equal(engine.asked(), 1, what);
    const problem = await problemOf(searching);
    assert.ok(
      Math.abs((problem?.pausedSeconds ?? 0) - seconds) <= 1,
      `${what}: ${problem?.pausedSeconds}`,
    );
    engine.answers(found);
    await search();
    assert.equal(engine.asked(), seconds === 0 ? 2 : 1, what);
    clock.advance(seconds * SECOND_MS);
    await search();
    assert.equal(engine.asked(), seconds === 0 ? 3 : 2, what);
  }
});
