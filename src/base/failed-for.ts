// Says whose requests made a host fail in a row, and for whom the pause applies that we concluded from that. What one
// organization sends must not close the host for the others (D54). The database stores the same words.

/**
 * One asker (`askerOf`), `SEVERAL` askers, or null for background work alone. Failures of background work next to those of
 * askers change nothing.
 */
export type FailedFor = string | null;

export const SEVERAL = '*';

/** What is left of the pause that we concluded from the failures of a host. */
export type ConcludedPause = {
  /** Milliseconds for background work. If the failures were of several askers, they are for everyone. */
  readonly concludedMs: number;
  /** Milliseconds for the one organization whose failures they all were: it waits longer. */
  readonly ownMs: number;
  readonly failedFor: FailedFor;
};

/** What is left of all pauses of a host. */
export type PausesLeft = ConcludedPause & {
  /** Milliseconds of a pause that the shop asked for, which is for everyone. */
  readonly askedMs: number;
};

/** Where a request goes, as far as pauses are concerned. */
export type PausedPlace = {
  /** The registrable domain, which is paced and whose failures are counted. */
  readonly host: string;
  /** The host's own name. */
  readonly name: string;
};

/** A pause that a shop asked for. It applies to that name; if the name is the registrable domain, to all its names. */
export type AskedPause = { readonly name: string; readonly seconds: number };

/** For whom a host is paused. A pause for one organization also applies to background work, except for its last fifth. */
type PausedFor = 'everyone' | 'one_organization' | 'background';

/** Whose failures they are with one more. */
export function withFailureFor(before: FailedFor, asker: FailedFor): FailedFor {
  if (asker === null) return before;
  return before === null || before === asker ? asker : SEVERAL;
}

/**
 * If all failures are of one organization, it waits a quarter longer than background work, which therefore asks first after
 * each pause. Otherwise the organization could fail first each time, and the watches of all others at that shop would never be
 * checked: 31 requests in six hours held up 10,769 attempts of background work.
 */
const OWN_SHARE = 5 / 4;

/** What is left for that organization of a pause of this length, after this much of it has passed. */
export function ownLeft(lengthMs: number, passedMs: number): number {
  return Math.max(0, lengthMs * OWN_SHARE - passedMs);
}

const isOfOne = (failedFor: FailedFor): boolean => failedFor !== null && failedFor !== SEVERAL;

/** For how many milliseconds a concluded pause applies to the asker. */
export function concludedFor(pause: ConcludedPause, asker: FailedFor): number {
  const { concludedMs, ownMs, failedFor } = pause;
  if (asker === null || failedFor === SEVERAL) return Math.max(0, concludedMs);
  return failedFor === asker ? Math.max(0, ownMs) : 0;
}

/** For how many milliseconds the host gets no request of the asker; 0 if it may send one now. */
export function leftFor(pauses: PausesLeft, asker: FailedFor): number {
  return Math.max(0, pauses.askedMs, concludedFor(pauses, asker));
}

/** The pauses as an operator sees them: one for everyone if there is one, else that of some. Null if anyone may ask. */
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

/** A host that is paused, or whose last request failed, as an operator sees it. */
export type PausedHost = {
  readonly host: string;
  /** Failures and refusals in a row. */
  readonly failures: number;
  /** For how long it gets no request, in milliseconds; 0 if it may get one. */
  readonly leftMs: number;
  /** Whose requests it does not get; null if everyone may ask. */
  readonly pausedFor: PausedFor | null;
};
