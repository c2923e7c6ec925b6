// What an operator has to fix on the machine or in the settings, from a few figures: the same limits for openshelf doctor,
// the operator's notices and the metrics. Pure.

import { DAY_MS, isoTimestamp, MINUTE_MS, SECOND_MS } from '../base/clock.ts';
import type { SourceState } from '../base/source-state.ts';

/** Figures of an installation. Null if unknown. */
export type InstallationFigures = {
  readonly nowMs: number;
  /** Space on the disk of the SQLite database, in bytes. */
  readonly disk: { readonly freeBytes: number; readonly sizeBytes: number } | null;
  /** When `openshelf backup` last succeeded. */
  readonly backupAtMs: number | null;
  /** By how much the machine's clock is ahead of others. */
  readonly clockOffsetMs: number | null;
  /** Channels whose secrets cannot be decrypted here. */
  readonly lockedChannels: number | null;
  readonly sources: readonly SourceState[];
};

/** A possible trouble that could be judged. */
export type Judged = {
  /** Identifies the trouble; the same in every round. */
  readonly name: string;
  readonly title: string;
  /** What is wrong, and what to do; null if nothing is. */
  readonly problem: string | null;
};

const GIB = 1_073_741_824;
/** A write-ahead log, a backup and a compaction need space in addition to the data. */
const LEAST_FREE_BYTES = GIB;
/** Signatures of official APIs are rejected if the clock is a few minutes off. */
const MOST_OFF_MS = 2 * MINUTE_MS;
/** A weekly backup that is a day late. */
const OLDEST_BACKUP_MS = 8 * DAY_MS;

export const isDiskLow = (freeBytes: number): boolean => freeBytes < LEAST_FREE_BYTES;
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) > MOST_OFF_MS;
export const isBackupOld = (atMs: number, nowMs: number): boolean =>
  nowMs - atMs > OLDEST_BACKUP_MS;

export const gibText = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GiB`;

export const REMEDIES = {
  disk: 'Free some space, or move the data folder.',
  backup: 'Run openshelf backup on a timer.',
  clock: 'Set the clock of this machine (NTP).',
} as const;

/**
 * Returns what can be judged by the figures. `host` names the machine; `isOpen` whether a trouble of that name was
 * reported and is not over.
 */
export function judgeInstallation(
  figures: InstallationFigures,
  host: string,
  isOpen: (name: string) => boolean,
): readonly Judged[] {
  const { nowMs, disk, backupAtMs, clockOffsetMs, lockedChannels } = figures;
  const judge = (name: string, title: string, problem: string | false): Judged => ({
    name,
    title,
    problem: problem === false ? null : problem,
  });
  // Space that hovers around the limit is reported once.
  const roomBytes = disk === null ? 0 : disk.freeBytes * (isOpen('disk') ? 0.8 : 1);
  return [
    ...(disk === null
      ? []
      : [
          judge(
            'disk',
            'The disk is nearly full',
            isDiskLow(roomBytes) && `${gibText(disk.freeBytes)} are free. ${REMEDIES.disk}`,
          ),
        ]),
    ...(backupAtMs === null
      ? []
      : [
          judge(
            'backup',
            'The last backup is too old',
            isBackupOld(backupAtMs, nowMs) &&
              `It was made ${isoTimestamp(backupAtMs)}. ${REMEDIES.backup}`,
          ),
        ]),
    ...(clockOffsetMs === null
      ? []
      : [
          judge(
            `clock ${host}`,
            `The clock of ${host} is wrong`,
            isClockOff(clockOffsetMs) &&
              `It differs from the clocks of shops by ${Math.round(Math.abs(clockOffsetMs) / SECOND_MS)} s. ${REMEDIES.clock}`,
          ),
        ]),
    judge(
      'secrets key',
      'The key of channel secrets is missing',
      lockedChannels !== null &&
        lockedChannels > 0 &&
        `${lockedChannels} channels cannot be used. openshelf doctor says more.`,
    ),
    ...[...Map.groupBy(figures.sources, ({ source }) => source)].map(([source, states]) => {
      const refused = states.find(({ kind }) => REFUSALS.has(kind));
      return judge(
        `source ${source}`,
        `The official API ${source} refuses this installation`,
        refused !== undefined &&
          `Since ${isoTimestamp(refused.sinceMs)}${refused.reason === null ? '' : ` (${refused.reason})`}. ` +
            'openshelf doctor --probe says what to do.',
      );
    }),
  ];
}

/** Failures that last until the operator acts. */
const REFUSALS: ReadonlySet<SourceState['kind']> = new Set(['credentials_refused', 'not_eligible']);
