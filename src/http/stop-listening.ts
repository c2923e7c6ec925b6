// The order in which a listener stops, so that no request is lost between a load balancer and the process
// (docs/operations.md#stopping).

import type { Clock } from '../core/clock.ts';
import type { Listener } from './listener.ts';

export type StopTimes = {
  /** Milliseconds for which everything is served as before, while /readyz says that no new calls may be sent here. */
  readonly delayMs: number;
  /** Milliseconds from now after which what is unfinished is cut. */
  readonly deadlineMs: number;
  readonly clock: Clock;
};

/** A connection that is in use has its next request within this time, and is closed with the answer. */
const CLOSING_MS = 2_000;

/** Serves on, then closes every connection with its answer, then stops listening. Without a delay all of it at once. */
export async function stopListening(
  listener: Pick<Listener, 'closeConnections' | 'close'>,
  { delayMs, deadlineMs, clock }: StopTimes,
): Promise<void> {
  const untilMs = clock.now() + deadlineMs;
  const leftMs = () => Math.max(0, untilMs - clock.now());
  if (delayMs > 0) {
    await clock.sleep(Math.min(delayMs, deadlineMs));
    await listener.closeConnections(Math.min(delayMs, CLOSING_MS, leftMs()));
  }
  await listener.close(leftMs());
}
