// openshelf migrate-store: everything stored arrives, once; an interrupted move continues; and nothing is moved out of, or
// into, data that is in use.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { readConfig } from '../../../src/edge/config.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { migrate, readMigrations } from '../../../src/data/migrate.ts';
import { openMoveSource } from '../../../src/data/maintenance/move-ends.ts';
import { readMoveProgress } from '../../../src/data/maintenance/move-progress.ts';
import { moveStore } from '../../../src/data/maintenance/move-store.ts';
import { createSecrets } from '../../../src/data/secrets.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import type { Sql } from '../../../src/data/sql.ts';
import { openSqlite } from '../../../src/data/sqlite/sqlite.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { TABLES } from '../../../src/data/maintenance/tables.ts';
import {
  runCommand,
  serveCommand,
  type CommandOptions,
  type RanCommand,
} from '../../support/command.ts';
import { newDatabase, type TestDatabase } from '../../support/databases.ts';
import { contentOf, fillStore } from '../../support/filled-store.ts';
import { serveProgram } from '../../support/program.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const SEED = seedOf(2_026);
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

let places = 0;

/** A place without data: a folder that does not exist, or an empty database. */
async function newPlace(kind: Kind): Promise<string> {
  places += 1;
  return kind === 'sqlite' ? join(folder.path, `data-${places}`) : await placeOn('empty');
}

async function placeOn(how: 'empty' | 'migrated'): Promise<string> {
  const database = await newDatabase(how);
  databases.push(database);
  return database.url;
}

function openPlace(place: string): Promise<Store> {
  if (place.startsWith('postgres:')) return openStore({ kind: 'postgres', url: place });
  return openStore({ kind: 'sqlite', path: join(place, 'openshelf.db') });
}

/** Opens the database alone, without the rules of a store. */
function openRaw(place: string) {
  if (place.startsWith('postgres:')) return openPostgres({ url: place });
  return openSqlite({ path: join(place, 'openshelf.db') });
}

/** A folder filled like all those requested without `rowsOf`. */
let filled: Promise<string> | null = null;

async function filledPlace(kind: Kind, rowsOf?: (table: string) => number): Promise<string> {
  if (kind === 'postgres') return await fill(await placeOn('migrated'), rowsOf);
  const place = await newPlace(kind);
  if (rowsOf !== undefined) return await fill(place, rowsOf);
  filled ??= fill(join(folder.path, 'filled'));
  cpSync(await filled, place, { recursive: true });
  return place;
}

async function fill(place: string, rowsOf?: (table: string) => number): Promise<string> {
  await using store = await openPlace(place);
  await fillStore(store.sql, randomFrom(SEED), rowsOf);
  return place;
}

async function contentAt(place: string) {
  await using store = await openPlace(place);
  return await contentOf(store.sql);
}

function move(from: string, to: string, how: CommandOptions = {}): Promise<RanCommand> {
  const json = how.watched === true ? [] : ['--json'];
  return runCommand(['migrate-store', '--from', from, '--to', to, ...json], how);
}

/** Returns the command's refusal message. */
async function refusal(from: string, to: string, how: CommandOptions = {}): Promise<string> {
  const { code, json, out } = await move(from, to, how);
  assert.equal(code, 1, out.join('\n'));
  return String(json['detail']);
}

const UNWATCHED = {
  stop: new AbortController().signal,
  begun: () => undefined,
  at: () => undefined,
};

const NEXT_STEPS: readonly (readonly [Kind, Kind])[] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
];

for (const [from, to] of NEXT_STEPS) {
  test(`every row of every table arrives as it was: ${from} to ${to} (seed ${SEED})`, async () => {
    const source = await filledPlace(from, (name) => (name === 'observations' ? 2_300 : 60));
    const stored = await contentAt(source);
    for (const { name } of TABLES) assert.ok((stored[name]?.length ?? 0) > 0, name);
    const target = await newPlace(to);
    const done = await move(source, target);
    assert.equal(done.code, 0, done.out.join('\n'));
    assert.equal(done.json['complete'], true);
    assert.equal(done.json['resumed_after_rows'], null);
    assert.equal(done.json['rows'], Object.values(stored).flat().length);
    assert.ok(done.err.includes('copied observations: 2300 rows'), done.err.join('\n'));
    assert.deepEqual(await contentAt(target), stored);
    assert.deepEqual(await contentAt(source), stored);
    if (to === 'postgres') assert.equal(await plannedFor(target, 'observations'), 2_300);
  });
}

