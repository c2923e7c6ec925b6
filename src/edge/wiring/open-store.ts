// Opens the store that the settings name. It is separate from the rest of the service, because its writer thread starts
// while the rest is loaded, and because most commands need nothing else.

import { dirname, join } from 'node:path';

import type { Clock } from '../../base/clock.ts';
import type { Config } from '../config.ts';
import { removeOldDrafts } from '../../data/make-folder.ts';
import { lockForService } from '../../data/sqlite/sqlite.ts';
import { openStore, type Store, type StoreConfig } from '../../data/store.ts';
import { steadyClock, systemClock } from './clocks.ts';

/** Returns the database that the settings name, and where it is. */
export function storeOf(config: Pick<Config, 'databaseUrl' | 'dataDir'>): StoreConfig {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return { kind: 'postgres', url: databaseUrl };
  return { kind: 'sqlite', path: join(dataDir, 'openshelf.db') };
}

function termsOf({ terms }: Pick<Config, 'terms'>, clock: Pick<Clock, 'now'> = systemClock) {
  return { terms, now: () => clock.now() };
}

/** Opens the store with its read replica, if one is configured. */
export async function openData(
  config: Config,
  clock?: Pick<Clock, 'now'>,
  { isService = false } = {},
): Promise<Store> {
  const place = storeOf(config);
  const { readUrl } = config;
  const replica = readUrl === null ? null : { url: readUrl, clock: steadyClock };
  const full = place.kind === 'sqlite' ? { ...place, isService } : { ...place, replica };
  return await openStore(full, termsOf(config, clock));
}

/**
 * Opens the store for a service; an SQLite database serves one at a time. Rejects with StoreUnavailable if another service
 * uses it.
 */
export async function openServiceData(config: Config): Promise<Store> {
  const place = storeOf(config);
  if (place.kind !== 'sqlite') return await openData(config);
  await using closing = new AsyncDisposableStack();
  closing.adopt(lockForService(place.path), (lock) => lock.close());
  removeOldDrafts(dirname(place.path), systemClock.now());
  const store = closing.use(await openData(config, systemClock, { isService: true }));
  const resources = closing.move();
  return { ...store, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/**
 * Opens only the data, for a command that looks nothing up. It reads the primary, because it reads too little to need a
 * replica.
 */
export async function withStore<T>(
  config: Config,
  work: (store: Store, nowMs: number) => Promise<T>,
): Promise<T> {
  await using store = await openStore(storeOf(config), termsOf(config));
  return await work(store, systemClock.now());
}
