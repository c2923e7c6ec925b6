// Lookups over a read replica: what is held may be read there, and miss the last half second. What is behind a fetch is
// read from the primary, and so is everything for a caller whose fetch the replica may not know of yet.

import { FaultError } from '../core/fault.ts';
import type { ReplicaStore } from '../store/store.ts';
import type { LookupHistory } from './lookup-history.ts';
import type { LookupProduct } from './lookup-product.ts';

export type HeldLookups = {
  readonly lookupProduct: LookupProduct;
  readonly lookupHistory: LookupHistory;
};

/** `now`: over the primary. `lagging`: the same over the replica. */
export function withReplica(
  now: HeldLookups,
  lagging: HeldLookups,
  { hasSince, nowMs }: Pick<ReplicaStore, 'hasSince' | 'nowMs'>,
): HeldLookups {
  /** By organization: when this process had something fetched for it, until the replica knows. */
  const fetches = new Map<string | null, number>();
  const mayMiss = (organizationId: string | null): boolean => {
    const fetchedAtMs = fetches.get(organizationId);
    if (fetchedAtMs === undefined) return true;
    if (!hasSince(fetchedAtMs)) return false;
    fetches.delete(organizationId);
    return true;
  };
  /** A refusal may come of what is missing there. */
  const reading = async <T>(
    organizationId: string | null,
    over: (of: HeldLookups) => Promise<T>,
  ) => {
    if (!mayMiss(organizationId)) return await over(now);
    try {
      return await over(lagging);
    } catch (error) {
      if (error instanceof FaultError) return await over(now);
      throw error;
    }
  };
  return {
    lookupProduct: {
      parse: (request) => now.lookupProduct.parse(request),
      held: (lookup) => reading(lookup.organizationId, (of) => of.lookupProduct.held(lookup)),
      fetched: async (lookup, context) => {
        try {
          return await now.lookupProduct.fetched(lookup, context);
        } finally {
          fetches.set(lookup.organizationId, nowMs());
        }
      },
    },
    lookupHistory: (request) =>
      reading(request.organizationId ?? null, (of) => of.lookupHistory(request)),
  };
}
