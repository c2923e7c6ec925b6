// A takedown deletes what watches reported about the shop, however much that is.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { writeChanges } from '../../../src/data/answers/answer-writes.ts';
import { takeDown } from '../../../src/data/maintenance/take-down.ts';
import type { Sql, Statement } from '../../../src/data/sql.ts';
import { openTestStore } from '../../support/stores.ts';

const HOST = 'shop.example';
const ROWS = 1_300;

const bodyOf = (at: number): string =>
  JSON.stringify({ url: `https://${at % 2 === 0 ? HOST : 'other.example'}/${at}` });

const ROW_OF: Readonly<Record<string, (organization: string, at: number) => Statement>> = {
  changes: (organization, at) => ({
    text: `insert into changes (organization_id, seq, listing_id, kind, body, written_at_ms)
      values ($1, $2, 'l', 'price', $3, 1)`,
    params: [organization, at, bodyOf(at)],
  }),
  notices: (organization, at) => ({
    text: `insert into notices (id, organization_id, watch_id, listing_id, kind, body, at_ms)
      values ($1, $2, 'w', 'l', 'price', $3, 1)`,
    params: [`n${at}`, organization, bodyOf(at)],
  }),
  watched_listings: (organization, at) => ({
    text: `insert into watched_listings (organization_id, listing_id, known, version)
      values ($1, $2, $3, 1)`,
    params: [organization, `l${at}`, bodyOf(at)],
  }),
};

/** Records the largest result of a database for one query. */
function measured(sql: Sql): Sql & { readonly longest: () => number } {
  let longest = 0;
  return {
    ...sql,
    all: async (text, params) => {
      const rows = await sql.all(text, params);
      longest = Math.max(longest, rows.length);
      return rows;
    },
    longest: () => longest,
  };
}

test('a takedown finds every notice about the host, with few rows in memory at once', async () => {
  await using store = await openTestStore();
  const organization = await store.accounts.upsertOrganization({ name: 'x' }, 0);
  const tables = Object.entries(ROW_OF);
  for (const [, rowOf] of tables) {
    const rows = Array.from({ length: ROWS }, (_, at) => rowOf(organization.id, at));
    await store.sql.write(rows);
  }
  const sql = measured(store.sql);
  const target = { host: HOST, retailers: [] };
  const counted = await takeDown(sql, target, true);
  assert.equal(counted.watched, (tables.length * ROWS) / 2);
  assert.deepEqual(await takeDown(sql, target, false), counted);
  assert.ok(sql.longest() <= 500, `${sql.longest()} rows`);
  for (const [table] of tables) {
    const left = await store.sql.all(`select * from ${table}`);
    assert.equal(left.length, ROWS / 2, table);
    assert.doesNotMatch(JSON.stringify(left), /shop\.example/);
  }
  assert.equal((await takeDown(sql, target, false)).watched, 0);
});

test('a takedown forgets which protocols the host speaks, and those of no other host', async () => {
  await using store = await openTestStore();
  for (const host of [HOST, `www.${HOST}`, 'othershop.example']) {
    const door = { host, door: 'store_api', isThere: true, detail: `https://${host}/wp-json/` };
    const learned = { ...door, learnedAtMs: 1, refusedUntilMs: 2 };
    await writeChanges(store.sql, [{ kind: 'shop-door', door: learned }]);
    assert.deepEqual(await store.shops.findShopDoors(host), [learned]);
  }
  await takeDown(store.sql, { host: HOST, retailers: [] }, false);
  const left = await store.sql.all('select host from shop_doors');
  assert.deepEqual(
    left.map((row) => row['host']),
    ['othershop.example'],
  );
});
