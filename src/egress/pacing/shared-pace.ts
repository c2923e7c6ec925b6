// Coordinates the pace of several processes towards a host. The limiter decides which fetch of a process is next; this file
// keeps its requests apart from those of other processes.

import type { Clock } from '../../base/clock.ts';
import type { AskedPause, FailedFor, PausedPlace, PausesLeft } from '../../base/failed-for.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type { FetchFailure } from '../../base/listing/page.ts';

/** Takes the next shared slot of a host, which begins at `atMs`. Takes none if that is after `untilMs`. */
export type TakeSlot = (
  host: string,
  intervalMs: number,
  untilMs: number,
) => Promise<{ readonly isTaken: boolean; readonly atMs: number }>;

/** The shared state of hosts that refuse requests. If the database fails, the fetch fails. */
export type SharedPauses = {
  /** Returns null if nothing is stored about the host. */
  readonly find: (place: PausedPlace) => Promise<PausesLeft | null>;
  /** Records a failure. `asked` is the pause that the host asked for. */
  readonly failed: (host: string, asker: FailedFor, asked: AskedPause | null) => Promise<void>;
  readonly answered: (place: PausedPlace) => Promise<void>;
};

/** Waits for the host's slot. Returns a `busy` failure if it comes after the deadline or the signal aborts; else null. */
export async function waitForSlot(
  takeSlot: TakeSlot,
  clock: Pick<Clock, 'now' | 'sleep'>,
  { host, intervalMs }: { readonly host: string; readonly intervalMs: number },
  { signal, deadlineMs }: FetchContext,
): Promise<FetchFailure | null> {
  const { isTaken, atMs } = await takeSlot(host, intervalMs, deadlineMs);
  const waitMs = Math.max(0, atMs - clock.now());
  const late: FetchFailure = {
    kind: 'busy',
    detail: 'the shop is paced, and other processes send requests to it',
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
