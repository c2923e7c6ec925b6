// Fetch contexts for tests: a signal, no deadline, and the priority of a caller without an organization unless the test states
// another. Also the places that pacing knows.

import type { PausedPlace } from '../../src/base/failed-for.ts';
import type { FetchContext, Priority } from '../../src/base/fetch-context.ts';

export const BACKGROUND: Priority = { kind: 'background' };
export const CALLER: Priority = { kind: 'caller', organization: null };

export function contextOf(
  signal: AbortSignal = new AbortController().signal,
  priority: Priority = CALLER,
  deadlineMs: number = Number.POSITIVE_INFINITY,
): FetchContext {
  return { signal, deadlineMs, turns: () => [priority] };
}

/** Returns a shop whose name is its registrable domain. */
export function at(host: string): PausedPlace {
  return { host, name: host };
}
