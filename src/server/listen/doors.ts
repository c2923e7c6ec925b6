// Opens the addresses on which the service listens: one for the API, and one for the metrics if they have their own. Both
// are open before the service is loaded. Liveness checks are answered at once, and everything else waits.

import type { Clock } from '../../base/clock.ts';
import type { RequestEntry } from '../../base/log.ts';
import { messageOf } from '../../base/fault.ts';
import { createHeads } from '../headers.ts';
import { createAnswerAlive } from './alive.ts';
import { listen, type Listener, type ListenOptions } from './listener.ts';

type DoorOptions = ListenOptions & {
  readonly metrics: { readonly host: string; readonly port: number } | null;
};

type DoorParts = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  /** Origins whose pages may read answers. */
  readonly corsOrigins: readonly string[];
  /** Whether the process has little free heap. */
  readonly isHeapFull: () => boolean;
};

export type Doors = {
  readonly main: Listener;
  /** Null if metrics are served on the API's address. */
  readonly metrics: Listener | null;
  /** From now on `counted` is called for each answer given here, including those given before. */
  countBy(counted: (entry: RequestEntry) => void): void;
  close(deadlineMs: number): Promise<void>;
};

/** Maximum answers to /livez that are stored until they are counted. More are not counted. */
const MOST_EARLY = 1_000;

/** Starts listening. Rejects when an address is taken; then none is open. */
export async function openDoors(
  { metrics: at, ...options }: DoorOptions,
  parts: DoorParts,
): Promise<Doors> {
  let early: RequestEntry[] = [];
  let answered = (entry: RequestEntry): void => {
    if (early.length < MOST_EARLY) early.push(entry);
  };
  const answerAlive = createAnswerAlive({
    ...parts,
    writeHead: createHeads(parts.corsOrigins),
    answered: (entry) => answered(entry),
  });
  const main = await listen(options, { ...parts, answerAlive });
  const metrics = at === null ? null : await openMetrics(main, { ...options, ...at }, parts);
  return {
    main,
    metrics,
    countBy: (counted) => {
      answered = counted;
      early.forEach(counted);
      early = [];
    },
    close: async (deadlineMs) => {
      await Promise.all([main.close(deadlineMs), metrics?.close(deadlineMs)]);
    },
  };
}

/** Few clients read metrics. Connections there are counted in addition to callers' connections. */
const MOST_OF_METRICS = 64;

async function openMetrics(
  main: Listener,
  options: ListenOptions,
  parts: DoorParts,
): Promise<Listener> {
  const maxConnections = Math.min(options.limits.maxConnections, MOST_OF_METRICS);
  const limits = { ...options.limits, maxConnections };
  try {
    return await listen(
      { ...options, limits, behindProxy: false },
      { ...parts, answerAlive: null },
    );
  } catch (error) {
    await main.close(0);
    const reason = messageOf(error);
    throw new Error(`cannot listen on the address in OPENSHELF_METRICS: ${reason}`, {
      cause: error,
    });
  }
}
