// The migration after this program's last one, made up for tests: it adds a table and a column, and fills both from rows that are
// stored. The endless one does the same and never ends, so that a test can stop it half-way.

import { newestVersion, readMigrations, type Migration } from '../../src/data/migrate.ts';
import type { Sql } from '../../src/data/sql.ts';

type Dialect = Sql['dialect'];

const FILL = 'insert into later_words (id, word) select id, listing_key from listings';

/** On SQLite, first more rows than its cache holds, so that pages of the open transaction get into the log; then no end. */
const ENDLESS: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: [
    `insert into later_words (id, word) with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
     select 'n' || i, hex(randomblob(64)) from n`,
    `insert into later_words (id, word) with recursive n (i) as (select 1 union all select i + 1 from n)
     select 'last', max(i) from n`,
  ],
  postgres: ['select pg_sleep(3600)'],
};

/** All migrations of this program, and the made-up one. */
export function withNextMigration(
  dialect: Dialect,
  { isEndless }: { readonly isEndless: boolean },
): readonly Migration[] {
  const statements = [
    'create table later_words (id text not null primary key, word text not null)',
    'alter table organizations add column later_word text',
    'update organizations set later_word = name',
    FILL,
    ...(isEndless ? ENDLESS[dialect] : []),
  ];
  return [...readMigrations(dialect), { version: newestVersion() + 1, statements }];
}
