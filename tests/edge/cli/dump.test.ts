// openshelf dump and load: everything a person would miss goes through a file from one database to the other and back
// unchanged; an incomplete file loads nothing, and an aborted load leaves nothing behind.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

import { issueKey } from '../../../src/data/metering/keys.ts';
import { openSnapshot } from '../../../src/data/maintenance/dump-ends.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { DUMPED_TABLES } from '../../../src/data/maintenance/dump-tables.ts';
import { dumpPieces } from '../../../src/data/maintenance/write-dump.ts';
import { createSecrets } from '../../../src/data/secrets.ts';
import type { StoreConfig } from '../../../src/data/store.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { runCommand, serveCommand, type CommandOptions } from '../../support/command.ts';
import { newDatabase, type TestDatabase } from '../../support/databases.ts';
import { contentOf, fillStore } from '../../support/filled-store.ts';
import { runProgram, serveProgram } from '../../support/program.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const SEED = seedOf(91);
const LAUNCHER = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
let folder: TemporaryFolder;
const databases: TestDatabase[] = [];

before(() => {
  folder = temporaryFolder();
});

after(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

type Kind = 'sqlite' | 'postgres';
type Env = Readonly<Record<string, string>>;
type Place = { readonly config: StoreConfig; readonly env: Env; readonly folder: string };
const KINDS = ['sqlite', 'postgres'] as const;

let made = 0;

function newName(ending: string): string {
  return join(folder.path, `${(made += 1)}${ending}`);
}

/** A place without data: a folder that does not exist, or an empty database. */
async function newPlace(kind: Kind): Promise<Place> {
  const data = newName('-data');
  if (kind === 'sqlite') {
    const config = { kind, path: join(data, 'openshelf.db') };
    return { config, env: { OPENSHELF_DATA: data, DATABASE_URL: '' }, folder: data };
  }
  const database = await newDatabase('empty');
  databases.push(database);
  const { url } = database;
  return { config: { kind, url }, env: { OPENSHELF_DATA: data, DATABASE_URL: url }, folder: data };
}

async function filledPlace(kind: Kind, rowsOf?: (table: string) => number): Promise<Place> {
  const place = await newPlace(kind);
  await using store = await openStore(place.config);
  await fillStore(store.sql, randomFrom(SEED), rowsOf);
  return place;
}

async function contentAt({ config }: Place) {
  await using store = await openStore(config);
  return dumpedContent(store);
}

/** Returns every value that a dump contains. */
async function dumpedContent({ sql }: Pick<Store, 'sql'>) {
  const content = await contentOf(sql);
  const tables = DUMPED_TABLES.map(({ name, columns }) => {
    const rows = (content[name] ?? []).map((row) => columns.map((column) => row[column]));
    return [name, rows] as const;
  });
  return Object.fromEntries(tables);
}

function dumpTo(file: string, { env }: Place, how: CommandOptions = {}) {
  return runCommand(['dump', file, '--json'], { env, ...how });
}

function loadFrom(file: string, { env }: Place, how: CommandOptions = {}) {
  return runCommand(['load', file, '--json'], { env, ...how });
}

async function dumpOf(place: Place, ending = '.jsonl'): Promise<string> {
  const file = newName(ending);
  const done = await dumpTo(file, place);
  assert.equal(done.code, 0, done.stdout);
  return file;
}

/** Returns the command's refusal message. */
async function refusal(file: string, place: Place): Promise<string> {
  const { code, json, out } = await loadFrom(file, place);
  assert.equal(code, 1, out.join('\n'));
  return String(json['detail']);
}

/** Checks that nothing was loaded, and that a good file still can be. */
async function assertEmpty(place: Place): Promise<void> {
  const stored = await contentAt(place);
  assert.deepEqual([...new Set(Object.values(stored).map((rows) => rows.length))], [0]);
}

test('counts, SHA-256 and every value are the same after SQLite, PostgreSQL and SQLite again', async () => {
  const rowsOf = (name: string) => (name === 'observations' ? 2_300 : 60);
  const first = await filledPlace('sqlite', rowsOf);
  const stored = await contentAt(first);
  for (const { name } of DUMPED_TABLES) assert.ok((stored[name]?.length ?? 0) > 0, name);
  const out = newName('.jsonl');
  const there = await dumpTo(out, first);
  assert.equal(there.code, 0, there.stdout);
  const second = await newPlace('postgres');
  const loaded = await loadFrom(out, second);
  assert.equal(loaded.code, 0, loaded.stdout);
  const back = newName('.jsonl.gz');
  const again = await dumpTo(back, second);
  const third = await newPlace('sqlite');
  const returned = await loadFrom(back, third);
  assert.equal(returned.code, 0, returned.stdout);
  const tables = there.json['tables'] as readonly { readonly table: string }[];
  assert.deepEqual(
    tables.map(({ table }) => table),
    DUMPED_TABLES.map(({ name }) => name),
  );
  for (const each of [loaded, again, returned]) {
    assert.deepEqual(each.json['tables'], tables);
    assert.equal(each.json['rows'], Object.values(stored).flat().length);
  }
  assert.deepEqual(await contentAt(second), stored);
  assert.deepEqual(await contentAt(third), stored);
  assert.deepEqual(await contentAt(first), stored);
});

test('a dump of the last program before this one is loaded: it has the same tables, and numbered its schemas otherwise', async () => {
  const place = await filledPlace('sqlite', () => 3);
  const file = await dumpOf(place);
  const lines = readFileSync(file, 'utf8');
  const before = (schema: number) => {
    const header = `"format_version":1,"program":"0.1.0","schema_version":${schema},`;
    const name = newName('.jsonl');
    writeFileSync(name, lines.replace(/"format_version":.*?"schema_version":\d+,/, header));
    return name;
  };
  const target = await newPlace('sqlite');
  const loaded = await loadFrom(before(26), target);
  assert.equal(loaded.code, 0, loaded.stdout);
  assert.deepEqual(await contentAt(target), await contentAt(place));
  assert.match(
    await refusal(before(25), await newPlace('sqlite')),
    /load it with the program that wrote it/,
  );
});

/** Returns the lines of a dump as an older schema wrote them: without some columns, and with sums that fit. */
function withoutColumns(lines: readonly string[], schema: number, gone: Columns): string {
  let left: readonly number[] = [];
  let hash = createHash('sha256');
  const written = lines.map((line) => {
    const value = JSON.parse(line) as Record<string, unknown> | readonly unknown[];
    if (Array.isArray(value)) {
      const text = JSON.stringify(left.map((at) => (value as readonly unknown[])[at]));
      hash.update(`${text}\n`);
      return text;
    }
    const mark = value as Record<string, unknown>;
    if ('schema_version' in mark) return JSON.stringify({ ...mark, schema_version: schema });
    if ('sha256' in mark) return JSON.stringify({ ...mark, sha256: hash.digest('hex') });
    if (!('columns' in mark)) return line;
    const columns = mark['columns'] as readonly string[];
    const kept = columns.filter((name) => gone[String(mark['table'])]?.includes(name) !== true);
    left = kept.map((name) => columns.indexOf(name));
    hash = createHash('sha256');
    return JSON.stringify({ ...mark, columns: kept });
  });
  return `${written.join('\n')}\n`;
}

type Columns = Readonly<Record<string, readonly string[]>>;

for (const kind of KINDS) {
  test(`a dump of an older schema is loaded, and its amounts are in minor units then: ${kind}`, async () => {
    const place = await newPlace('sqlite');
    {
      await using store = await openStore(place.config);
      const listing = `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms, fetched_at_ms,
        record, price_cents, currency) values ($1, 'lampshop', $1, 'https://lampshop.example/1', 'submitted_url', 'read', 1, 1, $2, $3, $4)`;
      const seen = `insert into observations (day, listing_id, observed_at_ms, native_cents, native_currency)
        values (20000, $1, 1728000000000, $2, $3)`;
      // In hundredths, as they were before.
      for (const [id, cents, currency] of [
        ['yen', 198_000, 'JPY'],
        ['dinars', 457, 'KWD'],
        ['euros', 1999, 'EUR'],
      ] as const) {
        const record = JSON.stringify({ listing: { price: { cents, currency } } });
        await store.sql.write([
          { text: listing, params: [id, record, cents, currency] },
          { text: seen, params: [id, cents, currency] },
        ]);
      }
    }
    const lines = readFileSync(await dumpOf(place), 'utf8')
      .trimEnd()
      .split('\n');
    const origins = ['layer_of', 'is_layered', 'organization_id', 'is_shared', 'source', 'door'];
    const file = newName('.jsonl');
    writeFileSync(file, withoutColumns(lines, 1, { listings: origins }));
    const target = await newPlace(kind);
    const loaded = await loadFrom(file, target);
    assert.equal(loaded.code, 0, loaded.stdout);
    await using store = await openStore(target.config);
    const rows = await store.sql.all(
      `select id, listings.price_cents, native_cents from listings join observations on listing_id = id order by id`,
    );
    assert.deepEqual(
      rows.map((row) => [row['id'], row['price_cents'], row['native_cents']]),
      [
        ['dinars', 4570, 4570],
        ['euros', 1999, 1999],
        ['yen', 1980, 1980],
      ],
    );
    const yen = await store.listings.findListingById('yen');
    assert.deepEqual(yen?.listing.price, { cents: 1980, currency: 'JPY' });
    assert.deepEqual(await checkStore(store.sql), []);
  });
}

test('the SHA-256 of a table is that of its lines in the file, which needs no program to be checked', async () => {
  const place = await filledPlace('sqlite');
  const file = newName('.jsonl');
  const { json } = await dumpTo(file, place);
  assert.equal(json['bytes'], statSync(file).size);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const { table, rows, sha256 } of json['tables'] as readonly {
    readonly table: string;
    readonly rows: number;
    readonly sha256: string;
  }[]) {
    const from = lines.findIndex((line) => line.startsWith(`{"table":"${table}","columns"`)) + 1;
    const own = lines.slice(from, from + rows).map((line) => `${line}\n`);
    assert.equal(createHash('sha256').update(own.join('')).digest('hex'), sha256, table);
    assert.deepEqual(JSON.parse(lines[from + rows] ?? ''), { table, rows, sha256 });
  }
  const header = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.deepEqual(
    [header['format'], header['format_version'], header['database'], header['rows']],
    ['openshelf-dump', 2, 'sqlite', json['rows']],
  );
});

