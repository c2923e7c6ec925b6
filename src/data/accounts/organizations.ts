// Organizations: their keys share a quota and a throttle.

import { randomUUID } from 'node:crypto';

import { monthOf } from '../../base/clock.ts';
import type { Row, Sql, Statement } from '../sql.ts';

export type Organization = {
  readonly id: string;
  readonly name: string;
  /** Tokens a calendar month (D20). */
  readonly monthlyQuota: number;
  readonly throttlePerMinute: number;
  /** Requests that may come at once (D20: twice the rate unless set). */
  readonly throttleBurst: number;
  readonly createdAtMs: number;
  /** Whether it has facts of its own; once true, always. */
  readonly hasOwnFacts: boolean;
};

export type OrganizationSettings = {
  readonly name: string;
  readonly monthlyQuota?: number;
  readonly throttlePerMinute?: number;
  readonly throttleBurst?: number;
};

/** Defaults for a new organization (D20). */
const DEFAULT_MONTHLY_QUOTA = 1_000_000;
const DEFAULT_THROTTLE_PER_MINUTE = 600;
/** Far below the largest exact integer, so that sums stay exact. */
export const MAX_MONTHLY_QUOTA = 999_999_999_999_999;
/** Requests per minute: one per microsecond, the smallest interval of the throttle. */
export const MAX_PER_MINUTE = 60_000_000;

/** Names are shown on terminals and in answers: 1 to 100 characters, none of them a control character. */
function isOrganizationName(name: string): boolean {
  return name.length <= 100 && name.trim() === name && /^\P{C}+$/u.test(name);
}

function checkSettings(settings: OrganizationSettings): void {
  if (!isOrganizationName(settings.name)) {
    throw new RangeError('an organization name has 1 to 100 printable characters');
  }
  const limits = [
    ['monthly quota', settings.monthlyQuota, 0, MAX_MONTHLY_QUOTA],
    ['throttle', settings.throttlePerMinute, 1, MAX_PER_MINUTE],
    ['throttle burst', settings.throttleBurst, 1, MAX_PER_MINUTE],
  ] as const;
  for (const [what, value, min, max] of limits) {
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RangeError(`${what} must be a whole number from ${min} to ${max}`);
    }
  }
}

/** Adds or changes an organization. */
export async function upsertOrganization(
  sql: Sql,
  settings: OrganizationSettings,
  nowMs: number,
): Promise<Organization> {
  checkSettings(settings);
  await sql.write([insertion(settings, nowMs), ...changes(settings, nowMs)]);
  const organization = await findOrganization(sql, settings.name);
  if (organization === null)
    throw new Error('the organization that was just written does not exist');
  return organization;
}

/** Adds an organization; returns null if the name is taken. */
export async function insertOrganization(
  sql: Sql,
  settings: OrganizationSettings,
  nowMs: number,
): Promise<Organization | null> {
  checkSettings(settings);
  const added = 'organization';
  const result = await sql.write([
    { ...insertion(settings, nowMs), name: added, mustReturn: true },
  ]);
  return result.done ? ((result.rows[added] ?? []).map(toOrganization)[0] ?? null) : null;
}

/** Changes an organization; returns null if none has that name. */
export async function updateOrganization(
  sql: Sql,
  settings: OrganizationSettings,
  nowMs: number,
): Promise<Organization | null> {
  checkSettings(settings);
  await sql.write(changes(settings, nowMs));
  return findOrganization(sql, settings.name);
}

const twice = (rate: number) => Math.min(2 * rate, MAX_PER_MINUTE);

/** D20: twice the rate unless set; undefined when neither is given. */
function burstOf({ throttleBurst, throttlePerMinute }: OrganizationSettings): number | undefined {
  if (throttleBurst !== undefined) return throttleBurst;
  return throttlePerMinute === undefined ? undefined : twice(throttlePerMinute);
}

