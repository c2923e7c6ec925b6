// npm run eval:store-size -- [--products N] [--seed N] [--keep DIR] [--json]: how many bytes a product takes in the
// store. Every product of the simulated market is looked up by barcode with its offers, all seven retailers are asked,
// and the pages of the file are added up by table.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openApp } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { openStore, type Store } from '../../src/data/store.ts';
import { withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const AT_ONCE = 8;

/**
 * Looks every product up and waits until the queue behind the answers is empty. How many were answered, and the
 * requests that all of it took.
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

/** What was parked or waits for a later attempt is left. */
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

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '7' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
using scratch = values.keep === undefined ? temporaryFolder() : null;
const folder = scratch?.path ?? values.keep ?? '';
const startedAtMs = systemClock.now();
const { answers, requests } = await fill(folder, Number(values.products), Number(values.seed));
const seconds = (systemClock.now() - startedAtMs) / 1_000;
const sizes = await sizesOf(folder);
const fileBytes = statSync(join(folder, 'openshelf.db')).size;
const listings = sizes.find(({ table }) => table === 'listings')?.rows ?? 0;
if (values.json)
  console.log(JSON.stringify({ answers, requests, listings, fileBytes, seconds, sizes }));
else {
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
