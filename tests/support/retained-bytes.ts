// How much of the heap something keeps once all garbage has been collected.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that the heap has more of when `make` has run than before. */
export function retainedBytes(make: () => void): number {
  const before = usedBytes();
  make();
  return usedBytes() - before;
}

/** Bytes of the heap that are in use. */
export function usedBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
