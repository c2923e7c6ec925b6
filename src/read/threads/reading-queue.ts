// The pages that wait to be read. Those of callers go before background work. Among organizations, the one goes first whose
// pages have cost the least of the threads' time. An organization with many pages thus waits behind its own.

import { askerOf, isBackground, type FetchContext } from '../../base/fetch-context.ts';

type QueuedPage = {
  /** Who waits for it; null if nobody in particular does, as on the command line. */
  readonly context: FetchContext | null;
};

type ReadingQueue<P extends QueuedPage> = {
  readonly size: number;
  add(page: P): void;
  /** Removes a page; false if it was no longer in the queue. */
  remove(page: P): boolean;
  /** The next page, taken out of the queue. */
  next(): P | undefined;
  /** Adds what reading a page has cost, in milliseconds of a thread. */
  spent(page: P, ms: number): void;
};

/** Most organizations whose cost is kept. Above that they are forgotten when nothing waits. */
const MAX_CACHED = 1_000;

export function createReadingQueue<P extends QueuedPage>(): ReadingQueue<P> {
  const waiting = new Set<P>();
  const used = new Map<string, number>();
  /**
   * The cost of the organization that was last served. An organization that comes later begins with this cost, without credit.
   */
  let floor = 0;
  /** The least cost of those that wait for the page. */
  const costOf = (page: P): number =>
    Math.min(...namesOf(page.context).map((name) => used.get(name) ?? floor));
  return {
    get size() {
      return waiting.size;
    },
    add(page) {
      const name = nameOf(page);
      const isNew = ![...waiting].some((each) => nameOf(each) === name);
      if (isNew) used.set(name, Math.max(used.get(name) ?? floor, floor));
      waiting.add(page);
    },
    remove: (page) => waiting.delete(page),
    next() {
      let best: P | undefined;
      for (const page of waiting) if (best === undefined || goesFirst(page, best)) best = page;
      if (best === undefined) return undefined;
      waiting.delete(best);
      if (!isBehind(best)) floor = Math.max(floor, costOf(best));
      if (waiting.size === 0 && used.size > MAX_CACHED) used.clear();
      return best;
    },
    spent(page, ms) {
      const name = nameOf(page);
      used.set(name, (used.get(name) ?? floor) + ms);
    },
  };

  /** Of equals, the page that came first goes first. */
  function goesFirst(page: P, other: P): boolean {
    const [after, otherAfter] = [isBehind(page), isBehind(other)];
    return after === otherAfter ? costOf(page) < costOf(other) : otherAfter;
  }
}

function isBehind({ context }: QueuedPage): boolean {
  return context !== null && isBackground(context);
}

/** The organization that pays for the reading. */
function nameOf({ context }: QueuedPage): string {
  return namesOf(context)[0] ?? '';
}

function namesOf(context: FetchContext | null): readonly string[] {
  if (context === null) return [''];
  return context.turns().map((each) => askerOf(each) ?? '\0background');
}
