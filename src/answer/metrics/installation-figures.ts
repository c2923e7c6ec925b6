// The figures by which an operator sees what has to be fixed: read when they are asked for, and their metrics.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import type { SourceState } from '../../base/source-state.ts';
import { lastBackupMs } from '../../data/maintenance/backup-note.ts';
import type { Secrets } from '../../data/secrets.ts';
import type { Store } from '../../data/store.ts';
import type { InstallationFigures } from '../../rules/installation-troubles.ts';
import type { ClockOffset } from './clock-offset.ts';
import { diskSpace } from './process-figures.ts';
import type { Family, Labels } from './prometheus-text.ts';

type FiguresParts = {
  readonly store: Pick<Store, 'channels'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sources: { readonly findAll: () => Promise<readonly SourceState[]> };
  readonly clockOffset: Pick<ClockOffset, 'ms'>;
  readonly secrets: Pick<Secrets, 'sealedBegins'>;
  /** The folder of the SQLite database; null on PostgreSQL. */
  readonly folder: string | null;
};

/** Never rejects: what cannot be read is unknown. */
export async function readInstallation(parts: FiguresParts): Promise<InstallationFigures> {
  const { store, clock, sources, clockOffset, secrets, folder } = parts;
  const [channels, states] = await Promise.allSettled([
    (async () => store.channels.countSealedOtherwise(secrets.sealedBegins()))(),
    sources.findAll(),
  ]);
  return {
    nowMs: clock.now(),
    disk: folder === null ? null : diskOf(folder),
    backupAtMs: folder === null ? null : lastBackupMs(folder),
    clockOffsetMs: clockOffset.ms(),
    lockedChannels: channels.status === 'fulfilled' ? channels.value : null,
    sources: states.status === 'fulfilled' ? states.value : [],
  };
}

function diskOf(folder: string): InstallationFigures['disk'] {
  try {
    return diskSpace(folder);
  } catch {
    return null;
  }
}

export function installationFamilies(figures: InstallationFigures): readonly Family[] {
  const { disk, backupAtMs, clockOffsetMs, lockedChannels, sources } = figures;
  return [
    gauge('openshelf_disk_free_bytes', 'Free space for the SQLite database.', disk?.freeBytes),
    gauge('openshelf_disk_size_bytes', 'Size of the disk of the database.', disk?.sizeBytes),
    gauge(
      'openshelf_backup_timestamp_seconds',
      'When openshelf backup last succeeded, in seconds since 1970 (UTC).',
      inSeconds(backupAtMs),
    ),
    gauge(
      'openshelf_clock_offset_seconds',
      'By how much the clock of this machine is ahead of the clocks of shops.',
      inSeconds(clockOffsetMs),
    ),
    gauge(
      'openshelf_channels_locked',
      'Channels that cannot be decrypted with the key of this process.',
      lockedChannels,
    ),
    {
      name: 'openshelf_source_state',
      help: 'Always 1; the label state is the last outcome of the official API.',
      type: 'gauge',
      samples: [...worstOf(sources)].map(([source, state]) => sample({ source, state }, 1)),
    },
  ];
}

const inSeconds = (ms: number | null) => (ms === null ? null : ms / SECOND_MS);
const sample = (labels: Labels, value: number) => ({ labels, value });

function gauge(name: string, help: string, value: number | null | undefined): Family {
  const samples = value === null || value === undefined ? [] : [sample({}, value)];
  return { name, help, type: 'gauge', samples };
}

/** Returns the state of each source that was ever asked; a failure of one kind of question counts as one of the source. */
function worstOf(states: readonly SourceState[]): ReadonlyMap<string, string> {
  const heard = states.filter(({ heardAtMs }) => heardAtMs > 0);
  return new Map(
    [...Map.groupBy(heard, ({ source }) => source)].map(([source, own]) => [
      source,
      own.find(({ kind }) => kind !== null)?.kind ?? 'ok',
    ]),
  );
}
