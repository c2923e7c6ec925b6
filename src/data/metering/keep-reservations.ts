// Keeps the reservations of the calls of this process while it lives, and frees those of processes that have died.

import type { Clock } from '../../base/clock.ts';
import { RENEW_EVERY_MS } from '../accounts/balances.ts';
import type { Database } from '../sql.ts';
import { untilDue } from '../until-due.ts';
import type { Metering } from './metering.ts';

type KeepingParts = {
  readonly metering: Pick<Metering, 'renewReservations' | 'freeReservations' | 'hasReservations'>;
  readonly store: { readonly sql: Pick<Database, 'changes'> };
  readonly clock: Clock;
  readonly onError: (what: string, error: unknown) => void;
};

/** Renews and frees every `RENEW_EVERY_MS`, as long as anything is reserved, until the signal aborts. */
export async function keepReservations(parts: KeepingParts, stop: AbortSignal): Promise<void> {
  const { metering, store, clock, onError } = parts;
  const findNext = async () => ((await metering.hasReservations()) ? 0 : null);
  for (;;) {
    try {
      // Its own come first: after a pause of this process their leases may have expired.
      await metering.renewReservations();
      await metering.freeReservations();
    } catch (error) {
      onError('could not renew the reservations of calls', error);
    }
    await untilDue({ clock, sql: store.sql }, { everyMs: RENEW_EVERY_MS, findNext }, stop);
  }
}
