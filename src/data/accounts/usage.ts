// The tokens that an organization spent this month, for `openshelf usage` and GET /v1/usage.

import { dayOf, DAY_MS, monthOf, type Day } from '../../base/clock.ts';
import { findUsage, type Account } from './balances.ts';
import type { Row, Sql } from '../sql.ts';

type MonthUsage = {
  readonly organization: string;
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly tokensUsed: number;
  /** Tokens that may still be spent, excluding those reserved by calls in progress. */
  readonly tokensRemaining: number;
  /** Billed calls. */
  readonly calls: number;
};

/** Returns an organization's usage of the current month; null if none has that name. */
export async function findMonthUsage(
  sql: Sql,
  organization: string,
  nowMs: number,
): Promise<MonthUsage | null> {
  const rows = await sql.all('select id from organizations where name = $1', [organization]);
  const id = rows[0]?.['id'];
  if (typeof id !== 'string') return null;
  const month = monthOf(nowMs);
  const usage = await findUsage(sql, { organizationId: id, month });
  return {
    organization,
    month,
    tokensUsed: usage.used,
    tokensRemaining: usage.remaining,
    calls: usage.calls,
  };
}

type Sum = { readonly tokens: number; readonly calls: number };

/** The billed calls of a month, grouped three ways: by day, by route and by key. The totals are equal. */
export type UsageSums = {
  /** Oldest first; a call that ran past midnight counts on the day it ended. */
  readonly days: readonly (Sum & { readonly day: Day })[];
  readonly routes: readonly (Sum & { readonly route: string })[];
  readonly keys: readonly (Sum & { readonly keyId: string; readonly note: string | null })[];
};

const SUMS = `cast(sum(tokens) as bigint) as tokens, cast(sum(calls) as bigint) as calls from usage_days`;
const OF_MONTH = 'where usage_days.organization_id = $1 and month = $2';

/** The sums are one statement, so that all are of one moment. */
export async function findUsageSums(
  sql: Sql,
  { organizationId, month }: Account,
): Promise<UsageSums> {
  const rows = await sql.all(
    `select 'day' as kind, cast(day as text) as name, null as note, ${SUMS} ${OF_MONTH} group by day
     union all
     select 'route' as kind, route as name, null as note, ${SUMS} ${OF_MONTH} group by route
     union all
     select 'key' as kind, key_id as name, note, ${SUMS}
       join api_keys on api_keys.id = key_id ${OF_MONTH} group by key_id, note`,
    [organizationId, month],
  );
  const ofKind = (kind: string) => rows.filter((row) => row['kind'] === kind);
  const sum = (row: Row): Sum => ({ tokens: Number(row['tokens']), calls: Number(row['calls']) });
  return {
    days: ofKind('day')
      .map((row) => ({ day: dayOf(Number(row['name']) * DAY_MS), ...sum(row) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    routes: ofKind('route')
      .map((row) => ({ route: String(row['name']), ...sum(row) }))
      .sort((a, b) => b.tokens - a.tokens),
    keys: ofKind('key')
      .map((row) => ({
        keyId: String(row['name']),
        note: typeof row['note'] === 'string' ? row['note'] : null,
        ...sum(row),
      }))
      .sort((a, b) => b.tokens - a.tokens),
  };
}

/** Returns the tokens charged to a key in a month, excluding calls in progress. */
export async function findSpentByKey(
  sql: Sql,
  { organizationId, month }: Account,
  keyId: string,
): Promise<number> {
  const rows = await sql.all(
    `select cast(coalesce(sum(tokens), 0) as bigint) as tokens from usage_days ${OF_MONTH} and key_id = $3`,
    [organizationId, month, keyId],
  );
  return Number(rows[0]?.['tokens'] ?? 0);
}
