// Single flight across processes: named work is done by one process at a time. A process that had to wait reads the store
// again in its turn, and finds what the other one stored.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Fetcher } from '../../../base/listing/page.ts';
import { EXTEND_EVERY_MS, type Leases } from '../../../data/turns/leases.ts';

type Ran<T> = { readonly ran: true; readonly value: T } | { readonly ran: false };

export type ExclusiveWork = {
  /** Waits for its turn as long as the context allows. `ran` is false if the turn never came. */
  readonly inTurn: <T>(
    name: string,
    context: FetchContext,
    work: () => Promise<T>,
  ) => Promise<Ran<T>>;
  /** Does the work only if no other process is doing it now. `ran` is false if another one is. */
  readonly ifFree: <T>(name: string, work: () => Promise<T>) => Promise<Ran<T>>;
};

/** For a process that does not share its store. */
export const SINGLE_PROCESS: ExclusiveWork = {
  inTurn: async (_name, _signal, work) => ({ ran: true, value: await work() }),
  ifFree: async (_name, work) => ({ ran: true, value: await work() }),
};

type ExclusiveParts = {
  readonly leases: Leases;
  readonly clock: Clock;
  /** Creates tokens that are unguessable and unique. */
  readonly newId: () => string;
  readonly onError: (what: string, error: unknown) => void;
};

/** How often a waiting process checks again. It adds half of this to a wait on average. */
const CHECK_AGAIN_MS = 100;

export function createExclusiveWork(parts: ExclusiveParts): ExclusiveWork {
  const { leases, clock } = parts;
  const holder = parts.newId();
  const keeper = createKeeper(parts, holder);

  async function takeLease(name: string): Promise<string | null> {
    const token = parts.newId();
    return (await leases.take({ name, token }, holder, clock.now())) ? token : null;
  }

  async function runUnderLease<T>(
    name: string,
    token: string,
    work: () => Promise<T>,
  ): Promise<Ran<T>> {
    keeper.begin(token);
    try {
      return { ran: true, value: await work() };
    } finally {
      keeper.end(token);
      // A lease that cannot be released is no longer extended, and expires.
      await leases
        .release({ name, token })
        .catch((error: unknown) => parts.onError('could not release a lease', error));
    }
  }

  return {
    inTurn: async (name, context, work) => {
      let token = await takeLease(name);
      while (token === null) {
        try {
          await clock.sleep(CHECK_AGAIN_MS, context.signal);
        } catch {
          return { ran: false };
        }
        if (!(await leases.isTaken(name, clock.now()))) token = await takeLease(name);
      }
      return await runUnderLease(name, token, work);
    },
    ifFree: async (name, work) => {
      const token = await takeLease(name);
      return token === null ? { ran: false } : await runUnderLease(name, token, work);
    },
  };
}

/**
 * Wraps a fetcher so that it waits while another process sends the same request: same method, address and body. It then sends
 * the request too, since answers are not shared between processes.
 */
export function fetchAlone({ inTurn }: ExclusiveWork, fetcher: Fetcher): Fetcher {
  return async (request, context) => {
    const { method = 'GET', url, body = '' } = request;
    const ran = await inTurn(`${method} ${url}\n${body}`, context, () => fetcher(request, context));
    if (ran.ran) return ran.value;
    const detail = 'another process was sending the same request';
    return { ok: false, failure: { kind: 'timeout', detail } };
  };
}

type Keeper = { readonly begin: (token: string) => void; readonly end: (token: string) => void };

/** Extends all leases that the process works under in one write, as long as it has any. */
function createKeeper({ leases, clock, onError }: ExclusiveParts, holder: string): Keeper {
  const held = new Set<string>();
  let stopping = new AbortController();
  const keep = async (stop: AbortSignal): Promise<void> => {
    for (;;) {
      try {
        await clock.sleep(EXTEND_EVERY_MS, stop);
      } catch {
        return;
      }
      await leases
        .extendAll(holder, [...held], clock.now())
        .catch((error: unknown) => onError('could not extend the leases of this process', error));
    }
  };
  return {
    begin: (token) => {
      held.add(token);
      if (held.size > 1) return;
      stopping = new AbortController();
      void keep(stopping.signal);
    },
    end: (token) => {
      held.delete(token);
      if (held.size === 0) stopping.abort();
    },
  };
}