test('a name that is taken is refused, and the file that has it stays', async () => {
  const place = await filledPlace('sqlite');
  const file = newName('.jsonl');
  writeFileSync(file, 'mine');
  const done = await dumpTo(file, place);
  assert.equal(done.code, 1);
  assert.match(String(done.json['detail']), /already exists: choose another file name/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
});

/** Lines of the file, of which the tests below change some. */
type Change = (lines: readonly string[]) => readonly string[];

const at = (lines: readonly string[], begin: string): number => {
  const found = lines.findIndex((line) => line.startsWith(begin));
  assert.ok(found !== -1, begin);
  return found;
};
const opening = (lines: readonly string[], table: string): number =>
  at(lines, `{"table":"${table}","columns"`);
const closing = (lines: readonly string[], table: string): number =>
  at(lines, `{"table":"${table}","rows"`);
const edit = (line: number, change: (text: string) => string, lines: readonly string[]) =>
  lines.with(line, change(lines[line] ?? ''));

/** Returns the file as forged by someone who also corrects counts and hashes. */
function forged(lines: readonly string[], table: string): readonly string[] {
  const [from, to] = [opening(lines, table) + 1, closing(lines, table)];
  const own = lines.slice(from, to);
  const sha256 = createHash('sha256')
    .update(own.map((line) => `${line}\n`).join(''))
    .digest('hex');
  const closed = lines.with(to, JSON.stringify({ table, rows: own.length, sha256 }));
  const all = closed.filter((line) => line.startsWith('[')).length;
  const end = closed.length - 1;
  return edit(end, (text) => text.replace(/"rows":\d+/, `"rows":${all}`), closed);
}

const REFUSED: readonly (readonly [what: string, change: Change, said: RegExp])[] = [
  ['an empty file', () => [], /is not a file that openshelf dump wrote/],
  ['another JSON file', () => ['{"a":1}'], /is not a file that openshelf dump wrote/],
  [
    'a file of a newer format',
    (lines) => edit(0, (text) => text.replace('"format_version":2', '"format_version":3'), lines),
    /is of format 3, written by openshelf \d.*newer program/,
  ],
  [
    'a file of a newer schema',
    (lines) =>
      edit(0, (text) => text.replace(/"schema_version":\d+/, '"schema_version":99'), lines),
    /has schema version 99, .* load it with the newer program/,
  ],
  [
    'a first line without its moment',
    (lines) => edit(0, (text) => text.replace(/"made_at":"[^"]+"/, '"made_at":""'), lines),
    /has a first line that is damaged/,
  ],
  ['a file without its last line', (lines) => lines.slice(0, -1), /its last line is missing/],
  [
    'a file that ends in a table',
    (lines) => lines.slice(0, closing(lines, 'listings') - 3),
    /is cut off: it ends in the table listings/,
  ],
  [
    'a file that ends between two tables',
    (lines) => lines.slice(0, opening(lines, 'reviews')),
    /is cut off: the table reviews is missing/,
  ],
  [
    'another value',
    (lines) => edit(opening(lines, 'sellers') + 2, (text) => text.replace('3p', '1p'), lines),
    /the rows of sellers are not those that were written/,
  ],
  [
    'a row that is gone',
    (lines) => lines.toSpliced(opening(lines, 'offer_lists') + 1, 1),
    /offer_lists has 29 rows, and should have 30/,
  ],
  [
    'a row that is no JSON',
    (lines) => edit(opening(lines, 'shops') + 3, (text) => text.slice(0, -2), lines),
    /row 3 of shops: /,
  ],
  [
    'a table that is gone',
    (lines) =>
      lines.toSpliced(
        opening(lines, 'reviews'),
        closing(lines, 'reviews') + 1 - opening(lines, 'reviews'),
      ),
    /the table review_totals is where reviews should be/,
  ],
  [
    'a table that nobody knows',
    (lines) => edit(opening(lines, 'shops'), (text) => text.replace('shops', 'shoes'), lines),
    /has a table that this program does not know: "shoes"/,
  ],
  [
    'a table that nobody knows at the end',
    (lines) => lines.toSpliced(-1, 0, '{"table":"shoes","columns":["id"]}'),
    /has a table that this program does not know: "shoes"/,
  ],
  [
    'a column that nobody knows',
    (lines) => edit(opening(lines, 'shops'), (text) => text.replace('"domain"', '"size"'), lines),
    /has a column that this program does not know: "size" of shops/,
  ],
  [
    'columns in another order',
    (lines) =>
      edit(
        opening(lines, 'shops'),
        (text) => text.replace('"slug","domain"', '"domain","slug"'),
        lines,
      ),
    /has them in another order/,
  ],
  [
    'a row with a value too many, its hash made new',
    (lines) =>
      forged(
        edit(opening(lines, 'shops') + 1, (text) => text.replace('[', '[1,'), lines),
        'shops',
      ),
    /row 1 of shops: it has 4 values, and the table 3 columns/,
  ],
  [
    'a row that is there twice, its hash made new',
    (lines) => {
      const first = opening(lines, 'organizations') + 1;
      return forged(lines.toSpliced(first, 0, lines[first] ?? ''), 'organizations');
    },
    /rows 1 to 31 of organizations cannot be stored: /,
  ],
  [
    'a row that points to nothing, its hash made new',
    (lines) =>
      forged(
        edit(opening(lines, 'offer_lists') + 1, (text) => text.replace('"l0"', '"nobody"'), lines),
        'offer_lists',
      ),
    /offer_lists cannot be stored: /,
  ],
  [
    'half of a surrogate pair, its hash made new',
    (lines) =>
      forged(
        edit(opening(lines, 'shops') + 1, (text) => text.replace(/"d\d+"/, '"\\ud800"'), lines),
        'shops',
      ),
    /row 1 of shops: value 2 contains half of a surrogate pair/,
  ],
  [
    'a NUL, its hash made new',
    (lines) =>
      forged(
        edit(opening(lines, 'shops') + 1, (text) => text.replace(/"d\d+"/, '"\\u0000"'), lines),
        'shops',
      ),
    /row 1 of shops: .* NUL/,
  ],
  [
    'a number that would be rounded, its hash made new',
    (lines) =>
      forged(
        edit(
          opening(lines, 'shops') + 1,
          (text) => text.replace(/\d+\]$/, '9007199254740993]'),
          lines,
        ),
        'shops',
      ),
    /row 1 of shops: .* not an exact finite number/,
  ],
  [
    'a number that is written in another way, its hash made new',
    (lines) =>
      forged(
        edit(opening(lines, 'shops') + 1, (text) => text.replace(/\]$/, 'e0]'), lines),
        'shops',
      ),
    /does not return the rows of shops as they were written/,
  ],
  [
    'a line behind the last one',
    (lines) => [...lines, '[]'],
    /there is something after its last line/,
  ],
  [
    'a last line of another file',
    (lines) => edit(lines.length - 1, (text) => text.replace(/\d+\}$/, '1}'), lines),
    /its last line does not match/,
  ],
];

