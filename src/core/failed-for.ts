// Whose the failures of a host in a row are, and for whom a pause holds that we concluded from them: what one organization
// sends there must not close the host for the others (D54). The database keeps the same words.

/**
 * One that asks (`askerOf`), `SEVERAL` of these, or null: background work alone. What background work meets beside them changes
 * nothing.
 */
export type FailedFor = string | null;

export const SEVERAL = '*';

/** What is left of the pause that we concluded from the failures of a host. */
export type ConcludedPause = {
  /** Milliseconds; for those alone whose failures they were. */
  readonly concludedMs: number;
  /** The same for one organization whose failures alone they were: it waits longer. */
  readonly ownMs: number;
  readonly failedFor: FailedFor;
};

/** What is left of all pauses of a host. */
export type PausesLeft = ConcludedPause & {
  /** Milliseconds that the shop asked for: for everyone. */
  readonly askedMs: number;
};

/** Where a request goes, as far as pauses are concerned. */
export type PausedPlace = {
  /** What is paced, and whose failures are counted: the registrable domain. */
  readonly host: string;
  /** The host's own name. */
  readonly name: string;
};

/** A pause that a shop asked for: of that name, and of all names where it is the registrable domain. */
export type AskedPause = { readonly name: string; readonly seconds: number };

/** For whom a host is paused. What holds for one organization holds for background work too, but for its last fifth. */
export type PausedFor = 'everyone' | 'one_organization' | 'background';

/** Whose they are with one more. */
export function withFailureFor(before: FailedFor, asker: FailedFor): FailedFor {
  if (asker === null) return before;
  return before === null || before === asker ? asker : SEVERAL;
}

/**
 * One organization whose failures alone they were waits a quarter longer than background work, which so asks first behind each pause.
 * Else it could fail first each time, and the watches of all others at that shop would never be looked at: 31 requests in six
 * hours held up 10,769 attempts of background work.
 */
const OWN_SHARE = 5 / 4;

/** What is left for that organization of a pause that lasts so long and has lasted so long. */
export function ownLeft(lengthMs: number, passedMs: number): number {
  return Math.max(0, lengthMs * OWN_SHARE - passedMs);
}

const isOfOne = (failedFor: FailedFor): boolean => failedFor !== null && failedFor !== SEVERAL;

/** For how many milliseconds what was concluded holds for who asks. */
export function concludedFor(pause: ConcludedPause, asker: FailedFor): number {
  const { concludedMs, ownMs, failedFor } = pause;
  if (asker === null || failedFor === SEVERAL) return Math.max(0, concludedMs);
  return failedFor === asker ? Math.max(0, ownMs) : 0;
}

/** For how many milliseconds the host gets no request of who asks; 0: it may have one now. */
export function leftFor(pauses: PausesLeft, asker: FailedFor): number {
  return Math.max(0, pauses.askedMs, concludedFor(pauses, asker));
}

/** As an operator sees them: a pause for everyone, where there is one, else that of some. Null: anyone may ask. */
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

/** A host that failed last or is paused, as an operator sees it. */
export type PausedHost = {
  readonly host: string;
  /** Failures and refusals in a row. */
  readonly failures: number;
  /** For how long it gets no request, in milliseconds; 0: it may have one. */
  readonly leftMs: number;
  /** Of whom; null: whoever asks may have one. */
  readonly pausedFor: PausedFor | null;
};
