// What an organization spent this month, for `openshelf usage` and GET /v1/usage.

import { monthOf } from '../domain/clock.ts';
import { readUsage } from './balances.ts';
import type { Sql } from './sql.ts';

export type MonthUsage = {
  readonly organization: string;
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly tokensUsed: number;
  /** What may still be spent; tokens that running calls have reserved are not in it. */
  readonly tokensRemaining: number;
  /** Billed calls. */
  readonly calls: number;
};

/** The running month of an organization by name; null when there is none of that name. */
export async function usageOf(
  sql: Sql,
  organization: string,
  nowMs: number,
): Promise<MonthUsage | null> {
  const rows = await sql.all('select id from organizations where name = $1', [organization]);
  const id = rows[0]?.['id'];
  if (typeof id !== 'string') return null;
  const month = monthOf(nowMs);
  const usage = await readUsage(sql, { organizationId: id, month });
  return {
    organization,
    month,
    tokensUsed: usage.used,
    tokensRemaining: usage.remaining,
    calls: usage.calls,
  };
}
