// CPU time, memory and age of the running process.

export type ProcessFigures = {
  /** User and system time. */
  readonly cpuSeconds: number;
  readonly upSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
};

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
