// Deadlines that can be read as well as awaited: our own pacing refuses a wait that would outlive the
// caller (D37), and an AbortSignal alone does not say when it will abort.

const DEADLINES = new WeakMap<AbortSignal, number>();

/** A signal that aborts after `ms`, or with `parent`. `nowMs` is the clock's reading. */
export function deadlineSignal(nowMs: number, ms: number, parent?: AbortSignal): AbortSignal {
  const own = AbortSignal.timeout(ms);
  const signal = parent === undefined ? own : AbortSignal.any([own, parent]);
  const outer = parent === undefined ? undefined : DEADLINES.get(parent);
  DEADLINES.set(signal, Math.min(nowMs + ms, outer ?? Number.POSITIVE_INFINITY));
  return signal;
}

/** When this signal aborts, in milliseconds since 1970; null when nobody said. */
export function deadlineOf(signal: AbortSignal): number | null {
  return DEADLINES.get(signal) ?? null;
}