/** Full titles: the contract names them. */
const NOT_WHOLE = {
  sqlite:
    'a file that is not whole, or not ours, is refused with the reason and loads nothing: sqlite',
  postgres:
    'a file that is not whole, or not ours, is refused with the reason and loads nothing: postgres',
};
const KILLED = {
  sqlite: 'a load that is killed half-way leaves an empty store, and runs again: sqlite',
  postgres: 'a load that is killed half-way leaves an empty store, and runs again: postgres',
};

for (const kind of KINDS) {
  test(NOT_WHOLE[kind], async () => {
    const place = await newPlace(kind);
    const good = await dumpOf(await filledPlace('sqlite'));
    const lines = readFileSync(good, 'utf8').trimEnd().split('\n');
    const file = newName('.jsonl');
    for (const [what, change, said] of REFUSED) {
      writeFileSync(
        file,
        change(lines)
          .map((line) => `${line}\n`)
          .join(''),
      );
      assert.match(await refusal(file, place), said, what);
    }
    await assertEmpty(place);
    assert.equal((await loadFrom(good, place)).code, 0);
  });
}

test('a file that is cut or changed at any byte is refused: in the middle of a line, of a character, compressed', async () => {
  const place = await newPlace('sqlite');
  const whole = readFileSync(await dumpOf(await filledPlace('sqlite', () => 12)));
  const file = newName('.jsonl');
  const refused = async (bytes: Uint8Array) => {
    writeFileSync(file, bytes);
    return await refusal(file, place);
  };
  for (let cut = 1; cut < 20; cut += 1) {
    const length = Math.floor((whole.length * cut) / 20);
    assert.match(await refused(whole.subarray(0, length)), /cut off|UTF-8/);
  }
  const packed = gzipSync(whole);
  assert.match(await refused(packed.subarray(0, packed.length >> 1)), /is cut off/);
  const spoilt = Buffer.from(packed);
  spoilt.fill(0xff, packed.length >> 1, (packed.length >> 1) + 40);
  assert.match(await refused(spoilt), /is damaged/);
  assert.match(
    await refused(Buffer.from('SQLite format 3\0')),
    /is not a file that openshelf dump/,
  );
  await assertEmpty(place);
});

