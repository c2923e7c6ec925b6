// openshelf backup FILE: the SQLite database as one file, while the service runs (docs/operations.md).

import { storeOf } from '../app.ts';
import { backupSqlite } from '../store/sqlite/backup.ts';
import { DONE, printJson, type Command } from './command.ts';
import { configOf } from './data-folder.ts';
import { DATA_OPTION, onePositional } from './options.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy the SQLite database into a file while the service runs',
  synopsis: ['FILE [--data DIR] [--json]'],
  positionals: {
    FILE: 'a new file; it appears when the copy is complete, checked and on the disk',
  },
  options: { data: DATA_OPTION, json: { help: '{"file", "bytes"} on one line' } },
  notes: [
    'The copy is the data as it was at one moment. To restore it, stop the service, remove openshelf.db,',
    'openshelf.db-wal and openshelf.db-shm from the data folder, and put the file there as openshelf.db.',
    'Data in PostgreSQL is backed up with its own tools.',
  ],
  run: async (input) => {
    const { values, positionals, io } = input;
    const file = onePositional(positionals, 'FILE');
    const database = storeOf(configOf(input));
    if (database.kind !== 'sqlite') {
      throw new Error('The data is in PostgreSQL. Back it up with pg_dump or pg_basebackup.');
    }
    const bytes = backupSqlite(database.path, file);
    if (values['json'] === true) printJson(io, { file, bytes });
    else io.out(`${bytes} bytes written to ${file}`);
    return DONE;
  },
};
