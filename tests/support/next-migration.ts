// A made-up migration after this program's last one, for tests: it adds a table and a column, and fills both from stored rows.
// It can also take long, so that a test can stop it half-way.

import { newestVersion, readMigrations } from '../../src/data/migrate.ts';
import type { Sql } from '../../src/data/sql.ts';

type Dialect = Sql['dialect'];
/** What else the migration does: nothing; write many rows; write many rows and never end. */
type Fill = 'stored' | 'many' | 'endless';

/** More than SQLite's cache holds, so that pages of the open transaction are written to the log. */
const MANY = `insert into later_words (id, word)
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
  select 'n' || i, '${'x'.repeat(100)}' from n`;

const FOR_EVER: Readonly<Record<Dialect, string>> = {
  sqlite: `insert into later_words (id, word)
    with recursive n (i) as (select 1 union all select i + 1 from n) select 'last', max(i) from n`,
  postgres: 'select pg_sleep(3600)',
};

/** Returns all migrations of this program, and the made-up one. */
export function withNextMigration(
  dialect: Dialect,
  { fill }: { readonly fill: Fill },
): ReturnType<typeof readMigrations> {
  const statements = [
    'create table later_words (id text not null primary key, word text not null)',
    'alter table organizations add column later_word text',
    'update organizations set later_word = name',
    'insert into later_words (id, word) select id, listing_key from listings',
    ...(fill === 'stored' ? [] : [MANY]),
    ...(fill === 'endless' ? [FOR_EVER[dialect]] : []),
  ];
  return [...readMigrations(dialect), { version: newestVersion() + 1, statements }];
}
