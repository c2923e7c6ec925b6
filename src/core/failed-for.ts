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

/** For whom a host is paused. Whatever holds for an organization holds for background work too. */
export type PausedFor = 'everyone' | 'one_organization' | 'background';

/** Whose they are with one more. */
export function withFailureFor(before: FailedFor, asker: FailedFor): FailedFor {
  if (asker === null) return before;
  return before === null || before === asker ? asker : SEVERAL;
}

/** For how many milliseconds what was concluded holds for who asks. */
export function concludedFor({ concludedMs, failedFor }: ConcludedPause, asker: FailedFor): number {
  const holds = asker === null || failedFor === SEVERAL || failedFor === asker;
  return holds ? Math.max(0, concludedMs) : 0;
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
  const { askedMs, concludedMs, failedFor } = pauses;
  const forAllMs = failedFor === SEVERAL ? Math.max(askedMs, concludedMs) : askedMs;
  if (forAllMs > 0) return { leftMs: forAllMs, pausedFor: 'everyone' };
  if (concludedMs <= 0) return { leftMs: 0, pausedFor: null };
  const pausedFor = failedFor === null ? 'background' : 'one_organization';
  return { leftMs: concludedMs, pausedFor };
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
