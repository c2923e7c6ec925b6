// Decides when an undelivered notice is retried, and when it is abandoned. Pure.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/clock.ts';
import type { DeliveryResult } from './channel.ts';

/** Pauses after the first failed attempt, the second and so on; almost a day in total. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  9 * HOUR_MS,
];

/** A notice first attempted this long ago is abandoned. */
const TRIED_FOR_MS = 24 * HOUR_MS;

/** The longest pause of a whole channel. It is shorter, so that a recovered receiver is noticed soon. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
const LONGEST_WISH_MS = 6 * HOUR_MS;

type Attempt = {
  readonly nowMs: number;
  /** Failed attempts of this notice, including this one. */
  readonly attempts: number;
  /** When it was first tried. */
  readonly sinceMs: number;
};

/** Returns when the notice is retried; null if it is abandoned. */
export function nextAttemptMs(
  { nowMs, attempts, sinceMs }: Attempt,
  { outcome, retryAfterMs }: Pick<DeliveryResult, 'outcome' | 'retryAfterMs'>,
): number | null {
  if (outcome !== 'retry') return null;
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? 0;
  const nextMs = nowMs + Math.max(pauseMs, wishOf(retryAfterMs));
  return isOver(sinceMs, nextMs) ? null : nextMs;
}

/**
 * Returns whether a notice first attempted at `sinceMs` has expired: a paused channel may have delayed it for a long time.
 */
export function isOver(sinceMs: number, atMs: number): boolean {
  return atMs > sinceMs + TRIED_FOR_MS;
}

/**
 * Returns when the channel's pause ends; nothing is sent until then. `failures` counts consecutive failed attempts,
 * including this one.
 */
export function restUntilMs(
  nowMs: number,
  failures: number,
  { outcome, retryAfterMs }: Pick<DeliveryResult, 'outcome' | 'retryAfterMs'>,
): number {
  if (outcome !== 'retry') return 0;
  const restMs = Math.min(LONGEST_REST_MS, SECOND_MS * 4 ** Math.min(failures, 10));
  return nowMs + Math.max(restMs, wishOf(retryAfterMs));
}

/** Returns how long a receiver may pause us. The number comes from a third party, so it is limited. */
function wishOf(retryAfterMs: number | null): number {
  return Math.min(Math.max(0, retryAfterMs ?? 0), LONGEST_WISH_MS);
}
