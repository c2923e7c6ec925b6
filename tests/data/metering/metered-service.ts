// A store with one organization and a key, and metering on a clock that the test moves.

import type { EventLoop } from '../../../src/data/metering/meter.ts';
import type { Metering } from '../../../src/data/metering/metering.ts';
import { createMetering } from '../../../src/data/metering/metering.ts';
import { generateKey } from '../../../src/data/metering/api-key.ts';
import type { Caller } from '../../../src/data/metering/authentication.ts';
import type { OrganizationSettings } from '../../../src/data/accounts/accounts.ts';
import type { Store } from '../../../src/data/store.ts';
import { openTestStore, storeAt } from '../../support/stores.ts';
import { manualClock, type ManualClock } from '../../support/manual-clock.ts';

export const NOON = Date.parse('2026-03-14T12:00:00Z');

export type MeteredService = AsyncDisposable & {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly metering: Metering;
  readonly key: string;
  readonly caller: Caller;
  /** Adds an organization with its own key. */
  readonly addCaller: (settings: OrganizationSettings) => Promise<{ key: string; caller: Caller }>;
};

const WIDE = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };

export const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Never busy, and time stands still. */
export const LOOP: EventLoop = {
  isBusy: () => false,
  hasProcessor: () => false,
  endOfTurn,
  pause: endOfTurn,
  nowMs: () => 0,
};

/** The throttle has no effect unless the settings include one. `loop`: overrides of the event loop. */

export async function openMeteredService(
  settings: Partial<OrganizationSettings> = {},
  place: string | null = null,
  loop: Partial<EventLoop> = {},
): Promise<MeteredService> {
  const store = place === null ? await openTestStore() : await storeAt(place);
  const clock = manualClock(NOON);
  const metering = createMetering({
    accounts: store.accounts,
    sql: store.sql,
    clock,
    loop: { ...LOOP, ...loop },
  });
  const addCaller = async (wanted: OrganizationSettings) => {
    const organization = await store.accounts.upsertOrganization(wanted, clock.now());
    const { id, text, secretSha256 } = generateKey();
    await store.accounts.insertKey({
      id,
      organizationId: organization.id,
      secretSha256,
      scopes: ['products:read', 'products:refresh'],
      note: null,
      createdAtMs: clock.now(),
      expiresAtMs: null,
    });
    return { key: text, caller: await metering.authenticate(`Bearer ${text}`) };
  };
  const { key, caller } = await addCaller({ name: 'acme', ...WIDE, ...settings });
  return {
    store,
    clock,
    metering,
    key,
    caller,
    addCaller,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
