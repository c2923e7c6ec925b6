// One piece of work per name at a time: calls that need the same share it.

import { joinWork, type FetchContext } from '../core/fetch-context.ts';

/** Starts `work`, unless work of that name is running, which is then shared. */
export function createSingleFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (name, work) => {
    const joined = running.get(name);
    if (joined !== undefined) return joined;
    const flight = work().finally(() => running.delete(name));
    running.set(name, flight);
    return flight;
  };
}

/**
 * Like `createSingleFlight` for work with a deadline of its own. A caller that joins it waits no longer than its own
 * deadline, and gets `late` when that passes first; background work takes the caller's priority from then on.
 */
export function createSharedWork<T>(late: T) {
  const running = new Map<string, { readonly context: FetchContext; readonly done: Promise<T> }>();
  return (name: string, context: FetchContext, work: () => Promise<T>): Promise<T> => {
    const joined = running.get(name);
    if (joined !== undefined) {
      joinWork(joined.context, context);
      return unlessAborted(joined.done, context.signal, late);
    }
    const done = work().finally(() => running.delete(name));
    running.set(name, { context, done });
    return done;
  };
}

/** What the work comes to, or `late` as soon as the signal aborts. */
export async function unlessAborted<T>(done: Promise<T>, signal: AbortSignal, late: T): Promise<T> {
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
