// A process that runs a never-ending migration on the SQLite file given as its argument: it is killed. With two numbers, it runs
// the program's own migrations, and does not end after so many statements of the one of that version.

import { migrate, readMigrations } from '../../src/data/migrate.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { withNextMigration } from '../support/next-migration.ts';

const [path = '', version, statements] = process.argv.slice(2);
await using sql = await openSqlite({ path });
await migrate(sql, version === undefined ? endless() : stuckIn(Number(version)));

function endless(): ReturnType<typeof readMigrations> {
  return withNextMigration('sqlite', { fill: 'endless' });
}

function stuckIn(stuck: number): ReturnType<typeof readMigrations> {
  const tail = endless().at(-1)?.statements ?? [];
  return readMigrations('sqlite').map((each) =>
    each.version === stuck
      ? { ...each, statements: [...each.statements.slice(0, Number(statements)), ...tail] }
      : each,
  );
}
