// Processor time, for bounds on what work costs: other programs on the machine do not change it, as they do the time
// on the clock.

/** Processor time that all threads of this process have used, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
