// The life cycle of the listeners: whether they are ready, and the order in which they stop. No request is lost between a
// load balancer and the process (docs/run/install.md#stopping).

import type { Clock } from '../../base/clock.ts';
import type { RequestLog } from '../../base/log.ts';
import type { Doors } from './doors.ts';
import { answerAt, type EndpointParts, type Endpoints } from './endpoints.ts';
import type { Listener } from './listener.ts';

type StopTimes = {
  /** Milliseconds for which everything is served as before, while /readyz reports that no new calls may be sent here. */
  readonly delayMs: number;
  /** Milliseconds from now after which unfinished calls are cut. */
  readonly deadlineMs: number;
};

type Made = 'isReady' | 'isStopping' | 'requestLog';

type Serving = {
  /** Answers on addresses that are open. `answersApi` false: health and metrics only. */
  answer(
    doors: Doors,
    parts: Omit<EndpointParts, Made>,
    options: { readonly answersApi: boolean },
  ): Endpoints;
  /** Reports not ready from now on. Resolves when the last answer is sent or the time is over. */
  stop(times: StopTimes): Promise<void>;
  /** Cuts the remaining connections. */
  end(): Promise<void>;
};

type ServingParts = {
  /** Makes a commit; resolves to false when the store cannot. */
  readonly probe: () => Promise<boolean>;
  readonly requestLog: RequestLog;
  /** The clock for durations. */
  readonly clock: Clock;
};

/** A connection in use has its next request within this time, and is closed with that answer. */
const CLOSING_MS = 2_000;

export function createServing({ probe, requestLog, clock }: ServingParts): Serving {
  const listeners: Endpoints[] = [];
  let isStopping = false;
  let probing: Promise<boolean> | null = null;
  const isReady = async (): Promise<boolean> => {
    if (isStopping) return false;
    // All callers wait for the same commit: a separate one for each would let anyone cause work.
    probing ??= probe().finally(() => {
      probing = null;
    });
    return (await probing) && !isStopping;
  };
  return {
    answer: (doors, parts, options) => {
      const made = { isReady, isStopping: () => isStopping, requestLog };
      const endpoints = answerAt(doors, { ...parts, ...made }, options);
      listeners.push(endpoints);
      return endpoints;
    },
    stop: async (times) => {
      isStopping = true;
      await Promise.all(listeners.map((listener) => stopListening(listener, times, clock)));
      requestLog.flush();
    },
    end: async () => {
      await Promise.all(listeners.map((listener) => listener.close(0)));
      requestLog.flush();
    },
  };
}

/**
 * Continues to serve for the delay, then closes every connection with its answer, then stops listening. Without a delay all
 * of this happens at once.
 */
async function stopListening(
  listener: Pick<Listener, 'closeConnections' | 'close'>,
  { delayMs, deadlineMs }: StopTimes,
  clock: Clock,
): Promise<void> {
  const untilMs = clock.now() + deadlineMs;
  const leftMs = () => Math.max(0, untilMs - clock.now());
  if (delayMs > 0) {
    await clock.sleep(Math.min(delayMs, deadlineMs));
    await listener.closeConnections(Math.min(delayMs, CLOSING_MS, leftMs()));
  }
  await listener.close(leftMs());
}
