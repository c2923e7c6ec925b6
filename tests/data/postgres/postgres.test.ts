import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import type { Database, Statement } from '../../../src/data/sql.ts';
import { openStore } from '../../../src/data/store.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { command, newDatabase, withClient, type TestDatabase } from '../../support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { testConformance } from '../conformance.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';

/** An empty database that is removed when closed. */
testConformance('postgres', async () => {
  const database = await newDatabase('empty');
  const sql = await openPostgres({ url: database.url });
  return {
    ...sql,
    async [Symbol.asyncDispose]() {
      await sql[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
});

const PURSES = 'create table purses (id text not null primary key, coins bigint not null)';

/** A database with purses `a` to `d` of a million coins each. */
async function withPurses(): Promise<TestDatabase> {
  const database = await newDatabase('empty');
  await command(database.url, PURSES);
  await command(
    database.url,
    "insert into purses values ('a', 1000000), ('b', 1000000), ('c', 1000000), ('d', 1000000)",
  );
  return database;
}

const open = (
  { url }: TestDatabase,
  options: Omit<Parameters<typeof openPostgres>[0], 'url'> = {},
) => openPostgres({ url, ...options });

const take = (id: string, coins = 1): Statement => ({
  text: 'update purses set coins = coins - $2 where id = $1 and coins >= $2 returning coins',
  params: [id, coins],
  mustReturn: true,
});

async function coinsOf(sql: Database, id: string): Promise<number> {
  const rows = await sql.all('select coins from purses where id = $1', [id]);
  return Number(rows[0]?.['coins']);
}

test('connections that read cannot write', async () => {
  await using database = await withPurses();
  await using sql = await open(database);
  await assert.rejects(sql.all("delete from purses where id = 'a' returning id"), /read-only/);
  await assert.rejects(sql.all("select 1 as a; delete from purses where id = 'a'"), /multiple/);
  assert.equal(await coinsOf(sql, 'a'), 1_000_000);
});

test('connections that the server ended are replaced, and no write or read fails', async () => {
  await using database = await withPurses();
  await using sql = await open(database);
  for (let round = 1; round <= 3; round += 1) {
    assert.equal((await sql.write([take('a')])).done, true);
    await Promise.all(Array.from({ length: 8 }, () => coinsOf(sql, 'a')));
    await command(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()' +
        ' and datname = current_database()',
    );
    const [written, ...coins] = await Promise.all([
      sql.write([take('b')]),
      ...Array.from({ length: 8 }, () => coinsOf(sql, 'a')),
    ]);
    assert.equal(written.done, true);
    assert.deepEqual(new Set(coins), new Set([1_000_000 - round]));
  }
  assert.equal(await coinsOf(sql, 'b'), 1_000_000 - 3);
});

test('reads for which the server has no more connections wait for those that there are, and none fails', async () => {
  await using database = await withPurses();
  const role = `few_${new URL(database.url).pathname.slice(1)}`;
  await command(database.url, `create role ${role} login connection limit 3`);
  await command(database.url, `grant select on purses to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  await using sql = await openPostgres({ url: url.href });
  const slow = "select coins from purses, pg_sleep(0.01) where id = 'a'";
  const read = (count: number) => Promise.all(Array.from({ length: count }, () => sql.all(slow)));
  assert.equal((await read(40)).length, 40);
  await command(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
  );
  assert.equal((await read(40)).length, 40);
  // With no connection of its own there is nothing to wait for: an error states this, and no read is left waiting.
  await command(database.url, `alter role ${role} connection limit 0`);
  await command(
    database.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
  );
  const refused = await Promise.allSettled(Array.from({ length: 40 }, () => sql.all(slow)));
  assert.deepEqual(
    new Set(refused.map((each) => each.status === 'rejected' && String(each.reason))),
    new Set([
      `StoreUnavailable: cannot connect to PostgreSQL: too many connections for role "${role}". Start fewer processes, or raise ` +
        'max_connections of the server or the connection limit of the user.',
    ]),
  );
});

test('where readers have taken every connection that the server gives, one is given up for the writer', async () => {
  await using database = await withPurses();
  const role = `full_${new URL(database.url).pathname.slice(1)}`;
  await command(database.url, `create role ${role} login connection limit 4`);
  await command(database.url, `grant select, update on purses to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  await using sql = await openPostgres({ url: url.href });
  const slow = "select coins from purses, pg_sleep(0.01) where id = 'a'";
  const read = () => Promise.all(Array.from({ length: 40 }, () => sql.all(slow)));
  for (const isBusy of [false, true]) {
    await command(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    );
    // Nothing is written meanwhile, so the readers get every slot.
    await read();
    const [written] = await Promise.all([sql.write([take('a')]), ...(isBusy ? [read()] : [])]);
    assert.equal(written.done, true);
    await read();
  }
  assert.equal(await coinsOf(sql, 'a'), 1_000_000 - 2);
});

/** Opens the database through a proxy that can be cut. */
async function throughProxy(database: TestDatabase) {
  const url = new URL(database.url);
  const proxy = await startCuttingProxy(Number(url.port));
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

test('a transaction whose connection is lost before its commit is written once, over a new one', async () => {
  await using database = await withPurses();
  const { proxy, url } = await throughProxy(database);
  await using _ = proxy;
  await using sql = await openPostgres({ url });
  for (const when of ['before', 'after'] as const) {
    const cut = proxy.cutAt('begin read write\0', when);
    const results = await Promise.all([sql.write([take('a')]), sql.write([take('b')])]);
    await cut;
    assert.deepEqual(
      results.map(({ done }) => done),
      [true, true],
    );
  }
  assert.deepEqual([await coinsOf(sql, 'a'), await coinsOf(sql, 'b')], [999_998, 999_998]);
});

test('a commit whose answer is lost is reported as unknown and never repeated', async () => {
  await using database = await withPurses();
  const { proxy, url } = await throughProxy(database);
  await using _ = proxy;
  await using sql = await openPostgres({ url });
  const expected = { before: 1_000_000, after: 999_999 } as const;
  for (const when of ['before', 'after'] as const) {
    const cut = proxy.cutAt('commit\0', when);
    const results = await Promise.allSettled([
      sql.write([take('a')]),
      sql.write([take('a', 2_000_000)]),
    ]);
    await cut;
    const [unknown, refused] = results;
    assert.ok(unknown.status === 'rejected' && unknown.reason instanceof StoreUnavailable);
    assert.match(unknown.reason.message, /not known whether it was written/);
    // It would not have been written in either case.
    assert.deepEqual(refused, { status: 'fulfilled', value: { done: false, refusedBy: null } });
    // A commit whose answer is cut off reached the server, which may still be executing it.
    await sessionEnded(database.url);
    assert.equal(await coinsOf(sql, 'a'), expected[when]);
  }
  assert.equal((await sql.write([take('a')])).done, true);
  assert.equal(await coinsOf(sql, 'a'), 999_998);
});

/** What PgBouncer says before it ends a connection whose server has gone. */
const POOLERS_LAST_WORDS = (() => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
})();

test('a pooler that says that its server has gone is as good as a lost connection: reads and writes are made again', async () => {
  await using database = await withPurses();
  const { proxy, url } = await throughProxy(database);
  await using _ = proxy;
  await using sql = await openPostgres({ url });
  assert.equal(await coinsOf(sql, 'a'), 1_000_000);
  const reading = proxy.cutAt('one_read', 'before', POOLERS_LAST_WORDS);
  assert.deepEqual(await sql.all('select 1 as one_read'), [{ one_read: 1 }]);
  await reading;
  const writing = proxy.cutAt('begin read write\0', 'before', POOLERS_LAST_WORDS);
  assert.equal((await sql.write([take('a')])).done, true);
  await writing;
  const committing = proxy.cutAt('commit\0', 'before', POOLERS_LAST_WORDS);
  await assert.rejects(sql.write([take('a')]), /not known whether it was written/);
  await committing;
  await sessionEnded(database.url);
  assert.equal(await coinsOf(sql, 'a'), 999_999);
});

/** Resolves when no session on the database is in the middle of a transaction. */
async function sessionEnded(url: string): Promise<void> {
  await using watcher = await openPostgres({ url });
  for (;;) {
    const [row] = await watcher.all(
      `select count(*) as busy from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    );
    if (row?.['busy'] === 0) return;
  }
}

test('a lost server is reported as such, and used again when it is back', async () => {
  await using database = await withPurses();
  const { proxy, url } = await throughProxy(database);
  await using sql = await openPostgres({ url });
  await Promise.all([sql.write([take('a')]), coinsOf(sql, 'a'), coinsOf(sql, 'b')]);
  await proxy[Symbol.asyncDispose]();
  const refused = await Promise.allSettled([
    sql.write([take('a')]),
    sql.write([take('b')]),
    sql.all('select 1 as one'),
  ]);
  for (const each of refused) {
    assert.ok(each.status === 'rejected' && each.reason instanceof StoreUnavailable);
  }
  assert.equal(await sql.probe(), false);
  const serverPort = Number(new URL(database.url).port);
  await using _ = await startCuttingProxy(serverPort, Number(new URL(url).port));
  assert.equal((await sql.write([take('a')])).done, true);
  assert.equal(await coinsOf(sql, 'a'), 999_998);
});

test('while another process holds a row only those who want it wait', async () => {
  await using database = await withPurses();
  await using sql = await open(database);
  await withClient(database.url, async (other) => {
    await other.query('begin');
    await other.query("update purses set coins = 5 where id = 'b'");
    const [first, second, third] = ['a', 'b', 'c'].map((id) => sql.write([take(id)]));
    assert.equal((await first)?.done, true);
    await other.query('commit');
    assert.deepEqual([(await second)?.done, (await third)?.done], [true, true]);
  });
  assert.equal(await coinsOf(sql, 'b'), 4);
});

test('of those who want a row that is not released one waits for the whole lock timeout, and the others hold nobody up', async () => {
  await using database = await withPurses();
  const lockTimeoutMs = 2_000;
  await using sql = await open(database, { lockTimeoutMs });
  await withClient(database.url, async (other) => {
    await other.query('begin');
    await other.query("update purses set coins = 5 where id = 'b'");
    const startedMs = performance.now();
    const refused = Array.from({ length: 10 }, () => sql.write([take('b')]));
    const behind = sql.write([take('a')]);
    for (const each of await Promise.allSettled(refused)) {
      assert.ok(each.status === 'rejected' && each.reason instanceof StoreUnavailable);
    }
    assert.equal((await behind).done, true);
    // One by one they would take 20 s.
    assert.ok(performance.now() - startedMs < 5 * lockTimeoutMs);
    await other.query('commit');
  });
  assert.equal((await sql.write([take('b')])).done, true);
  assert.equal(await coinsOf(sql, 'b'), 4);
});

test('statements of a new text after one that waits for another process are written all the same', async () => {
  await using database = await withPurses();
  await using sql = await open(database);
  await withClient(database.url, async (other) => {
    await other.query('begin');
    await other.query("update purses set coins = 5 where id = 'a'");
    const give = (id: string): Statement => ({
      text: 'update purses set coins = coins + $2 where id = $1',
      params: [id, 1],
    });
    // If sent at once, the second one would be prepared, and then used again, in a transaction that has failed.
    const written = Promise.all([sql.write([take('a')]), sql.write([give('b'), give('c')])]);
    await Promise.race([written, longLockWait(database.url, written)]);
    await other.query('commit');
    assert.deepEqual(
      (await written).map(({ done }) => done),
      [true, true],
    );
  });
  assert.deepEqual([await coinsOf(sql, 'a'), await coinsOf(sql, 'c')], [4, 1_000_001]);
});

/** Resolves when a session has waited for a lock longer than a batch of several does, or when the work has ended. */
async function longLockWait(url: string, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  work.then(end, end);
  await using watcher = await openPostgres({ url });
  while (!ended.signal.aborted) {
    const [row] = await watcher.all(
      `select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'
         and clock_timestamp() - query_start > interval '100 ms'`,
    );
    if (row?.['waiting'] === 1) return;
  }
}

test('processes that take the same rows in any order neither wait for each other nor overdraw', async (t) => {
  const seed = seedOf(31);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using database = await withPurses();
  await command(database.url, 'update purses set coins = 500');
  const ids = ['a', 'b', 'c', 'd'];
  const stores = await Promise.all([open(database), open(database), open(database)]);
  try {
    const taken = new Map(ids.map((id) => [id, 0]));
    const work = async (sql: Database) => {
      for (let round = 0; round < 40; round += 1) {
        const writes = Array.from({ length: 8 }, async () => {
          const id = pick(random, ids);
          const coins = 1 + integerBelow(random, 3);
          const { done } = await sql.write([take(id, coins)]);
          if (done) taken.set(id, (taken.get(id) ?? 0) + coins);
        });
        await Promise.all(writes);
      }
    };
    await Promise.all(stores.map(work));
    const [sql] = stores;
    for (const id of ids) assert.equal(await coinsOf(sql, id), 500 - (taken.get(id) ?? 0));
    assert.ok([...taken.values()].some((coins) => coins >= 498));
  } finally {
    for (const sql of stores) await sql[Symbol.asyncDispose]();
  }
});

test('two transactions that wait for each other: one is made again, both are written', async () => {
  await using database = await withPurses();
  await using one = await open(database);
  await using two = await open(database);
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.all([
      one.write([take('a'), take('b')]),
      two.write([take('b'), take('a')]),
    ]);
    assert.deepEqual(
      results.map(({ done }) => done),
      [true, true],
    );
  }
  assert.equal(await coinsOf(one, 'a'), 1_000_000 - 10);
});

test('what takes longer than the statement timeout, or waits longer for a lock, is given up', async () => {
  await using database = await withPurses();
  await using sql = await open(database, { statementTimeoutMs: 200, lockTimeoutMs: 50 });
  const long = 'select count(*) as n from generate_series(1, 1000000000)';
  await assert.rejects(sql.all(long), StoreUnavailable);
  const [late, fine] = await Promise.allSettled([
    sql.write([take('a'), { text: long }]),
    sql.write([take('b')]),
  ]);
  assert.ok(late.status === 'rejected' && late.reason instanceof StoreUnavailable);
  assert.equal(fine.status, 'fulfilled');
  await withClient(database.url, async (other) => {
    await other.query('begin');
    await other.query("update purses set coins = 5 where id = 'c'");
    await assert.rejects(sql.write([take('c')]), StoreUnavailable);
    await other.query('rollback');
  });
  assert.deepEqual([await coinsOf(sql, 'a'), await coinsOf(sql, 'c')], [1_000_000, 1_000_000]);
});

test('a server that is not there, or no database of ours, is said without the password', async () => {
  await using database = await newDatabase('empty');
  const away = new URL(database.url);
  away.password = 'hunter2';
  away.port = '1';
  const missing = new URL(database.url);
  missing.password = 'hunter2';
  missing.pathname = '/nowhere';
  for (const url of [away.href, missing.href]) {
    await assert.rejects(openStore({ kind: 'postgres', url }), (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /ECONNREFUSED|does not exist/);
      assert.doesNotMatch(error.message + String(error.stack), /hunter2/);
      return true;
    });
  }
  await command(database.url, 'create database ascii encoding SQL_ASCII template template0');
  const ascii = new URL(database.url);
  ascii.pathname = '/ascii';
  await assert.rejects(openPostgres({ url: ascii.href }), /it must be UTF8/);
  await command(database.url, 'drop database ascii');
});

test(
  'eight processes that start together make one store, next to the tables of others',
  { timeout: 60_000 },
  async () => {
    await using database = await newDatabase('empty');
    await command(database.url, 'create table notes (a text)');
    const child = fileURLToPath(new URL('../migrating-child.ts', import.meta.url));
    const names = Array.from({ length: 8 }, (_, n) => `org-${n}`);
    const runs = await Promise.all(
      names.map((name) => promisify(execFile)(process.execPath, [child, database.url, name])),
    );
    assert.deepEqual(
      runs.map(({ stdout }) => stdout),
      names.map(() => 'done\n'),
    );
    await using store = await openStore({ kind: 'postgres', url: database.url });
    const found = await store.accounts.listOrganizations();
    assert.deepEqual(
      found.map(({ name }) => name),
      names,
    );
    assert.deepEqual(await checkStore(store.sql), []);
  },
);
