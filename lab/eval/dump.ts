// npm run lab -- dump [--products N] [--bars N] [--rows N] [--dir DIR] [--json]: a store of that many invented products, with
// rows in every table, goes through openshelf dump and load from SQLite to PostgreSQL and back. Prints for each step the
// seconds, the peak memory and the file size, and for each table its rows and SHA-256. Exit code 1 if one of them differs.

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { fill } from '../bench/size-load.ts';
import { openStore } from '../../src/data/store.ts';
import { command } from '../../tests/support/databases.ts';
import { fillStore } from '../../tests/support/filled-store.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    bars: { type: 'string', default: '3650000' },
    rows: { type: 'string', default: '100000' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const PROGRAM = join(import.meta.dirname, '../../bin/openshelf.js');
/**
 * Reports the peak memory of the process, in KiB, when it exits. Linux only; its `maxRSS` would be that of this process.
 */
const PEAK = `data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>process.stderr.write('peak '+/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status','utf8'))[1]+'\\n'))`;
/** Set up as a dedicated, durable server. */
const SERVER = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=4GB'];

type Table = { readonly table: string; readonly rows: number; readonly sha256: string };
type Step = {
  readonly step: string;
  readonly seconds: number;
  readonly peakMb: number;
  readonly bytes: number | null;
  readonly rows: number;
  readonly tables: readonly Table[];
};

/** Rows of tables that are small in an installation; tables that refer to them have as many. */
const FEW: Readonly<Record<string, number>> = {
  organizations: 200,
  idempotency_space: 200,
  feeds: 200,
  idempotency_keys: 2_000,
  channels: 500,
  takedowns: 20,
  listings: 2_000,
  offer_lists: 2_000,
};

using scratch = temporaryFolder(values.dir);
const first = join(scratch.path, 'first');
const again = join(scratch.path, 'again');
mkdirSync(first);
const place = { kind: 'sqlite', path: join(first, 'openshelf.db') } as const;
const filled = await fill(place, {
  world: { seed: 29, listings: 3, nowMs: Date.now() },
  products: Number(values.products),
  bars: Number(values.bars),
  onProgress: () => {},
});
{
  await using store = await openStore(place);
  await fillStore(store.sql, randomFrom(29), (table) => FEW[table] ?? Number(values.rows));
}
console.error(`${values.products} products and ${filled.bars} bars loaded`);
await using server = await startPostgres(SERVER);
await command(server.url, 'create database loaded encoding utf8 template template0');
const url = new URL(server.url);
url.pathname = '/loaded';
const env = {
  file: { OPENSHELF_DATA: first },
  server: { DATABASE_URL: url.href, OPENSHELF_DATA: join(scratch.path, 'server') },
};
const files = ['plain.jsonl', 'packed.jsonl.gz', 'back.jsonl'].map((name) =>
  join(scratch.path, name),
);
const [plain = '', packed = '', back = ''] = files;

const steps = [
  await run('dump from SQLite', ['dump', plain], env.file),
  await run('dump from SQLite, compressed', ['dump', packed], env.file),
  await run('load into PostgreSQL', ['load', packed], env.server),
  await run('dump from PostgreSQL', ['dump', back], env.server),
  await run('load into SQLite', ['load', back], { OPENSHELF_DATA: again }),
];
const tables = steps[0]?.tables ?? [];
const different = steps.flatMap((each) =>
  tables
    .filter((table, at) => JSON.stringify(each.tables[at]) !== JSON.stringify(table))
    .map(({ table }) => `${each.step}: ${table} differs`),
);
const isSame = different.length === 0;
if (values.json) {
  console.log(
    JSON.stringify({
      same: isSame,
      steps: steps.map((each) => ({ ...each, tables: undefined })),
      tables,
    }),
  );
} else {
  for (const { table, rows, sha256 } of tables) {
    console.log(`${table.padEnd(20)} ${String(rows).padStart(9)}  ${sha256}`);
  }
  for (const { step, seconds, peakMb, bytes, rows } of steps) {
    const size = bytes === null ? '' : `, ${(bytes / 1e6).toFixed(0)} MB`;
    console.log(
      `${step}: ${rows} rows in ${seconds.toFixed(1)} s, peak ${peakMb.toFixed(0)} MB${size}`,
    );
  }
  for (const line of different) console.log(line);
  if (isSame) console.log('every table is the same after each step');
}
process.exitCode = isSame ? 0 : 1;

async function run(
  step: string,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<Step> {
  const from = performance.now();
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', PEAK, PROGRAM, ...args, '--json'],
    { env: { PATH: process.env['PATH'], ...more }, maxBuffer: 100_000_000 },
  );
  const seconds = (performance.now() - from) / 1e3;
  const printed = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    readonly rows: number;
    readonly bytes?: number;
    readonly tables: readonly Table[];
  };
  const peakMb = Math.max(
    ...[...stderr.matchAll(/^peak (\d+)$/gm)].map(([, kib]) => Number(kib) / 1_000),
  );
  console.error(`${step}: ${seconds.toFixed(1)} s`);
  return {
    step,
    seconds,
    peakMb,
    bytes: printed.bytes ?? null,
    rows: printed.rows,
    tables: printed.tables,
  };
}
