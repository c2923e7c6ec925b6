// How much of the heap a value retains once all garbage has been collected.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns how many more heap bytes are used after `make` has run. */
export function retainedBytes(make: () => void): number {
  const before = usedBytes();
  make();
  return usedBytes() - before;
}

/** Returns the heap bytes in use. */
export function usedBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
