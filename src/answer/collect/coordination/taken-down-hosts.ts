// The hosts that the operator took down (D52), as this process knows them. The list is at most half a second old before every
// fetch, and again before a fetched page is passed on. All processes therefore refuse a host within a second.

import type { Clock } from '../../../base/clock.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import type { Page } from '../../../base/listing/page.ts';
import { publicOrigins } from '../../../read/retailers/addresses/public-origins.ts';
import { applyTakedowns } from '../../../data/maintenance/apply-takedowns.ts';
import {
  addToTakedownFile,
  readTakedownFile,
  takedownFileIn,
} from '../../../data/maintenance/takedown-file.ts';
import type { Sql } from '../../../data/sql.ts';
import { findTakedowns, isAtOrBelow, isTakedownInForce } from '../../../data/takedowns.ts';

export type TakenDownHosts = {
  /** Whether the last list contains this host, or a parent domain of it. */
  readonly isTakenDown: (host: string) => boolean;
  /** Whether the shop of one of the seven retailers is taken down. */
  readonly isRetailerTakenDown: (slug: KnownSlug) => boolean;
  /** A number that changes when the list changes. */
  readonly version: () => number;
  /**
   * Reads the list unless it was read in the last half second. Never rejects: if the read fails, the list does not change.
   */
  readonly refresh: () => Promise<void>;
  /** Wraps work so that it is preceded by a `refresh`: `isTakenDown` then uses a fresh list. */
  readonly fresh: <A extends readonly unknown[], R>(
    work: (...args: A) => Promise<R>,
  ) => (...args: A) => Promise<R>;
  /** The result of a reader, or `dropped` if the page's host was taken down meanwhile. */
  readonly unlessTakenDown: <T>(page: Page, read: Promise<T>, dropped: T) => Promise<T>;
};

const HELD_MS = 500;

type ListLog = Record<'info' | 'warn', (message: string, fields: Record<string, string>) => void>;

/**
 * Call when a service starts. Hosts in the data folder's list but not in the database are taken down again: the data may
 * have been restored by other means than `openshelf restore`. An interrupted takedown is completed. `clock` is never set
 * back. Rejects with StoreUnavailable.
 */
export async function openTakenDownHosts(
  sql: Sql,
  clock: Pick<Clock, 'now'>,
  log: ListLog,
  dataDir: string,
): Promise<TakenDownHosts> {
  const path = takedownFileIn(dataDir);
  const { entries, applied } = await applyTakedowns(sql, readTakedownFile(path), retailersAt);
  if (applied.length > 0) log.info('took hosts down again', { hosts: applied.join(' ') });
  try {
    addToTakedownFile(path, entries);
  } catch (error) {
    // Only a warning: the list is also in the table, and a container may have no writable folder.
    log.warn('could not write the list of taken-down hosts next to the data', {
      file: path,
      error: String(error),
      advice:
        'The hosts are still refused, but a restore would bring their data back: make the folder writable, or ' +
        'save the output of openshelf takedown --list --json.',
    });
  }
  return await createTakenDownHosts(sql, clock);
}

/** `clock` must never be set back. Rejects with StoreUnavailable when the list cannot be read once. */
export async function createTakenDownHosts(
  sql: Pick<Sql, 'all'>,
  clock: Pick<Clock, 'now'>,
): Promise<TakenDownHosts> {
  let hosts: readonly string[] = [];
  let version = 0;
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;
  const read = async (): Promise<void> => {
    const beganAtMs = clock.now();
    const found = (await findTakedowns(sql)).filter(isTakedownInForce).map(({ host }) => host);
    if (found.join(' ') !== hosts.join(' ')) version += 1;
    hosts = found;
    readAtMs = beganAtMs;
  };
  const isFresh = () => clock.now() - readAtMs < HELD_MS;
  const refresh = async (): Promise<void> => {
    if (isFresh()) return;
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = null;
      });
    await reading;
  };
  await read();
  const isTakenDown = (host: string): boolean => {
    const name = host.toLowerCase().replace(/\.$/, '');
    return hosts.some((each) => isAtOrBelow(name, each));
  };
  return {
    isTakenDown,
    isRetailerTakenDown: (slug) => hosts.length > 0 && isTakenDown(HOSTS_OF_RETAILERS[slug]),
    version: () => version,
    refresh,
    fresh:
      (work) =>
      (...args) =>
        isFresh() ? work(...args) : refresh().then(() => work(...args)),
    unlessTakenDown: async (page, reader, dropped) => {
      const result = await reader;
      await refresh();
      return [page.url, page.requestedUrl].some((url) => isTakenDown(hostOf(url)))
        ? dropped
        : result;
    },
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}

const HOSTS_OF_RETAILERS = Object.fromEntries(
  Object.entries(publicOrigins()).map(([slug, { page }]) => [slug, new URL(page).hostname]),
) as Readonly<Record<KnownSlug, string>>;

/** Returns the known retailers whose shop is at or below a host. */
export function retailersAt(host: string): readonly KnownSlug[] {
  return (Object.keys(HOSTS_OF_RETAILERS) as KnownSlug[]).filter((slug) =>
    isAtOrBelow(HOSTS_OF_RETAILERS[slug], host),
  );
}
