// Compaction of price history: complete days are packed into years, and observations beyond the retention settings are
// deleted. It works in slices, so that lookups continue meanwhile. `openshelf compact` and a running service do the same.

import { dayOf, HOUR_MS, MINUTE_MS, type Clock, type Day } from '../../base/clock.ts';
import type { Retention } from '../../rules/history/retention.ts';
import {
  firstRecentDay,
  FROM_THE_START,
  findOldestRecentDay,
  readSlice,
  writeSlice,
  type CompactionPosition,
  type ReadSlice,
} from '../../data/maintenance/compact-observations.ts';
import { countFilledTables, ensureMonths } from '../../data/postgres/partitions.ts';
import {
  FIRST_YEAR,
  forgets,
  forgetSlice,
  forgetRecent,
  type YearPosition,
} from '../../data/maintenance/forget-observations.ts';
import type { Sql } from '../../data/sql.ts';
import type { Background } from './background.ts';

/** A slice blocks this process for some milliseconds, and on SQLite also the writes of other processes. */
const SMALL_SLICE = { listings: 16, observations: 500 };
const LARGE_SLICE = { listings: 512, observations: 12_000 };
const YEARS_A_SLICE = 64;

export type Compaction = {
  /** Observations that were packed into years. */
  readonly compacted: number;
  /** Observations deleted, because the settings do not retain them. */
  readonly forgotten: number;
  /** Years that could not be read, one sentence each. */
  readonly damaged: readonly string[];
};

type CompactionParts = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly today: Day;
  readonly signal: AbortSignal;
  /** Called between two slices; resolves when the next one may begin. */
  readonly pause: () => Promise<void>;
  /**
   * Whether this process answers calls. It then takes small slices, and stops when another process compacts, so that of
   * many that start at the same time only one continues.
   */
  readonly givesWay?: boolean;
  /** Called with the number of observations packed so far. */
  readonly onCompacted?: (compacted: number) => void;
};

/**
 * Packs and deletes until nothing is left to do, or until the signal aborts; `only` can exclude one of the two. Rejects when
 * the database fails.
 */
export async function compact(
  parts: CompactionParts,
  only: { readonly compacts: boolean; readonly forgets: boolean } = {
    compacts: true,
    forgets: true,
  },
): Promise<Compaction> {
  await ensureMonths(parts.sql, parts.today);
  const packed = only.compacts ? await compactAll(parts) : { compacted: 0, damaged: [] };
  const removed = only.forgets ? await forgetAll(parts) : { forgotten: 0, damaged: [] };
  return { ...packed, ...removed, damaged: [...new Set([...packed.damaged, ...removed.damaged])] };
}

async function compactAll(parts: CompactionParts) {
  const { sql, today, signal, pause, onCompacted, givesWay } = parts;
  const size = givesWay === true ? SMALL_SLICE : LARGE_SLICE;
  const read = (position: CompactionPosition) =>
    readSlice(sql, firstRecentDay(today), size, position);
  const oldest = givesWay === true ? null : await findOldestRecentDay(sql);
  // Skipped in a process that answers calls: it would make no difference to such small slices, and charges would wait for
  // it.
  if (oldest !== null && oldest < firstRecentDay(today)) await countFilledTables(sql);
  const damaged: string[] = [];
  let compacted = 0;
  let slice = signal.aborted ? null : await read(FROM_THE_START);
  while (slice !== null) {
    // The database writes while this process packs the next slice. A process that answers calls does them one after the
    // other.
    const [written, ahead] = await Promise.all([
      writeSlice(sql, slice),
      givesWay === true || slice.rest !== null ? null : read(slice.after),
    ]);
    compacted += written.observations;
    damaged.push(...written.damaged);
    onCompacted?.(compacted);
    const isBehind = written.lost > 0 && written.observations === 0;
    if (isBehind && givesWay === true) break;
    await pause();
    if (signal.aborted) break;
    slice = isNext(ahead, slice) ? ahead : await read(written.next);
  }
  return { compacted, damaged };
}

/**
 * Checks whether the slice read ahead follows the written one. If it is of a later day it may contain the same rows,
 * because a slice includes its listings' later days.
 */
function isNext(ahead: ReadSlice | null, written: ReadSlice): ahead is ReadSlice {
  return ahead?.day === written.day;
}

async function forgetAll({ sql, retention, today, signal, pause }: CompactionParts) {
  const damaged: string[] = [];
  if (!forgets(retention) || signal.aborted) return { forgotten: 0, damaged };
  let forgotten = await forgetRecent(sql, retention, today);
  let place: YearPosition | null = FIRST_YEAR;
  while (!signal.aborted) {
    const slice = await forgetSlice(sql, { retention, today }, YEARS_A_SLICE, place);
    place = slice.next;
    forgotten += slice.observations;
    damaged.push(...slice.damaged);
    if (place === null) break;
    await pause();
  }
  return { forgotten, damaged };
}

type KeepCompactParts = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly background: Background;
  readonly onError: (error: unknown) => void;
};

const FIRST_CHECK_MS = MINUTE_MS;
const CHECK_EVERY_MS = 10 * MINUTE_MS;
const FORGET_EVERY_MS = 24 * HOUR_MS;
/** The pause between two slices, so that lookups get most of the process's time. */
const PAUSE_MS = 25;
/** Days packed at once: each year's text is then written once a week, not once a day. */
const COMPACT_EVERY_DAYS = 7;

/** Compacts periodically while the service runs. */
export function keepCompact(parts: KeepCompactParts): void {
  const { sql, retention, clock, background, onError } = parts;
  let forgotAtMs = Number.NEGATIVE_INFINITY;
  const check = async (signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    const today = dayOf(now);
    const oldest = await findOldestRecentDay(sql);
    const due = {
      compacts: oldest !== null && oldest < firstRecentDay(today) - COMPACT_EVERY_DAYS,
      forgets: forgets(retention) && now - forgotAtMs >= FORGET_EVERY_MS,
    };
    const pause = () => clock.sleep(PAUSE_MS, signal);
    const givesWay = true;
    const { damaged } = await compact({ sql, retention, today, signal, pause, givesWay }, due);
    if (due.forgets) forgotAtMs = now;
    for (const each of damaged) onError(new Error(each));
  };
  void background.run(async (signal) => {
    // One failure must not end compaction in this process: the next check tries again.
    const survive = (error: unknown) => {
      if (!signal.aborted) onError(error);
    };
    await ensureMonths(sql, dayOf(clock.now())).catch(survive);
    await clock.sleep(FIRST_CHECK_MS, signal);
    for (;;) {
      await check(signal).catch(survive);
      await clock.sleep(CHECK_EVERY_MS, signal);
    }
  });
}
