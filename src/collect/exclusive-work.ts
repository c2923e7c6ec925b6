// Single flight across processes: work under a name is done by one process at a time. Who has to wait finds what the
// other one filed, if it looks again once its turn has come.

import type { FetchContext } from '../core/fetch-context.ts';
import type { Clock } from '../core/clock.ts';
import { EXTEND_EVERY_MS, type Leases } from '../store/leases.ts';

export type Ran<T> = { readonly ran: true; readonly value: T } | { readonly ran: false };

export type ExclusiveWork = {
  /** Waits for its turn as long as the context lets it; `ran` false: the turn never came. */
  readonly inTurn: <T>(
    name: string,
    context: FetchContext,
    work: () => Promise<T>,
  ) => Promise<Ran<T>>;
  /** Only when nobody else is at it now. */
  readonly ifFree: <T>(name: string, work: () => Promise<T>) => Promise<Ran<T>>;
};

/** For a process that has its store to itself. */
export const NOBODY_ELSE: ExclusiveWork = {
  inTurn: async (_name, _signal, work) => ({ ran: true, value: await work() }),
  ifFree: async (_name, work) => ({ ran: true, value: await work() }),
};

export type ExclusiveParts = {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Unguessable and never the same twice. */
  readonly newId: () => string;
  readonly onError: (what: string, error: unknown) => void;
};

/** How often who waits looks again: what it adds to a wait is half of this on average. */
const LOOK_AGAIN_MS = 100;

export function createExclusiveWork(parts: ExclusiveParts): ExclusiveWork {
  const { leases, clock } = parts;
  const holder = parts.newId();
  const keeper = createKeeper(parts, holder);

  async function taken(name: string): Promise<string | null> {
    const token = parts.newId();
    return (await leases.take({ name, token }, holder, clock.now())) ? token : null;
  }

  async function kept<T>(name: string, token: string, work: () => Promise<T>): Promise<Ran<T>> {
    keeper.begin();
    try {
      return { ran: true, value: await work() };
    } finally {
      keeper.end();
      // It runs out by itself where the store cannot be asked.
      await leases
        .release({ name, token })
        .catch((error: unknown) => parts.onError('could not release a lease', error));
    }
  }

  return {
    inTurn: async (name, context, work) => {
      let token = await taken(name);
      while (token === null) {
        try {
          await clock.sleep(LOOK_AGAIN_MS, context.signal);
        } catch {
          return { ran: false };
        }
        if (!(await leases.isHeld(name, clock.now()))) token = await taken(name);
      }
      return await kept(name, token, work);
    },
    ifFree: async (name, work) => {
      const token = await taken(name);
      return token === null ? { ran: false } : await kept(name, token, work);
    },
  };
}

type Keeper = { readonly begin: () => void; readonly end: () => void };

/** Extends everything that the process holds, in one write, as long as it holds something. */
function createKeeper({ leases, clock, onError }: ExclusiveParts, holder: string): Keeper {
  let held = 0;
  let stopping = new AbortController();
  const keep = async (stop: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        await clock.sleep(EXTEND_EVERY_MS, stop);
      } catch {
        return;
      }
      await leases
        .extendAll(holder, clock.now())
        .catch((error: unknown) => onError('could not extend the leases of this process', error));
    }
  };
  return {
    begin: () => {
      held += 1;
      if (held > 1) return;
      stopping = new AbortController();
      void keep(stopping.signal);
    },
    end: () => {
      held -= 1;
      if (held === 0) stopping.abort();
    },
  };
}
