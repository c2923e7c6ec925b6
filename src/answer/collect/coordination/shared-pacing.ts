// Pacing shared by several processes through their database: when a host may be asked next, and which hosts refuse. Rows use
// the database's clock; a process's waits and deadlines use its own.

import type { Clock } from '../../../base/clock.ts';
import type { AskedPause, FailedFor, PausedPlace, PausesLeft } from '../../../base/failed-for.ts';
import type { Slot } from '../../../data/turns/host-slots.ts';
import type { Store } from '../../../data/store.ts';

export type SharedPacing = {
  /** Takes a host's next slot, which begins at `atMs` on the process's clock. Takes none if that is after `untilMs`. */
  readonly takeSlot: (host: string, intervalMs: number, untilMs: number) => Promise<Slot>;
  readonly sharedPauses: {
    /** Null if nothing is known about the host. */
    readonly find: (place: PausedPlace) => Promise<PausesLeft | null>;
    /** Records a failure. `asked` is the pause that the host requested. */
    readonly failed: (host: string, asker: FailedFor, asked: AskedPause | null) => Promise<void>;
    readonly answered: (place: PausedPlace) => Promise<void>;
  };
};

/** Null for a store that is not shared between processes. */
export function createSharedPacing(
  { sql, hostSlots, hostPauses }: Pick<Store, 'sql' | 'hostSlots' | 'hostPauses'>,
  database: Pick<Clock, 'now'>,
  steady: Pick<Clock, 'now'>,
): SharedPacing | null {
  if (sql.dialect === 'sqlite') return null;
  return {
    takeSlot: async (host, intervalMs, untilMs) => {
      const nowMs = database.now();
      const ahead = nowMs - steady.now();
      const slot = await hostSlots.take(host, intervalMs, nowMs, untilMs + ahead);
      return { ...slot, atMs: slot.atMs - ahead };
    },
    sharedPauses: {
      find: (place) => hostPauses.find(place, database.now()),
      failed: (host, asker, asked) => hostPauses.failed(host, asker, asked, database.now()),
      answered: (place) => hostPauses.answered(place, database.now()),
    },
  };
}
