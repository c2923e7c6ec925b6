// openshelf migrate-store: moves all data from one database into another, empty one.

import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

import { storeOf } from '../../wiring/open-store.ts';
import { readConfig } from '../../config.ts';
import { databaseName, readDatabaseUrl } from '../../../data/postgres/database-url.ts';
import { openMoveSource, openMoveTarget } from '../../../data/maintenance/move-ends.ts';
import {
  moveStore,
  type MoveReport,
  type MoveStep,
  type MoveWatch,
} from '../../../data/maintenance/move-store.ts';
import { copySecretsKey, secretsKeyFileIn } from '../../../data/secrets.ts';
import type { StoreConfig } from '../../../data/store.ts';
import {
  DONE,
  FAILED,
  printJson,
  STOPPED,
  UsageError,
  type Command,
  type CommandInput,
  type Io,
} from '../command.ts';
import { requiredOption } from '../options.ts';
import { createProgress } from '../progress-bar.ts';

export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'move all data into another database',
  synopsis: ['--from PLACE --to PLACE [--json]'],
  options: {
    from: {
      value: 'PLACE',
      help:
        'where the data is: a data folder, postgres://user:password@host:5432/database, or the word DATABASE_URL ' +
        'for the database that this setting specifies',
    },
    to: {
      value: 'PLACE',
      help: 'where to move the data, specified in the same way; the target must be empty',
    },
    json: { help: 'print the row count and SHA-256 of each table as one line of JSON' },
  },
  notes: [
    'Stop the service first: no other process may use either side. After a stop or a failure the same command',
    'continues where it stopped. At the end every table is read again on both sides and compared; the old data is',
    'left unchanged. The key of the channels (secrets.key) is copied to a folder; for PostgreSQL the command states',
    'which setting it becomes. The exit code is 1 when the move was refused or stopped, or when the sides differ.',
  ],
  run: async (input) => {
    const { values, io } = input;
    const from = placeOption(input, 'from');
    const to = placeOption(input, 'to');
    if (nameOf(from) === nameOf(to)) throw new UsageError('--from and --to are the same place.');
    await using source = await openMoveSource(from);
    await using target = await openMoveTarget(to);
    const watching = watch(io);
    let remark: string | null = null;
    const begun: MoveWatch['begun'] = (size) => {
      // Done before the first row: if the command is stopped after the last one, nothing is left to do.
      remark = moveSecretsKey(from, to, io);
      watching.begun(size);
    };
    const report = await moveStore(source, target, { ...watching, begun }).finally(watching.end);
    if (remark !== null) io.err(remark);
    if (values['json'] === true) printJson(io, jsonOf(report, { from, to }));
    else if (report.isComplete) {
      io.out(`${report.rows} rows moved to ${nameOf(to)}; every table is the same on both sides`);
    }
    if (report.isComplete) return DONE;
    io.err(STOPPED);
    return FAILED;
  },
};

function placeOption({ values, io }: CommandInput, name: 'from' | 'to'): StoreConfig {
  const text = requiredOption(values, name);
  if (text === 'DATABASE_URL') {
    const { databaseUrl } = readConfig(io.env);
    if (databaseUrl === null)
      throw new UsageError(`--${name} is DATABASE_URL, but that setting is not set.`);
    return { kind: 'postgres', url: databaseUrl };
  }
  if (!/^[a-z]+:\/\//i.test(text)) return storeOf({ databaseUrl: null, dataDir: text });
  const { url, problem } = readDatabaseUrl(text);
  if (url === null) throw new UsageError(`--${name} ${problem ?? 'names no database'}.`);
  return { kind: 'postgres', url };
}

/**
 * Returns a place's name without a password. A file is named by its real path, so that two links to one file are the same
 * place.
 */
function nameOf(place: StoreConfig): string {
  if (place.kind === 'postgres') return databaseName(place.url);
  try {
    return realpathSync(place.path);
  } catch {
    return place.path;
  }
}

/** Moves the key without which channels' targets cannot be read. Returns what is left to do for it; null if nothing. */
function moveSecretsKey(from: StoreConfig, to: StoreConfig, { env }: Io): string | null {
  if (from.kind !== 'sqlite' || readConfig(env).secretsKey !== null) return null;
  const file = secretsKeyFileIn(dirname(from.path));
  if (to.kind === 'postgres') {
    if (!existsSync(file)) return null;
    return (
      `Set OPENSHELF_SECRETS_KEY to the text of ${file} before the service starts: the targets of channels are ` +
      'encrypted with it.'
    );
  }
  const other = secretsKeyFileIn(dirname(to.path));
  if (copySecretsKey(dirname(from.path), dirname(to.path)) !== 'other') return null;
  return `${other} differs from ${file}, the key with which the moved channels are encrypted: replace it with that one.`;
}

/** Shows a progress bar to a person, else a line for each table; both on standard error. */
function watch(io: Io): MoveWatch & { readonly end: () => void } {
  let bar = createProgress(io, 0);
  let done = 0;
  let last: { doing: MoveStep['doing']; table: string; rows: number } | null = null;
  const tellLast = () => {
    if (last !== null && io.status === undefined) {
      io.err(`${WAS_DONE[last.doing]} ${last.table}: ${last.rows} rows`);
    }
    last = null;
  };
  return {
    stop: io.stop,
    begun({ rows, before }) {
      // Counted twice, because every row is copied and then compared.
      bar = createProgress(io, 2 * rows);
      done = before;
      if (before > 0) bar.note(`Continuing after the ${before} rows of an earlier run.`);
    },
    at({ doing, table, rows }) {
      if (last?.doing !== doing || last.table !== table) tellLast();
      last = { doing, table, rows: (last?.rows ?? 0) + rows };
      done += rows;
      bar.at(done, `${doing} ${table}`);
    },
    end() {
      tellLast();
      bar.end();
    },
  };
}

const WAS_DONE: Readonly<Record<MoveStep['doing'], string>> = {
  copying: 'copied',
  comparing: 'compared',
};

function jsonOf(
  { isComplete, rows, resumedAfter, tables }: MoveReport,
  { from, to }: { readonly from: StoreConfig; readonly to: StoreConfig },
) {
  return {
    complete: isComplete,
    from: nameOf(from),
    to: nameOf(to),
    rows,
    resumed_after_rows: resumedAfter === 0 ? null : resumedAfter,
    tables: tables.map(({ table, rows: stored, sha256 }) => ({ table, rows: stored, sha256 })),
  };
}
