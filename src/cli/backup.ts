// openshelf backup FILE: the SQLite database as one file, while the service runs (docs/operations.md).

import { storeOf } from '../app.ts';
import { backupSqlite } from '../store/sqlite/backup.ts';
import { configOf, DONE, onePositional, printJson, type Command } from './command.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy the SQLite database into a file while the service runs',
  usage: [
    'Usage: openshelf backup FILE [--data DIR] [--json]',
    '',
    '  FILE         what must not be there yet; it appears when it is complete, checked and on the disk',
    '  --data DIR   the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json       {"file", "bytes"} on one line',
    '',
    'The copy is the data as it was at one moment. To go back to it, stop the service, remove openshelf.db,',
    'openshelf.db-wal and openshelf.db-shm in the data folder, and put the file there as openshelf.db.',
    'Data in PostgreSQL is backed up with its own tools.',
  ].join('\n'),
  options: { data: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: true,
  run: async (input) => {
    const { values, positionals, io } = input;
    const file = onePositional(positionals, 'FILE');
    const database = storeOf(configOf(input));
    if (database.kind !== 'sqlite') {
      throw new Error('the data is in PostgreSQL: back it up with pg_dump or pg_basebackup');
    }
    const bytes = backupSqlite(database.path, file);
    if (values['json'] === true) printJson(io, { file, bytes });
    else io.out(`${bytes} bytes written to ${file}`);
    return DONE;
  },
};
