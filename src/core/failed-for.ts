// Whose the failures of a host in a row are, and for whom a pause holds that we concluded from them: what one organization
// sends there must not close the host for the others (D54). The database keeps the same words.

/**
 * One that asks (`askerOf`), `SEVERAL` of these, or null: background work alone. What background work meets beside them changes
 * nothing.
 */
export type FailedFor = string | null;

export const SEVERAL = '*';

/** What is left of the pauses of a host, in milliseconds. */
export type PausesLeft = {
  /** The shop asked for it: it holds for everyone. */
  readonly askedMs: number;
  /** Concluded from failures, and for those alone whose failures they were. */
  readonly concludedMs: number;
  readonly failedFor: FailedFor;
};

/** For whom a host is paused. Whatever holds for an organization holds for background work too. */
export type PausedFor = 'everyone' | 'one_organization' | 'background';

/** Whose they are with one more. */
export function withFailureFor(before: FailedFor, asker: FailedFor): FailedFor {
  if (asker === null) return before;
  return before === null || before === asker ? asker : SEVERAL;
}

/** For how long the host gets no request of who asks; 0: it may have one now. */
export function leftFor({ askedMs, concludedMs, failedFor }: PausesLeft, asker: FailedFor): number {
  const holds = asker === null || failedFor === SEVERAL || failedFor === asker;
  return Math.max(0, askedMs, holds ? concludedMs : 0);
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
