// The pages that wait to be read. Those of callers go before background work, and of the organizations the one goes first
// whose pages have cost the least of the threads' time: an organization with many pages waits behind its own.

import type { FetchContext, Priority } from '../core/fetch-context.ts';

export type QueuedPage = {
  /** Null: nobody in particular waits for it, as on the command line. */
  readonly context: FetchContext | null;
};

export type ReadingQueue<P extends QueuedPage> = {
  readonly size: number;
  add(page: P): void;
  /** False: it was not in the queue any more. */
  remove(page: P): boolean;
  /** The next page, taken out of the queue. */
  next(): P | undefined;
  /** What reading a page has cost, in milliseconds of a thread. */
  spent(page: P, ms: number): void;
};

/** Organizations whose cost is remembered; above this they are forgotten when nothing waits. */
const MAX_REMEMBERED = 1_000;

export function createReadingQueue<P extends QueuedPage>(): ReadingQueue<P> {
  const waiting = new Set<P>();
  const used = new Map<string, number>();
  /** The cost of the organization that was last served: one that comes later begins here, without credit. */
  let floor = 0;
  const costOf = (page: P): number => used.get(nameOf(page.context)) ?? floor;
  return {
    get size() {
      return waiting.size;
    },
    add(page) {
      const name = nameOf(page.context);
      const isNew = ![...waiting].some((each) => nameOf(each.context) === name);
      if (isNew) used.set(name, Math.max(used.get(name) ?? floor, floor));
      waiting.add(page);
    },
    remove: (page) => waiting.delete(page),
    next() {
      let best: P | undefined;
      for (const page of waiting) if (best === undefined || goesFirst(page, best)) best = page;
      if (best === undefined) return undefined;
      waiting.delete(best);
      if (!isBackground(best.context)) floor = Math.max(floor, costOf(best));
      if (waiting.size === 0 && used.size > MAX_REMEMBERED) used.clear();
      return best;
    },
    spent(page, ms) {
      const name = nameOf(page.context);
      used.set(name, (used.get(name) ?? floor) + ms);
    },
  };

  /** Of equals the one that came first stays first. */
  function goesFirst(page: P, other: P): boolean {
    const [behind, otherBehind] = [isBackground(page.context), isBackground(other.context)];
    return behind === otherBehind ? costOf(page) < costOf(other) : otherBehind;
  }
}

function isBackground(context: FetchContext | null): boolean {
  return context?.priority.current.kind === 'background';
}

function nameOf(context: FetchContext | null): string {
  const priority: Priority | undefined = context?.priority.current;
  return priority?.kind === 'background' ? '\0background' : (priority?.organization ?? '');
}
