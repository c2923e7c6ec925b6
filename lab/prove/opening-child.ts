// A process of the proof of promise 11: runs a migration that takes a while on the SQLite file that its argument names.

import { migrate } from '../../src/data/migrate.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { withNextMigration } from '../../tests/support/next-migration.ts';

const [path = ''] = process.argv.slice(2);
process.stdout.write('opening\n');
await using sql = await openSqlite({ path });
await migrate(sql, withNextMigration('sqlite', { fill: 'many' }));
process.stdout.write(`${sql.dialect} open\n`);
