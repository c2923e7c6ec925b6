// Room for calls that wait for shops: no more than can be served soon. Each organization is told to come again by the pace of
// its own shops, because 100 lookups of one with slow shops had the fetches of all others refused.

import { createPace, type Pace } from './pace.ts';

/**
 * Calls of one organization that may always wait for shops, and the time in which more of them must be served at the present
 * pace. For so long more may wait anyway: the pace of a quiet time says nothing of what can be served, and 1,000 callers of
 * one product are one fetch.
 */
const SOME = 64;
const SECONDS = 5;
/** So large a part of all room is kept, beyond it, for organizations that hold less than that. */
const SPARE_SHARE = 1 / 16;

export type FetchingRoom = {
  has(organizationId: string | null): boolean;
  /** Returns what gives the room back, to be called once. */
  enter(organizationId: string | null): () => void;
};

type Held = {
  count: number;
  /** Since when `SOME` or more wait. */
  manySinceMs: number;
  readonly pace: Pace;
};

export function createFetchingRoom(most: number, nowMs: () => number): FetchingRoom {
  const spare = Math.floor(most * SPARE_SHARE);
  const organizations = new Map<string | null, Held>();
  let inAll = 0;

  function change(held: Held, by: 1 | -1): void {
    inAll += by;
    held.count += by;
    if (held.count < SOME) held.manySinceMs = Infinity;
    else if (held.manySinceMs === Infinity) held.manySinceMs = nowMs();
  }

  return {
    has: (organizationId) => {
      const held = organizations.get(organizationId);
      const count = held?.count ?? 0;
      if (inAll >= (count < spare ? most + spare : most)) return false;
      if (held === undefined || count < SOME) return true;
      if (nowMs() - held.manySinceMs < SECONDS * 1_000) return true;
      const perSecond = held.pace.servedInSecond();
      return perSecond === 0 || count < perSecond * SECONDS;
    },
    enter: (organizationId) => {
      const held = organizations.get(organizationId) ?? {
        count: 0,
        manySinceMs: Infinity,
        pace: createPace(nowMs),
      };
      organizations.set(organizationId, held);
      change(held, 1);
      return () => {
        change(held, -1);
        held.pace.served();
        if (held.count === 0) organizations.delete(organizationId);
      };
    },
  };
}
