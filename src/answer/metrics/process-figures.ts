// CPU time, memory and age of the running process, and its limit of open files.

import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

export type ProcessFigures = {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly upSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
};

/** Above this share the heap has little room left: a collection then comes too late for the calls that fill it. */
const FULL = 0.85;

/** Checks whether most of the heap available to this process is in use. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > FULL * limit;
}

/**
 * Returns the limit of the heap in megabytes, which Node derives from the memory of the machine, or of its container if that
 * has less: half of it up to 4 GB. Sizes that fit a machine with enough memory are reduced by it.
 */
export function heapLimitMb(): number {
  return getHeapStatistics().heap_size_limit / 1_048_576;
}

export function processFigures(): ProcessFigures {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1_000_000,
    upSeconds: process.uptime(),
    residentBytes: rss,
    heapBytes: heapUsed,
  };
}

/**
 * Returns the maximum files and sockets that this process may have open at once; null if the system is not Linux and does
 * not state it.
 */
export function mostOpenFiles(): number | null {
  try {
    const [, most] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? null : Number(most);
  } catch {
    return null;
  }
}
