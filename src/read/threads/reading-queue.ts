// The queue of pages waiting to be read. Callers' pages precede background work. Among organizations, the one whose pages
// have used the least thread time goes first, so an organization with many pages waits behind its own.

import { askerOf, isBackground, type FetchContext } from '../../base/fetch-context.ts';

type QueuedPage = {
  /** Who is waiting for it; null if nobody in particular is, as on the command line. */
  readonly context: FetchContext | null;
};

type ReadingQueue<P extends QueuedPage> = {
  readonly size: number;
  add(page: P): void;
  /** Removes a page; false if it was no longer queued. */
  remove(page: P): boolean;
  /** Removes and returns the next page. */
  next(): P | undefined;
  /** Adds the cost of reading a page, in milliseconds of thread time. */
  spent(page: P, ms: number): void;
};

/** Maximum number of organizations whose cost is stored. Above that, all are cleared when nothing is waiting. */
const MAX_CACHED = 1_000;

export function createReadingQueue<P extends QueuedPage>(): ReadingQueue<P> {
  const waiting = new Set<P>();
  const used = new Map<string, number>();
  /** The cost of the organization served last. An organization that arrives later starts with this cost, without credit. */
  let floor = 0;
  /** Returns the lowest cost among those waiting for the page. */
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

  /** Among equals, the page that arrived first goes first. */
  function goesFirst(page: P, other: P): boolean {
    const [after, otherAfter] = [isBehind(page), isBehind(other)];
    return after === otherAfter ? costOf(page) < costOf(other) : otherAfter;
  }
}

function isBehind({ context }: QueuedPage): boolean {
  return context !== null && isBackground(context);
}

/** Returns the organization charged for the reading. */
function nameOf({ context }: QueuedPage): string {
  return namesOf(context)[0] ?? '';
}

function namesOf(context: FetchContext | null): readonly string[] {
  if (context === null) return [''];
  return context.turns().map((each) => askerOf(each) ?? '\0background');
}
