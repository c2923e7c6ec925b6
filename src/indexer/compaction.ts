// Compaction of price history: what is complete is folded into packed years, what is not kept is forgotten. In slices,
// so that lookups go on beside it; the same for `openshelf compact` and for a running service.

import { dayOf, HOUR_MS, MINUTE_MS, type Clock, type Day } from '../core/clock.ts';
import type { Retention } from '../history/retention.ts';
import {
  firstRecentDay,
  compactSlice,
  FROM_THE_START,
  oldestRecentDay,
  type CompactionPlace,
} from '../store/maintenance/compact-observations.ts';
import { ensureMonths } from '../store/postgres/partitions.ts';
import {
  FIRST_YEAR,
  forgets,
  forgetSlice,
  forgetRecent,
  type YearPlace,
} from '../store/maintenance/forget-observations.ts';
import type { Sql } from '../store/sql.ts';
import type { Background } from './background.ts';

/** A slice keeps this process from anything else for some milliseconds, and others from writing to the same file. */
const SMALL_SLICE = { listings: 16, observations: 500 };
const LARGE_SLICE = { listings: 64, observations: 3_000 };
const YEARS_A_SLICE = 64;

export type Compaction = {
  /** Observations that were folded into packed years. */
  readonly folded: number;
  /** Observations that were deleted, because the settings keep no such. */
  readonly forgotten: number;
  /** Years that could not be read, a sentence each. */
  readonly damaged: readonly string[];
};

export type CompactionParts = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly today: Day;
  readonly signal: AbortSignal;
  /** Between two slices; resolves when the next one may begin. */
  readonly pause: () => Promise<void>;
  /**
   * In small slices, for a process that has callers; and folding ends where another process is at it, so that of
   * many that begin at the same time one goes on.
   */
  readonly givesWay?: boolean;
  /** Observations folded so far. */
  readonly onFolded?: (folded: number) => void;
};

/**
 * Does everything there is to do, or only one of both, or as much until the signal aborts. Rejects when the database
 * fails.
 */
export async function compact(
  parts: CompactionParts,
  only: { readonly folds: boolean; readonly forgets: boolean } = { folds: true, forgets: true },
): Promise<Compaction> {
  await ensureMonths(parts.sql, parts.today);
  const fold = only.folds ? await foldAll(parts) : { folded: 0, damaged: [] };
  const forget = only.forgets ? await forgetAll(parts) : { forgotten: 0, damaged: [] };
  return { ...fold, ...forget, damaged: [...new Set([...fold.damaged, ...forget.damaged])] };
}

async function foldAll(parts: CompactionParts) {
  const { sql, today, signal, pause, onFolded } = parts;
  const size = parts.givesWay === true ? SMALL_SLICE : LARGE_SLICE;
  const damaged: string[] = [];
  let folded = 0;
  let place: CompactionPlace | null = FROM_THE_START;
  while (!signal.aborted) {
    const slice = await compactSlice(sql, firstRecentDay(today), size, place);
    place = slice.next;
    folded += slice.observations;
    damaged.push(...slice.damaged);
    onFolded?.(folded);
    const isBehind = slice.lost > 0 && slice.observations === 0;
    if (place === null || (isBehind && parts.givesWay === true)) break;
    await pause();
  }
  return { folded, damaged };
}

async function forgetAll({ sql, retention, today, signal, pause }: CompactionParts) {
  const damaged: string[] = [];
  if (!forgets(retention) || signal.aborted) return { forgotten: 0, damaged };
  let forgotten = await forgetRecent(sql, retention, today);
  let place: YearPlace | null = FIRST_YEAR;
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

export type KeepCompactParts = {
  readonly sql: Sql;
  readonly retention: Retention;
  readonly clock: Clock;
  readonly background: Background;
  readonly onError: (error: unknown) => void;
};

const FIRST_LOOK_MS = MINUTE_MS;
const LOOK_EVERY_MS = 10 * MINUTE_MS;
const FORGET_EVERY_MS = 24 * HOUR_MS;
/** Lookups have the process to themselves for most of the time. */
const PAUSE_MS = 25;
/** Folding a week at a time writes each year's text once a week, not once a day. */
const FOLD_EVERY_DAYS = 7;

/** Compacts from time to time as long as the service runs. */
export function keepCompact(parts: KeepCompactParts): void {
  const { sql, retention, clock, background, onError } = parts;
  let forgotAtMs = Number.NEGATIVE_INFINITY;
  const look = async (signal: AbortSignal): Promise<void> => {
    const now = clock.now();
    const today = dayOf(now);
    const oldest = await oldestRecentDay(sql);
    const due = {
      folds: oldest !== null && oldest < firstRecentDay(today) - FOLD_EVERY_DAYS,
      forgets: forgets(retention) && now - forgotAtMs >= FORGET_EVERY_MS,
    };
    const pause = () => clock.sleep(PAUSE_MS, signal);
    const givesWay = true;
    const { damaged } = await compact({ sql, retention, today, signal, pause, givesWay }, due);
    if (due.forgets) forgotAtMs = now;
    for (const each of damaged) onError(new Error(each));
  };
  void background.run(async (signal) => {
    // The next look tries again: one failure must not end it for a process's life.
    const survive = (error: unknown) => {
      if (!signal.aborted) onError(error);
    };
    await ensureMonths(sql, dayOf(clock.now())).catch(survive);
    await clock.sleep(FIRST_LOOK_MS, signal);
    for (;;) {
      await look(signal).catch(survive);
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  });
}
