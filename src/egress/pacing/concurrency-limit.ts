// Limits how many requests may be in flight over all hosts, and how many of them for one organization.

import type { Priority } from '../../base/fetch-context.ts';

/** Organizations whose last turn is kept. */
const MAX_CACHED = 10_000;

export type ConcurrencyLimit = {
  hasRoom(priority: Priority): boolean;
  /**
   * Compares whose request goes first, for sorting: that of the organization with the fewest in flight; of equals, the one that
   * got a slot longest ago.
   */
  inOrder(a: Priority, b: Priority): number;
  /** Takes a slot; only after `hasRoom` returned true. */
  take(priority: Priority): void;
  /** Gives a slot back, with the priority for which it was taken: the context's own may have risen since. */
  release(priority: Priority): void;
};

export function createConcurrencyLimit(
  count: number,
  countOfOneOrganization: number,
): ConcurrencyLimit {
  let free = count;
  const taken = new Map<string, number>();
  /** When an organization last got a slot, as a rising number. */
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
 * The organization whose limit counts; null if only the total counts. Background work is already limited by its number of
 * workers.
 */
function nameOf(priority: Priority): string | null {
  return priority.kind === 'caller' ? priority.organization : null;
}
