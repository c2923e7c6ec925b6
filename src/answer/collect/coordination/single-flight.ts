// Single flight: concurrent calls that need the same work share it, by name.

import { sharedTurns, type FetchContext } from '../../../base/fetch-context.ts';

/** Runs `work`, or joins running work of that name. */
export type SharedWork<T> = (
  name: string,
  context: FetchContext,
  /** Runs in the first caller's context, with the turns of all callers that join. */
  work: (context: FetchContext) => Promise<T>,
) => Promise<T>;

/**
 * A caller that joins waits no longer than its own deadline, and gets `late` once that passes. If the first caller's deadline
 * is earlier, the work starts again within the remaining callers' time.
 */
export function createSharedWork<T>(late: T): SharedWork<T> {
  type Work = {
    readonly join: (caller: FetchContext) => void;
    readonly signal: AbortSignal;
    readonly done: Promise<T>;
  };
  const running = new Map<string, Work>();
  return async (name, context, work) => {
    for (let joined = running.get(name); joined !== undefined; joined = running.get(name)) {
      joined.join(context);
      const value = await orLate(joined.done, context.signal, late);
      if (!joined.signal.aborted || context.signal.aborted) return value;
    }
    const { join, ...turns } = sharedTurns(context);
    const done = work({ ...context, ...turns }).finally(() => running.delete(name));
    running.set(name, { join, signal: context.signal, done });
    return done;
  };
}

/** Returns the result of the work, or `late` as soon as the signal aborts. */
export async function orLate<T>(done: Promise<T>, signal: AbortSignal, late: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const leave = () => resolve(late);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await Promise.race([done, promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
