// Limits an organization's forced refreshes, a hundred in any 60 seconds, all forms together (D61), and its pages, sixty: those
// that it hands in, and those whose candidates it reads (D93). Unlike the ordinary throttle these allow no burst after a quiet
// time, so each is a window and not a bucket. The time of each of the last calls is stored, and the next one replaces the oldest
// once that has left the window.

import { FaultError } from '../../base/fault.ts';
import type { NamedRows, Row, Sql, Statement } from '../sql.ts';
import { CLOCK_SLACK_US, type ThrottleStanding } from './throttle.ts';

export const FORCED_LIMIT = 100;
export const FORCED_WINDOW_SECONDS = 60;
/** The name of the policy in the `RateLimit` fields and of the statement that refuses. */
export const FORCED_POLICY = 'force-refresh';

const PAGES_LIMIT = 60;

/** A limit of calls in 60 seconds. The slots of all are in one table, one range after the other. */
type Limit = { readonly policy: string; readonly limit: number; readonly firstSlot: number };

const FORCED: Limit = { policy: FORCED_POLICY, limit: FORCED_LIMIT, firstSlot: 0 };
const PAGES = {
  pages: { policy: 'pages', limit: PAGES_LIMIT, firstSlot: 1_000, may: 'hand in' },
  candidates: {
    policy: 'candidates',
    limit: PAGES_LIMIT,
    firstSlot: 2_000,
    may: 'read the candidates of',
  },
} as const;

const WINDOW_US = FORCED_WINDOW_SECONDS * 1_000_000;
const STANDING = 'force-refresh-standing';

/** Takes one of the slots of forced refreshes, or rolls the transaction back. */
export function consumeForced(organizationId: string, nowUs: number): readonly Statement[] {
  return [
    ...takeSlot(FORCED, organizationId, nowUs),
    { ...standingQuery(FORCED, organizationId, nowUs), name: STANDING },
  ];
}

/**
 * The first statement numbers the call and locks the row until the transaction ends, so that concurrent processes take one slot
 * after the other. A slot whose time was written before the clock was set back does not block.
 */
function takeSlot(
  { policy, limit, firstSlot }: Limit,
  organizationId: string,
  nowUs: number,
): readonly Statement[] {
  return [
    {
      text: `insert into throttles (organization_id, policy, tat_us) values ($1, '${policy}', 1)
        on conflict (organization_id, policy) do update set tat_us = throttles.tat_us + 1`,
      params: [organizationId],
    },
    {
      text: `insert into forced_refreshes (organization_id, slot, at_us)
        select organization_id, ${firstSlot} + tat_us % ${limit}, cast($2 as bigint) from throttles
        where organization_id = $1 and policy = '${policy}'
        on conflict (organization_id, slot) do update set at_us = excluded.at_us
        where forced_refreshes.at_us <= $3 or forced_refreshes.at_us > $4
        returning slot`,
      params: [organizationId, nowUs, nowUs - WINDOW_US, nowUs + CLOCK_SLACK_US],
      name: policy,
      mustReturn: true,
    },
  ];
}

function standingQuery(
  { limit, firstSlot }: Limit,
  organizationId: string,
  nowUs: number,
): Statement {
  return {
    text: `select count(*) as taken, min(at_us) as oldest_us from forced_refreshes
      where organization_id = $1 and at_us > $2 and at_us <= $3
        and slot >= ${firstSlot} and slot < ${firstSlot + limit}`,
    params: [organizationId, nowUs - WINDOW_US, nowUs + CLOCK_SLACK_US],
  };
}

/** Returns the limit's standing after `consumeForced`. */
export function consumedForced(rows: NamedRows, nowUs: number): ThrottleStanding {
  return standingOfRow(FORCED, rows[STANDING]?.[0], nowUs);
}

/** Returns the limit's current standing, without taking a slot. */
export function findForced(
  sql: Sql,
  organizationId: string,
  nowUs: number,
): Promise<ThrottleStanding> {
  return findStanding(sql, FORCED, organizationId, nowUs);
}

/** Takes one of the slots of pages that are handed in, or whose candidates are read. FaultError throttled. */
export async function takePageSlot(
  sql: Sql,
  what: keyof typeof PAGES,
  organizationId: string,
  nowUs: number,
): Promise<void> {
  const limit = PAGES[what];
  if ((await sql.write(takeSlot(limit, organizationId, nowUs))).done) return;
  const { resetSeconds } = await findStanding(sql, limit, organizationId, nowUs);
  const retryAfterSeconds = Math.max(1, resetSeconds);
  throw new FaultError({
    code: 'throttled',
    retryAfterSeconds,
    detail:
      `The organization may ${limit.may} ${PAGES_LIMIT} pages in any ${FORCED_WINDOW_SECONDS} seconds. ` +
      `Try again in ${retryAfterSeconds} s.`,
  });
}

async function findStanding(
  sql: Sql,
  limit: Limit,
  organizationId: string,
  nowUs: number,
): Promise<ThrottleStanding> {
  const { text, params = [] } = standingQuery(limit, organizationId, nowUs);
  const [row] = await sql.all(text, params);
  return standingOfRow(limit, row, nowUs);
}

function standingOfRow({ limit }: Limit, row: Row | undefined, nowUs: number): ThrottleStanding {
  const taken = Number(row?.['taken'] ?? 0);
  const oldestUs = row?.['oldest_us'] ?? null;
  if (oldestUs === null) return { remaining: limit, resetSeconds: 0 };
  const untilUs = Number(oldestUs) + WINDOW_US - nowUs;
  return {
    remaining: Math.max(0, limit - taken),
    resetSeconds: Math.max(0, Math.ceil(untilUs / 1_000_000)),
  };
}
