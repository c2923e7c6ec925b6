// Negative answers, which are stored for a day, whichever process got them (D38).

import type { Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { Miss, StoredMiss } from '../../data/answers/misses.ts';
import type { Store } from '../../data/store.ts';
import { keyName, type ListingKey } from './listing-key.ts';

/** Returns a listing's miss in this store; null if there is none, or it has expired. */
export function knownMissOf(
  {
    store,
    clock,
  }: {
    readonly store: { readonly misses: Pick<Store['misses'], 'findMiss'> };
    readonly clock: Pick<Clock, 'now'>;
  },
  key: ListingKey,
): Promise<StoredMiss | null> {
  return store.misses.findMiss(keyName(key), clock.now());
}

/** Returns the fault for a miss. */
export function faultOfMiss(miss: Miss): FaultError {
  return new FaultError({
    code: 'not_found',
    detail: miss.detail,
    ...(miss.upstream === null ? {} : { upstream: miss.upstream }),
  });
}
