// A seller's installation with the credentials of the Selling Partner API only, and a sheet of barcodes: by a clock that the
// test moves whenever nothing else happens.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, before, test } from 'node:test';

import type { ProductRecord } from '../../../src/answer/wire/record/product-record.ts';
import { printedForm } from '../../../src/base/identifiers/gtin.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { openApp, type App } from '../../../src/edge/app.ts';
import { askHere } from '../../../src/edge/cli/products/ask-here.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { openJournal } from '../../../src/edge/runs/journal.ts';
import type { ReadEntry } from '../../../src/edge/runs/read-entries.ts';
import { runEntries, type AskProduct } from '../../../src/edge/runs/run-entries.ts';
import type { ThreadMessage } from '../../../src/read/threads/reading-job.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { SANDBOX_CREDENTIALS } from '../../../sandbox/tokens.ts';
import { newDatabase } from '../../support/databases.ts';
import { startReusedThread } from '../../support/reused-threads.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

const CATALOG = 'GET /catalog/2022-04-01/items';
const OFFERS = 'POST /batches/products/pricing/v0/itemOffers';
/** Calls a second and burst, as documented. */
const LIMITS = { [CATALOG]: [2, 2], [OFFERS]: [0.1, 1] } as const;
const NO_HURRY_MS = 600_000;

let clock: VirtualClock;
let sandbox: Sandbox;

before(async () => {
  clock = createVirtualClock(Date.UTC(2026, 10, 30));
  const retailers = publicOrigins();
  sandbox = await startSandbox({ seed: 3, products: 700, now: () => clock.now(), retailers });
});
after(() => sandbox.close());

/** UPC-12 codes of one item each, all of which the catalog has. */
function codes(count: number): readonly string[] {
  const listings = sandbox.market().listings('retailer_a');
  const found = listings
    .filter(
      ({ product, publishedGtin }) => product.trouble === null && publishedGtin === product.gtin14,
    )
    .filter(({ publishedGtin }) => {
      const same = listings.filter(
        (each) => each.publishedGtin === publishedGtin || each.product.gtin14 === publishedGtin,
      );
      return same.length === 1;
    })
    .map(({ product }) => printedForm(product.gtin14 as Parameters<typeof printedForm>[0]))
    .filter((code) => code.length === 12);
  assert.ok(found.length >= count, `${found.length} codes`);
  return found.slice(0, count);
}

/** Opens a service that can ask nobody but the simulated API, at its own address. */
function openSeller(dataDir: string, databaseUrl?: string): Promise<App> {
  const { page, api } = publicOrigins().retailer_a;
  const origins = Object.values(api)
    .filter((origin) => origin !== page)
    .map((origin) => `${origin}=${sandbox.origins[origin] ?? ''}`);
  const pages = KNOWN_SLUGS.map((slug) => [`OPENSHELF_${slug.toUpperCase()}_PAGES`, 'off']);
  const own = Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => /RETAILER_A_SP_/.test(name));
  const env = {
    ...Object.fromEntries([...pages, ...own]),
    OPENSHELF_ORIGINS: origins.join(','),
    OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const place = databaseUrl === undefined ? { dataDir } : {};
  return openApp(readConfig(env, { ...place, port: 0 }), {
    clock,
    reading: { start: countedThread, startMs: NO_HURRY_MS, deadlineMs: NO_HURRY_MS },
  });
}

/** Answers that threads are reading. */
let reading = 0;
const counted = new WeakSet<object>();

const countedThread: typeof startReusedThread = (...asked) => {
  const worker = startReusedThread(...asked);
  if (!counted.has(worker)) {
    counted.add(worker);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (...message) => {
      reading += 1;
      post(...message);
    };
  }
  // A thread that was kept has lost its listeners.
  worker.on('message', ({ kind }: ThreadMessage) => {
    if (kind !== 'ready') reading -= 1;
  });
  return worker;
};

/** Time moves on when nothing has happened for this long, and this many commits, on a machine that has other work as well. */
const QUIET_MS = 150;
const QUIET_COMMITS = 100;

/** Moves time to the next waiting one's whenever no request, no answer and no write happens any more. */
async function untilDone<T>([app]: readonly App[], work: Promise<T>, answered: () => number) {
  const run = { isDone: false };
  void work.catch(() => undefined).finally(() => (run.isDone = true));
  const state = () => `${sandbox.requestCount()} ${answered()} ${clock.sleepers} ${reading}`;
  while (!run.isDone) {
    let since = performance.now();
    for (let last = state(), quiet = 0; !run.isDone; quiet += 1) {
      await app?.store.sql.probe();
      await setImmediate();
      if (state() !== last || reading > 0) {
        quiet = 0;
        since = performance.now();
      }
      last = state();
      if (quiet >= QUIET_COMMITS && performance.now() - since >= QUIET_MS) break;
    }
    if (!run.isDone && clock.sleepers > 0) await clock.advanceToNext();
  }
  return work;
}

type Run = { readonly app: App; readonly wanted: readonly string[] };

