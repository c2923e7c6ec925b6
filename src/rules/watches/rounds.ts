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
  const { trouble } = facts;
  const failedRounds = failedChecks(facts);
  if (facts.remaining < facts.costs) {
    const tells = trouble === 'out_of_tokens' ? null : 'out_of_tokens';
    return { isMade: false, failedRounds: 0, trouble: 'out_of_tokens', tells };
  }
  const made = { isMade: true, failedRounds } as const;
  if (trouble === 'out_of_tokens') return { ...made, trouble: null, tells: 'resumed' };
  if (isFailing(failedRounds, facts.failingAfter)) {
    return { ...made, trouble: 'failing', tells: trouble === 'failing' ? null : 'failing' };
  }
  return { ...made, trouble, tells: null };
}

type LastCheck = Pick<
  RoundFacts,
  'nowMs' | 'intervalMs' | 'lastRoundMs' | 'readAtMs' | 'failedRounds'
>;

/** Returns how many checks in a row have read nothing, the last one included. */
function failedChecks({
  nowMs,
  intervalMs,
  lastRoundMs,
  readAtMs,
  failedRounds,
}: LastCheck): number {
  // If the last check's time comes from a clock that has since been set back, it says nothing about the reading.
  const isRead =
    lastRoundMs === null ||
    lastRoundMs > nowMs + SET_BACK_MS ||
    (readAtMs !== null && isDoneSince(readAtMs, newEnoughSinceMs(lastRoundMs, intervalMs), nowMs));
  return isRead ? 0 : failedRounds + 1;
}

function isFailing(failedRounds: number, failingAfter: number): boolean {
  return failedRounds >= failingAfter;
}

type EndedCheck = Omit<LastCheck, 'lastRoundMs'> &
  Pick<RoundFacts, 'failingAfter' | 'trouble'> & {
    readonly roundAtMs: number | null;
  };

/**
 * Returns the number of checks that have failed if a watch has to say so now because nothing is left to try in its last one;
 * null if it has read something, has failed less often, or has said so.
 */
export function failingAtEnd(check: EndedCheck): number | null {
  const failed = failedChecks({ ...check, lastRoundMs: check.roundAtMs });
  return check.trouble === null && isFailing(failed, check.failingAfter) ? failed : null;
}
