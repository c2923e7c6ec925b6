// npm run eval:upgrade -- --against DIR [--products N] [--kills N] [--database sqlite|postgres] [--seed S] [--json]:
// a store of so many invented products, written by another checkout with its own code, is opened by this one, which is
// killed in the middle of the migration again and again. Afterwards every row must say what D56 says of rows from before,
// `check` must be clean, and a sample of barcodes must be answered from what is held, and asked again behind the answer.
// Exit code 1 when anything is otherwise.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { barcodeOf } from '../bench/size-data.ts';
import { readConfig } from '../../src/edge/config.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import type { Sql } from '../../src/data/sql.ts';
import { openPostgres } from '../../src/data/postgres/postgres.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import type { StoreConfig } from '../../src/data/store.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { openDriven } from './order/service.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    products: { type: 'string', default: '2000' },
    kills: { type: 'string', default: '10' },
    database: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});

const PROGRAM = resolve(import.meta.dirname, '../../bin/openshelf.js');
/** Rows of a shop that no retailer's answer can be: the release before wrote one for each page that prints a barcode. */
const SHOP = 'lanternworks';
const SHOP_ROWS = 500;
const SAMPLE = 100;
/** The port of discard: nothing answers there, so that what is asked again fails at once. */
const NOWHERE = 'http://127.0.0.1:9';

type Fill = (place: StoreConfig, filling: unknown) => Promise<unknown>;
type Database = { readonly place: StoreConfig; readonly env: Readonly<Record<string, string>> };

const { against } = values;
if (against === undefined) throw new Error('--against DIR: a checkout of the release before');
const products = Number(values.products);
const random = randomFrom(Number(values.seed));
const problems: string[] = [];

await using stack = new AsyncDisposableStack();
const database = await newPlace();
const nowMs = Date.now();
await fillByTheOther();
const before = await countsOf();
const kills = await killInTheMiddle(Number(values.kills));
await expectRows(before);
await expectClean();
const answered = await expectAnswers();

const figures = {
  database: values.database,
  products,
  cells_before: before.cells,
  schema_before: before.version,
  kills: kills.length,
  kills_in_the_middle: kills.filter((each) => each.hadBegun && !each.hasEnded).length,
  answered,
  problems: problems.length,
};
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(
  values.json
    ? JSON.stringify(figures)
    : Object.entries(figures)
        .map(([name, value]) => `${name.padEnd(22)} ${value}`)
        .join('\n'),
);
await stack.disposeAsync();
process.exit(problems.length === 0 ? 0 : 1);

async function newPlace(): Promise<Database> {
  if (values.database === 'postgres') {
    const { url } = stack.use(await newDatabase('empty'));
    return { place: { kind: 'postgres', url }, env: { DATABASE_URL: url } };
  }
  const folder = stack.use(temporaryFolder()).path;
  const place = { kind: 'sqlite', path: join(folder, 'openshelf.db') } as const;
  return { place, env: { OPENSHELF_DATA: folder } };
}

/** The other checkout's own code writes the rows; rows of a shop are put beside them. */
async function fillByTheOther(): Promise<void> {
  const other = (await import(resolve(String(against), 'lab/bench/size-load.ts'))) as {
    fill: Fill;
  };
  const world = { seed: 29, listings: 3, nowMs };
  await other.fill(database.place, { world, products, bars: 0, onProgress: () => {} });
  await withSql(async (sql) => {
    await sql.write([
      {
        text: `insert into cells select gtin14, '${SHOP}', status, listing_id, identity_state, identity_method,
            page_barcode, source, found_via, checked_at_ms
          from cells where retailer = 'retailer_w' order by gtin14 limit ${SHOP_ROWS}`,
      },
    ]);
  });
}

/** The rows themselves, without this program's migrations. A server works on for a while when its client was killed. */
async function withSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const { place } = database;
  await using sql =
    place.kind === 'sqlite'
      ? await openSqlite({ path: place.path })
      : await openPostgres({ ...place, statementTimeoutMs: 0, lockTimeoutMs: 0 });
  return await work(sql);
}

type Counts = {
  readonly version: number;
  readonly cells: number;
  readonly ofShops: number;
  readonly foundNothing: number;
};

async function countsOf(): Promise<Counts> {
  return withSql(async (sql) => {
    const one = async (text: string): Promise<number> => {
      const [row] = await sql.all(text);
      return Number(row?.['n']);
    };
    const seven = KNOWN_SLUGS.map((slug) => `'${slug}'`).join(', ');
    return {
      version: await one('select max(version) as n from schema_versions'),
      cells: await one('select count(*) as n from cells'),
      ofShops: await one(`select count(*) as n from cells where retailer not in (${seven})`),
      foundNothing: await one("select count(*) as n from cells where status = 'not_found'"),
    };
  });
}