/** Looks the codes up as the sheets of these services, and returns their records. */
async function lookUp(runs: readonly Run[], folder: string): Promise<readonly ProductRecord[]> {
  const records: ProductRecord[] = [];
  const stop = new AbortController().signal;
  const all = runs.map(async ({ app, wanted }, at) => {
    const here = askHere({ app, clock, stop, currency: undefined });
    const first: AskProduct['first'] = async (...asked) => {
      const answer = await here.first(...asked);
      assert.ok(answer.kind === 'record', JSON.stringify(answer));
      records.push(answer.record as ProductRecord);
      return answer;
    };
    const journal = openJournal(join(folder, `${at}.progress`), { digest: 'd', options: 'o' });
    async function* entries() {
      for (const each of wanted) yield { wanted: each } as ReadEntry;
    }
    const isWhole = await runEntries(entries(), {
      ask: { ...here, first },
      journal,
      clock,
      stop,
      waitMs: NO_HURRY_MS,
      tokenLimit: Number.POSITIVE_INFINITY,
      earlyCalls: 0,
      products: wanted.length,
      onState: () => undefined,
    });
    journal.forget();
    assert.ok(isWhole);
  });
  await untilDone(
    runs.map(({ app }) => app),
    Promise.all(all),
    () => records.length,
  );
  return records;
}

/** Returns the calls of each operation since then; each kept its limit in every span of time. */
function callsSince(from: number): Readonly<Record<string, number>> {
  const sent = sandbox
    .requests()
    .slice(from)
    .map(({ method, path, atMs }) => ({ name: `${method} ${path.split('?')[0]}`, atMs }))
    .filter(({ name }) => !name.endsWith('/auth/o2/token'));
  for (const [name, [perSecond, burst]] of Object.entries(LIMITS)) {
    const times = sent.filter((each) => each.name === name).map(({ atMs }) => atMs);
    for (const [first, fromMs] of times.entries()) {
      for (const [more, atMs] of times.slice(first).entries()) {
        const allowed = burst + ((atMs - fromMs) / 1_000) * perSecond;
        assert.ok(more + 1 <= allowed, `${name}: ${more + 1} calls in ${atMs - fromMs} ms`);
      }
    }
  }
  const byName = Map.groupBy(sent, ({ name }) => name);
  return Object.fromEntries([...byName].map(([name, { length }]) => [name, length]));
}

function wholeOnes(records: readonly ProductRecord[]): number {
  return records.filter(({ title, current_price: price }) => title !== null && price !== null)
    .length;
}

test('a sheet of 200 barcodes is 10 calls of the catalog and 10 of offers, within their limits', async () => {
  using folder = temporaryFolder();
  await using app = await openSeller(folder.path);
  const from = sandbox.requestCount();
  const startMs = clock.now();
  const records = await lookUp([{ app, wanted: codes(200) }], folder.path);
  assert.equal(records.length, 200);
  assert.deepEqual(callsSince(from), { [CATALOG]: 10, [OFFERS]: 10 });
  assert.ok(clock.now() - startMs < 110_000, `${clock.now() - startMs} ms`);
  assert.ok(wholeOnes(records) > 150, `${wholeOnes(records)} have a price`);
});

test('four processes over one database keep the same limits together, and every product is answered', async () => {
  using folder = temporaryFolder();
  await using database = await newDatabase('migrated');
  await using opened = new AsyncDisposableStack();
  const apps: App[] = [];
  for (let at = 0; at < 4; at += 1) {
    apps.push(opened.use(await openSeller(folder.path, database.url)));
  }
  const from = sandbox.requestCount();
  const all = codes(80);
  const runs = apps.map((app, at) => ({ app, wanted: all.slice(at * 20, (at + 1) * 20) }));
  const records = await lookUp(runs, folder.path);
  assert.equal(records.length, 80);
  assert.ok(wholeOnes(records) > 60, `${wholeOnes(records)} have a price`);
  // One call of each process, and no more than a few for what comes late.
  assert.ok((callsSince(from)[OFFERS] ?? 0) <= 6, JSON.stringify(callsSince(from)));
});

test('lines of a batch share calls as those of a sheet do', async () => {
  using folder = temporaryFolder();
  await using app = await openSeller(folder.path);
  const { url } = await app.listen();
  const key = await issueKey(app.store.accounts, { organization: 'test', note: null }, clock.now());
  const from = sandbox.requestCount();
  const wanted = codes(40);
  const sent = fetch(`${url}/v1/products/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.text}` },
    body: wanted.map((id) => JSON.stringify({ id })).join('\n'),
  }).then((response) => response.text());
  const lines = (await untilDone([app], sent, () => 0)).trim().split('\n');
  const records = lines.map(
    (line) => JSON.parse(line) as { status: number; product: ProductRecord },
  );
  assert.deepEqual(new Set(records.map(({ status }) => status)), new Set([200]));
  assert.ok(wholeOnes(records.map(({ product }) => product)) > 30);
  assert.deepEqual(callsSince(from), { [CATALOG]: 2, [OFFERS]: 2 });
  await app.stop(1_000);
});
