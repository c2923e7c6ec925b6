// The queue of calls waiting to be processed. Callers take turns, so that one with hundreds of calls delays another by one
// call and not by all of them. This file depends on no clock or limit.

export type WaitingCall = {
  /** Calls with the same text are of the same caller, and callers take turns. */
  readonly caller: string;
  readonly sinceMs: number;
};

export type WaitingCalls<C extends WaitingCall> = {
  readonly size: () => number;
  /** Adds a call after its caller's other calls. `sinceMs` must not be before that of a call added earlier. */
  add(call: C): void;
  /** Takes the oldest or the newest call of the caller whose turn it is. */
  take(which: 'oldest' | 'newest'): C | undefined;
  /** Takes the oldest call of the caller that has the most, among the first in turn. */
  takeOfMost(): C | undefined;
  /** Takes all calls that have waited since `untilMs` or longer. */
  takeSince(untilMs: number): readonly C[];
};

/** Callers that `takeOfMost` examines: with thousands of them the search would cost more than the refusal. */
const LOOKED_AT = 64;

export function createWaitingCalls<C extends WaitingCall>(): WaitingCalls<C> {
  /** The caller whose turn is next comes first. No list is empty; each has its oldest call first. */
  const callers = new Map<string, C[]>();
  let size = 0;

  function removed(caller: string, list: readonly C[], count: number): void {
    size -= count;
    if (list.length === 0) callers.delete(caller);
  }

  return {
    size: () => size,
    add: (call) => {
      size += 1;
      const list = callers.get(call.caller);
      if (list === undefined) callers.set(call.caller, [call]);
      else list.push(call);
    },
    take: (which) => {
      const [turn] = callers;
      if (turn === undefined) return undefined;
      const [caller, list] = turn;
      const call = which === 'oldest' ? list.shift() : list.pop();
      // This caller moves to the end of the turns.
      callers.delete(caller);
      callers.set(caller, list);
      removed(caller, list, 1);
      return call;
    },
    takeOfMost: () => {
      let most: readonly [string, C[]] | null = null;
      for (const entry of callers.entries().take(LOOKED_AT)) {
        if (most === null || entry[1].length > most[1].length) most = entry;
      }
      if (most === null) return undefined;
      const [caller, list] = most;
      const call = list.shift();
      removed(caller, list, 1);
      return call;
    },
    takeSince: (untilMs) => {
      const taken: C[] = [];
      for (const [caller, list] of callers) {
        const firstRecent = list.findIndex(({ sinceMs }) => sinceMs > untilMs);
        const late = list.splice(0, firstRecent === -1 ? list.length : firstRecent);
        taken.push(...late);
        removed(caller, list, late.length);
      }
      return taken;
    },
  };
}
