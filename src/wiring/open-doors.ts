// The addresses at which the settings have the service listen. Apart from the rest of it, because they are open while that is
// loaded.

import type { Config } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import { openDoors, type Doors } from '../http/door/doors.ts';
import { newCallId } from '../metering/meter.ts';
import { isHeapFull } from '../metrics/process-figures.ts';

export type DoorSettings = Pick<
  Config,
  'host' | 'port' | 'limits' | 'metrics' | 'trustProxy' | 'corsOrigins'
>;

/** Rejects when an address is taken, and then listens at none. */
export function openDoorsOf(config: DoorSettings, clock: Pick<Clock, 'now'>): Promise<Doors> {
  const { host, port, limits, metrics, trustProxy: behindProxy, corsOrigins } = config;
  const parts = { clock, newId: () => newCallId(clock.now()), corsOrigins, isHeapFull };
  return openDoors({ host, port, limits, metrics, behindProxy }, parts);
}
