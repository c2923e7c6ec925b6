// The pace towards a host that several processes keep together. Who is next within a process is the limiter's to say;
// this only keeps its requests apart from those of the others.

import type { Clock } from '../../core/clock.ts';
import type { FetchContext } from '../../core/fetch-context.ts';
import type { FetchFailure } from '../../listing/page.ts';

/** The next slot of a host over all processes, unless it begins after `untilMs`: then only when it does. */
export type TakeSlot = (
  host: string,
  intervalMs: number,
  untilMs: number,
) => Promise<{ readonly isTaken: boolean; readonly atMs: number }>;

/** Waits for the host's slot; a failure when it comes too late, or when nobody waits any more. */
export async function waitForSlot(
  takeSlot: TakeSlot,
  clock: Clock,
  { host, intervalMs }: { readonly host: string; readonly intervalMs: number },
  { signal, deadlineMs }: FetchContext,
): Promise<FetchFailure | null> {
  const { isTaken, atMs } = await takeSlot(host, intervalMs, deadlineMs);
  const waitMs = Math.max(0, atMs - clock.now());
  const late: FetchFailure = {
    kind: 'busy',
    detail: 'the shop is paced, and other processes are asking it',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  };
  if (!isTaken) return late;
  if (waitMs === 0) return null;
  try {
    await clock.sleep(waitMs, signal);
    return null;
  } catch {
    return late;
  }
}