test('a file is compressed by its name, and read by its content', async () => {
  const source = await filledPlace('sqlite');
  const packed = await dumpOf(source, '.jsonl.gz');
  const plain = newName('.gz');
  writeFileSync(plain, gunzipSync(readFileSync(packed)));
  const target = await newPlace('sqlite');
  assert.equal((await loadFrom(plain, target)).code, 0);
  assert.deepEqual(await contentAt(target), await contentAt(source));
});

test('- is standard output and standard input of programs that are joined by a pipe', async () => {
  const source = await filledPlace('sqlite', (name) => (name === 'observations' ? 20_000 : 30));
  const target = await newPlace('sqlite');
  const file = newName('.jsonl');
  const { OPENSHELF_DATA: from = '' } = source.env;
  const { OPENSHELF_DATA: to = '' } = target.env;
  const script = `"$0" "$1" dump - --data "$2" | "$0" "$1" load - --data "$3" &&
    "$0" "$1" dump - --data "$2" > "$4"`;
  const shell = spawn('sh', ['-c', script, process.execPath, LAUNCHER, from, to, file], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'] },
    stdio: 'inherit',
  });
  assert.equal(await new Promise((resolve) => shell.once('close', resolve)), 0);
  assert.deepEqual(await contentAt(target), await contentAt(source));
  assert.equal((await loadFrom(file, await newPlace('sqlite'))).code, 0);
});

