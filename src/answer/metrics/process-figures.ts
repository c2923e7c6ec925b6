// CPU time, memory and age of the running process, and how many files it may have open.

import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';

export type ProcessFigures = {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly upSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
};

/** Above this share little is left of the heap: a collection then comes too late for the calls that fill it. */
const FULL = 0.85;

/** Whether most of the heap that this process may use is in use. */
export function isHeapFull(): boolean {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > FULL * limit;
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

/** Files and sockets that this process may have open at once; null if the system is not Linux and does not tell. */
export function mostOpenFiles(): number | null {
  try {
    const [, most] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined ? null : Number(most);
  } catch {
    return null;
  }
}
