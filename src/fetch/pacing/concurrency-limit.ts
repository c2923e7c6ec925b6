// Requests in flight over all hosts, and of one organization (security 6, upstream row).

import type { Lane } from './lane.ts';

export type ConcurrencyLimit = {
  has(lane: Lane): boolean;
  /** Only where `has` says yes. */
  take(lane: Lane): void;
  /** Of the lane that it was taken for. */
  give(lane: Lane): void;
};

export function createConcurrencyLimit(count: number, countOfOne: number): ConcurrencyLimit {
  let free = count;
  const taken = new Map<string, number>();
  return {
    has(lane) {
      const name = nameOf(lane);
      return free > 0 && (name === null || (taken.get(name) ?? 0) < countOfOne);
    },
    take(lane) {
      free -= 1;
      const name = nameOf(lane);
      if (name !== null) taken.set(name, (taken.get(name) ?? 0) + 1);
    },
    give(lane) {
      free += 1;
      const name = nameOf(lane);
      if (name === null) return;
      const left = (taken.get(name) ?? 1) - 1;
      if (left === 0) taken.delete(name);
      else taken.set(name, left);
    },
  };
}

/** Null: counted over all only. Background work has a bound of its own, its number of workers. */
function nameOf(lane: Lane): string | null {
  return lane.kind === 'caller' ? lane.organization : null;
}
