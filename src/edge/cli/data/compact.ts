// openshelf compact: compacts the complete years of price history and deletes what the settings do not retain.

import { storeOf, withStore } from '../../wiring/open-store.ts';
import { dayOf } from '../../../base/clock.ts';
import { compact, type Compaction } from '../../../answer/indexer/compaction.ts';
import {
  countCompactable,
  firstRecentDay,
} from '../../../data/maintenance/compact-observations.ts';
import { openAlone } from '../../../data/sqlite/whole-file.ts';
import { vacuumSqlite } from '../../../data/sqlite/vacuum.ts';
import {
  counted,
  DONE,
  FAILED,
  printJson,
  STOPPED,
  type Command,
  UsageError,
  type CommandInput,
} from '../command.ts';
import { configOf, configWithData } from '../data-folder.ts';
import { DATA_OPTION } from '../options.ts';
import { createProgress } from '../progress-bar.ts';

export const compactCommand: Command = {
  name: 'compact',
  summary: 'compact the price history now, as a running service does every week',
  synopsis: ['[--vacuum] [--data DIR] [--json]'],
  options: {
    vacuum: {
      help: 'then give free space back to the disk; no other process may use the data (SQLite only)',
    },
    data: DATA_OPTION,
    json: {
      help:
        'print {"complete", "folded", "forgotten", "problems"} as one line of JSON; with --vacuum also ' +
        '"bytes_before" and "bytes_after"',
    },
  },
  notes: [
    'Works while a server runs, and may be stopped at any time: finished work is not lost.',
    'Deletes only data that OPENSHELF_KEEP_OBSERVATIONS_DAYS and OPENSHELF_KEEP_BARS_YEARS do ' +
      'not retain.',
    'The exit code is 1 when something could not be read, or when the command was stopped.',
  ],
  run: async (input) => {
    const { values, io } = input;
    const vacuumed = values['vacuum'] === true ? await fileToVacuum(input) : null;
    const done = await runCompact(input);
    const isComplete = !io.stop.aborted;
    const size = isComplete && vacuumed !== null ? vacuumSqlite(vacuumed) : null;
    if (values['json'] === true) {
      const { compacted: folded, forgotten, damaged: problems } = done;
      const bytes = size === null ? {} : { bytes_before: size.before, bytes_after: size.after };
      printJson(io, { complete: isComplete, folded, forgotten, problems, ...bytes });
    } else {
      tell(input, done);
      if (size !== null) io.out(`The file has ${size.after} bytes; it had ${size.before}.`);
    }
    if (!isComplete) io.err(STOPPED);
    return isComplete && done.damaged.length === 0 ? DONE : FAILED;
  },
};

/** Refuses before anything is done what could not be vacuumed after a long compaction. */
async function fileToVacuum(input: CommandInput): Promise<string> {
  const place = storeOf(configOf(input));
  if (place.kind === 'postgres') {
    throw new UsageError(
      '--vacuum is for SQLite. PostgreSQL reuses free space by itself (autovacuum); VACUUM FULL in psql gives it back to ' +
        'the disk, and locks each table meanwhile.',
    );
  }
  await configWithData(input);
  openAlone(place.path).close();
  return place.path;
}

async function runCompact(input: CommandInput): Promise<Compaction> {
  const { io } = input;
  const config = await configWithData(input);
  return await withStore(config, async ({ sql }, nowMs) => {
    const today = dayOf(nowMs);
    const bar = createProgress(io, await countCompactable(sql, firstRecentDay(today)));
    try {
      return await compact({
        sql,
        retention: config.retention,
        today,
        signal: io.stop,
        // Other writers get their turn at each slice's commit.
        pause: () => Promise.resolve(),
        onCompacted: (folded) => bar.at(folded, `${folded} observations`),
      });
    } finally {
      bar.end();
    }
  });
}

function tell({ io }: CommandInput, { compacted: folded, forgotten, damaged }: Compaction): void {
  damaged.forEach((problem) => io.out(problem));
  const gone = forgotten === 0 ? '' : `, ${forgotten} deleted by the retention settings`;
  io.out(`${counted(folded, 'observation')} compacted${gone}`);
}
