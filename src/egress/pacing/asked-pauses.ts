// The pauses that shops asked for (`Retry-After`). Each applies to everyone, and no answer ends it. Pure state; time is passed
// in.

import type { AskedPause, PausedPlace } from '../../base/failed-for.ts';

type AskedPauses = {
  /** Notes a pause. It changes nothing if a pause of that name has more time left. */
  note(asked: AskedPause, nowMs: number): void;
  /** How long this place gets no request, in milliseconds; 0 if it may have one. */
  leftMs(place: PausedPlace, nowMs: number): number;
  /** The pauses that have not ended. */
  lasting(nowMs: number): readonly { readonly name: string; readonly leftMs: number }[];
};

/**
 * Most names: callers can name any number of hosts. Above it, pauses that are over are forgotten, then those that were noted
 * longest ago.
 */
const MAX_NAMES = 10_000;
const KEPT_NAMES = 9_000;

export function createAskedPauses(): AskedPauses {
  /** Ends of pauses, in the order in which they were noted. */
  const untilMs = new Map<string, number>();
  const leftOf = (name: string, nowMs: number) => Math.max(0, (untilMs.get(name) ?? 0) - nowMs);
  return {
    note({ name, seconds }, nowMs) {
      const until = nowMs + Math.max(leftOf(name, nowMs), seconds * 1_000);
      untilMs.delete(name);
      if (untilMs.size >= MAX_NAMES) forget(untilMs, nowMs);
      untilMs.set(name, until);
    },
    leftMs: ({ host, name }, nowMs) => Math.max(leftOf(host, nowMs), leftOf(name, nowMs)),
    lasting: (nowMs) =>
      [...untilMs.keys()]
        .map((name) => ({ name, leftMs: leftOf(name, nowMs) }))
        .filter((each) => each.leftMs > 0),
  };
}

function forget(untilMs: Map<string, number>, nowMs: number): void {
  for (const [name, until] of untilMs) if (until <= nowMs) untilMs.delete(name);
  for (const name of untilMs.keys()) {
    if (untilMs.size <= KEPT_NAMES) return;
    untilMs.delete(name);
  }
}
