// The pauses requested by shops (`Retry-After`). Each applies to everyone, and no answer ends it. Pure state; time is passed
// in.

import type { AskedPause, PausedPlace } from '../../base/failed-for.ts';

type AskedPauses = {
  /** Records a pause. It has no effect if a pause of that name has more time left. */
  note(asked: AskedPause, nowMs: number): void;
  /** Returns how long this place gets no requests, in milliseconds; 0 if it is not paused. */
  leftMs(place: PausedPlace, nowMs: number): number;
  /** Returns the pauses still in effect. */
  lasting(nowMs: number): readonly { readonly name: string; readonly leftMs: number }[];
};

/**
 * Maximum names: callers can request any number of hosts. Beyond it, expired pauses are dropped, then the least recently
 * recorded ones.
 */
const MAX_NAMES = 10_000;
const KEPT_NAMES = 9_000;

export function createAskedPauses(): AskedPauses {
  /** End times of pauses, in order of recording. */
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