for (const kind of KINDS) {
  test(KILLED[kind], async () => {
    const source = await filledPlace('sqlite', (name) => (name === 'observations' ? 30_000 : 30));
    const file = await dumpOf(source);
    const bytes = readFileSync(file);
    const target = await newPlace(kind);
    const child = spawn(process.execPath, [LAUNCHER, 'load', '-'], {
      cwd: folder.path,
      env: { ...target.env, PATH: process.env['PATH'] },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.stdin.on('error', () => undefined);
    // More was read than a pipe buffers: the load is in the middle of its rows.
    const half = bytes.subarray(0, Math.floor(bytes.length * 0.8));
    await new Promise((resolve) => child.stdin.write(half, resolve));
    child.kill('SIGKILL');
    await ended;
    await assertEmpty(target);
    const done = await loadFrom(file, target);
    assert.equal(done.code, 0, done.stdout);
    assert.deepEqual(await contentAt(target), await contentAt(source));
  });

  test(`told to stop, a load leaves nothing and a dump no file: ${kind}`, async () => {
    const source = await filledPlace(kind);
    const stopped = newName('.jsonl');
    const dumped = await dumpTo(stopped, source, { stopAt: /dumping listings/ });
    assert.equal(dumped.code, 1);
    assert.match(dumped.err.at(-1) ?? '', /No file remains/);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => join(folder.path, name).startsWith(stopped)),
      [],
    );
    const file = await dumpOf(source);
    const target = await newPlace(kind);
    for (const stopAt of [/loading organizations/, /loading deliveries/]) {
      const loaded = await loadFrom(file, target, { stopAt });
      assert.equal(loaded.code, 1);
      assert.match(loaded.err.at(-1) ?? '', /Nothing was loaded/);
      await assertEmpty(target);
    }
    assert.equal((await loadFrom(file, target)).code, 0);
  });

  test(`a target that holds anything is refused by name and left as it is: ${kind}`, async () => {
    const file = await dumpOf(await filledPlace('sqlite'));
    const target = await newPlace(kind);
    {
      await using store = await openStore(target.config);
      await issueKey(store.accounts, { organization: 'mine', note: null }, 0);
    }
    const stored = await contentAt(target);
    assert.match(await refusal(file, target), /already contains data \(organizations: 1\)/);
    assert.deepEqual(await contentAt(target), stored);
    const done = await newPlace(kind);
    assert.equal((await loadFrom(file, done)).code, 0);
    assert.match(await refusal(file, done), /already contains data/);
  });

  test(`nothing is loaded into what a service has open: ${kind}`, async () => {
    const file = await dumpOf(await filledPlace('sqlite'));
    const target = await newPlace(kind);
    await using service = await serveProgram(['--port', '0'], target.env);
    try {
      assert.match(await refusal(file, target), /another process has it open/);
    } finally {
      assert.equal(await service.stop('SIGTERM'), 0);
    }
    assert.equal((await loadFrom(file, target)).code, 0);
  });

  test(`a dump has the data of one moment, whatever is written meanwhile: ${kind}`, async () => {
    const place = await filledPlace(kind);
    await using store = await openStore(place.config);
    const stored = await dumpedContent(store);
    await using snapshot = await openSnapshot(place.config);
    const about = { program: 'x', madeAtMs: 0, takedowns: [] };
    const watch = { stop: AbortSignal.any([]), begun() {}, at() {}, ended() {} };
    const rows: Record<string, unknown[]> = {};
    let table = '';
    for await (const piece of dumpPieces(snapshot, about, watch)) {
      for (const line of piece.trimEnd().split('\n')) {
        const value = JSON.parse(line) as unknown[] | { readonly table?: string };
        if (Array.isArray(value)) rows[table]?.push(value);
        else if ('columns' in value && value.table !== undefined) rows[(table = value.table)] = [];
        if (table === '' || Array.isArray(value)) continue;
        const id = `during ${table}`;
        await store.sql.write([
          { text: `delete from deliveries where id = (select max(id) from deliveries)` },
          {
            text: `insert into shops (slug, domain, claimed_at_ms) values ($1, $1, 1) on conflict do nothing`,
            params: [id],
          },
        ]);
      }
    }
    assert.deepEqual(rows, stored);
    assert.notDeepEqual(await dumpedContent(store), stored);
  });

  test(`a service goes on with what was loaded: the same keys and prices, and its debits are numbered on: ${kind}`, async () => {
    const other = kind === 'sqlite' ? 'postgres' : 'sqlite';
    const source = await newPlace(kind);
    let key = '';
    let upc = '';
    {
      await using service = await startService({ withRetailers: true, env: source.env });
      key = service.key;
      upc = service.sandbox.describe().upc;
      const asked = await service.lookup(upc, '?include_offers=true&include_cross_retailer=true');
      assert.equal(asked.status, 200);
      await service.untilQueueIdle();
      // While the service is running.
      const beside = newName('.jsonl');
      assert.equal((await dumpTo(beside, source)).code, 0);
    }
    const exported = await runCommand(['export'], { env: source.env });
    assert.ok(exported.stdout.split('\n').length > 5);
    const file = await dumpOf(source);
    const target = await newPlace(other);
    assert.equal((await loadFrom(file, target)).code, 0);
    assert.equal((await runCommand(['export'], { env: target.env })).stdout, exported.stdout);
    const service = await serveCommand(['--port', '0'], target.env);
    for (let call = 0; call < 3; call += 1) {
      const answer = await fetch(`${service.url}/v1/products/${upc}/history?retailer=all`, {
        headers: { authorization: `Bearer ${key}` },
      });
      assert.equal(answer.status, 200, await answer.text());
    }
    assert.equal(await service.stop(), 0);
    const check = await runCommand(['check', '--json'], { env: target.env });
    assert.deepEqual(check.json, { clean: true, problems: [] });
  });
}

