// Faults of how a database is recognised before it is used.

import type { Fault } from './fault.ts';

const OLDER = '../edge/cli/older-database.test.ts';

export const FAULTS_OF_SCHEMAS: readonly Fault[] = [
  {
    name: 'an older database gets new tables',
    file: 'data/migrate.ts',
    find: '  if (isOlder(sql.dialect, tables)) throw new StoreUnavailable(OLDER_DATABASE);\n',
    replace: '',
    tests: [OLDER],
  },
  {
    name: 'a table of another program makes a database an older one',
    file: 'data/migrate.ts',
    find: "return dialect === 'sqlite' || tables.has('organizations');",
    replace: 'return true;',
    tests: [OLDER],
  },
  {
    name: 'a database of the next version is opened',
    file: 'data/migrate.ts',
    find: 'if (found > newest) {',
    replace: 'if (found > newest + 1) {',
    tests: ['../data/migrate.test.ts'],
  },
];
