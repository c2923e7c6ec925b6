// Which database settings mean, and whether there is anything in it.

import { join } from 'node:path';

import { databaseName } from './database-url.ts';
import { holdsData, type StoreConfig } from './store.ts';

export type DataPlace = {
  /** Null: a file in the folder. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
};

export function databaseOf({ databaseUrl, dataDir }: DataPlace): StoreConfig {
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl };
  return { kind: 'sqlite', path: join(dataDir, 'openshelf.db') };
}

/** Throws when there is no data where the settings say; opening would make it. */
export async function requireData(place: DataPlace): Promise<void> {
  if (await holdsData(databaseOf(place))) return;
  const { databaseUrl, dataDir } = place;
  throw new Error(`no data in ${databaseUrl === null ? dataDir : databaseName(databaseUrl)}`);
}
