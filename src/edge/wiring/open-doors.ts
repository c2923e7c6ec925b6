// Opens the addresses on which the service listens according to its settings. It is separate from the rest of the wiring,
// because they are open while that is loaded.

import type { Config } from '../config.ts';
import type { Clock } from '../../base/clock.ts';
import { openDoors, type Doors } from '../../server/listen/doors.ts';
import { newCallId } from '../../data/metering/meter.ts';
import { isHeapFull, mostOpenFiles } from '../../answer/metrics/process-figures.ts';

type DoorSettings = Pick<
  Config,
  'host' | 'port' | 'limits' | 'metrics' | 'trustProxy' | 'corsOrigins'
>;

/**
 * Open files that are not for callers: 50 to 60 of an idle service, 32 requests to shops, 16 to receivers, 64 connections for
 * metrics, name lookups, new threads. If one is missing while a page is read, the process ends: Node's own script timeout
 * watchdog aborts without it.
 */
const OWN_FILES = 256;
/** If few files are allowed, callers still get this share of them. */
const LEAST_SHARE = 4;

/**
 * Returns the number of connections: as many of the requested ones as the limit of open files leaves after the
 * service's own files.
 */
function connectionsWithin(wanted: number, mostFiles: number | null): number {
  if (mostFiles === null) return wanted;
  const room = Math.max(mostFiles - OWN_FILES, Math.floor(mostFiles / LEAST_SHARE));
  return Math.max(1, Math.min(wanted, room));
}

/**
 * Returns what the operator should know if the limit of open files allows fewer connections than requested; null if it does
 * not.
 */
export function fewFilesText(wanted: number, mostFiles = mostOpenFiles()): string | null {
  const room = connectionsWithin(wanted, mostFiles);
  if (room === wanted) return null;
  return (
    `This process may open ${mostFiles} files, so it accepts at most ${room} connections instead of ${wanted}. ` +
    'Raise the limit (ulimit -n, LimitNOFILE of systemd), or lower OPENSHELF_MAX_CONNECTIONS.'
  );
}

/** Opens the addresses. Rejects when one is taken; then none is open. */
export function openDoorsOf(config: DoorSettings, clock: Pick<Clock, 'now'>): Promise<Doors> {
  const { host, port, metrics, trustProxy: behindProxy, corsOrigins } = config;
  const maxConnections = connectionsWithin(config.limits.maxConnections, mostOpenFiles());
  const limits = { ...config.limits, maxConnections };
  const parts = { clock, newId: () => newCallId(clock.now()), corsOrigins, isHeapFull };
  return openDoors({ host, port, limits, metrics, behindProxy }, parts);
}
