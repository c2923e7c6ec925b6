// What a PostgreSQL restore creates last, and omits when it is interrupted.

import assert from 'node:assert/strict';
import { test } from 'node:test';

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
