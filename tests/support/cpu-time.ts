// Processor time, for limits on the cost of work: unlike elapsed time, it is not changed by other programs on the machine.

import { existsSync, readFileSync } from 'node:fs';

/** Returns the processor time used by all threads of this process, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const OWN_STATUS = '/proc/self/stat';
/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/**
 * Returns the processor time of processes that this one started and has seen end, in milliseconds; 0 if no system reports
 * it.
 */
export function cpuMsOfEnded(): number {
  if (!existsSync(OWN_STATUS)) return 0;
  // The name may contain anything, so the fields are counted after it: the 14th and 15th of the rest.
  const fields = readFileSync(OWN_STATUS, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
