// Background indexing as a caller sees it: the whole service, the simulated retailers, nothing replaced.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { DAY_MS, HOUR_MS } from '../../../src/base/clock.ts';
import { toGtin14, type Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../../sandbox/server.ts';
import { startService, untilQueueIdle, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';

const CELLS = '?include_cross_retailer=true&identifier_match=any';
/** Without a search engine retailer_t cannot be queried for a barcode. */
const ASKABLE = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_t');

function codeOf(text: string): Gtin14 {
  const code = toGtin14(text);
  assert.ok(code !== null);
  return code;
}

async function statusesOf(service: Service, id: string): Promise<Record<string, string>> {
  const { status, body } = await service.lookup(id, CELLS);
  assert.equal(status, 200, JSON.stringify(body));
  const cells = Object.entries(body['cross_retailer'] as Record<string, { status: string }>);
  return Object.fromEntries(cells.map(([retailer, cell]) => [retailer, cell.status]));
}

test('a barcode that one retailer answers brings the cells of the others without a further call', async () => {
  await using service = await startService({ withRetailers: true });
  const { gtin } = service.sandbox.describe();
  const first = await statusesOf(service, gtin);
  assert.equal(first['retailer_w'], 'ok');
  assert.equal(first['retailer_t'], 'error', 'it cannot be asked');
  for (const slug of ASKABLE.filter((each) => each !== 'retailer_w')) {
    assert.equal(first[slug], 'indexing', slug);
  }
  await service.untilQueueIdle();
  const cells = await service.app.store.barcodeAnswers.findAnswers(codeOf(gtin));
  assert.deepEqual(cells.map(({ retailer }) => retailer).toSorted(), ASKABLE.toSorted());
  assert.ok(cells.every(({ status, listingId }) => status === 'ok' && listingId !== null));
  assert.deepEqual(await service.app.store.jobs.countJobs(Date.now()), {
    waiting: 0,
    running: 0,
    parked: 0,
  });
  const asked = service.sandbox.requestCount();
  const second = await statusesOf(service, gtin);
  assert.deepEqual(
    ASKABLE.map((slug) => second[slug]),
    ASKABLE.map(() => 'ok'),
  );
  assert.equal(service.sandbox.requestCount(), asked);
});

test('an address, an item id and an ASIN bring the cells of their own barcode too', async () => {
  await using service = await startService({ withRetailers: true });
  const { retailers, gtin } = service.sandbox.describe();
  await service.lookup(retailers.retailer_h.url);
  await service.untilQueueIdle();
  const cells = await service.app.store.barcodeAnswers.findAnswers(codeOf(gtin));
  assert.deepEqual(cells.map(({ retailer }) => retailer).toSorted(), ASKABLE.toSorted());
});

test('jobs that a process left are done by the next one', async () => {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox({
    seed: 7,
    now: () => Date.now(),
    retailers: publicOrigins(),
  });
  const { gtin } = sandbox.describe();
  const config = withSandbox(readConfig({}, { dataDir: folder.path, port: 0 }), sandbox);
  {
    // A command that looks up one product and exits: it adds jobs to the queue and queries no other retailer.
    await using app = await openApp(config);
    const prepared = app.lookupProduct.parse({ text: gtin, forceRefresh: false });
    await app.lookupProduct.fromShops(prepared, app.lookupContext());
  }
  await using app = await openApp(config);
  const left = await app.store.jobs.countJobs(Date.now());
  assert.deepEqual(left, { waiting: ASKABLE.length - 1, running: 0, parked: 0 });
  assert.deepEqual(
    (await app.store.barcodeAnswers.findAnswers(codeOf(gtin))).map(({ retailer }) => retailer),
    ['retailer_w'],
  );
  await app.listen();
  await untilQueueIdle(app, { now: () => Date.now() });
  await app.stop(1_000);
  const cells = await app.store.barcodeAnswers.findAnswers(codeOf(gtin));
  assert.deepEqual(cells.map(({ retailer }) => retailer).toSorted(), ASKABLE.toSorted());
});

test('a retailer whose robots.txt disallows is blocked, is asked for nothing, and not again that day', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  service.sandbox.disturb('retailer_h', 'disallowed');
  service.sandbox.disturb('retailer_b', 'blocked');
  const { gtin } = service.sandbox.describe();
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const statuses = await statusesOf(service, gtin);
  assert.deepEqual([statuses['retailer_h'], statuses['retailer_b']], ['blocked', 'blocked']);
  const { retailer_h: urls } = publicOrigins();
  const origins = new Set([urls.page, ...Object.values(urls.api)]);
  const requests = () => service.sandbox.requests().filter(({ origin }) => origins.has(origin));
  assert.ok(requests().length > 0);
  assert.deepEqual(new Set(requests().map(({ path }) => path)), new Set(['/robots.txt']));
  const before = requests().length;
  clock.advance(2 * HOUR_MS);
  await service.lookup(gtin);
  await service.untilQueueIdle();
  assert.equal(requests().length, before, 'it is parked for a day');
});

test('a retailer that is down is tried again later, and its cell follows', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  const { gtin } = service.sandbox.describe();
  service.sandbox.disturb('retailer_e', 'broken');
  await service.lookup(gtin);
  await service.untilQueueIdle();
  assert.equal((await statusesOf(service, gtin))['retailer_e'], 'error');
  assert.equal((await service.app.store.jobs.countJobs(clock.now())).waiting, 1);
  service.sandbox.disturb('retailer_e', null);
  // The worker checks the clock on its own schedule: it gets three chances to notice that the hour is over.
  let status: unknown = 'error';
  for (let chance = 0; chance < 3 && status !== 'ok'; chance += 1) {
    clock.advance(HOUR_MS);
    await service.untilQueueIdle();
    status = (await statusesOf(service, gtin))['retailer_e'];
  }
  assert.equal(status, 'ok');
});

