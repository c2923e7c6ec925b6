// Decides whether a due check is made, and which notification the previous checks require (D70). Pure.

import { isDoneSince, SET_BACK_MS } from '../../base/clock.ts';
import type { WatchTrouble } from './stored-watch.ts';
import { newEnoughSinceMs } from './schedule.ts';

type RoundFacts = {
  readonly nowMs: number;
  readonly intervalMs: number;
  /** When the previous check was due; null if there was none, or it was not made. */
  readonly lastRoundMs: number | null;
  readonly readAtMs: number | null;
  readonly failedRounds: number;
  readonly failingAfter: number;
  readonly trouble: WatchTrouble | null;
  /** Tokens that the check can cost, and tokens that may still be spent. */
  readonly costs: number;
  readonly remaining: number;
};

type RoundDecision = {
  readonly isMade: boolean;
  readonly failedRounds: number;
  readonly trouble: WatchTrouble | null;
  readonly tells: WatchTrouble | 'resumed' | null;
};

/** Returns whether the due check is made, and the notification that precedes it. */
export function decideRound(facts: RoundFacts): RoundDecision {
  const { nowMs, lastRoundMs, readAtMs, intervalMs, trouble } = facts;
  // If the last check's time comes from a clock that has since been set back, it says nothing about what was read.
  const isRead =
    lastRoundMs === null ||
    lastRoundMs > nowMs + SET_BACK_MS ||
    (readAtMs !== null && isDoneSince(readAtMs, newEnoughSinceMs(lastRoundMs, intervalMs), nowMs));
  const failedRounds = isRead ? 0 : facts.failedRounds + 1;
  if (facts.remaining < facts.costs) {
    const tells = trouble === 'out_of_tokens' ? null : 'out_of_tokens';
    return { isMade: false, failedRounds: 0, trouble: 'out_of_tokens', tells };
  }
  const made = { isMade: true, failedRounds } as const;
  if (trouble === 'out_of_tokens') return { ...made, trouble: null, tells: 'resumed' };
  if (failedRounds >= facts.failingAfter) {
    return { ...made, trouble: 'failing', tells: trouble === 'failing' ? null : 'failing' };
  }
  return { ...made, trouble, tells: null };
}
