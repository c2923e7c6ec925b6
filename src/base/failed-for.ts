// Determines whose requests made a host fail repeatedly, and to whom the resulting pause applies. One organization's
// requests must not block the host for the others (D54). The database stores the same values.

/**
 * One asker (`askerOf`), `SEVERAL` askers, or null for background work alone. Failures of background work have no effect
 * once there are failures of askers.
 */
export type FailedFor = string | null;

export const SEVERAL = '*';

/** The remaining pause that was inferred from a host's failures. */
export type ConcludedPause = {
  /** Milliseconds for background work; for everyone if several askers had failures. */
  readonly concludedMs: number;
  /** Milliseconds for the only organization that had failures: it waits longer. */
  readonly ownMs: number;
  readonly failedFor: FailedFor;
};

/** The remaining time of all pauses of a host. */
export type PausesLeft = ConcludedPause & {
  /** Milliseconds of a pause that the shop requested; it applies to everyone. */
  readonly askedMs: number;
};

/** The destination of a request, for the purpose of pauses. */
export type PausedPlace = {
  /** The registrable domain, by which requests are paced and failures counted. */
  readonly host: string;
  /** The host's own name. */
  readonly name: string;
};

/** A pause that a shop requested. It applies to that name; if the name is the registrable domain, to all names under it. */
export type AskedPause = { readonly name: string; readonly seconds: number };

/**
 * To whom a host's pause applies. A pause for one organization also applies to background work, except for its last fifth.
 */
type PausedFor = 'everyone' | 'one_organization' | 'background';

/** Adds a failure and returns whose failures they are. */
export function withFailureFor(before: FailedFor, asker: FailedFor): FailedFor {
  if (asker === null) return before;
  return before === null || before === asker ? asker : SEVERAL;
}

/**
 * If all failures come from one organization, it waits a quarter longer than background work, which therefore tries first
 * after each pause. Otherwise the organization could fail first every time, and the watches of all others at that shop would
 * never be checked: 31 requests in six hours held up 10,769 attempts of background work.
 */
const OWN_SHARE = 5 / 4;

/** Returns how much of a pause of this length remains for that organization after this much of it has passed. */
export function ownLeft(lengthMs: number, passedMs: number): number {
  return Math.max(0, lengthMs * OWN_SHARE - passedMs);
}

const isOfOne = (failedFor: FailedFor): boolean => failedFor !== null && failedFor !== SEVERAL;

/** Returns for how many milliseconds an inferred pause applies to the asker. */
export function concludedFor(pause: ConcludedPause, asker: FailedFor): number {
  const { concludedMs, ownMs, failedFor } = pause;
  if (asker === null || failedFor === SEVERAL) return Math.max(0, concludedMs);
  return failedFor === asker ? Math.max(0, ownMs) : 0;
}

/** Returns for how many milliseconds the host gets no request from the asker; 0 if it may send one now. */
export function leftFor(pauses: PausesLeft, asker: FailedFor): number {
  return Math.max(0, pauses.askedMs, concludedFor(pauses, asker));
}

/**
 * Summarizes the pauses for an operator: the one for everyone if there is one, otherwise the narrower one. Null if anyone
 * may send requests.
 */
export function widestPause(pauses: PausesLeft): {
  readonly leftMs: number;
  readonly pausedFor: PausedFor | null;
} {
  const { askedMs, concludedMs, ownMs, failedFor } = pauses;
  const forAllMs = failedFor === SEVERAL ? Math.max(askedMs, concludedMs) : askedMs;
  if (forAllMs > 0) return { leftMs: forAllMs, pausedFor: 'everyone' };
  const isOwn = isOfOne(failedFor);
  const leftMs = isOwn ? ownMs : concludedMs;
  if (leftMs <= 0) return { leftMs: 0, pausedFor: null };
  return { leftMs, pausedFor: isOwn ? 'one_organization' : 'background' };
}

/** A host that is paused or whose last request failed, as shown to an operator. */
export type PausedHost = {
  readonly host: string;
  /** Failures and refusals in a row. */
  readonly failures: number;
  /** Milliseconds until it may get a request; 0 if it may get one now. */
  readonly leftMs: number;
  /** Whose requests are held back; null if everyone may send requests. */
  readonly pausedFor: PausedFor | null;
};
