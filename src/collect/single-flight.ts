// One piece of work per name at a time: callers that ask for the same thing share it.

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

export type Joining<T> = {
  /** Told that the holder of the second signal now waits for work that has the first one. */
  readonly joined: (work: AbortSignal, caller: AbortSignal) => void;
  /** What a caller gets whose own deadline passes before the work is done. */
  readonly late: T;
};

/** Like `createSingleFlight` for work with a deadline of its own: who joins it waits no longer than its own. */
export function createSharedWork<T>({ joined, late }: Joining<T>) {
  const flying = new Map<string, { readonly signal: AbortSignal; readonly done: Promise<T> }>();
  return (name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const under = flying.get(name);
    if (under !== undefined) {
      joined(under.signal, signal);
      return unlessAborted(under.done, signal, late);
    }
    const done = work().finally(() => flying.delete(name));
    flying.set(name, { signal, done });
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
