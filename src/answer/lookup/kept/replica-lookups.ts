// Lookups over a read replica, which may lack the last half second. What is held is read there. What belongs to a fetch is read
// from the primary, and so is everything for a caller whose last fetch the replica may not have yet.

import { FaultError } from '../../../base/fault.ts';
import type { ReplicaStore } from '../../../data/store.ts';
import type { LookupHistory } from '../history/lookup-history.ts';
import type { LookupComparison } from '../compare-product.ts';
import type { Lookup, LookupProduct } from '../lookup-product.ts';

export type HeldLookups = {
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
};

/** `now` has the lookups over the primary, `lagging` those over the replica. */
export function withReplica(
  now: HeldLookups,
  lagging: HeldLookups,
  { hasSince, nowMs }: Pick<ReplicaStore, 'hasSince' | 'nowMs'>,
): HeldLookups {
  /** When this process last fetched something for an organization, until the replica has it. */
  const fetches = new Map<string | null, number>();
  const mayReadReplica = (organizationId: string | null): boolean => {
    const fetchedAtMs = fetches.get(organizationId);
    if (fetchedAtMs === undefined) return true;
    if (!hasSince(fetchedAtMs)) return false;
    fetches.delete(organizationId);
    return true;
  };
  /** Reads from the replica. A fault may come from what the replica lacks, so that the primary is then read. */
  const readHeld = async <T>(
    organizationId: string | null,
    over: (of: HeldLookups) => Promise<T>,
  ) => {
    if (!mayReadReplica(organizationId)) return await over(now);
    try {
      return await over(lagging);
    } catch (error) {
      if (error instanceof FaultError) return await over(now);
      throw error;
    }
  };
  const overBoth = <Found>(which: (of: HeldLookups) => Lookup<Found>): Lookup<Found> => ({
    parse: (request) => which(now).parse(request),
    fromStore: (lookup) => readHeld(lookup.organizationId, (of) => which(of).fromStore(lookup)),
    fromShops: async (lookup, context) => {
      try {
        return await which(now).fromShops(lookup, context);
      } finally {
        fetches.set(lookup.organizationId, nowMs());
      }
    },
  });
  return {
    lookupProduct: overBoth((of) => of.lookupProduct),
    lookupComparison: overBoth((of) => of.lookupComparison),
    lookupHistory: (request) =>
      readHeld(request.organizationId ?? null, (of) => of.lookupHistory(request)),
  };
}
