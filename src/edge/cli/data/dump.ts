// openshelf dump FILE: everything that a person would miss, as a file that openshelf load reads into either database.

import { versionText } from '../../package-files.ts';
import type { TableClosing } from '../../../data/maintenance/dump-format.ts';
import { openSnapshot } from '../../../data/maintenance/dump-ends.ts';
import { DUMPED_TABLES } from '../../../data/maintenance/dump-tables.ts';
import { readTakedownFile, takedownFileIn } from '../../../data/maintenance/takedown-file.ts';
import { dumpPieces, type DumpWatch } from '../../../data/maintenance/write-dump.ts';
import { secretsKeyFileIn } from '../../../data/secrets.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { storeOf } from '../../wiring/open-store.ts';
import type { Config } from '../../config.ts';
import { answer, DONE, FAILED, UsageError, type Command, type Io } from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { DATA_OPTION, onePositional } from '../options.ts';
import { createProgress } from '../progress-bar.ts';
import { STANDARD, writeDumpFile, writeDumpOut } from './dump-file.ts';

export const dump: Command = {
  name: 'dump',
  summary: 'write all data to a file that can be loaded into either database',
  synopsis: ['FILE [--data DIR] [--json]'],
  positionals: {
    FILE:
      'a new file, which appears when it is complete; it is compressed if its name ends in .gz; - writes to ' +
      'standard output',
  },
  options: {
    data: DATA_OPTION,
    json: { help: 'print the row count and SHA-256 of each table as one line of JSON' },
  },
  notes: [
    'Works while a server runs: the file is a consistent snapshot of the data, in JSON with one line per row. It is',
    'readable by its owner only, because it contains key hashes and, encrypted, the targets of channels. The key of the',
    'channels is not in it: copy secrets.key from the data folder, or OPENSHELF_SECRETS_KEY, separately.',
  ],
  run: async (input) => {
    const { values, io, positionals } = input;
    const file = onePositional(positionals, 'FILE');
    if (file === STANDARD && values['json'] === true) {
      throw new UsageError('--json needs a file: with - the dump itself goes to standard output.');
    }
    const config = await configWithData(input);
    const place = storeOf(config);
    const takedowns = readTakedownFile(takedownFileIn(config.dataDir));
    const about = { program: versionText(), madeAtMs: systemClock.now(), takedowns };
    const { watch, tables, end } = watchDump(io, 'dumping');
    const isComplete = () => tables.length === DUMPED_TABLES.length;
    let bytes = 0;
    try {
      await using snapshot = await openSnapshot(place);
      const pieces = dumpPieces(snapshot, about, watch);
      if (file === STANDARD) await writeDumpOut(pieces);
      else bytes = await writeDumpFile(file, pieces, isComplete);
    } finally {
      end();
    }
    if (!isComplete()) {
      io.err('Stopped before the dump was complete. No file remains.');
      return FAILED;
    }
    const rows = tables.reduce((sum, each) => sum + each.rows, 0);
    if ((tables.find(({ table }) => table === 'channels')?.rows ?? 0) > 0) io.err(keyNote(config));
    if (file === STANDARD) return DONE;
    return answer(input, { file, bytes, rows, tables }, [
      `${rows} rows of ${tables.length} tables written to ${file} (${bytes} bytes)`,
    ]);
  },
};

/** Returns what must be copied in addition to the file. */
function keyNote({ databaseUrl, secretsKey, dataDir }: Config): string {
  const key =
    secretsKey !== null || databaseUrl !== null
      ? 'OPENSHELF_SECRETS_KEY'
      : secretsKeyFileIn(dataDir);
  return `Copy ${key} too: the targets of channels are encrypted with it, and the dump does not contain it.`;
}

type WatchedDump = {
  readonly watch: DumpWatch;
  /** The completed tables, in order. */
  readonly tables: readonly TableClosing[];
  readonly end: () => void;
};

/** Creates a progress bar for a person, on standard error. */
export function watchDump(io: Io, doing: string): WatchedDump {
  let bar = createProgress(io, 0);
  let done = 0;
  const tables: TableClosing[] = [];
  return {
    tables,
    watch: {
      stop: io.stop,
      begun(rows) {
        bar = createProgress(io, rows);
      },
      at(table, rows) {
        done += rows;
        bar.at(done, `${doing} ${table}`);
      },
      ended: (table) => void tables.push(table),
    },
    end: () => bar.end(),
  };
}
