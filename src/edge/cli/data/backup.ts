// openshelf backup FILE: the SQLite database as one file, while the service runs (docs/run/backup.md).

import { dirname } from 'node:path';

import { systemClock } from '../../wiring/clocks.ts';
import { storeOf } from '../../wiring/open-store.ts';
import { messageOf } from '../../../base/fault.ts';
import { noteBackup } from '../../../answer/metrics/process-figures.ts';
import {
  addToTakedownFile,
  readTakedownFile,
  takedownFileIn,
  takedownFileOf,
} from '../../../data/maintenance/takedown-file.ts';
import { backupSqlite, takedownsInFile } from '../../../data/sqlite/backup.ts';
import { answer, type Command } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { DATA_OPTION, onePositional } from '../options.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy the SQLite database into a file while the service runs',
  synopsis: ['FILE [--data DIR] [--json]'],
  positionals: {
    FILE: 'a new file; it appears once the copy is complete, has been checked and is on the disk',
  },
  options: { data: DATA_OPTION, json: { help: 'print {"file", "bytes"} as one line of JSON' } },
  notes: [
    'The copy is a consistent snapshot of the data; openshelf restore puts it back into service. If hosts are',
    'taken down, FILE.takedowns.json next to it lists them: keep both files together.',
    "Back up data in PostgreSQL with PostgreSQL's own tools.",
  ],
  run: async (input) => {
    const { positionals } = input;
    const file = onePositional(positionals, 'FILE');
    const database = storeOf(configOf(input));
    if (database.kind !== 'sqlite') {
      throw new Error('The data is in PostgreSQL. Back it up with pg_dump or pg_basebackup.');
    }
    const listed = readTakedownFile(takedownFileIn(dirname(database.path)));
    const bytes = backupSqlite(database.path, file);
    addToTakedownFile(takedownFileOf(file), [...listed, ...(await takedownsInFile(file))]);
    try {
      noteBackup(dirname(database.path), systemClock.now());
    } catch (error) {
      // The disk of the data may be full, which is no reason to take the copy for lost.
      input.io.err(`The service is not told of this backup: ${messageOf(error)}`);
    }
    return answer(input, { file, bytes }, [`${bytes} bytes written to ${file}`]);
  },
};