function insertion(settings: OrganizationSettings, nowMs: number): Statement {
  return {
    text: `insert into organizations (id, name, monthly_quota, throttle_per_minute,
        throttle_burst, created_at_ms)
      values ($1, $2, $3, $4, $5, $6) on conflict (name) do nothing returning *`,
    params: [
      `org_${randomUUID()}`,
      settings.name,
      settings.monthlyQuota ?? DEFAULT_MONTHLY_QUOTA,
      settings.throttlePerMinute ?? DEFAULT_THROTTLE_PER_MINUTE,
      burstOf(settings) ?? twice(DEFAULT_THROTTLE_PER_MINUTE),
      nowMs,
    ],
  };
}

/** Updates the given settings. The quota also applies to the current month, never below what was spent or is reserved. */
function changes(settings: OrganizationSettings, nowMs: number): readonly Statement[] {
  const { name, monthlyQuota: quota, throttlePerMinute: perMinute } = settings;
  return [
    {
      // The first call of a month creates the month's row with the quota it has read. So either the row exists by now, or
      // that call waits for this change and then reads it. An unchanged quota needs no row.
      text: `insert into balances (organization_id, month, quota, granted, used, reserved, calls)
        select id, $2, monthly_quota, 0, 0, 0, 0 from organizations
        where name = $1 and monthly_quota <> cast($3 as bigint)
        on conflict (organization_id, month) do nothing`,
      params: [name, monthOf(nowMs), quota ?? null],
    },
    {
      text: `update organizations set
          monthly_quota = coalesce(cast($2 as bigint), monthly_quota),
          throttle_per_minute = coalesce(cast($3 as bigint), throttle_per_minute),
          throttle_burst = coalesce(cast($4 as bigint), throttle_burst)
        where name = $1`,
      params: [name, quota ?? null, perMinute ?? null, burstOf(settings) ?? null],
    },
    {
      // Calls that return tokens at this moment wait, and then use the new quota.
      text: `update reservations set tokens = tokens where month = $2
        and organization_id = (select id from organizations where name = $1)`,
      params: [name, monthOf(nowMs)],
    },
    {
      text: `update balances set quota = case
          when used + reserved - granted > cast($3 as bigint) then used + reserved - granted
          else coalesce(cast($3 as bigint), quota) end
        where month = $2
          and organization_id = (select id from organizations where name = $1)`,
      params: [name, monthOf(nowMs), quota ?? null],
    },
  ];
}

/** Notes that the organization has facts of its own. Returns whether it had none before. */
export async function markOwnFacts(sql: Sql, id: string): Promise<boolean> {
  const marked = 'marked';
  const written = await sql.write([
    {
      text: `update organizations set has_own_facts = 1 where id = $1 and has_own_facts = 0 returning id`,
      params: [id],
      name: marked,
    },
  ]);
  return written.done && (written.rows[marked]?.length ?? 0) > 0;
}

/** Locks the organization: processes that count its rows after this statement wait for others that do the same. */
export function lockOrganization(id: string): Statement {
  return {
    text: 'update organizations set created_at_ms = created_at_ms where id = $1',
    params: [id],
  };
}

/** Finds an organization by its name. */
export async function findOrganization(sql: Sql, name: string): Promise<Organization | null> {
  const rows = await sql.all('select * from organizations where name = $1', [name]);
  return rows.map(toOrganization)[0] ?? null;
}

/** Lists all organizations, ordered by name. */
export async function listOrganizations(sql: Sql): Promise<readonly Organization[]> {
  return (await sql.all('select * from organizations order by name')).map(toOrganization);
}

/** A row of `organizations`. */
export function toOrganization(row: Row): Organization {
  return {
    id: String(row['id']),
    name: String(row['name']),
    monthlyQuota: Number(row['monthly_quota']),
    throttlePerMinute: Number(row['throttle_per_minute']),
    throttleBurst: Number(row['throttle_burst']),
    createdAtMs: Number(row['created_at_ms']),
    hasOwnFacts: Number(row['has_own_facts']) === 1,
  };
}
