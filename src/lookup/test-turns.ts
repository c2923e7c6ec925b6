// How many test notices of watches an organization may tell.

import { HOUR_MS, SECOND_MS, type Clock } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';

/**
 * Test notices of one organization in an hour, in one process: each is kept, and goes out through up to ten channels. 36,000 an
 * hour, which cost nothing, made everybody's calls wait.
 */
const TESTS_IN_HOUR = 60;

/** Counts the tests of each organization. FaultError throttled. */
export function createTestTurns(clock: Pick<Clock, 'now'>): (organizationId: string) => void {
  const made = new Map<string, readonly number[]>();
  return (organizationId) => {
    const nowMs = clock.now();
    const lately = (made.get(organizationId) ?? []).filter(
      (atMs) => atMs <= nowMs && atMs > nowMs - HOUR_MS,
    );
    made.set(organizationId, [...lately, nowMs].slice(0, TESTS_IN_HOUR));
    if (lately.length < TESTS_IN_HOUR) return;
    throw new FaultError({
      code: 'throttled',
      detail:
        `The organization has told ${TESTS_IN_HOUR} test notices of watches in the last hour, and that is all it may. Whether a ` +
        'receiver answers, POST /v1/channels/{id}/test says at once.',
      retryAfterSeconds: Math.ceil(((lately[0] ?? nowMs) + HOUR_MS - nowMs) / SECOND_MS),
    });
  };
}
