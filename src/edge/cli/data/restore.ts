// openshelf restore FILE: a backup replaces the data of a stopped service (docs/run/backup.md).

import { dirname } from 'node:path';

import { storeOf } from '../../wiring/open-store.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { retailersAt } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import { applyTakedowns } from '../../../data/maintenance/apply-takedowns.ts';
import { checkStore } from '../../../data/maintenance/check.ts';
import {
  addToTakedownFile,
  readTakedownFile,
  takedownFileIn,
  takedownFileOf,
} from '../../../data/maintenance/takedown-file.ts';
import { takedownsInFile } from '../../../data/sqlite/backup.ts';
import { restoreSqlite } from '../../../data/sqlite/restore.ts';
import { openStore } from '../../../data/store.ts';
import { joinedTakedowns, type Takedown } from '../../../data/takedowns.ts';
import { answer, type Command } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { DATA_OPTION, onePositional } from '../options.ts';

const ON_POSTGRESQL =
  'The data is in PostgreSQL. Restore a dump with its own tools: createdb --encoding=UTF8 NAME, then pg_restore ' +
  '--exit-on-error --no-owner --dbname=postgres://.../NAME FILE; point DATABASE_URL at it and run openshelf check. ' +
  'Takedowns in takedowns.json of the data folder are applied when the service starts.';

export const restore: Command = {
  name: 'restore',
  summary: 'restore a backup as the data of the service (stop the service first)',
  synopsis: ['FILE [--replace] [--data DIR] [--json]'],
  positionals: { FILE: 'a file that openshelf backup wrote' },
  options: {
    replace: { help: 'replace the existing data; the old file is renamed' },
    data: DATA_OPTION,
    json: { help: 'print {"file", "data", "kept_as", "taken_down"} as one line of JSON' },
  },
  notes: [
    'The copy is brought up to date and checked as openshelf check does before it replaces anything, and data of',
    'taken-down hosts is deleted again, using the lists in the backup, next to it, and in the data folder. Refuses',
    'while a service runs on the folder. Changes after the backup are lost; so revoke keys again that were revoked',
    'since.',
  ],
  run: async (input) => {
    const { values, positionals } = input;
    const file = onePositional(positionals, 'FILE');
    const place = storeOf(configOf(input));
    if (place.kind !== 'sqlite') throw new Error(ON_POSTGRESQL);
    const { path } = place;
    const list = takedownFileIn(dirname(path));
    const given = [readTakedownFile(takedownFileOf(file)), readTakedownFile(list)];
    const at = new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const movedTo = `${path}.replaced-${at}`;
    const replaces = values['replace'] === true;
    const old = replaces ? await takedownsOf(path) : [];
    let applied: readonly string[] = [];
    const wasThere = await restoreSqlite({ file, path, replaces, movedTo }, async (copy) => {
      const done = await prepare(copy, joinedTakedowns(...given, old));
      ({ applied } = done);
      addToTakedownFile(list, done.entries);
    });
    const replaced = wasThere ? movedTo : null;
    const json = { file, data: dirname(path), kept_as: replaced, taken_down: applied };
    return answer(input, json, [
      `${file} restored to ${path}, and checked`,
      ...(replaced === null ? [] : [`the previous data is now in ${replaced}`]),
      ...(applied.length === 0 ? [] : [`taken down again: ${applied.join(', ')}`]),
    ]);
  },
};

/** Returns the takedowns of the data being replaced, which is not changed; none if it cannot be read. */
async function takedownsOf(path: string): Promise<readonly Takedown[]> {
  try {
    return await takedownsInFile(path);
  } catch {
    return [];
  }
}

async function prepare(copy: string, given: readonly Takedown[]) {
  await using store = await openStore({ kind: 'sqlite', path: copy });
  const applied = await applyTakedowns(store.sql, given, retailersAt, true);
  const problems = await checkStore(store.sql);
  if (problems.length === 0) return applied;
  throw new Error(
    `The backup is damaged, so nothing was changed: ${problems.slice(0, 5).join('; ')}. Restore an older one.`,
  );
}
