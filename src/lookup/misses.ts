// Negative answers about a page or a retailer's own identifier, remembered for a day (D38), in memory:
// forgetting one costs a single fetch. Those about a barcode stand in its cells.

import { DAY_MS, type Clock } from '../domain/clock.ts';

export type Miss = { readonly detail: string; readonly upstream: 'not_a_product' | null };

export type Misses = {
  find(name: string): Miss | null;
  remember(name: string, miss: Miss): void;
  forget(name: string): void;
};

/** At most `limit` names; the oldest goes first. */
export function createMisses(clock: Clock, limit = 10_000): Misses {
  const held = new Map<string, { readonly miss: Miss; readonly untilMs: number }>();
  return {
    find(name) {
      const entry = held.get(name);
      if (entry === undefined) return null;
      if (entry.untilMs > clock.now()) return entry.miss;
      held.delete(name);
      return null;
    },
    remember(name, miss) {
      held.delete(name);
      held.set(name, { miss, untilMs: clock.now() + DAY_MS });
      const oldest = held.keys().next();
      if (held.size > limit && !oldest.done) held.delete(oldest.value);
    },
    forget(name) {
      held.delete(name);
    },
  };
}