/** Returns the row count PostgreSQL plans with; -1 before it has counted. */
async function plannedFor(place: string, table: string): Promise<number> {
  await using sql = await openRaw(place);
  const rows = await sql.all('select reltuples as planned from pg_class where relname = $1', [
    table,
  ]);
  return Number(rows[0]?.['planned']);
}

test('there and back again by another way: the checksums are those of the content, not of a database', async () => {
  const first = await filledPlace('sqlite');
  const second = await newPlace('postgres');
  const third = await newPlace('sqlite');
  const there = await move(first, second);
  const back = await move(second, third);
  assert.equal(back.code, 0, back.out.join('\n'));
  assert.deepEqual(back.json['tables'], there.json['tables']);
  assert.equal((back.json['tables'] as readonly unknown[]).length, TABLES.length);
  assert.deepEqual(await contentAt(third), await contentAt(first));
});

test('the key of the channels goes along to a folder, and for PostgreSQL the command says which setting it becomes', async () => {
  const source = await filledPlace('sqlite');
  const secretsIn = (at: string) => createSecrets({ secretsKey: null, folder: at });
  const sealed = secretsIn(source).seal('channel', 'where it leads') ?? '';
  const target = await newPlace('sqlite');
  const moved = await move(source, target);
  assert.equal(moved.code, 0, moved.out.join('\n'));
  assert.equal(secretsIn(target).open('channel', sealed), 'where it leads');
  assert.ok(!moved.err.join('\n').includes('secrets.key'), moved.err.join('\n'));

  const own = await newPlace('sqlite');
  mkdirSync(own);
  secretsIn(own).seal('channel', 'of its own');
  const file = join(source, 'secrets.key');
  const answered = `${join(own, 'secrets.key')} differs from ${file}, the key with which the moved channels are encrypted: replace it with that one.`;
  assert.ok((await move(source, own)).err.includes(answered));
  assert.equal(secretsIn(own).open('channel', sealed), null);

  const server = await newPlace('postgres');
  const setting =
    `Set OPENSHELF_SECRETS_KEY to the text of ${file} before the service starts: the targets of channels are ` +
    'encrypted with it.';
  assert.ok((await move(source, server)).err.includes(setting));
  const env = { OPENSHELF_SECRETS_KEY: readFileSync(file, 'utf8').trim() };
  const again = await newPlace('postgres');
  assert.ok(!(await move(source, again, { env })).err.includes(setting));
  const { secretsKey } = readConfig(env);
  assert.equal(
    createSecrets({ secretsKey, folder: null }).open('channel', sealed),
    'where it leads',
  );
});

test('a service goes on after the move: the same records, history, balance and keys', async () => {
  const source = await newPlace('sqlite');
  const target = await newPlace('postgres');
  let key = '';
  const ask = (service: { url: string }, id: string) =>
    fetch(`${service.url}/v1/products/${id}/history?retailer=all`, {
      headers: { authorization: `Bearer ${key}` },
    });
  let upc = '';
  {
    await using service = await startService({
      withRetailers: true,
      env: { OPENSHELF_DATA: source, DATABASE_URL: '' },
    });
    key = service.key;
    upc = service.sandbox.describe().upc;
    const asked = await service.lookup(upc, '?include_offers=true&include_cross_retailer=true');
    assert.equal(asked.status, 200);
    await service.untilQueueIdle();
  }
  const exported = await runCommand(['export', '--data', source]);
  assert.ok(exported.stdout.split('\n').length > 5);
  assert.equal((await move(source, target)).code, 0);
  const env = { DATABASE_URL: target };
  assert.equal((await runCommand(['export'], { env })).stdout, exported.stdout);
  const check = await runCommand(['check', '--json'], { env });
  assert.deepEqual(check.json, { clean: true, problems: [] });
  const service = await serveCommand(['--port', '0'], env);
  const answer = await ask(service, upc);
  assert.equal(answer.status, 200);
  await answer.arrayBuffer();
  assert.equal(await service.stop(), 0);
});

