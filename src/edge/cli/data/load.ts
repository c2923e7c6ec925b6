// openshelf load FILE: loads the output of openshelf dump as the data of a new installation, on either database.

import { messageOf } from '../../../base/fault.ts';
import { retailersAt } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import { DumpRefused } from '../../../data/maintenance/dump-format.ts';
import { openLoadTarget, type LoadTarget } from '../../../data/maintenance/dump-ends.ts';
import { loadDump, readDumpHeader, type LoadReport } from '../../../data/maintenance/load-dump.ts';
import {
  addToTakedownFile,
  readTakedownFile,
  takedownFileIn,
} from '../../../data/maintenance/takedown-file.ts';
import { createSecrets, secretsKeyFileIn } from '../../../data/secrets.ts';
import type { Takedown } from '../../../data/takedowns.ts';
import { createChannels } from '../../../data/watches/channels.ts';
import { storeOf } from '../../wiring/open-store.ts';
import type { Config } from '../../config.ts';
import { answer, counted, FAILED, type Command, type CommandInput } from '../command.ts';
import { configOf, placeOf } from '../data-folder.ts';
import { DATA_OPTION, onePositional } from '../options.ts';
import { watchDump } from './dump.ts';
import { dumpLinesIn, STANDARD } from './dump-file.ts';

export const load: Command = {
  name: 'load',
  summary: 'load a file written by dump into an empty database',
  synopsis: ['FILE [--data DIR] [--json]'],
  positionals: {
    FILE: 'a file that openshelf dump wrote, compressed or not; - reads standard input',
  },
  options: {
    data: DATA_OPTION,
    json: { help: 'print the row count and SHA-256 of each table as one line of JSON' },
  },
  notes: [
    'Loads into a new data folder, or into the empty database that DATABASE_URL names. Refuses one that has data or',
    'is in use. Everything is loaded in one transaction, read back and compared with the file; after a stop or a failure',
    'nothing remains, and the same command starts over. Data of taken-down hosts is deleted. Put the key of the',
    'channels (secrets.key, or OPENSHELF_SECRETS_KEY) in place separately: the file does not contain it.',
  ],
  run: async (input) => {
    const { io, positionals } = input;
    const file = onePositional(positionals, 'FILE');
    const config = configOf(input);
    const { watch, end } = watchDump(io, 'loading');
    let locked = 0;
    let report: LoadReport | null = null;
    const lines = dumpLinesIn(file, io.stop);
    try {
      const header = await readDumpHeader(lines);
      await using target = await openLoadTarget(storeOf(config));
      report = await loadDump({ header, lines }, target, {
        watch,
        takedowns: readTakedownFile(takedownFileIn(config.dataDir)),
        retailersAt,
        settle: async (filled, takedowns) => {
          locked = await lockedChannels(config, filled);
          keepTakedowns(input, config, takedowns);
        },
      });
    } catch (error) {
      if (error instanceof DumpRefused)
        throw new Error(`${nameOf(file)} ${error.message}`, { cause: error });
      if (!io.stop.aborted) throw error;
    } finally {
      end();
      await lines.return(undefined);
    }
    if (report === null) {
      io.err('Stopped. Nothing was loaded; the same command starts over.');
      return FAILED;
    }
    const { rows, tables, takenDown } = report;
    const json = { file, rows, tables, taken_down: takenDown, locked_channels: locked };
    if (locked > 0) io.err(keyNote(config, locked));
    return answer(input, json, [
      `${rows} rows of ${tables.length} tables loaded into ${placeOf(config)}; every table matches the dump`,
      ...(takenDown.length === 0 ? [] : [`taken down again: ${takenDown.join(', ')}`]),
    ]);
  },
};

function nameOf(file: string): string {
  return file === STANDARD ? 'standard input' : file;
}

/** Counts the channels that are encrypted with a key that is not available here. */
async function lockedChannels(
  { databaseUrl, secretsKey, dataDir }: Config,
  { sql }: LoadTarget,
): Promise<number> {
  const secrets = createSecrets({ secretsKey, folder: databaseUrl === null ? dataDir : null });
  const channels = createChannels({ ...sql, [Symbol.asyncDispose]: () => Promise.resolve() });
  return await channels.countSealedOtherwise(secrets.sealedBegins());
}

function keyNote({ databaseUrl, dataDir }: Config, locked: number): string {
  const place =
    databaseUrl === null
      ? `put its secrets.key at ${secretsKeyFileIn(dataDir)}, or set OPENSHELF_SECRETS_KEY`
      : 'set OPENSHELF_SECRETS_KEY to it (the text of its secrets.key)';
  return (
    `${counted(locked, 'channel')} cannot be read yet: their targets are encrypted with the key of the old ` +
    `installation. Before the service starts, ${place}.`
  );
}

/** On PostgreSQL the file is only a second copy, and this machine may have no folder for it. */
function keepTakedowns({ io }: CommandInput, config: Config, entries: readonly Takedown[]): void {
  const path = takedownFileIn(config.dataDir);
  try {
    addToTakedownFile(path, entries);
  } catch (error) {
    if (config.databaseUrl === null) throw error;
    io.err(`The list of takedowns could not be written to ${path} as well: ${messageOf(error)}`);
  }
}
