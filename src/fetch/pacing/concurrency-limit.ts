// How many requests may be in flight over all hosts, and how many of them for one organization.

import type { Priority } from '../../core/fetch-context.ts';

export type ConcurrencyLimit = {
  hasRoom(priority: Priority): boolean;
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
  return {
    hasRoom(priority) {
      const name = nameOf(priority);
      return free > 0 && (name === null || (taken.get(name) ?? 0) < countOfOneOrganization);
    },
    take(priority) {
      free -= 1;
      const name = nameOf(priority);
      if (name !== null) taken.set(name, (taken.get(name) ?? 0) + 1);
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