for (const to of ['sqlite', 'postgres'] as const) {
  test(`a move to ${to} that is killed goes on where it was, nothing twice and nothing lost`, async () => {
    const source = await filledPlace('sqlite', (name) => (name === 'observations' ? 25_000 : 30));
    const stored = await contentAt(source);
    const target = await newPlace(to);
    const launcher = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
    const args = ['migrate-store', '--from', source, '--to', target];
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    // Its first lines say that small tables are done: the large one is in progress.
    for await (const piece of child.stderr) if (String(piece).includes('copied listings')) break;
    child.kill('SIGKILL');
    await ended;
    await assert.rejects(openPlace(target), /a move into this data is not finished/);
    const done = await move(source, target);
    assert.equal(done.code, 0, done.out.join('\n'));
    const before = Number(done.json['resumed_after_rows']);
    assert.ok(before > 0 && before < Number(done.json['rows']), String(before));
    assert.deepEqual(await contentAt(target), stored);
  });
}

for (const [from, to] of NEXT_STEPS) {
  test(`answered to stop while copying and while comparing, it goes on: ${from} to ${to}`, async () => {
    const source = await filledPlace(from);
    const target = await newPlace(to);
    const copying = await move(source, target, { stopAt: /copying shops/ });
    assert.equal(copying.code, 1);
    assert.equal(copying.json['complete'], false);
    assert.match(copying.err.at(-1) ?? '', /continues where this one stopped/);
    assert.match(await refusal(target, await newPlace('sqlite')), /an unfinished move/);
    const comparing = await move(source, target, { stopAt: /comparing charges/ });
    assert.equal(comparing.code, 1);
    await assert.rejects(openPlace(target), /is not finished/);
    const done = await move(source, target);
    assert.equal(done.code, 0, done.out.join('\n'));
    assert.equal(done.json['resumed_after_rows'], done.json['rows']);
    assert.deepEqual(await contentAt(target), await contentAt(source));
  });
}

async function write(place: string, text: string): Promise<void> {
  await using sql = await openRaw(place);
  await sql.write([{ text }]);
}

const CHANGES: readonly (readonly [what: string, side: 'source' | 'target', text: string])[] = [
  [
    'a row that was moved already changes',
    'source',
    "update listings set url = 'else' where id = 'l3'",
  ],
  ['a row that was moved is gone', 'source', "delete from reservations where request_id = 'r3'"],
  [
    'a row appears among those moved',
    'source',
    "insert into reservations values ('r', 'o0', 'm', 1, 1, null)",
  ],
  ['null becomes empty', 'target', "update api_keys set note = '' where id = 'key0'"],
  ['a row that was moved is lost', 'target', "delete from reservations where request_id = 'r3'"],
];

for (const [way, [from, to]] of NEXT_STEPS.slice(0, 3).entries()) {
  // All changes for one direction and the last two for each: checksums depend on the content, whichever database holds it
  // (above).
  for (const [what, side, text] of way === 1 ? CHANGES : CHANGES.slice(-2)) {
    test(`it does not end well when ${what} at the ${side}: ${from} to ${to}`, async () => {
      const source = await filledPlace(from);
      const target = await newPlace(to);
      assert.equal((await move(source, target, { stopAt: /copying observations/ })).code, 1);
      await write(side === 'source' ? source : target, text);
      assert.match(await refusal(source, target), /is not the same on both sides/);
      await assert.rejects(openPlace(target), /is not finished/);
    });
  }
}

