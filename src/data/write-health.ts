// Monitors whether the database accepts writes. Every failed write is counted and reported. While writes fail, readiness is
// decided by a write that needs as much space as the failed ones, because a heartbeat alone can succeed on a full disk.

import { messageOf } from '../base/fault.ts';
import type { Database, Transaction, WriteProblem } from './sql.ts';
import { StoreUnavailable } from './sql.ts';
import { probeQueue } from './write-queue.ts';

type WriteFailure = {
  readonly problem: WriteProblem;
  /** The database's message about the statement; it contains no value that was written. */
  readonly message: string;
};

export type WriteHealth = {
  /** Writes that failed since the start, by problem. */
  readonly failures: () => ReadonlyMap<WriteProblem, number>;
  /** True from a write that the database could not do, until one of that size succeeds. */
  readonly isFailing: () => boolean;
  /** Calls `failed` for each failure, and `recovered` when writes succeed again. */
  readonly watch: (watcher: WriteWatcher) => void;
};

type WriteWatcher = {
  readonly failed: (failure: WriteFailure) => void;
  readonly recovered: () => void;
};

const PROBE_MS = 1_000;
/** The minimum and maximum size of a probe, in characters. */
const LEAST_PROBE = 65_536;
const MOST_PROBE = 4_194_304;

export type WatchedWrites = { readonly sql: Database; readonly health: WriteHealth };

/** Returns the database with its writes monitored; its `probe` takes failures into account. */
export function watchWrites(database: Database): WatchedWrites {
  const failures = new Map<WriteProblem, number>();
  const watchers: WriteWatcher[] = [];
  let neededRoom: number | null = null;
  let probing: Promise<boolean> | null = null;
  const noteFailure = (error: unknown, size: number): void => {
    const problem = error instanceof StoreUnavailable ? error.problem : 'refused';
    // Stopping the service closes the store while its last writes are in progress.
    if (problem === 'closed') return;
    failures.set(problem, (failures.get(problem) ?? 0) + 1);
    if (problem !== 'refused') neededRoom = Math.max(neededRoom ?? LEAST_PROBE, size);
    const message = messageOf(error);
    for (const { failed } of watchers) failed({ problem, message });
  };
  const write: Database['write'] = async (transaction, options) => {
    try {
      return await database.write(transaction, options);
    } catch (error) {
      noteFailure(error, sizeOf(transaction));
      throw error;
    }
  };
  const probeRoom = async (room: number, deadlineMs: number): Promise<boolean> => {
    const filler = 'x'.repeat(Math.min(room, MOST_PROBE));
    const needed = {
      write: async () => {
        const written = await write([{ text: PUT, params: [filler] }]);
        await write([{ text: REMOVE }]);
        return written;
      },
    };
    if (!(await probeQueue(needed, deadlineMs))) return false;
    neededRoom = null;
    for (const { recovered } of watchers) recovered();
    return true;
  };
  // Concurrent callers share a space probe, so that the probes themselves do not fill the disk.
  const probe = (deadlineMs = PROBE_MS): Promise<boolean> => {
    if (neededRoom === null) return probeQueue({ write }, deadlineMs);
    return (probing ??= probeRoom(neededRoom, deadlineMs).finally(() => {
      probing = null;
    }));
  };
  return {
    sql: {
      ...database,
      write,
      probe,
    },
    health: {
      failures: () => failures,
      isFailing: () => neededRoom !== null,
      watch: (watcher) => void watchers.push(watcher),
    },
  };
}

const PUT = `insert into write_probe (id, filler) values (1, $1)
  on conflict (id) do update set filler = excluded.filler`;
const REMOVE = 'delete from write_probe where id = 1';

function sizeOf(transaction: Transaction): number {
  let size = 0;
  for (const { text, params = [] } of transaction) {
    size += text.length;
    for (const value of params) size += typeof value === 'string' ? value.length : 8;
  }
  return size;
}
