// Processor time, for bounds on what work costs: other programs on the machine do not change it, as they do the time
// on the clock.

import { existsSync, readFileSync } from 'node:fs';

/** Processor time that all threads of this process have used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const OWN_STATUS = '/proc/self/stat';
/** As Linux counts it, in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of the processes that this one started and has seen end, in milliseconds; 0 where no system says. */
export function cpuMsOfEnded(): number {
  if (!existsSync(OWN_STATUS)) return 0;
  // The name may contain anything, so the fields are counted after it: the 14th and 15th of the rest.
  const fields = readFileSync(OWN_STATUS, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
