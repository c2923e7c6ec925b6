// What an operator has to fix on the machine or in the settings, judged by a few figures. Pure.

import { DAY_MS, isDoneSince, isoTimestamp, MINUTE_MS, SECOND_MS } from '../base/clock.ts';
import type { SourceState } from '../base/source-state.ts';

/** Figures of an installation. Null if unknown. */
export type InstallationFigures = {
  readonly nowMs: number;
  /** Free space for the SQLite database, in bytes. */
  readonly freeBytes: number | null;
  /** When `openshelf backup` last succeeded. */
  readonly backupAtMs: number | null;
  /** By how much the machine's clock is ahead of those of shops. */
  readonly clockOffsetMs: number | null;
  /** Channels whose secrets cannot be decrypted here. */
  readonly lockedChannels: number | null;
  readonly sources: readonly SourceState[];
};

/** A possible trouble, identified by its title: the figure as a sentence, and what to do if the trouble is there. */
export type Judged = {
  readonly title: string;
  readonly isThere: boolean;
  readonly detail: string;
  readonly change: string;
};

const GIB = 1_073_741_824;
/** A weekly backup that is a day late. */
const OLDEST_BACKUP_MS = 8 * DAY_MS;
/** Signatures of official APIs are rejected if the clock is a few minutes off. */
const MOST_OFF_MS = 2 * MINUTE_MS;
const DISK_LOW = 'The disk is nearly full';
export const BACK_UP = 'Run openshelf backup on a timer.';

/** A write-ahead log, a backup and a compaction need space in addition to the data. Space around the limit is one trouble. */
export const judgeDisk = (freeBytes: number, wasLow = false): Judged => ({
  title: DISK_LOW,
  isThere: freeBytes < (wasLow ? 1.25 : 1) * GIB,
  detail: `${(freeBytes / GIB).toFixed(1)} GiB are free for the data.`,
  change: 'Free some space, or move the data folder.',
});

export const judgeBackup = (atMs: number, nowMs: number): Judged => ({
  title: 'The last backup is too old',
  isThere: !isDoneSince(atMs, nowMs - OLDEST_BACKUP_MS, nowMs),
  detail: `The last one was made ${isoTimestamp(atMs)}.`,
  change: BACK_UP,
});

export const judgeClock = (offsetMs: number, host: string): Judged => ({
  title: `The clock of ${host} is wrong`,
  isThere: Math.abs(offsetMs) > MOST_OFF_MS,
  detail: `It differs from the clocks of shops by ${Math.round(Math.abs(offsetMs) / SECOND_MS)} s.`,
  change: 'Set the clock of this machine (NTP).',
});

const judgeChannels = (locked: number, host: string): Judged => ({
  title: `The key of channel secrets is missing on ${host}`,
  isThere: locked > 0,
  detail: `${locked} channels cannot be used.`,
  change: 'openshelf doctor says what to do.',
});

/** Only failures count that last until the operator acts. */
function judgeSource(source: string, states: readonly SourceState[]): Judged {
  const refused = states.find(({ kind }) =>
    /^(?:credentials_refused|not_eligible)$/.test(`${kind}`),
  );
  return {
    title: `The official API ${source} refuses this installation`,
    isThere: refused !== undefined,
    detail: `The reason is ${refused?.reason ?? refused?.kind}.`,
    change: 'openshelf doctor --probe says what to do.',
  };
}

/** Judges what is known. `open`: titles of the troubles that the operator knows of. */
export function judgeInstallation(
  { nowMs, freeBytes, backupAtMs, clockOffsetMs, lockedChannels, sources }: InstallationFigures,
  host: string,
  open: ReadonlySet<string>,
): readonly Judged[] {
  return [
    freeBytes === null ? null : judgeDisk(freeBytes, open.has(DISK_LOW)),
    backupAtMs === null ? null : judgeBackup(backupAtMs, nowMs),
    clockOffsetMs === null ? null : judgeClock(clockOffsetMs, host),
    lockedChannels === null ? null : judgeChannels(lockedChannels, host),
    ...[...Map.groupBy(sources, ({ source }) => source)].map((each) => judgeSource(...each)),
  ].filter((judged) => judged !== null);
}
