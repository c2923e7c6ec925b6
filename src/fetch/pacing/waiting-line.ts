// Who is next where several wait for one host (D37): what a caller waits for goes before background work,
// organizations by turns, and within one in the order of arrival. It knows no clock and no host.

import type { FetchContext, Priority } from '../../core/fetch-context.ts';

/** One that waits. Its priority is read anew each time, because a caller may join work that is under way. */
export type Waiting = {
  readonly context: FetchContext;
  /** Rises with every arrival, over all lines. */
  readonly arrival: number;
};

export type WaitingLine<W extends Waiting> = {
  readonly waiting: readonly W[];
  add(one: W): void;
  /** False: it no longer stood there. */
  remove(one: W): boolean;
  /** Who is next among those who may go; stays in the line. */
  next(mayGo: (priority: Priority) => boolean): W | null;
  /** Takes one out whose turn it is, and its organization to the end of the line. */
  serve(one: W): void;
  /** How many of those who wait now would go before a newcomer of this priority. */
  aheadOf(priority: Priority): number;
};

/** Organizations whose last turn at a host is remembered; above this they are forgotten once nobody waits. */
const MAX_REMEMBERED = 1_000;

export function createWaitingLine<W extends Waiting>(): WaitingLine<W> {
  const waiting: W[] = [];
  const served = new Map<string, number>();
  let turns = 0;
  function remove(one: W): boolean {
    const at = waiting.indexOf(one);
    if (at >= 0) waiting.splice(at, 1);
    if (waiting.length === 0 && served.size > MAX_REMEMBERED) served.clear();
    return at >= 0;
  }
  return {
    waiting,
    add: (one) => void waiting.push(one),
    remove,
    next(mayGo) {
      let best: { readonly one: W; readonly rank: number } | null = null;
      for (const one of waiting) {
        const priority = one.context.priority.current;
        if (!mayGo(priority)) continue;
        const rank = goesBefore(priority)
          ? (served.get(nameOf(priority)) ?? -1)
          : Number.POSITIVE_INFINITY;
        if (best === null || rank < best.rank) best = { one, rank };
      }
      return best?.one ?? null;
    },
    serve(one) {
      served.set(nameOf(one.context.priority.current), (turns += 1));
      remove(one);
    },
    aheadOf(priority) {
      if (!goesBefore(priority)) return waiting.length;
      const counts = new Map<string, number>();
      for (const { context } of waiting) {
        const other = context.priority.current;
        if (!goesBefore(other)) continue;
        counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
      }
      const own = counts.get(nameOf(priority)) ?? 0;
      counts.delete(nameOf(priority));
      // By turns: before this one goes, each other organization has as many turns as this one's own.
      return [...counts.values()].reduce((sum, count) => sum + Math.min(count, own + 1), own);
    },
  };
}

/** A caller waits for it. */
export function goesBefore(priority: Priority): boolean {
  return priority.kind === 'caller';
}

function nameOf(priority: Priority): string {
  return priority.kind === 'caller' ? (priority.organization ?? '') : 'background';
}
