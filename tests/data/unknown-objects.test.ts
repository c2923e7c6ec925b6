// A database with a trigger, a rule, a policy, a view or another object that the program did not make is refused when it is
// opened or restored; its own objects, and on a server those of other programs, are no reason.

import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { openStore, type StoreConfig } from '../../src/data/store.ts';
import { runCommand } from '../support/command.ts';
import { command, newDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function opens(config: StoreConfig): Promise<boolean> {
  await using store = await openStore(config);
  return await store.sql.probe();
}

const change = (path: string, text: string) => {
  const db = new DatabaseSync(path);
  db.exec(text);
  db.close();
};

test('an SQLite database with an object of somebody else is refused with its name, also as a backup', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  assert.equal(await opens({ kind: 'sqlite', path }), true);
  for (const [text, says] of [
    [
      'create trigger more after insert on charges begin update balances set used = 0; end',
      /a trigger that this program did not make \(more of charges\)/,
    ],
    [
      'create trigger charges after insert on charges begin select 1; end',
      /a trigger .* \(charges\)/,
    ],
    ['create view totals as select 1', /a view .* \(totals\)/],
    [
      'drop view ledger; create view ledger as select * from ledger_entries',
      /a view .* \(ledger\)/,
    ],
    [
      'drop view ledger; create trigger t instead of insert on last_charge_batch begin select 1; end',
      /a trigger .* \(t of last_charge_batch\)/,
    ],
    ['drop table misses; create view misses as select 1 as gtin14', /a view .* \(misses\)/],
    ['create table songs (title text)', /a table .* \(songs\)/],
    ['create virtual table words using fts5 (word)', /a table .* \(words, and \d more\)/],
    ['create unique index once on listings (url)', /an index .* \(once of listings\)/],
    ['create table "Organizations 2" (a)', /a table .* \(Organizations 2\)/],
  ] as const) {
    const copy = join(folder.path, 'copy.db');
    copyFileSync(path, copy);
    change(copy, text);
    await assert.rejects(opens({ kind: 'sqlite', path: copy }), says, text);
    const restored = await runCommand([
      'restore',
      copy,
      '--data',
      join(folder.path, 'new'),
      '--json',
    ]);
    assert.equal(restored.code, 1);
    assert.match(String(restored.json['detail']), says);
  }
  change(path, 'analyze');
  assert.equal(await opens({ kind: 'sqlite', path }), true);
});

test('a PostgreSQL database with an object of somebody else on a table of ours is refused with its name', async () => {
  const nothing =
    "create function nothing() returns trigger language plpgsql as 'begin return null; end';";
  for (const [text, says] of [
    [
      `${nothing} create trigger more before insert on charges for each row execute function nothing()`,
      /a trigger that this program did not make \(more of charges\)/,
    ],
    [
      `${nothing} create trigger more before insert on observations_rest for each row execute function nothing()`,
      /a trigger .* \(more of observations\)/,
    ],
    [
      'create rule more as on insert to charges do instead nothing',
      /a rule .* \(more of charges\)/,
    ],
    ['create policy more on charges using (false)', /a policy .* \(more of charges\)/],
    ['drop table misses; create view misses as select 1 as gtin14', /a view .* \(misses\)/],
  ] as const) {
    await using database = await newDatabase('migrated');
    await command(database.url, text);
    await assert.rejects(opens({ kind: 'postgres', url: database.url }), says, text);
  }
  await using database = await newDatabase('migrated');
  await command(
    database.url,
    `${nothing} create table theirs (a text); create view totals as select 1;
     create trigger more before insert on theirs for each row execute function nothing()`,
  );
  assert.equal(await opens({ kind: 'postgres', url: database.url }), true);
});
