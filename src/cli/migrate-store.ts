// openshelf migrate-store: everything that is held, from one database into another, empty one

import { realpathSync } from 'node:fs';

import { storeOf } from '../app.ts';
import { readConfig } from '../config.ts';
import { databaseName, readDatabaseUrl } from '../store/postgres/database-url.ts';
import { openMoveSource, openMoveTarget } from '../store/maintenance/move-ends.ts';
import {
  moveStore,
  type MoveReport,
  type MoveStep,
  type MoveWatch,
} from '../store/maintenance/move-store.ts';
import type { StoreConfig } from '../store/store.ts';
import {
  DONE,
  FAILED,
  printJson,
  requiredOption,
  UsageError,
  type Command,
  type CommandInput,
  type Io,
} from './command.ts';
import { createProgress } from './progress-bar.ts';

export const migrateStore: Command = {
  name: 'migrate-store',
  summary: 'move everything that is held into another database',
  usage: [
    'Usage: openshelf migrate-store --from PLACE --to PLACE [--json]',
    '',
    '  --from PLACE   the data as it is: a data folder, postgres://user:password@host:5432/database,',
    '                 or the word DATABASE_URL for what that setting names',
    '  --to PLACE     where it goes, the same way; it must hold nothing yet',
    '  --json         print what was moved as one JSON object on one line: rows and SHA-256 of each table',
    '',
    'Both sides must be out of use: stop the service first. After a stop or a failure the same call goes',
    'on where it ended. When it has ended, every table was read again on both sides and is the same; the',
    'old data is left as it was. Exit code 1 when it was refused, stopped, or the sides differ.',
  ].join('\n'),
  options: { from: { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean' } },
  run: async (input) => {
    const { values, io } = input;
    const from = placeOption(input, 'from');
    const to = placeOption(input, 'to');
    if (nameOf(from) === nameOf(to)) throw new UsageError('--from and --to are the same place');
    await using source = await openMoveSource(from);
    await using target = await openMoveTarget(to);
    const watching = watch(io);
    const report = await moveStore(source, target, watching).finally(watching.end);
    if (values['json'] === true) printJson(io, jsonOf(report, { from, to }));
    else if (report.isComplete) {
      io.out(`${report.rows} rows moved to ${nameOf(to)}; every table is the same on both sides`);
    }
    if (report.isComplete) return DONE;
    io.err('stopped: the same call goes on where this one ended.');
    return FAILED;
  },
};

function placeOption({ values, io }: CommandInput, name: 'from' | 'to'): StoreConfig {
  const text = requiredOption(values, name);
  if (text === 'DATABASE_URL') {
    const { databaseUrl } = readConfig(io.env);
    if (databaseUrl === null) throw new UsageError(`--${name}: DATABASE_URL is not set`);
    return { kind: 'postgres', url: databaseUrl };
  }
  if (!/^[a-z]+:\/\//i.test(text)) return storeOf({ databaseUrl: null, dataDir: text });
  const { url, problem } = readDatabaseUrl(text);
  if (url === null) throw new UsageError(`--${name} ${problem ?? 'names no database'}`);
  return { kind: 'postgres', url };
}

/** Without a password; a file by the name it has when every link is followed. */
function nameOf(place: StoreConfig): string {
  if (place.kind === 'postgres') return databaseName(place.url);
  try {
    return realpathSync(place.path);
  } catch {
    return place.path;
  }
}

/** A bar for a person, else a line for each table; both on standard error. */
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
      // Every row is copied, then compared.
      bar = createProgress(io, 2 * rows);
      done = before;
      if (before > 0) bar.note(`going on behind ${before} rows of an earlier run`);
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
    tables: tables.map(({ table, rows: held, sha256 }) => ({ table, rows: held, sha256 })),
  };
}
