// When a thread's event loop was blocked, on the clock that all threads of a process share.

const TICK_MS = 10;
/** Shorter stalls are caused by the scheduler. */
const SHORTEST_MS = 30;

export type Stall = {
  readonly atMs: number;
  readonly ms: number;
  /** The thread's own processor time during the stall: the rest was due to the machine. */
  readonly cpuMs: number;
};

/** Watches this thread until `stop`, which returns its stalls. */
export function watchStalls(): { readonly stop: () => readonly Stall[] } {
  const stalls: Stall[] = [];
  let last = performance.timeOrigin + performance.now();
  let lastCpu = threadMs();
  const timer = setInterval(() => {
    const now = performance.timeOrigin + performance.now();
    const ms = now - last - TICK_MS;
    const cpu = threadMs();
    if (ms >= SHORTEST_MS) stalls.push({ atMs: last, ms, cpuMs: cpu - lastCpu });
    last = now;
    lastCpu = cpu;
  }, TICK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return stalls;
    },
  };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Returns the stalls in which the thread itself worked for more than `ms`, and that were longer by that much than any stall
 * of the sibling at that time.
 */
export function stallsBeyond(
  own: readonly Stall[],
  sibling: readonly Stall[],
  ms: number,
): readonly Stall[] {
  return own.filter((stall) => {
    if (stall.cpuMs <= ms) return false;
    const same = sibling.filter(
      (other) => other.atMs < stall.atMs + stall.ms && stall.atMs < other.atMs + other.ms,
    );
    return stall.ms - Math.max(0, ...same.map((each) => each.ms)) > ms;
  });
}