test('what is taken down is deleted from what is loaded, whichever list names it, and the new folder has the whole list', async () => {
  for (const kind of KINDS) {
    const source = await newPlace('sqlite');
    let urls: readonly string[] = [];
    {
      await using service = await startService({ env: source.env });
      urls = Object.values(service.sandbox.describe().url);
      for (const each of urls) assert.equal((await service.lookup(each)).status, 200);
    }
    const [inTable = '', inFolder = '', inTarget = ''] = urls.map((url) => new URL(url).hostname);
    // As if the process that took it down had died: the list has it, and the data is still there.
    await using store = await openStore(source.config);
    const takenDown = { taken_down_at: '2026-01-01T00:00:00Z', undone_at: null };
    const listed = (host: string) => JSON.stringify({ takedowns: [{ host, ...takenDown }] });
    await store.sql.write([
      {
        text: 'insert into takedowns (host, taken_down_at_ms) values ($1, 1)',
        params: [inTable],
      },
    ]);
    writeFileSync(join(source.folder, 'takedowns.json'), listed(inFolder));
    const file = await dumpOf(source);
    const target = await newPlace(kind);
    mkdirSync(target.folder, { recursive: true });
    writeFileSync(join(target.folder, 'takedowns.json'), listed(inTarget));
    const done = await loadFrom(file, target);
    assert.equal(done.code, 0, done.stdout);
    const hosts = [inTable, inFolder, inTarget].sort();
    assert.deepEqual([...(done.json['taken_down'] as string[])].sort(), hosts);
    const stored = await contentAt(target);
    const at = DUMPED_TABLES.find(({ name }) => name === 'listings')?.columns.indexOf('url') ?? -1;
    const left = (stored['listings'] ?? []).map((row) => new URL(String(row[at])).hostname);
    assert.deepEqual(
      left.filter((host) => hosts.includes(host)),
      [],
    );
    assert.equal((stored['takedowns'] ?? []).length, 3);
    const list = readFileSync(join(target.folder, 'takedowns.json'), 'utf8');
    for (const host of hosts) assert.match(list, new RegExp(`"${host}"`));
  }
});

