// A process of the proof of promise 11: runs a slow migration on the SQLite file given as its argument.

import { migrate } from '../../src/data/migrate.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { withNextMigration } from '../../tests/support/next-migration.ts';

const [path = ''] = process.argv.slice(2);
process.stdout.write('opening\n');
await using sql = await openSqlite({ path });
await migrate(sql, withNextMigration('sqlite', { fill: 'many' }));
process.stdout.write(`${sql.dialect} open\n`);
