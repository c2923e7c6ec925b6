// Moves all data of one database into another, empty one: table by table, page by page, each page in one transaction with the
// progress. Both sides are then read and compared.

import {
  advance,
  beginMove,
  endMove,
  readMoveProgress,
  type MoveProgress,
  type MoveSubject,
} from './move-progress.ts';
import type { Sql } from '../sql.ts';
import { countRows, digestTable, insertRows, pagesAfter, type TableDigest } from './table-rows.ts';
import { TABLES, type TableDefinition } from './tables.ts';
import { StoreUnavailable } from '../sql.ts';

export type MoveSource = {
  readonly sql: Pick<Sql, 'all' | 'dialect'>;
  readonly subject: MoveSubject;
  /** Rejects if another process may have written since the source was opened. */
  stillAlone(): Promise<void>;
};

export type MoveTarget = {
  readonly sql: Sql;
  /** The name of the database for messages. */
  readonly name: string;
};

export type MoveWatch = {
  readonly stop: AbortSignal;
  /** Called once, before the first row. `rows` is the source's count, `before` the rows that an earlier run has moved. */
  begun(size: { readonly rows: number; readonly before: number }): void;
  /** Rows of one table that were copied, or read again for the comparison. */
  at(step: MoveStep): void;
};

export type MoveStep = {
  readonly doing: 'copying' | 'comparing';
  readonly table: string;
  readonly rows: number;
};

type MovedTable = TableDigest & { readonly table: string };

export type MoveReport = {
  /** False if the move was stopped; the next run continues it. */
  readonly isComplete: boolean;
  readonly rows: number;
  /** Rows that an earlier run had moved. */
  readonly resumedAfter: number;
  /** Empty unless the move is complete. */
  readonly tables: readonly MovedTable[];
};

/**
 * Starts a move, or continues an interrupted one. Rejects with StoreUnavailable and an actionable reason if the target has
 * other data, or if the two sides differ afterwards; the target is then unusable.
 */
export async function moveStore(
  source: MoveSource,
  target: MoveTarget,
  watch: MoveWatch,
): Promise<MoveReport> {
  const progress = await progressOf(source, target);
  const counts = await Promise.all(TABLES.map((table) => countRows(source.sql, table)));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const resumedAfter = [...progress.tables.values()].reduce((sum, { copied }) => sum + copied, 0);
  watch.begun({ rows, before: resumedAfter });
  for (const table of TABLES) await copyTable(source, target, { table, progress, watch });
  const tables: MovedTable[] = [];
  for (const table of TABLES) {
    const compared = await compareTable(source, target, { table, watch });
    if (compared === null) return { isComplete: false, rows, resumedAfter, tables: [] };
    tables.push(compared);
  }
  await source.stillAlone();
  await endMove(target.sql);
  return { isComplete: true, rows, resumedAfter, tables };
}

async function progressOf(source: MoveSource, target: MoveTarget): Promise<MoveProgress> {
  const found = await readMoveProgress(target.sql);
  const { subject } = source;
  if (found === null) {
    await refuseOtherData(target);
    // A move that has begun and ended meanwhile leaves only its rows behind.
    if (!(await beginMove(target.sql, subject))) return await progressOf(source, target);
    const tables = TABLES.map(({ name }) => [name, { after: null, copied: 0 }] as const);
    return { subject, tables: new Map(tables) };
  }
  if (found.subject.source !== subject.source) {
    throw new StoreUnavailable(
      `a move from ${found.subject.source} into ${target.name} is not finished: continue that move, or start ` +
        'with an empty target',
    );
  }
  const isSameProgram =
    found.subject.schemaVersion === subject.schemaVersion &&
    found.tables.size === TABLES.length &&
    TABLES.every(({ name }) => found.tables.has(name));
  if (isSameProgram) return found;
  throw new StoreUnavailable(
    `the move into ${target.name} was started by another version of this program: start with an empty target`,
  );
}

async function refuseOtherData({ sql, name }: MoveTarget): Promise<void> {
  for (const table of TABLES) {
    const rows = await countRows(sql, table);
    if (rows === 0) continue;
    throw new StoreUnavailable(
      `${name} already contains data (${table.name}: ${rows}): a move needs an empty target`,
    );
  }
}

type CopyTask = {
  readonly table: TableDefinition;
  readonly progress: MoveProgress;
  readonly watch: MoveWatch;
};

async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  { table, progress, watch }: CopyTask,
): Promise<void> {
  let after = progress.tables.get(table.name)?.after ?? null;
  for await (const { rows, last } of pagesAfter(source.sql, table, after)) {
    if (watch.stop.aborted) return;
    const noted = advance(table, after, last, rows.length);
    const written = await target.sql.write([noted, ...insertRows(table, rows)]);
    if (!written.done) {
      throw new StoreUnavailable(
        `another move into ${target.name} is running: wait until it has finished`,
      );
    }
    after = last;
    watch.at({ doing: 'copying', table: table.name, rows: rows.length });
  }
}

async function compareTable(
  source: MoveSource,
  target: MoveTarget,
  { table, watch }: Omit<CopyTask, 'progress'>,
): Promise<MovedTable | null> {
  const goOn = () => (watch.stop.aborted ? 'stop' : 'go on');
  if (goOn() === 'stop') return null;
  const onPage = (rows: number) => {
    watch.at({ doing: 'comparing', table: table.name, rows });
    return goOn();
  };
  const [theirs, ours] = await Promise.all([
    digestTable(source.sql, table, onPage),
    digestTable(target.sql, table, goOn),
  ]);
  if (theirs === null || ours === null) return null;
  if (theirs.rows === ours.rows && theirs.sha256 === ours.sha256) {
    return { table: table.name, ...ours };
  }
  throw new StoreUnavailable(
    `${table.name} is not the same on both sides (${theirs.rows} rows there, ${ours.rows} here): ` +
      'one of them was changed after the move began; start again with an empty target',
  );
}