test('both commands say that the key of the channels has to be carried along, until it is there', async () => {
  const source = await filledPlace('sqlite');
  const secrets = createSecrets({ secretsKey: null, folder: source.folder });
  const sealed = secrets.seal('channel', 'where it leads') ?? '';
  {
    await using store = await openStore(source.config);
    await store.sql.write([{ text: 'update channels set target = $1', params: [sealed] }]);
  }
  const file = newName('.jsonl');
  const key = join(source.folder, 'secrets.key');
  const dumped = await dumpTo(file, source);
  assert.match(dumped.stderr, new RegExp(`Copy ${key} too`));
  assert.ok(!readFileSync(file, 'utf8').includes(readFileSync(key, 'utf8').trim()));
  const lacking = await loadFrom(file, await newPlace('sqlite'));
  assert.equal(lacking.json['locked_channels'], 30);
  assert.match(lacking.stderr, /30 channels cannot be read yet.*secrets\.key/);
  for (const kind of KINDS) {
    const target = await newPlace(kind);
    const env = { ...target.env, OPENSHELF_SECRETS_KEY: readFileSync(key, 'utf8').trim() };
    const loaded = await loadFrom(file, target, { env });
    assert.equal(loaded.json['locked_channels'], 0);
    assert.equal(loaded.stderr.includes('cannot be read yet'), false);
  }
});

test('dump refuses a folder without data, and load a file that does not exist', async () => {
  const nowhere = await newPlace('sqlite');
  const dumped = await dumpTo(newName('.jsonl'), nowhere);
  assert.equal(dumped.code, 1);
  assert.match(String(dumped.json['detail']), /There is no data in/);
  assert.match(await refusal(newName('.jsonl'), nowhere), /does not exist/);
  assert.match(await refusal(folder.path, nowhere), /is a folder/);
  assert.ok(!existsSync(nowhere.folder));
  const piped = await runProgram(['dump', '-', '--json'], nowhere.env);
  assert.equal(piped.code, 2);
});

