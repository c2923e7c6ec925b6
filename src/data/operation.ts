// The state that an operator monitors: the spending of all organizations, the queue, and the hosts that are paused.

import { dayOf, DAY_MS, monthOf, type Day } from '../base/clock.ts';
import { widestPause, type PausedHost } from '../base/failed-for.ts';
import { PAUSE_COLUMNS, pausesLeft } from './turns/host-pauses.ts';
import type { Row, Sql } from './sql.ts';

type Sum = { readonly tokens: number; readonly calls: number };

type AllUsage = {
  /** YYYY-MM, UTC. */
  readonly month: string;
  /** The days, oldest first. */
  readonly days: readonly (Sum & { readonly day: Day })[];
  /** The routes, by tokens, highest first. */
  readonly routes: readonly (Sum & { readonly route: string })[];
  /** Every organization, including those without calls, by tokens, highest first. */
  readonly organizations: readonly (Sum & {
    readonly organization: string;
    /** Tokens of the month, including granted ones. */
    readonly allowance: number;
  })[];
};

export type OpenJob = {
  readonly retailer: string;
  /** The barcode, or the listing's key. */
  readonly subject: string;
  readonly state: 'waiting' | 'running' | 'parked';
  readonly attempts: number;
  readonly reason: string | null;
  readonly createdAtMs: number;
  /** The earliest time at which it may run. */
  readonly runAtMs: number;
};

/** A key as it may be shown: without the hash of its secret. */
type ShownKey = {
  readonly id: string;
  readonly organization: string;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly lastUsedDay: string | null;
};

export type Operation = {
  findAllUsage(nowMs: number): Promise<AllUsage>;
  /** Finds jobs with problems first, then those that have waited longest; at most `most`. */
  findJobs(nowMs: number, most: number): Promise<readonly OpenJob[]>;
  /** Finds the keys of all organizations, newest first; at most `most`. */
  findKeys(most: number): Promise<readonly ShownKey[]>;
  findPausedHosts(nowMs: number): Promise<readonly PausedHost[]>;
};

/** Maximum hosts listed at once. */
const MOST_HOSTS = 100;

export function createOperation(sql: Sql): Operation {
  return {
    findAllUsage: (nowMs) => findAllUsage(sql, nowMs),
    async findJobs(nowMs, most) {
      const rows = await sql.all(
        `select retailer, gtin14, listing_key, attempts, reason, created_at_ms, run_at_ms, lease_until_ms, parked_at_ms
         from jobs order by case when parked_at_ms is not null then 0 when reason is not null then 1 else 2 end,
           created_at_ms, id limit $1`,
        [most],
      );
      return rows.map((row) => toJob(row, nowMs));
    },
    async findKeys(most) {
      const rows = await sql.all(
        `select api_keys.id, name, note, scopes, api_keys.created_at_ms, expires_at_ms, revoked_at_ms, last_used_day
         from api_keys join organizations on organizations.id = organization_id
         order by api_keys.created_at_ms desc, api_keys.id limit $1`,
        [most],
      );
      return rows.map(toShownKey);
    },
    async findPausedHosts(nowMs) {
      const rows = await sql.all(
        `select host, failures, ${PAUSE_COLUMNS} from host_pauses
         order by failures desc, host limit ${MOST_HOSTS}`,
        [],
      );
      return rows.map((row) => ({
        host: String(row['host']),
        failures: Number(row['failures']),
        ...widestPause(pausesLeft(row, nowMs)),
      }));
    },
  };
}

/** All sums are one statement, so that they are of the same moment. */
async function findAllUsage(sql: Sql, nowMs: number): Promise<AllUsage> {
  const month = monthOf(nowMs);
  const sums = 'cast(sum(tokens) as bigint) as tokens, cast(sum(calls) as bigint) as calls';
  const rows = await sql.all(
    `select 'day' as kind, cast(day as text) as name, ${sums}, 0 as allowance
       from usage_days where month = $1 group by day
     union all
     select 'route' as kind, route as name, ${sums}, 0 as allowance
       from usage_days where month = $1 group by route
     union all
     select 'organization' as kind, name, cast(coalesce(spent.tokens, 0) as bigint) as tokens,
       cast(coalesce(spent.calls, 0) as bigint) as calls, coalesce(quota + granted, monthly_quota) as allowance
       from organizations
       left join balances on balances.organization_id = organizations.id and balances.month = $1
       left join (select organization_id, sum(tokens) as tokens, sum(calls) as calls from usage_days
         where month = $1 group by organization_id) spent on spent.organization_id = organizations.id`,
    [month],
  );
  const ofKind = (kind: string) => rows.filter((row) => row['kind'] === kind);
  const sum = (row: Row) => ({ tokens: Number(row['tokens']), calls: Number(row['calls']) });
  const mostFirst = (a: Sum, b: Sum) => b.tokens - a.tokens;
  return {
    month,
    days: ofKind('day')
      .map((row) => ({ day: dayOf(Number(row['name']) * DAY_MS), ...sum(row) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    routes: ofKind('route')
      .map((row) => ({ route: String(row['name']), ...sum(row) }))
      .sort(mostFirst),
    organizations: ofKind('organization')
      .map((row) => ({
        organization: String(row['name']),
        allowance: Number(row['allowance']),
        ...sum(row),
      }))
      .sort((a, b) => mostFirst(a, b) || (a.organization < b.organization ? -1 : 1)),
  };
}

function toJob(row: Row, nowMs: number): OpenJob {
  const isRunning = row['lease_until_ms'] !== null && Number(row['lease_until_ms']) > nowMs;
  const isParked = row['parked_at_ms'] !== null;
  const rest = isRunning ? 'running' : 'waiting';
  return {
    retailer: String(row['retailer']),
    subject: String(row['gtin14'] ?? row['listing_key'] ?? ''),
    state: isParked ? 'parked' : rest,
    attempts: Number(row['attempts']),
    reason: row['reason'] === null ? null : String(row['reason']),
    createdAtMs: Number(row['created_at_ms']),
    runAtMs: Number(row['run_at_ms']),
  };
}

function toShownKey(row: Row): ShownKey {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  const instant = (name: string) => (typeof row[name] === 'number' ? row[name] : null);
  return {
    id: String(row['id']),
    organization: String(row['name']),
    note: text('note'),
    scopes: String(row['scopes'])
      .split(' ')
      .filter((scope) => scope !== ''),
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: instant('expires_at_ms'),
    revokedAtMs: instant('revoked_at_ms'),
    lastUsedDay: text('last_used_day'),
  };
}
