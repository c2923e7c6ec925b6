// The limits of an official API's operations, counted in the database: all processes over it together make no more calls
// than the API allows. Rows use the database's clock; a process's waits and deadlines use its own.

import { SECOND_MS, type Clock } from '../../../base/clock.ts';
import type { CallLimit, Page } from '../../../base/listing/page.ts';
import type { Slot } from '../../../data/turns/host-slots.ts';
import type { Store } from '../../../data/store.ts';

export type CallLimits = {
  /** Takes the operation's next call, which may begin at `atMs` on the process's clock. Takes none if that is after `untilMs`. */
  readonly take: (limit: CallLimit, untilMs: number) => Promise<Slot>;
  /** Notes the rate that an answer states: it may differ from the documented one. */
  readonly hear: (limit: CallLimit, page: Page) => void;
};

/** The header in which an API states the calls a second that it allows this account. */
const STATED_RATE = 'x-amzn-ratelimit-limit';
/** Stated rates beyond these are ignored. */
const SLOWEST_RATE = 0.001;
const FASTEST_RATE = 1_000;
/**
 * Calls begin a twentieth further apart than allowed, and one call of a burst is left over. They do not all take equally long
 * to arrive, and one that arrives too early after another would be refused.
 */
const SLACK = 1.05;
const SPARED_OF_BURST = 1;

export function createCallLimits(
  { hostSlots }: Pick<Store, 'hostSlots'>,
  database: Pick<Clock, 'now'>,
  steady: Pick<Clock, 'now'>,
): CallLimits {
  const statedRates = new Map<string, number>();
  return {
    take: async ({ name, perSecond, burst }, untilMs) => {
      const nowMs = database.now();
      const ahead = nowMs - steady.now();
      const intervalMs = Math.ceil((SECOND_MS * SLACK) / (statedRates.get(name) ?? perSecond));
      const atOnce = Math.max(1, burst - SPARED_OF_BURST);
      const rate = { name, intervalMs, burst: atOnce };
      const slot = await hostSlots.takeOf(rate, nowMs, untilMs + ahead);
      return { ...slot, atMs: slot.atMs - ahead };
    },
    hear: ({ name }, { headers }) => {
      const rate = Number(headers[STATED_RATE]);
      if (rate >= SLOWEST_RATE && rate <= FASTEST_RATE) statedRates.set(name, rate);
    },
  };
}
