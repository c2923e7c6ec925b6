// How many requests may be in flight over all hosts, and how many of them for one organization.

import type { Priority } from '../../core/fetch-context.ts';

/** Organizations whose last turn is remembered. */
const MAX_REMEMBERED = 10_000;

export type ConcurrencyLimit = {
  hasRoom(priority: Priority): boolean;
  /**
   * Whose request goes first, as of numbers that are sorted: the organization's with the fewest in flight, of these the one that
   * took one longest ago.
   */
  inOrder(a: Priority, b: Priority): number;
  /** Only after `hasRoom` returned true. */
  take(priority: Priority): void;
  /** With the priority that it was taken for: that of the context may have risen since. */
  release(priority: Priority): void;
};

export function createConcurrencyLimit(
  count: number,
  countOfOneOrganization: number,
): ConcurrencyLimit {
  let free = count;
  const taken = new Map<string, number>();
  /** When an organization took one last, as a number that rises. */
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
      if (turns.size >= MAX_REMEMBERED) turns.clear();
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

/** Null: counts towards the total only. Background work is bounded by its number of workers already. */
function nameOf(priority: Priority): string | null {
  return priority.kind === 'caller' ? priority.organization : null;
}