for (const to of ['sqlite', 'postgres'] as const) {
  test(`a target that holds anything is refused and left as it is: ${to}`, async () => {
    const source = await filledPlace('sqlite');
    const target = await newPlace(to);
    {
      await using store = await openPlace(target);
      await issueKey(store.accounts, { organization: 'mine', note: null }, 0);
    }
    const stored = await contentAt(target);
    assert.match(await refusal(source, target), /already contains data \(organizations: 1\)/);
    assert.deepEqual(await contentAt(target), stored);
  });

  test(`a target that another move was begun into is refused: ${to}`, async () => {
    const [one, other] = [await filledPlace('sqlite'), await filledPlace('sqlite')];
    const target = await newPlace(to);
    await move(one, target, { stopAt: /copying shops/ });
    assert.match(await refusal(other, target), /data-\d+\/openshelf\.db .*is not finished/);
    assert.equal((await move(one, target)).code, 0);
    assert.match(await refusal(one, target), /already contains data/);
  });

  test(`a target that only a probe has touched is empty: ${to}`, async () => {
    const target = await newPlace(to);
    {
      await using store = await openPlace(target);
      assert.equal(await store.sql.probe(), true);
    }
    assert.equal((await move(await filledPlace('sqlite'), target)).code, 0);
  });
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`nothing is moved out of or into what a service has open: ${kind}`, async () => {
    const used = await filledPlace(kind, (name) => (name === 'organizations' ? 3 : 0));
    const empty = await newPlace(kind);
    const filled = await filledPlace('sqlite');
    const envOf = (place: string): Record<string, string> =>
      kind === 'postgres' ? { DATABASE_URL: place } : { OPENSHELF_DATA: place };
    await using running = new AsyncDisposableStack();
    const services = await Promise.all(
      [used, empty].map(async (place) =>
        running.use(await serveProgram(['--port', '0'], envOf(place))),
      ),
    );
    assert.match(await refusal(used, await newPlace('sqlite')), /another process has it open/);
    assert.match(await refusal(filled, empty), /another process has it open/);
    for (const service of services) assert.equal(await service.stop('SIGTERM'), 0);
    assert.equal((await move(used, await newPlace('sqlite'))).code, 0);
  });
}

test('while it moves out of PostgreSQL nobody can write there, and afterwards everybody can', async () => {
  const source = await filledPlace('postgres', (name) => (name === 'observations' ? 5_000 : 30));
  const target = await newPlace('sqlite');
  await using writer = await openPostgres({ url: source, lockTimeoutMs: 50 });
  assert.match(await refusal(source, target), /another process has it open/);
  await writer[Symbol.asyncDispose]();
  assert.equal((await move(source, target)).code, 0);
  await write(source, 'delete from observations');
});

test('while it moves out of a file nobody else can open it', async () => {
  const source = await filledPlace('sqlite');
  const path = join(source, 'openshelf.db');
  {
    await using alone = await openMoveSource({ kind: 'sqlite', path });
    await alone.stillAlone();
    await assert.rejects(openMoveSource({ kind: 'sqlite', path }), /another process has it open/);
    const { code } = await runCommand(['orgs', 'list', '--json'], {
      env: { OPENSHELF_DATA: source },
    });
    assert.equal(code, 1);
  }
  await write(source, 'delete from observations');
});

test('locks of a move out of PostgreSQL keep writers out, and their loss ends the move', async () => {
  const source = await filledPlace('postgres');
  const alone = await openMoveSource({ kind: 'postgres', url: source });
  const writer = await openPostgres({ url: source, lockTimeoutMs: 50 });
  await assert.rejects(writer.write([{ text: 'delete from job_turns' }]), /lock/);
  await writer.write([
    {
      text: `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`,
    },
  ]);
  await assert.rejects(alone.stillAlone(), /holds the write lock was lost/);
  await writer[Symbol.asyncDispose]();
  await alone[Symbol.asyncDispose]();
});

for (const to of ['sqlite', 'postgres'] as const) {
  test(`two moves at once into one target double nothing: ${to}`, async () => {
    const source = await filledPlace('sqlite', (name) => (name === 'observations' ? 5_000 : 30));
    const target = await newPlace(to);
    await (await openPlace(target))[Symbol.asyncDispose]();
    {
      await using from = await openMoveSource({
        kind: 'sqlite',
        path: join(source, 'openshelf.db'),
      });
      const moves = [1, 2].map(async () => {
        await using sql = await openRaw(target);
        await moveStore(from, { sql, name: target }, UNWATCHED);
      });
      const ends = await Promise.allSettled(moves);
      assert.ok(ends.filter(({ status }) => status === 'rejected').length > 0);
    }
    // Whichever finished, or neither: the data is complete, or becomes so.
    const again = await move(source, target);
    assert.ok(
      again.code === 0 || /already contains data/.test(String(again.json['detail'])),
      again.stdout,
    );
    assert.deepEqual(await contentAt(target), await contentAt(source));
  });
}

