// What every database behind the SQL port promises. Each database's own test file runs it with its `open`.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Database, Statement, TransactionResult } from '../../src/data/sql.ts';
import { StoreUnavailable } from '../../src/data/sql.ts';

const INSERT = 'insert into purses (id, coins) values ($1, $2)';
const TAKEN = 'taken';
const TAKE = 'update purses set coins = coins - $2 where id = $1 and coins >= $2 returning coins';

function take(id: string, coins: number): Statement {
  return { text: TAKE, params: [id, coins], name: TAKEN, mustReturn: true };
}

async function openPurses(open: () => Promise<Database>): Promise<Database> {
  const sql = await open();
  await sql.write([
    {
      text: `create table purses (id text not null primary key,
        coins ${sql.dialect === 'sqlite' ? 'integer' : 'bigint'} not null check (coins >= 0),
        note text)${sql.dialect === 'sqlite' ? ' strict' : ''}`,
    },
  ]);
  return sql;
}

function rowsOf(result: TransactionResult, name: string) {
  assert.ok(result.done);
  return (result.rows[name] ?? []).map((row) => ({ ...row }));
}

/** Registers the suite; `open` returns a new database each time, heartbeat table included. */
export function testConformance(name: string, open: () => Promise<Database>): void {
  test(`${name}: a write is there for every read that follows it`, async () => {
    await using sql = await openPurses(open);
    for (let round = 0; round < 20; round += 1) {
      await sql.write([{ text: INSERT, params: [`p${round}`, round] }]);
      const rows = await sql.all('select coins from purses where id = $1', [`p${round}`]);
      assert.equal(rows[0]?.['coins'], round);
    }
  });

  test(`${name}: a transaction whose mustReturn statement has no row leaves nothing behind`, async () => {
    await using sql = await openPurses(open);
    const [first, refused, last] = await Promise.all([
      sql.write([{ text: INSERT, params: ['a', 5] }]),
      sql.write([{ text: INSERT, params: ['b', 5] }, take('a', 6)]),
      sql.write([take('a', 5)]),
    ]);
    assert.equal(first?.done, true);
    assert.deepEqual(refused, { done: false, refusedBy: TAKEN });
    assert.ok(last !== undefined);
    assert.deepEqual(rowsOf(last, TAKEN), [{ coins: 0 }]);
    assert.deepEqual(await sql.all("select id from purses where id = 'b'"), []);
  });

  test(`${name}: a result is read by the names of its statements, wherever they stand`, async () => {
    await using sql = await openPurses(open);
    const added = (id: string, coins: number) => ({
      text: `${INSERT} returning id, coins`,
      params: [id, coins],
      name: 'added',
    });
    const result = await sql.write([
      { text: INSERT, params: ['a', 5] },
      added('b', 6),
      take('a', 2),
      added('c', 7),
      { text: 'update purses set coins = 0 where coins > 100 returning id', name: 'emptied' },
      { text: 'select id from purses' },
    ]);
    assert.deepEqual(rowsOf(result, TAKEN), [{ coins: 3 }]);
    const both = [
      { id: 'b', coins: 6 },
      { id: 'c', coins: 7 },
    ];
    assert.deepEqual(rowsOf(result, 'added'), both);
    assert.deepEqual(rowsOf(result, 'emptied'), []);
    assert.ok(result.done);
    assert.deepEqual(Object.keys(result.rows), ['added', TAKEN, 'emptied']);
    const unnamed = { text: TAKE, params: ['a', 9], mustReturn: true };
    const refused = await sql.write([added('d', 1), unnamed, take('b', 9)]);
    assert.deepEqual(refused, { done: false, refusedBy: null });
  });

  test(`${name}: a transaction that breaks a constraint is rolled back alone and rejects alone`, async () => {
    await using sql = await openPurses(open);
    const before = sql.commits();
    const results = await Promise.allSettled([
      sql.write([{ text: INSERT, params: ['a', 1] }]),
      sql.write([
        { text: INSERT, params: ['c', 1] },
        { text: INSERT, params: ['a', 2] },
      ]),
      sql.write([{ text: INSERT, params: ['b', -1] }]),
      sql.write([{ text: 'insert into nowhere (id) values ($1)', params: ['x'] }]),
      sql.write([{ text: INSERT, params: ['d', 4] }]),
    ]);
    const fates = results.map(({ status }) => status);
    assert.deepEqual(fates, ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled']);
    const rows = await sql.all('select id from purses order by id');
    assert.deepEqual(
      rows.map((row) => row['id']),
      ['a', 'd'],
    );
    assert.equal(sql.commits() - before, 1);
    for (const each of results) {
      assert.ok(each.status === 'fulfilled' || !(each.reason instanceof StoreUnavailable));
    }
  });

  test(`${name}: transactions of one turn share one commit, later ones the next`, async () => {
    await using sql = await openPurses(open);
    const before = sql.commits();
    const many = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, n) =>
        sql.write([{ text: INSERT, params: [`${prefix}${n}`, n] }]),
      );
    const firstTurn = many('a', 100);
    const [first] = firstTurn;
    await first;
    assert.equal(sql.commits() - before, 1);
    const second = many('b', 3);
    await Promise.all([...firstTurn, ...second]);
    assert.equal(sql.commits() - before, 2);
  });

  test(`${name}: transactions that come during a commit share the next one`, async () => {
    await using sql = await openPurses(open);
    await sql.write([{ text: INSERT, params: ['a', 100_000] }]);
    const before = sql.commits();
    const callers = Array.from({ length: 64 }, async () => {
      for (let call = 0; call < 20; call += 1) await sql.write([take('a', 1)]);
    });
    await Promise.all(callers);
    const rows = await sql.all('select coins from purses');
    assert.equal(rows[0]?.['coins'], 100_000 - 64 * 20);
    assert.ok(
      sql.commits() - before <= 64,
      `${sql.commits() - before} commits for 1,280 transactions`,
    );
  });

  test(`${name}: a thousand takers of one coin: one gets it`, async () => {
    await using sql = await openPurses(open);
    await sql.write([{ text: INSERT, params: ['a', 1] }]);
    const results = await Promise.all(
      Array.from({ length: 1_000 }, () => sql.write([take('a', 1)])),
    );
    assert.equal(results.filter((result) => result.done).length, 1);
  });

  test(`${name}: values come back as they went in`, async () => {
    await using sql = await openPurses(open);
    const texts = ['', 'ünïcödé 🛒', "'; drop table purses; --", 'x'.repeat(1_000_000), '\u2028\t'];
    const numbers = [0, 1, Number.MAX_SAFE_INTEGER, 1_800_000_000_000_000];
    for (const [index, note] of texts.entries()) {
      const coins = numbers[index] ?? 7;
      await sql.write([
        {
          text: 'insert into purses (id, coins, note) values ($1, $2, $3)',
          params: [`p${index}`, coins, note],
        },
      ]);
      const rows = await sql.all('select coins, note from purses where id = $1', [`p${index}`]);
      assert.deepEqual({ ...rows[0] }, { coins, note });
    }
  });

  test(`${name}: values that clients read differently are refused by name`, async () => {
    await using sql = await openPurses(open);
    const bad: readonly [unknown, RegExp][] = [
      [true, /\$2 is boolean/],
      [undefined, /\$2 is undefined/],
      [{ coins: 1 }, /\$2 is object/],
      [1n, /\$2 is bigint/],
      [() => 1, /\$2 is function/],
      [Number.NaN, /\$2 is NaN/],
      [Number.POSITIVE_INFINITY, /\$2 is Infinity/],
      [2 ** 53, /\$2 is 9007199254740992/],
      ['nul\0', /\$2 contains a NUL/],
    ];
    for (const [value, message] of bad) {
      // SAFETY: the very thing that the types forbid.
      const params = ['a', value] as string[];
      await assert.rejects(sql.write([{ text: INSERT, params }]), message);
      await assert.rejects(
        sql.all('select * from purses where id = $1 and coins = $2', params),
        message,
      );
    }
    assert.deepEqual(await sql.all('select * from purses'), []);
  });

  test(`${name}: a missing or surplus parameter is refused, not null`, async () => {
    await using sql = await openPurses(open);
    await assert.rejects(sql.write([{ text: INSERT, params: ['a'] }]));
    await assert.rejects(sql.write([{ text: INSERT, params: ['a', 1, 2] }]));
    await assert.rejects(sql.all('select * from purses where id = $1'));
    assert.deepEqual(await sql.all('select * from purses'), []);
  });

  test(`${name}: a number column takes no text`, async () => {
    await using sql = await openPurses(open);
    await assert.rejects(sql.write([{ text: INSERT, params: ['a', 'many'] }]));
  });

  test(`${name}: the probe commits`, async () => {
    await using sql = await open();
    await sql.write([
      { text: 'create table heartbeat (id integer not null primary key, beats integer not null)' },
    ]);
    const before = sql.commits();
    assert.equal(await sql.probe(), true);
    assert.equal(await sql.probe(5_000), true);
    assert.equal(sql.commits() - before, 2);
  });

  test(`${name}: closing finishes what was accepted; afterwards everything is refused`, async () => {
    const sql = await openPurses(open);
    const accepted = Array.from({ length: 10 }, (_, n) =>
      sql.write([{ text: INSERT, params: [`p${n}`, n] }]),
    );
    await sql[Symbol.asyncDispose]();
    assert.equal((await Promise.all(accepted)).length, 10);
    await assert.rejects(sql.write([take('a', 1)]), StoreUnavailable);
    await assert.rejects(sql.all('select 1'), StoreUnavailable);
    assert.equal(await sql.probe(), false);
    await sql[Symbol.asyncDispose]();
  });
}