type Killed = { readonly hadBegun: boolean; readonly hasEnded: boolean };

/**
 * Each kill comes a little later after the program has begun to work on the data, from at once to the end of a migration that was
 * measured on the first round; a migration that has ended before its kill is counted as such.
 */
async function killInTheMiddle(rounds: number): Promise<readonly Killed[]> {
  const killed: Killed[] = [];
  const stepMs = Math.max(20, (products * 12) / 1_000 / Math.max(1, rounds));
  for (let round = 0; round < rounds; round += 1) {
    const child = program(['check', '--json']);
    const ended = once(child, 'exit');
    const begun = await workBegins(Date.now());
    const delayMs = stepMs * round + random() * stepMs;
    const isOver = await Promise.race([
      ended.then(() => true),
      new Promise<false>((later) => {
        setTimeout(() => later(false), delayMs);
      }),
    ]);
    child.kill('SIGKILL');
    await ended;
    const { version } = await countsOf();
    const hasEnded = isOver || version !== before.version;
    killed.push({ hadBegun: begun, hasEnded });
    console.error(
      `kill ${round + 1}: ${Math.round(delayMs)} ms into it, schema version ${version} afterwards`,
    );
    if (hasEnded) break;
  }
  return killed;
}

function program(args: readonly string[]) {
  return spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'] ?? '', ...database.env },
  });
}

/** True as soon as the process has written: the migration is the first thing that a command writes. */
async function workBegins(sinceMs: number): Promise<boolean> {
  for (let looks = 0; looks < 1_000; looks += 1) {
    if (await hasWritten(sinceMs)) return true;
    await new Promise((later) => {
      setTimeout(later, 5);
    });
  }
  return false;
}

async function hasWritten(sinceMs: number): Promise<boolean> {
  if (database.place.kind === 'postgres') {
    return withSql(async (sql) => {
      const rows = await sql.all(
        `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
           and query ~ '^(alter|update|delete|create|insert)' and state = 'active'`,
      );
      return rows.length > 0;
    });
  }
  // Rows of a transaction reach the log beside the file before its end only where there are many of them.
  const log = statSync(`${database.place.path}-wal`, { throwIfNoEntry: false });
  return log !== undefined && log.size > 0 && log.mtimeMs > sinceMs;
}

/** What the release before knew, as D56 wants it seen. */
async function expectRows(was: Counts): Promise<void> {
  await outputOf(program(['check', '--json']));
  await withSql(async (sql) => {
    const count = async (where: string): Promise<number> => {
      const [row] = await sql.all(`select count(*) as n from cells where ${where}`);
      return Number(row?.['n']);
    };
    expect('rows of shops are gone', await count(`retailer = '${SHOP}'`), 0);
    expect('no other row is gone', await count('1 = 1'), was.cells - was.ofShops);
    expect(
      'rows without a listing count as asked when they were checked',
      await count("status = 'not_found' and asked_at_ms = checked_at_ms"),
      was.foundNothing,
    );
    expect(
      'of rows with a listing it is unknown',
      await count('listing_id is not null and asked_at_ms is null'),
      was.cells - was.ofShops - was.foundNothing,
    );
  });
}

function expect(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) problems.push(`${what}: ${String(found)} instead of ${String(wanted)}`);
}

async function expectClean(): Promise<void> {
  const text = await outputOf(program(['check', '--json']));
  const { clean, problems: found } = JSON.parse(text) as {
    readonly clean: boolean;
    readonly problems: readonly string[];
  };
  if (!clean) problems.push(...found);
}

async function outputOf(child: ReturnType<typeof program>): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}

/** Held rows are served, by the anchor of D27, and those with a listing are asked again behind the answer. */
async function expectAnswers(): Promise<number> {
  const mapped = Object.values(publicOrigins()).flatMap(({ page, api }) => [
    page,
    ...Object.values(api),
  ]);
  const config = readConfig({
    ...database.env,
    PORT: '0',
    OPENSHELF_ORIGINS: [...new Set(mapped)].map((origin) => `${origin}=${NOWHERE}`).join(','),
  });
  await using service = await openDriven(config, { startMs: Date.now(), organizations: ['later'] });
  let answered = 0;
  for (let index = 0; index < SAMPLE; index += 1) {
    const gtin = barcodeOf(Math.floor(random() * products));
    const { status, body } = await service.get(`/v1/products/${gtin}`, 'later');
    const { _meta } = body as { readonly _meta?: { readonly price_source?: string } };
    if (status === 200 && _meta?.price_source === 'retailer_w') answered += 1;
    else problems.push(`${gtin}: ${status}, ${JSON.stringify(body).slice(0, 200)}`);
  }
  if ((await service.waiting()) === 0) problems.push('nothing was asked again behind the answers');
  return answered;
}
