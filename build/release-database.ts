// `node build/release-database.ts --release DIR --out FOLDER`: a small database as the release in DIR makes it, for the
// tests that open it with today's code: its schema on SQLite and on PostgreSQL, its rows, and what the release answered
// from them. Names of real hosts are written as `{origin of the page of retailer_w}`; `--release` has its packages installed.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';

import { hidden } from '../tests/support/origin-names.ts';
import { newDatabase, startTestServer, SERVER_VARIABLE } from '../tests/support/databases.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: { release: { type: 'string' }, out: { type: 'string' } },
});
const { release, out } = values;
if (release === undefined || out === undefined) throw new Error('--release DIR --out FOLDER');
const PROGRAM = join(resolve(release), 'bin/openshelf.js');
using scratch = temporaryFolder();
const data = join(scratch.path, 'data');

await using server = await startTestServer();
process.env[SERVER_VARIABLE] = server.url;
mkdirSync(out, { recursive: true });
const answers = await fill();
writeFileSync(join(out, 'answers.json'), linesOf(answers));
const database = new DatabaseSync(join(data, 'openshelf.db'));
writeFileSync(join(out, 'sqlite.sql'), schemaOfSqlite(database));
const tables = namesOfTables(database);
writeFileSync(
  join(out, 'rows.sql'),
  hidden(tables.flatMap((name) => rowsOf(database, name)).join('')),
);
database.close();
writeFileSync(join(out, 'postgres.sql'), await schemaOfPostgres());

/** One answer a line. */
function linesOf({ answers: all, ...rest }: Awaited<ReturnType<typeof fill>>): string {
  const answered = all.map((each) => JSON.stringify(each)).join(',\n');
  return `${JSON.stringify(rest).slice(0, -1)},"answers":[\n${answered}\n]}\n`;
}

type Told = {
  readonly upc: string;
  readonly item_id: string;
  readonly asin: string;
  readonly url: Readonly<Record<string, string>>;
  readonly seller_id: string;
  readonly retailers: Readonly<
    Record<string, { readonly trouble: Readonly<Record<string, { url: string; gtin: string }>> }>
  >;
};

/** Calls of every kind that leaves rows behind, then what is answered from them alone. */
async function fill() {
  const world = (await printed(['sandbox', '--describe', '--json'])) as Told;
  const imported = join(scratch.path, 'history.csv');
  writeFileSync(imported, historyFile(world));
  const { key } = (await printed([
    'keys',
    'create',
    '--org',
    'first',
    '--data',
    data,
    '--json',
  ])) as { key: string };
  await printed(['orgs', 'create', 'second', '--quota', '5', '--data', data, '--json']);
  const other = (await printed([
    'keys',
    'create',
    '--org',
    'second',
    '--data',
    data,
    '--json',
  ])) as { id: string };
  await printed(['keys', 'revoke', other.id, '--data', data, '--json']);
  await printed(['import', imported, '--data', data, '--json']);
  const service = spawn(
    process.execPath,
    [PROGRAM, 'serve', '--sandbox', '--port', '0', '--data', data, '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const ask = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    return { status: response.status, body: await response.json() };
  };
  const at = (id: string, rest = '') => `/v1/products/${encodeURIComponent(id)}${rest}`;
  for (const id of [world.upc, world.item_id, world.asin, ...Object.values(world.url)])
    await ask(at(id));
  for (const slug of ['retailer_w', 'retailer_b', 'retailer_e']) {
    const { wrong_barcode: wrong, no_barcode: none, gone } = world.retailers[slug]?.trouble ?? {};
    for (const each of [wrong, none, gone]) {
      await ask(at(each?.url ?? ''));
      await ask(at(each?.gtin ?? ''));
    }
  }
  await ask(at(world.item_id, '?include_offers_reviews=true'), 'GET', {
    'idempotency-key': 'kept',
  });
  await ask(at(world.item_id, '/refresh'), 'POST');
  await ask(at(world.item_id, '/reviews'));
  await ask(`/v1/sellers/${world.seller_id}`);
  await quiet(url);
  const paths = [
    at(world.upc),
    at(world.upc, '?include_cross_retailer=true&identifier_match=any'),
    at(world.item_id, '?include_price_series=true'),
    at(world.item_id, '?include_offers_history=true'),
    at(world.asin),
    ...Object.values(world.url).map((each) => at(each)),
    at(world.upc, '/history?retailer=all&timeframe=all'),
    at(world.item_id, '/history?timeframe=1y'),
    at(world.item_id, '/reviews'),
    `/v1/sellers/${world.seller_id}`,
  ];
  const answered = [];
  for (const path of paths) answered.push({ path, ...(await ask(path)) });
  const madeAtMs = Date.now();
  await stopped(service);
  await printed(['compact', '--data', data, '--json']);
  const told = JSON.parse(hidden(JSON.stringify(answered))) as typeof answered;
  return { madeAtMs, key, answers: told };
}

/** Two years of prices of the same product, in and out of stock. */
function historyFile({ item_id: item, upc }: Told): string {
  const lines = ['retailer,retailer_id,url,gtin,observed_at,price,currency,in_stock'];
  for (let day = 700; day > 2; day -= 3) {
    const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    lines.push(`retailer_w,${item},,,${date},${(20 + (day % 7)).toFixed(2)},USD,true`);
    if (day % 5 === 0) lines.push(`retailer_t,,,${upc.padStart(12, '0')},${date},,,false`);
  }
  return `${lines.join('\n')}\n`;
}

async function quiet(url: string): Promise<void> {
  for (let rounds = 0, before = ''; rounds < 8;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const counts = [...text.matchAll(/^openshelf_jobs\{.*$/gm)].join();
    rounds = counts.includes('"running"} 0') && counts === before ? rounds + 1 : 0;
    before = counts;
  }
}

async function stopped(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
}

async function printed(args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`openshelf ${args.join(' ')} ended with ${code}`);
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}

function schemaOfSqlite(from: DatabaseSync): string {
  const rows = from
    .prepare(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
    )
    .all() as { sql: string }[];
  const { user_version: version, application_id: program } = {
    ...from.prepare('pragma user_version').get(),
    ...from.prepare('pragma application_id').get(),
  } as { user_version: number; application_id: number };
  const pragmas = [`pragma user_version = ${version}`, `pragma application_id = ${program}`];
  return [...pragmas, ...rows.map(({ sql }) => sql)].map((sql) => `${sql};\n`).join('');
}

function namesOfTables(from: DatabaseSync): readonly string[] {
  const rows = from
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid",
    )
    .all();
  return rows.map((row) => String(row['name']));
}

function rowsOf(from: DatabaseSync, table: string): readonly string[] {
  return from
    .prepare(`select * from ${table}`)
    .all()
    .map((row) => {
      const cells = Object.values(row).map((value) =>
        typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
      );
      return `insert into ${table} (${Object.keys(row).join(', ')}) values (${cells.join(', ')});\n`;
    });
}

/** As the release makes it, without a row. */
async function schemaOfPostgres(): Promise<string> {
  await using made = await newDatabase('empty');
  const from = join(scratch.path, 'data');
  await printed(['migrate-store', '--from', from, '--to', made.url, '--json']);
  const dump = spawnSync('pg_dump', ['--schema-only', '--no-owner', '--no-privileges', made.url], {
    encoding: 'utf8',
  });
  if (dump.status !== 0) throw new Error(dump.error?.message ?? dump.stderr);
  return dump.stdout
    .split('\n')
    .filter((line) => !/^(?:--|\\|$|SET |SELECT pg_catalog)/.test(line))
    .join('\n')
    .concat('\n');
}