for (const to of ['sqlite', 'postgres'] as const) {
  test(`a move that finds its target empty and begins behind the end of another one is refused: ${to}`, async () => {
    const source = await filledPlace('sqlite');
    const target = await newPlace(to);
    await (await openPlace(target))[Symbol.asyncDispose]();
    {
      await using from = await openMoveSource({
        kind: 'sqlite',
        path: join(source, 'openshelf.db'),
      });
      await using sql = await openRaw(target);
      await using other = await openRaw(target);
      let moved: Promise<unknown> | null = null;
      const late: Sql = {
        ...sql,
        // Its first write is held up until the other one has moved everything.
        write: async (statements) => {
          moved ??= moveStore(from, { sql: other, name: target }, UNWATCHED);
          await moved;
          return await sql.write(statements);
        },
      };
      const refused = moveStore(from, { sql: late, name: target }, UNWATCHED);
      await assert.rejects(refused, /already contains data \(organizations: 30\)/);
    }
    assert.deepEqual(await contentAt(target), await contentAt(source));
  });
}

test('data whose migrations have not all run is refused with what runs them', async () => {
  const source = await newPlace('sqlite');
  {
    await using sql = await openRaw(source);
    await migrate(sql, readMigrations('sqlite').slice(0, -1));
  }
  const said = await refusal(source, await newPlace('sqlite'));
  assert.match(said, /schema version \d+, this program \d+: `openshelf check`/);
  assert.equal((await runCommand(['check', '--data', source])).code, 0);
  assert.equal((await move(source, await newPlace('sqlite'))).code, 0);
});

async function columnsWritten(sql: Sql): Promise<number> {
  return (await readMoveProgress(sql))?.tables.size ?? 0;
}

test('what is not data is refused: no folder, another program, a password is never shown', async () => {
  const target = await newPlace('sqlite');
  assert.match(await refusal(join(folder.path, 'nowhere'), target), /no data in/);
  const foreign = join(folder.path, 'foreign');
  mkdirSync(foreign);
  {
    await using sql = await openRaw(foreign);
    await sql.write([{ text: 'create table theirs (a text)' }]);
    assert.equal(await columnsWritten(sql), 0);
  }
  assert.match(await refusal(foreign, target), /contains no data of this program/);
  assert.match(await refusal(await filledPlace('sqlite'), foreign), /belongs to another program/);
  const damaged = join(folder.path, 'damaged');
  mkdirSync(damaged);
  writeFileSync(join(damaged, 'openshelf.db'), 'no database at all, but long enough to be one');
  assert.match(await refusal(damaged, target), /not a database/);
  const unreachable = 'postgres://me:secret-word@127.0.0.1:9/none';
  const said = await refusal(unreachable, target);
  assert.match(said, /cannot connect to PostgreSQL/);
  assert.doesNotMatch(said, /secret-word/);
  assert.ok(!existsSync(target), 'nothing is made for a source that cannot be read');
});

test('DATABASE_URL as a word takes the address out of the command line', async () => {
  const source = await filledPlace('sqlite');
  const env = { DATABASE_URL: await newPlace('postgres') };
  const done = await move(source, 'DATABASE_URL', { env });
  assert.equal(done.code, 0, done.out.join('\n'));
  assert.match(String(done.json['to']), /^127\.0\.0\.1:\d+\/test_/);
});

test('a person sees a bar with both steps, and one sentence at the end', async () => {
  const source = await filledPlace('sqlite');
  const done = await move(source, await newPlace('sqlite'), { watched: true });
  assert.equal(done.code, 0);
  assert.ok(done.status.some((line) => line?.includes('copying listings') === true));
  assert.ok(done.status.some((line) => line?.includes('100%  comparing') === true));
  assert.equal(done.status.at(-1), null);
  assert.deepEqual(done.err, []);
  assert.match(done.out.join('\n'), /^\d+ rows moved to .*the same on both sides$/);
});
