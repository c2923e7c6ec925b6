// Limits how many calls wait for shops: no more than can be served soon. The Retry-After of a refused organization
// follows the pace of its own shops, so that 100 lookups of slow shops by one organization do not cause the fetches of all others to
// be refused.

import { createPace, type Pace } from './pace.ts';

/**
 * `SOME` calls of one organization may always wait for shops. More may wait for `SECONDS`; after that, only as many as its
 * current pace serves in that time. The grace period is needed because the pace of a quiet time does not show what can be
 * served, and 1,000 callers of one product are one fetch.
 */
const SOME = 64;
const SECONDS = 5;
/** This share of all room is reserved in addition, for organizations that occupy less than the share. */
const SPARE_SHARE = 1 / 16;

export type FetchingRoom = {
  has(organizationId: string | null): boolean;
  /** Takes room, and returns the function that releases it; call that once. */
  enter(organizationId: string | null): () => void;
};

type Usage = {
  count: number;
  /** Since when the organization has had `SOME` or more calls waiting. */
  manySinceMs: number;
  readonly pace: Pace;
};

export function createFetchingRoom(most: number, nowMs: () => number): FetchingRoom {
  const spare = Math.floor(most * SPARE_SHARE);
  const organizations = new Map<string | null, Usage>();
  let inAll = 0;

  function change(usage: Usage, by: 1 | -1): void {
    inAll += by;
    usage.count += by;
    if (usage.count < SOME) usage.manySinceMs = Infinity;
    else if (usage.manySinceMs === Infinity) usage.manySinceMs = nowMs();
  }

  return {
    has: (organizationId) => {
      const usage = organizations.get(organizationId);
      const count = usage?.count ?? 0;
      if (inAll >= (count < spare ? most + spare : most)) return false;
      if (usage === undefined || count < SOME) return true;
      if (nowMs() - usage.manySinceMs < SECONDS * 1_000) return true;
      const perSecond = usage.pace.servedInSecond();
      return perSecond === 0 || count < perSecond * SECONDS;
    },
    enter: (organizationId) => {
      const usage = organizations.get(organizationId) ?? {
        count: 0,
        manySinceMs: Infinity,
        pace: createPace(nowMs),
      };
      organizations.set(organizationId, usage);
      change(usage, 1);
      return () => {
        change(usage, -1);
        usage.pace.served();
        if (usage.count === 0) organizations.delete(organizationId);
      };
    },
  };
}
