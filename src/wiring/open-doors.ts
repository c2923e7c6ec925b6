// The addresses at which the settings have the service listen. Apart from the rest of it, because they are open while that is
// loaded.

import type { Config } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import { openDoors, type Doors } from '../http/door/doors.ts';
import { newCallId } from '../metering/meter.ts';
import { isHeapFull, mostOpenFiles } from '../metrics/process-figures.ts';

export type DoorSettings = Pick<
  Config,
  'host' | 'port' | 'limits' | 'metrics' | 'trustProxy' | 'corsOrigins'
>;

/**
 * Files for all but callers: 50 to 60 of a service at rest, 32 requests to shops, 16 to receivers, 64 connections for metrics, lookups
 * of names, new threads. One that is missing where a page is read ends the process: Node's own watch over the time of a script
 * aborts without it.
 */
const OWN_FILES = 256;
/** Of few files callers have a part all the same. */
const LEAST_SHARE = 4;

/** As many of the wanted connections as there can be beside what the service itself has open. */
export function connectionsWithin(wanted: number, mostFiles: number | null): number {
  if (mostFiles === null) return wanted;
  const room = Math.max(mostFiles - OWN_FILES, Math.floor(mostFiles / LEAST_SHARE));
  return Math.max(1, Math.min(wanted, room));
}

/** What the operator should know of a limit of files that leaves less room for connections than is wanted; null: nothing. */
export function fewFilesText(wanted: number): string | null {
  const most = mostOpenFiles();
  const room = connectionsWithin(wanted, most);
  if (room === wanted) return null;
  return (
    `This process may have ${most} files open, so it takes at most ${room} connections and not ${wanted}. Raise the limit (ulimit -n, ` +
    'LimitNOFILE of systemd), or lower OPENSHELF_MAX_CONNECTIONS.'
  );
}

/** Rejects when an address is taken, and then listens at none. */
export function openDoorsOf(config: DoorSettings, clock: Pick<Clock, 'now'>): Promise<Doors> {
  const { host, port, metrics, trustProxy: behindProxy, corsOrigins } = config;
  const maxConnections = connectionsWithin(config.limits.maxConnections, mostOpenFiles());
  const limits = { ...config.limits, maxConnections };
  const parts = { clock, newId: () => newCallId(clock.now()), corsOrigins, isHeapFull };
  return openDoors({ host, port, limits, metrics, behindProxy }, parts);
}
