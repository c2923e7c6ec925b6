// A process that runs a never-ending migration on the SQLite file given as its argument: it is killed.

import { migrate } from '../../src/data/migrate.ts';
import { openSqlite } from '../../src/data/sqlite/sqlite.ts';
import { withNextMigration } from '../support/next-migration.ts';

const [path = ''] = process.argv.slice(2);
await using sql = await openSqlite({ path });
await migrate(sql, withNextMigration('sqlite', { fill: 'endless' }));
