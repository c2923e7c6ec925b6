// Faults of moving data from one database to another through a file.

import type { Fault } from './fault.ts';

const DUMP = '../edge/cli/dump.test.ts';

export const FAULTS_OF_DUMPS: readonly Fault[] = [
  {
    name: 'a dump of a file reads what is written meanwhile',
    file: 'data/maintenance/dump-ends.ts',
    find: "connection.db.exec('begin');",
    replace: '',
    tests: [DUMP],
  },
  {
    name: 'a dump of a server reads what is written meanwhile',
    file: 'data/postgres/exclusive-connection.ts',
    find: 'isolation level repeatable read read only',
    replace: 'isolation level read committed read only',
    tests: [DUMP],
  },
  {
    name: 'a load takes rows that are not those of the hash',
    file: 'data/maintenance/load-dump.ts',
    find: 'if (mark.sha256 !== found.sha256) {',
    replace: 'if (mark.sha256.length !== found.sha256.length) {',
    tests: [DUMP],
  },
  {
    name: 'a load does not read again what it has written',
    file: 'data/maintenance/load-dump.ts',
    find: 'if (stored.rows !== closing.rows || stored.sha256 !== closing.sha256) {',
    replace: 'if (stored.rows !== closing.rows) {',
    tests: [DUMP],
  },
  {
    name: 'a load takes a file without its last line',
    file: 'data/maintenance/load-dump.ts',
    find: "if (text === null) throw new DumpRefused('is cut off: its last line is missing');",
    replace: 'if (text === null) return;',
    tests: [DUMP],
  },
  {
    name: 'a load keeps what was taken down',
    file: 'data/maintenance/load-dump.ts',
    find: 'const given = [...header.takedowns, ...parts.takedowns];',
    replace: 'const given = header.takedowns;',
    tests: [DUMP],
  },
];
