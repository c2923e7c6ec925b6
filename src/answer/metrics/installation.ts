// The figures by which an operator sees what has to be fixed, read when they are asked for.

import { SECOND_MS, type Clock } from '../../base/clock.ts';
import type { SourceBook } from '../collect/coordination/source-book.ts';
import type { Secrets } from '../../data/secrets.ts';
import type { Store } from '../../data/store.ts';
import type { InstallationFigures } from '../../rules/troubles.ts';
import { freeBytesOf, lastBackupMs } from './process-figures.ts';

type FiguresParts = {
  readonly store: Pick<Store, 'channels'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sources: Pick<SourceBook, 'findAll'>;
  readonly secrets: Pick<Secrets, 'sealedBegins'>;
  /** The folder of the SQLite database; null on PostgreSQL. */
  readonly folder: string | null;
};

export type Installation = {
  /** Never rejects: what cannot be read is unknown. */
  readonly figures: () => Promise<InstallationFigures>;
  /** Notes the time stamp of a shop's answer that has just arrived. */
  readonly hear: (headers: Readonly<Record<string, string>>) => void;
};

const orNull = <T>(read: () => T | Promise<T>) => Promise.try(read).catch(() => null);

/** The answers that tell the time. One server may have a wrong clock, or send an answer that a cache has kept. */
const [LEAST, LAST] = [3, 8];

const nearer = (a: number, b: number): number => (Math.abs(a) < Math.abs(b) ? a : b);

export function createInstallation(parts: FiguresParts): Installation {
  const { store, clock, sources, secrets, folder } = parts;
  const countLocked = () => store.channels.countSealedOtherwise(secrets.sealedBegins());
  let offsets: readonly number[] = [];
  return {
    hear(headers) {
      const sentMs = Date.parse(headers['date'] ?? '');
      if (Number.isNaN(sentMs)) return;
      const ageMs = (Number(headers['age']) || 0) * SECOND_MS;
      offsets = [...offsets.slice(1 - LAST), clock.now() - sentMs - ageMs];
    },
    figures: async () => ({
      nowMs: clock.now(),
      freeBytes: folder === null ? null : await orNull(() => freeBytesOf(folder)),
      backupAtMs: folder === null ? null : lastBackupMs(folder),
      // If the clock is off, no server agrees with it.
      clockOffsetMs: offsets.length < LEAST ? null : offsets.reduce(nearer),
      lockedChannels: await orNull(countLocked),
      sources: (await orNull(sources.findAll)) ?? [],
    }),
  };
}
