// Limits the number of requests in flight over all hosts, and of those for one organization.

import type { Priority } from '../../base/fetch-context.ts';

/** Maximum organizations whose last turn is stored. */
const MAX_CACHED = 10_000;

export type ConcurrencyLimit = {
  hasRoom(priority: Priority): boolean;
  /**
   * Sort order of the next request: the organization with the fewest in flight goes first; among equals, the one that least
   * recently got a slot.
   */
  inOrder(a: Priority, b: Priority): number;
  /** Takes a slot. Call it only after `hasRoom` has returned true. */
  take(priority: Priority): void;
  /** Releases a slot, with the priority it was taken for: the context's own may have risen since. */
  release(priority: Priority): void;
};

export function createConcurrencyLimit(
  count: number,
  countOfOneOrganization: number,
): ConcurrencyLimit {
  let free = count;
  const taken = new Map<string, number>();
  /** When an organization last got a slot, as an increasing number. */
  const turns = new Map<string, number>();
  let turn = 0;
  const inFlight = (priority: Priority): number => taken.get(nameOf(priority) ?? '') ?? 0;
  const lastTurn = (priority: Priority): number => turns.get(nameOf(priority) ?? '') ?? 0;
  return {
    hasRoom: (priority) => free > 0 && inFlight(priority) < countOfOneOrganization,
    inOrder: (a, b) => inFlight(a) - inFlight(b) || lastTurn(a) - lastTurn(b),
    take(priority) {
      free -= 1;
      const name = nameOf(priority);
      if (name === null) return;
      taken.set(name, (taken.get(name) ?? 0) + 1);
      if (turns.size >= MAX_CACHED) turns.clear();
      turns.set(name, (turn += 1));
    },
    release(priority) {
      free += 1;
      const name = nameOf(priority);
      if (name === null) return;
      const left = (taken.get(name) ?? 1) - 1;
      if (left === 0) taken.delete(name);
      else taken.set(name, left);
    },
  };
}

/**
 * Returns the organization whose limit applies; null if only the total limit does. Background work is already limited by
 * its number of workers.
 */
function nameOf(priority: Priority): string | null {
  return priority.kind === 'caller' ? priority.organization : null;
}
