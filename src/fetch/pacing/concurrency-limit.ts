// How many requests may be in flight over all hosts, and how many of them for one organization.

import type { Priority } from '../../core/fetch-context.ts';

export type ConcurrencyLimit = {
  has(priority: Priority): boolean;
  /** Only where `has` says yes. */
  take(priority: Priority): void;
  /** Of the priority that it was taken for: a context's own may have risen since. */
  give(priority: Priority): void;
};

export function createConcurrencyLimit(count: number, countOfOne: number): ConcurrencyLimit {
  let free = count;
  const taken = new Map<string, number>();
  return {
    has(priority) {
      const name = nameOf(priority);
      return free > 0 && (name === null || (taken.get(name) ?? 0) < countOfOne);
    },
    take(priority) {
      free -= 1;
      const name = nameOf(priority);
      if (name !== null) taken.set(name, (taken.get(name) ?? 0) + 1);
    },
    give(priority) {
      free += 1;
      const name = nameOf(priority);
      if (name === null) return;
      const left = (taken.get(name) ?? 1) - 1;
      if (left === 0) taken.delete(name);
      else taken.set(name, left);
    },
  };
}

/** Null: counted over all only. Background work has a bound of its own, its number of workers. */
function nameOf(priority: Priority): string | null {
  return priority.kind === 'caller' ? priority.organization : null;
}
