// What a PostgreSQL restore creates last, and omits when it is interrupted.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkSchema } from '../../../src/data/maintenance/check-schema.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import { command, newDatabase, withClient } from '../../support/databases.ts';

test('a schema that the migrations made lacks nothing', async () => {
  await using database = await newDatabase('migrated');
  await using sql = await openPostgres({ url: database.url });
  assert.deepEqual(await checkStore(sql), []);
});

for (const [change, missing] of [
  ['drop index jobs_by_time', /^the index jobs_by_time of jobs is missing/],
  [
    'alter table api_keys drop constraint api_keys_pkey cascade',
    /^the primary key of api_keys is missing/,
  ],
  [
    'alter table charges drop constraint charges_batch_id_fkey',
    /^the foreign key batch_id of charges is missing/,
  ],
] as const) {
  test(`${change}: check says that it is missing and what to do`, async () => {
    await using database = await newDatabase('migrated');
    await command(database.url, change);
    await using sql = await openPostgres({ url: database.url });
    const problems = await checkStore(sql);
    const said = problems.find((each) => missing.test(each));
    assert.match(said ?? problems.join('; '), /restore the backup again, into a new database$/);
  });
}

const LEDGER = `select request_id, organization_id, key_id, month, kind, tokens, balance_after, route, at_ms
  from ledger_entries`;
const CHARGES = `select request_id, organization_id, key_id, month, 'charge', charges.tokens, balance_after + later, route,
  at_ms from charges join charge_batches on charge_batches.id = charges.batch_id`;

for (const [what, change, view] of [
  [
    'a condition',
    `create or replace view ledger as ${LEDGER} where tokens < 5 union all ${CHARGES}`,
  ],
  ['a part less', `create or replace view ledger as ${LEDGER}`],
  [
    'an amount changed',
    `create or replace view ledger as ${LEDGER} union all ${CHARGES.replace('charges.tokens', '0::bigint')}`,
  ],
  [
    'two columns exchanged',
    `drop view ledger;
     create view ledger as ${LEDGER.replace('tokens, balance_after', 'balance_after as tokens, tokens as balance_after')}
     union all ${CHARGES}`,
  ],
  [
    'a column less',
    'drop view ledger; create view ledger as select request_id from ledger_entries',
  ],
  ['nothing left of it', 'drop view ledger'],
  [
    'a table in its place',
    `create table copied as select * from ledger; drop view ledger; alter table copied rename to ledger`,
  ],
  [
    'another number',
    'create or replace view last_charge_batch as select 1::bigint as id',
    'last_charge_batch',
  ],
] as const) {
  test(`a view with ${what} is named by check`, async () => {
    await using database = await newDatabase('migrated');
    await command(database.url, change);
    await using sql = await openPostgres({ url: database.url });
    const said = new RegExp(`^the view ${view ?? 'ledger'} is not the one that this program made`);
    assert.match((await checkSchema(sql)).join('\n'), said);
  });
}

test('a view that was made again as it was, on a server that numbers queries, is the same', async () => {
  await using database = await newDatabase('migrated');
  await command(
    database.url,
    `drop view ledger; create view ledger as ${LEDGER} union all ${CHARGES};
     do 'begin execute format(''alter database %I set compute_query_id = on'', current_database()); end'`,
  );
  await using sql = await openPostgres({ url: database.url });
  assert.deepEqual(await checkSchema(sql), []);
});

test('a restore that broke off before the keys is not clean, whatever its data says', async () => {
  await using database = await newDatabase('migrated');
  await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ owner: string; name: string }>(
      `select conrelid::regclass::text as owner, quote_ident(conname) as name from pg_constraint
       where connamespace = 'public'::regnamespace and contype in ('f', 'p') and conparentid = 0 order by contype`,
    );
    for (const { owner, name } of rows)
      await client.query(`alter table ${owner} drop constraint ${name}`);
  });
  await using sql = await openPostgres({ url: database.url });
  const problems = await checkStore(sql);
  assert.ok(
    problems.some((each) => /primary key of .* is missing/.test(each)),
    problems.join('\n'),
  );
});
