// Limits an organization's forced refreshes: a hundred in any 60 seconds, all forms together (D61). Unlike the ordinary
// throttle it allows no burst after a quiet time, so it is a window and not a bucket. The time of each of the last hundred
// is stored, and the next one replaces the oldest once that has left the window.

import type { NamedRows, Row, Sql, Statement } from '../sql.ts';
import { CLOCK_SLACK_US, type ThrottleStanding } from './throttle.ts';

export const FORCED_LIMIT = 100;
export const FORCED_WINDOW_SECONDS = 60;
/** The name of the policy in the `RateLimit` fields and of the statement that refuses. */
export const FORCED_POLICY = 'force-refresh';

const WINDOW_US = FORCED_WINDOW_SECONDS * 1_000_000;
const STANDING = 'force-refresh-standing';

/**
 * Takes one of the hundred slots, or rolls the transaction back. The first statement numbers the call and locks the row until
 * the transaction ends, so that concurrent processes take one slot after the other. A slot whose time was written before the
 * clock was set back does not block.
 */
export function consumeForced(organizationId: string, nowUs: number): readonly Statement[] {
  return [
    {
      text: `insert into throttles (organization_id, policy, tat_us) values ($1, '${FORCED_POLICY}', 1)
        on conflict (organization_id, policy) do update set tat_us = throttles.tat_us + 1`,
      params: [organizationId],
    },
    {
      text: `insert into forced_refreshes (organization_id, slot, at_us)
        select organization_id, tat_us % ${FORCED_LIMIT}, cast($2 as bigint) from throttles
        where organization_id = $1 and policy = '${FORCED_POLICY}'
        on conflict (organization_id, slot) do update set at_us = excluded.at_us
        where forced_refreshes.at_us <= $3 or forced_refreshes.at_us > $4
        returning slot`,
      params: [organizationId, nowUs, nowUs - WINDOW_US, nowUs + CLOCK_SLACK_US],
      name: FORCED_POLICY,
      mustReturn: true,
    },
    { ...standingQuery(organizationId, nowUs), name: STANDING },
  ];
}

function standingQuery(organizationId: string, nowUs: number): Statement {
  return {
    text: `select count(*) as taken, min(at_us) as oldest_us from forced_refreshes
      where organization_id = $1 and at_us > $2 and at_us <= $3`,
    params: [organizationId, nowUs - WINDOW_US, nowUs + CLOCK_SLACK_US],
  };
}

/** Returns the limit's standing after `consumeForced`. */
export function consumedForced(rows: NamedRows, nowUs: number): ThrottleStanding {
  return standingOfRow(rows[STANDING]?.[0], nowUs);
}

/** Returns the limit's current standing, without taking a slot. */
export async function findForced(
  sql: Sql,
  organizationId: string,
  nowUs: number,
): Promise<ThrottleStanding> {
  const { text, params = [] } = standingQuery(organizationId, nowUs);
  const [row] = await sql.all(text, params);
  return standingOfRow(row, nowUs);
}

function standingOfRow(row: Row | undefined, nowUs: number): ThrottleStanding {
  const taken = Number(row?.['taken'] ?? 0);
  const oldestUs = row?.['oldest_us'] ?? null;
  if (oldestUs === null) return { remaining: FORCED_LIMIT, resetSeconds: 0 };
  const untilUs = Number(oldestUs) + WINDOW_US - nowUs;
  return {
    remaining: Math.max(0, FORCED_LIMIT - taken),
    resetSeconds: Math.max(0, Math.ceil(untilUs / 1_000_000)),
  };
}
