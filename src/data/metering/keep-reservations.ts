// Keeps the reservations of the calls of this process while it lives, and frees those of processes that have died.

import type { Clock } from '../../base/clock.ts';
import { RENEW_EVERY_MS } from '../accounts/balances.ts';
import type { Metering } from './metering.ts';

type KeepingParts = {
  readonly metering: Pick<Metering, 'renewReservations' | 'freeReservations'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly onError: (what: string, error: unknown) => void;
};

/** Renews and frees every `RENEW_EVERY_MS` until the signal aborts. */
export async function keepReservations(parts: KeepingParts, stop: AbortSignal): Promise<void> {
  const { metering, clock, onError } = parts;
  for (;;) {
    try {
      // Its own come first: after a pause of this process their leases may have expired.
      await metering.renewReservations();
      await metering.freeReservations();
    } catch (error) {
      onError('could not renew the reservations of calls', error);
    }
    await clock.sleep(RENEW_EVERY_MS, stop);
  }
}