const ODD_TEXTS = [
  '',
  ' ',
  'null',
  '0',
  '[]',
  '{"table":"shops"}',
  '\u0001\u001f\u007f\u0085\u2028\u2029\ufeff\ufffe\uffff',
  '\r\n\t\\"',
  '\u{1f980}\u{1f469}\u200d\u{1f680}',
  'e\u0301 \u00e9',
  '\u05d0\u202e',
  'x'.repeat(3_000_000),
  '\u{1f980}'.repeat(400_000),
] as const;
const ODD_NUMBERS = [0, -0, 1e-7, 0.1 + 0.2, 5e-324, 4.5, 1 / 3, 1e15, -2.5, 2 ** 53 - 1] as const;

test(`odd values come back exactly on both databases: texts, the largest number, fractions, minus zero, null (seed ${SEED})`, async () => {
  const random = randomFrom(SEED);
  const source = await newPlace('sqlite');
  await using store = await openStore(source.config);
  const texts = [...ODD_TEXTS, ...Array.from({ length: 200 }, () => randomText(random))];
  for (const [index, text] of texts.entries()) {
    await store.sql.write([
      {
        text: `insert into reviews (item_id, review_id, day, stars, is_verified, title, body, seen_at_ms)
          values ($1, $2, '2026-02-28', 5, $3, $4, $5, $6)`,
        params: [
          text.slice(0, 600),
          `${index}`,
          pick(random, [null, 0, 1]),
          pick(random, [null, '', text]),
          text,
          pick(random, [0, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]),
        ],
      },
    ]);
  }
  for (const [index, average] of [...ODD_NUMBERS, ...texts.map(random)].entries()) {
    await store.sql.write([
      {
        text: 'insert into review_totals (item_id, average, total, fetched_at_ms) values ($1, $2, $3, 0)',
        params: [`${index}`, average, pick(random, [null, Number.MAX_SAFE_INTEGER])],
      },
    ]);
  }
  const stored = await dumpedContent(store);
  const there = newName('.jsonl.gz');
  const dumped = await dumpTo(there, source);
  assert.equal(dumped.code, 0, dumped.stdout);
  const server = await newPlace('postgres');
  assert.deepEqual((await loadFrom(there, server)).json['tables'], dumped.json['tables']);
  assert.deepEqual(await contentAt(server), stored);
  const back = await dumpOf(server);
  const again = await newPlace('sqlite');
  assert.deepEqual((await loadFrom(back, again)).json['tables'], dumped.json['tables']);
  assert.deepEqual(await contentAt(again), stored);
});

/** Returns any characters that both databases store. */
function randomText(random: () => number): string {
  const characters = Array.from({ length: integerBelow(random, 40) }, () => {
    const point = 1 + integerBelow(random, pick(random, [0x7f, 0x7ff, 0xffff, 0x10ffff]));
    return String.fromCodePoint(point >= 0xd800 && point <= 0xdfff ? 0xfffd : point);
  });
  return characters.join('');
}

const UNSTORABLE: readonly (readonly [kind: Kind, value: string, said: RegExp])[] = [
  ['sqlite', "update shops set domain = 'a' || char(0)", /shops .*slug.* NUL/],
  ['sqlite', 'update shops set claimed_at_ms = 9007199254740993', /shops .*9007199254740993/],
  ['sqlite', 'update review_totals set average = 9e999', /review_totals .*Infinity/],
  ['postgres', 'update shops set claimed_at_ms = 9007199254740993', /shops .*9007199254740993/],
  ['postgres', "update review_totals set average = 'NaN'", /review_totals .*NaN/],
];

test('what somebody wrote by hand and the other database could not store is named, and no file is left', async () => {
  for (const [kind, text, said] of UNSTORABLE) {
    const place = await filledPlace(kind, (name) => (name === 'shops' ? 1 : 3));
    {
      await using store = await openStore(place.config);
      await store.sql.write([{ text }]);
    }
    const file = newName('.jsonl');
    const done = await dumpTo(file, place);
    assert.equal(done.code, 1, text);
    assert.match(String(done.json['detail']), said);
    assert.ok(!existsSync(file) && !existsSync(`${file}.part`) && !existsSync(`${file}.lock`));
  }
});