test('a listing that is a day old is served as it is and read again in the background, once', async () => {
  const clock = shiftedClock();
  await using service = await startService({ clock, withRetailers: true });
  const { gtin } = service.sandbox.describe();
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const fetchedAt = async () => {
    const listings = await service.app.store.listings.findListingsTiedTo(codeOf(gtin));
    return new Map(listings.map(({ retailer, fetchedAtMs }) => [retailer, fetchedAtMs]));
  };
  const before = await fetchedAt();
  clock.advance(DAY_MS + HOUR_MS);
  const asked = service.sandbox.requestCount();
  await Promise.all([service.lookup(gtin), service.lookup(gtin), service.lookup(gtin)]);
  await service.untilQueueIdle();
  const after = await fetchedAt();
  for (const [retailer, atMs] of before) {
    assert.ok((after.get(retailer) ?? 0) > atMs, `${retailer} was read again`);
  }
  const requests = service.sandbox.requests().slice(asked - service.sandbox.requestCount());
  const perPage = Map.groupBy(requests, ({ origin, path }) => `${origin}${path}`);
  const twice = [...perPage].filter(([, each]) => each.length > 1).map(([page]) => page);
  assert.deepEqual(twice, []);
});

test('a forced call asks its retailer and adds no job', async () => {
  await using service = await startService({ withRetailers: true });
  const { gtin } = service.sandbox.describe();
  await service.lookup(gtin, '?retailer=retailer_b&force_refresh=true');
  const { waiting, running } = await service.app.store.jobs.countJobs(Date.now());
  assert.deepEqual([waiting, running], [0, 0]);
});

test('stopping gives running jobs back, uncounted', async () => {
  const service = await startService({ withRetailers: true });
  try {
    const { gtin } = service.sandbox.describe();
    service.sandbox.disturb('retailer_h', 'slow');
    await service.lookup(gtin);
    const { jobs, sql } = service.app.store;
    const isLeft = async () => (await jobs.findLiveJobs(codeOf(gtin))).size === 1;
    for (let round = 0; round < 5_000 && !(await isLeft()); round += 1) await sql.probe();
    assert.deepEqual([...(await jobs.findLiveJobs(codeOf(gtin)))], ['retailer_h']);
    await service.app.stop(1_000);
    const rows = await sql.all('select retailer, attempts, claim_token, reason from jobs');
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ retailer: 'retailer_h', attempts: 0, claim_token: null, reason: 'the service stopped' }],
    );
  } finally {
    await service[Symbol.asyncDispose]();
  }
});
