// The queue of fetches waiting for one host (D37). Callers' fetches go before background work, organizations take turns, and
// within an organization the order of arrival applies. It has no knowledge of clocks or hosts.

import { askerOf, type FetchContext, type Priority } from '../../base/fetch-context.ts';

/** A waiting fetch. Its eligible turns are read each time, because callers may join work already started. */
export type QueuedFetch = {
  readonly context: FetchContext;
  /** A number that rises with every arrival, over all queues. */
  readonly arrival: number;
};

/** A fetch, and the priority whose turn it uses. */
export type Next<W> = { readonly one: W; readonly priority: Priority };

export type FairQueue<W extends QueuedFetch> = {
  readonly waiting: readonly W[];
  add(one: W): void;
  /** Removes a fetch; false if it was no longer in the queue. */
  remove(one: W): boolean;
  /** Returns the next fetch allowed to go in any of its turns; it stays in the queue. Null if there is none. */
  next(mayGo: (priority: Priority) => boolean): Next<W> | null;
  /** Removes a fetch whose turn has come; its organization moves to the end of the turns. */
  serve(next: Next<W>): void;
  /** Counts the waiting fetches that would go before a new one of this priority. */
  aheadOf(priority: Priority): number;
};

/** Maximum organizations whose last turn at a host is stored. Beyond that they are dropped when the queue is empty. */
const MAX_CACHED = 1_000;

export function createFairQueue<W extends QueuedFetch>(): FairQueue<W> {
  const waiting: W[] = [];
  const served = new Map<string, number>();
  let turns = 0;
  function remove(one: W): boolean {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length === 0 && served.size > MAX_CACHED) served.clear();
    return at >= 0;
  }
  return {
    waiting,
    add: (one) => void waiting.push(one),
    remove,
    next(mayGo) {
      let best: (Next<W> & { readonly rank: number }) | null = null;
      for (const one of waiting) {
        for (const priority of one.context.turns()) {
          if (!mayGo(priority)) continue;
          const rank = goesBefore(priority)
            ? (served.get(nameOf(priority)) ?? -1)
            : Number.POSITIVE_INFINITY;
          if (best === null || rank < best.rank) best = { one, priority, rank };
        }
      }
      return best;
    },
    serve({ one, priority }) {
      served.set(nameOf(priority), (turns += 1));
      remove(one);
    },
    aheadOf(priority) {
      if (!goesBefore(priority)) return waiting.length;
      const counts = new Map<string, number>();
      for (const { context } of waiting) {
        const [other] = context.turns();
        if (other === undefined || !goesBefore(other)) continue;
        counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
      }
      const own = counts.get(nameOf(priority)) ?? 0;
      counts.delete(nameOf(priority));
      // Organizations take turns: each other one gets at most as many turns before this fetch as its own, including this
      // one.
      return [...counts.values()].reduce((sum, count) => sum + Math.min(count, own + 1), own);
    },
  };
}

/** Whether a caller waits for the fetch: it then goes before background work. */
export function goesBefore(priority: Priority): boolean {
  return priority.kind === 'caller';
}

function nameOf(priority: Priority): string {
  return askerOf(priority) ?? 'background';
}
