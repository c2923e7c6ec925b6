// One piece of work per name at a time: callers that ask for the same thing share it.

import { joinWork, type FetchContext } from '../core/fetch-context.ts';

/** `run` starts `work` unless work under that name is under way, which is then shared. */
export function createSingleFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const flying = new Map<string, Promise<T>>();
  return (name, work) => {
    const under = flying.get(name);
    if (under !== undefined) return under;
    const flight = work().finally(() => flying.delete(name));
    flying.set(name, flight);
    return flight;
  };
}

/**
 * Like `createSingleFlight` for work with a deadline of its own. A caller that joins it waits no longer than its own
 * deadline, and gets `late` when that passes first; background work takes the caller's priority from then on.
 */
export function createSharedWork<T>(late: T) {
  const flying = new Map<string, { readonly context: FetchContext; readonly done: Promise<T> }>();
  return (name: string, context: FetchContext, work: () => Promise<T>): Promise<T> => {
    const under = flying.get(name);
    if (under !== undefined) {
      joinWork(under.context, context);
      return unlessAborted(under.done, context.signal, late);
    }
    const done = work().finally(() => flying.delete(name));
    flying.set(name, { context, done });
    return done;
  };
}

async function unlessAborted<T>(done: Promise<T>, signal: AbortSignal, late: T): Promise<T> {
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
