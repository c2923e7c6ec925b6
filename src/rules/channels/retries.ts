// When a notice that did not get through is tried again, and when it is given up. Pure.

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/clock.ts';
import type { DeliveryResult } from './channel.ts';

/** Pauses after the first failed attempt, after the second and so on; together almost a day. */
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

/** A notice that was first tried this long ago is given up. */
const TRIED_FOR_MS = 24 * HOUR_MS;

/** The longest rest of a channel as a whole. It is shorter, so that a receiver that is back is soon noticed. */
const LONGEST_REST_MS = 5 * MINUTE_MS;
const LONGEST_WISH_MS = 6 * HOUR_MS;

type Attempt = {
  readonly nowMs: number;
  /** Failed attempts of this notice, including this one. */
  readonly attempts: number;
  /** When it was first tried. */
  readonly sinceMs: number;
};

/** When the notice is tried again; null if it is given up. */
export function nextAttemptMs(
  { nowMs, attempts, sinceMs }: Attempt,
  { outcome, retryAfterMs }: Pick<DeliveryResult, 'outcome' | 'retryAfterMs'>,
): number | null {
  if (outcome !== 'retry') return null;
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? 0;
  const nextMs = nowMs + Math.max(pauseMs, wishOf(retryAfterMs));
  return isOver(sinceMs, nextMs) ? null : nextMs;
}

/** Whether a notice that was first tried at `sinceMs` is no longer tried: a paused channel may have held it back for long. */
export function isOver(sinceMs: number, atMs: number): boolean {
  return atMs > sinceMs + TRIED_FOR_MS;
}

/** Until when nothing goes through the channel. `failures` counts failed attempts in a row, including this one. */
export function restUntilMs(
  nowMs: number,
  failures: number,
  { outcome, retryAfterMs }: Pick<DeliveryResult, 'outcome' | 'retryAfterMs'>,
): number {
  if (outcome !== 'retry') return 0;
  const restMs = Math.min(LONGEST_REST_MS, SECOND_MS * 4 ** Math.min(failures, 10));
  return nowMs + Math.max(restMs, wishOf(retryAfterMs));
}

/** How long a receiver may ask to be left alone. The number comes from somebody else, so it is limited. */
function wishOf(retryAfterMs: number | null): number {
  return Math.min(Math.max(0, retryAfterMs ?? 0), LONGEST_WISH_MS);
}
