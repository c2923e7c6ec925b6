// Who is next where several wait for one host (D37): those whom a caller waits for before background work,
// organizations by turns, and within one in the order of arrival. It knows no clock and no host.

import { laneOf, type Lane } from './lane.ts';

/** Somebody who waits; in which lane is asked anew each time, because a caller may join work under way. */
export type Waiting = {
  readonly signal: AbortSignal;
  /** Of the clock: later than this is too late. */
  readonly untilMs: number;
  /** Rises with every arrival, over all lines. */
  readonly arrival: number;
};

export type WaitingLine<W extends Waiting> = {
  readonly waiting: readonly W[];
  add(one: W): void;
  /** False: it no longer stood there. */
  remove(one: W): boolean;
  /** Who is next among those who may go; stays in the line. */
  next(mayGo: (lane: Lane) => boolean): W | null;
  /** Takes one out whose turn it is, and its organization to the end of the line. */
  serve(one: W): void;
  /** How many of those who wait now would go before a newcomer in this lane. */
  aheadOf(lane: Lane): number;
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
        const lane = laneOf(one.signal);
        if (!mayGo(lane)) continue;
        const rank = goesBefore(lane) ? (served.get(nameOf(lane)) ?? -1) : Number.POSITIVE_INFINITY;
        if (best === null || rank < best.rank) best = { one, rank };
      }
      return best?.one ?? null;
    },
    serve(one) {
      served.set(nameOf(laneOf(one.signal)), (turns += 1));
      remove(one);
    },
    aheadOf(lane) {
      if (!goesBefore(lane)) return waiting.length;
      const counts = new Map<string, number>();
      for (const { signal } of waiting) {
        const other = laneOf(signal);
        if (!goesBefore(other)) continue;
        counts.set(nameOf(other), (counts.get(nameOf(other)) ?? 0) + 1);
      }
      const own = counts.get(nameOf(lane)) ?? 0;
      counts.delete(nameOf(lane));
      // By turns: before this one goes, each other organization has as many turns as this one's own.
      return [...counts.values()].reduce((sum, count) => sum + Math.min(count, own + 1), own);
    },
  };
}

/** A caller waits for it. */
export function goesBefore(lane: Lane): boolean {
  return lane.kind === 'caller';
}

function nameOf(lane: Lane): string {
  return lane.kind === 'caller' ? (lane.organization ?? '') : 'background';
}
