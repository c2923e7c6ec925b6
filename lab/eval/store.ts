// npm run lab -- store [--products N] [--seed N] [--keep DIR] [--rounds N] [--at-once N] [--json]: how many bytes a product
// takes in the store. Every product of the simulated market is looked up by barcode with its offers, all seven retailers are
// asked, and the pages of the file are added up by table. Then every listing is stored again as if it had been read a day
// later, in rounds: how many per second, and on PostgreSQL how much log each produces. `--keep` skips the rounds, and leaves
// the store in DIR. With `--data DIR` or DATABASE_URL only the rounds are run, on the existing store: they change it, so use a
// copy.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { originOf } from '../../src/base/listing/origin.ts';
import { openApp } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { withStore } from '../../src/edge/wiring/open-store.ts';
import { readConfig } from '../../src/edge/config.ts';
import { withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { DAY_MS } from '../../src/base/clock.ts';
import type { FoundVia } from '../../src/base/listing/stored-listing.ts';
import { deleteMissOf, listingChanges } from '../../src/answer/collect/storing/store-listing.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { recordOf } from '../../src/data/answers/listings.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import type { Sql } from '../../src/data/sql.ts';
import { openStore, type Store } from '../../src/data/store.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const AT_ONCE = 8;

/**
 * Looks up every product and waits until the queue after the answers is empty. Returns how many were answered, and the
 * total number of requests.
 */
async function fill(
  dataDir: string,
  products: number,
  seed: number,
): Promise<{ readonly answers: number; readonly requests: number }> {
  await using sandbox = await startSandbox({
    seed,
    products,
    now: systemClock.now,
    retailers: publicOrigins(),
  });
  const settings = readConfig({}, { dataDir, port: 0 });
  const config = withSandboxSearch(withSandbox(settings, sandbox), sandbox);
  await using app = await openApp(config);
  const { url } = await app.listen();
  const { text: key } = await issueKey(
    app.store.accounts,
    { organization: 'measured', note: null },
    systemClock.now(),
  );
  await app.store.accounts.updateOrganization(
    { name: 'measured', throttlePerMinute: 1_000_000, throttleBurst: 100_000 },
    systemClock.now(),
  );
  const barcodes = sandbox.market().catalog.map(({ gtin14 }) => gtin14);
  let answers = 0;
  const asking = Array.from({ length: AT_ONCE }, async () => {
    for (let next = barcodes.shift(); next !== undefined; next = barcodes.shift()) {
      const query = 'include_offers=true&include_cross_retailer=true&identifier_match=any';
      const response = await fetch(`${url}/v1/products/${next}?${query}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await response.arrayBuffer();
      if (response.ok) answers += 1;
    }
  });
  await Promise.all(asking);
  await worked(app.store);
  await app.stop(1_000);
  return { answers, requests: sandbox.requestCount() };
}

/** Ignores jobs that were parked or wait for a later attempt. */
async function worked(store: Store): Promise<void> {
  for (;;) {
    await systemClock.sleep(200);
    const { running } = await store.jobs.countJobs(systemClock.now());
    if (running === 0 && !(await store.jobs.isDue(systemClock.now()))) return;
  }
}

type TableSize = {
  readonly table: string;
  readonly rows: number;
  /** Pages of the table and of its indexes. */
  readonly bytes: number;
};

async function sizesOf(dataDir: string): Promise<readonly TableSize[]> {
  await using store = await openStore({ kind: 'sqlite', path: join(dataDir, 'openshelf.db') });
  const rows = await store.sql.all(
    `select tbl_name as name, cast(sum(pgsize) as integer) as bytes
     from sqlite_schema join dbstat on dbstat.name = sqlite_schema.name
     group by tbl_name order by 2 desc`,
  );
  const sizes: TableSize[] = [];
  for (const { name, bytes } of rows) {
    const [{ held } = {}] = await store.sql.all(`select count(*) as held from ${String(name)}`);
    sizes.push({ table: String(name), rows: Number(held), bytes: Number(bytes) });
  }
  return sizes;
}

type Round = {
  readonly listings: number;
  readonly seconds: number;
  readonly commits: number;
  /** Null if the database does not report it. */
  readonly logBytes: number | null;
};

/** Bytes of log written so far; null on SQLite. */
async function logPosition(sql: Sql): Promise<number | null> {
  if (sql.dialect === 'sqlite') return null;
  const rows = await sql.all(
    "select cast(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bigint) as position",
  );
  return Number(rows[0]?.['position']);
}

async function storeAgain(store: Store, atOnce: number): Promise<Round> {
  const rows = await store.sql.all(
    `select retailer, listing_key, url, found_via, fetched_at_ms, record from listings
     where record is not null order by id`,
  );
  const filings = rows.map((row) => ({
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
    url: String(row['url']),
    foundVia: String(row['found_via']) as FoundVia,
    source: 'secondary' as const,
    fetchedAtMs: Number(row['fetched_at_ms']) + DAY_MS,
    origin: originOf(String(row['retailer']), 'page', 'page'),
    ...recordOf(String(row['record'])),
  }));
  const before = await logPosition(store.sql);
  const commits = store.sql.commits();
  const startedAtMs = performance.now();
  let next = 0;
  const writing = Array.from({ length: atOnce }, async () => {
    for (let filing = filings[next]; filing !== undefined; filing = filings[next]) {
      next += 1;
      await writeChanges(store.sql, listingChanges(filing), deleteMissOf(filing));
    }
  });
  await Promise.all(writing);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const after = await logPosition(store.sql);
  return {
    listings: filings.length,
    seconds,
    commits: store.sql.commits() - commits,
    logBytes: before === null || after === null ? null : after - before,
  };
}

/** Fills a store in a folder and prints the size of its products. */
async function measureSizes(dataDir: string): Promise<void> {
  const startedAtMs = systemClock.now();
  const { answers, requests } = await fill(dataDir, Number(values.products), Number(values.seed));
  const seconds = (systemClock.now() - startedAtMs) / 1_000;
  const sizes = await sizesOf(dataDir);
  const fileBytes = statSync(join(dataDir, 'openshelf.db')).size;
  const listings = sizes.find(({ table }) => table === 'listings')?.rows ?? 0;
  if (values.json) {
    console.log(JSON.stringify({ answers, requests, listings, fileBytes, seconds, sizes }));
    return;
  }
  console.log(
    `${answers} products, ${listings} listings, ${fileBytes} bytes; ${requests} requests in ` +
      `${Math.round(seconds)} s`,
  );
  for (const { table, rows, bytes } of sizes) {
    const each = rows === 0 ? '' : `${Math.round(bytes / rows)} a row, `;
    console.log(
      `${table.padEnd(18)} ${String(rows).padStart(8)} rows ${String(bytes).padStart(11)} bytes  ` +
        `${each}${Math.round(bytes / answers)} a product`,
    );
  }
}

async function measureWrites(store: Store): Promise<void> {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const figures = await storeAgain(store, Number(values['at-once']));
    const { listings, seconds, commits, logBytes } = figures;
    if (values.json) {
      console.log(JSON.stringify({ round, ...figures }));
      continue;
    }
    const log = logBytes === null ? '' : `, ${Math.round(logBytes / listings)} bytes of log each`;
    console.log(
      `round ${round}: ${listings} listings stored, ${Math.round(listings / seconds)} a second in ` +
        `${commits} commits${log}`,
    );
  }
}

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7' },
    keep: { type: 'string' },
    data: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});
const { data, keep } = values;
if (data !== undefined || process.env['DATABASE_URL'] !== undefined) {
  const config = readConfig(process.env, data === undefined ? {} : { dataDir: data });
  await withStore(config, measureWrites);
} else if (keep !== undefined) {
  await measureSizes(keep);
} else {
  using scratch = temporaryFolder();
  await measureSizes(scratch.path);
  await withStore(readConfig({}, { dataDir: scratch.path }), measureWrites);
}
