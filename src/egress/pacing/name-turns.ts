// Limits the concurrent name lookups of one organization. A name whose server never responds takes seconds, and an
// organization that sends many of them only delays itself. Callers without an organization and background work are limited
// elsewhere.

import type { FetchContext } from '../../base/fetch-context.ts';
import { FetchError } from '../fetch-error.ts';

/**
 * Runs a lookup in its organization's turn. Throws `busy` if the turn does not come in time, or no caller is waiting any
 * more.
 */
export type LookUpInTurn = <T>(context: FetchContext, lookUp: () => Promise<T>) => Promise<T>;

/** Ends a lookup's wait; false means that it has waited too long. */
type Waiting = (isItsTurn: boolean) => void;

type Line = { running: number; readonly waiting: Set<Waiting> };

export function createNameTurns(most: number, longestWaitMs: number): LookUpInTurn {
  const lines = new Map<string, Line>();

  async function take(organization: string, signal: AbortSignal): Promise<void> {
    const line = lines.get(organization) ?? { running: 0, waiting: new Set() };
    lines.set(organization, line);
    if (line.running < most) {
      line.running += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => {
      line.waiting.delete(resolve);
      resolve(false);
    };
    line.waiting.add(resolve);
    const timer = setTimeout(giveUp, longestWaitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    const isItsTurn = await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    if (isItsTurn) return;
    throw new FetchError('busy', `${most} names are already being resolved for this organization`);
  }

  function release(organization: string): void {
    const line = lines.get(organization);
    if (line === undefined) return;
    const [next] = line.waiting;
    if (next !== undefined) {
      line.waiting.delete(next);
      next(true);
      return;
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(organization);
  }

  const hasRoom = (organization: string) => (lines.get(organization)?.running ?? 0) < most;

  return async (context, lookUp) => {
    const names = context
      .turns()
      .map((each) => (each.kind === 'caller' ? each.organization : null));
    const organizations = names.filter((name) => name !== null);
    const organization = organizations.find(hasRoom) ?? organizations[0];
    if (organization === undefined || organizations.length < names.length) return lookUp();
    await take(organization, context.signal);
    try {
      return await lookUp();
    } finally {
      release(organization);
    }
  };
}
