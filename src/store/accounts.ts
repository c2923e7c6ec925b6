// Organizations and their API keys. A key is stored as its public id and the SHA-256 of its secret
// (security 3); the secret itself never comes here.

import { randomUUID } from 'node:crypto';

import { monthOf } from '../domain/clock.ts';
import type { Row, Sql, SqlValue } from './sql.ts';

export type Organization = {
  readonly id: string;
  readonly name: string;
  /** Tokens a calendar month (D20). */
  readonly monthlyQuota: number;
  readonly throttlePerMinute: number;
  /** Requests that may come at once (D20: twice the rate unless set). */
  readonly throttleBurst: number;
  readonly createdAtMs: number;
};

export type OrganizationSettings = {
  readonly name: string;
  readonly monthlyQuota?: number;
  readonly throttlePerMinute?: number;
  readonly throttleBurst?: number;
};

export type NewKey = {
  /** The public part, by which the key is found. */
  readonly id: string;
  readonly organizationId: string;
  /** SHA-256 of the secret, 64 lower-case hexadecimal digits. */
  readonly secretSha256: string;
  readonly scopes: readonly string[];
  readonly note: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
};

export type StoredKey = NewKey & {
  readonly revokedAtMs: number | null;
  /** Day of the last billed call, at least to the minute that the service ran on. */
  readonly lastUsedDay: string | null;
};

export type KeyOfOrganization = { readonly key: StoredKey; readonly organization: Organization };

/** D20. */
export const DEFAULT_MONTHLY_QUOTA = 1_000_000;
export const DEFAULT_THROTTLE_PER_MINUTE = 600;
const MAX_PER_MINUTE = 60_000_000;

export type Accounts = {
  /**
   * Makes the organization when the name is new; settings that are given are set on one that exists, the
   * quota for the running month too (never below what was spent). Throws a RangeError on bad settings.
   */
  putOrganization(settings: OrganizationSettings, nowMs: number): Promise<Organization>;
  findOrganization(name: string): Promise<Organization | null>;
  listOrganizations(): Promise<readonly Organization[]>;
  addKey(key: NewKey): Promise<void>;
  findKey(id: string): Promise<KeyOfOrganization | null>;
  /** Oldest first. */
  listKeys(organizationId: string): Promise<readonly StoredKey[]>;
  /** False when there is no such key or it was revoked before. */
  revokeKey(id: string, atMs: number): Promise<boolean>;
  noteKeyUsed(id: string, day: string): Promise<void>;
  /** Grows with every change of a key or organization in this process: what is cached is then old. */
  changes(): number;
};

export function createAccounts(sql: Sql): Accounts {
  let changes = 0;
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      changes += 1;
    }
  };
  return {
    putOrganization: (settings, nowMs) => changed(putOrganization(sql, settings, nowMs)),
    findOrganization: (name) => findOrganization(sql, name),
    async listOrganizations() {
      return (await sql.all('select * from organizations order by name')).map(toOrganization);
    },
    addKey: (key) => addKey(sql, key),
    findKey: (id) => findKey(sql, id),
    async listKeys(organizationId) {
      const rows = await sql.all(
        'select * from api_keys where organization_id = $1 order by created_at_ms, id',
        [organizationId],
      );
      return rows.map(toKey);
    },
    revokeKey: (id, atMs) => changed(revokeKey(sql, id, atMs)),
    async noteKeyUsed(id, day) {
      await sql.write([
        {
          text: `update api_keys set last_used_day = $2
            where id = $1 and (last_used_day is null or last_used_day < $2)`,
          params: [id, day],
        },
      ]);
    },
    changes: () => changes,
  };
}

/** Names are shown on terminals and in answers: 1 to 100 characters, none of them a control character. */
export function isOrganizationName(name: string): boolean {
  return name.length <= 100 && name.trim() === name && /^\P{C}+$/u.test(name);
}

function checkSettings(settings: OrganizationSettings): void {
  if (!isOrganizationName(settings.name)) {
    throw new RangeError('an organization name has 1 to 100 printable characters');
  }
  const limits = [
    ['monthly quota', settings.monthlyQuota, 0, Number.MAX_SAFE_INTEGER / 2],
    ['throttle', settings.throttlePerMinute, 1, MAX_PER_MINUTE],
    ['throttle burst', settings.throttleBurst, 1, MAX_PER_MINUTE],
  ] as const;
  for (const [what, value, min, max] of limits) {
    if (value === undefined) continue;
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new RangeError(`${what} must be a whole number from ${min} to ${Math.floor(max)}`);
    }
  }
}

async function putOrganization(
  sql: Sql,
  settings: OrganizationSettings,
  nowMs: number,
): Promise<Organization> {
  checkSettings(settings);
  const { name, monthlyQuota: quota, throttlePerMinute: perMinute } = settings;
  const twice = (rate: number) => Math.min(2 * rate, MAX_PER_MINUTE);
  const burst = settings.throttleBurst ?? (perMinute === undefined ? undefined : twice(perMinute));
  const made = [
    quota ?? DEFAULT_MONTHLY_QUOTA,
    perMinute ?? DEFAULT_THROTTLE_PER_MINUTE,
    burst ?? twice(DEFAULT_THROTTLE_PER_MINUTE),
  ];
  await sql.write([
    {
      text: `insert into organizations (id, name, monthly_quota, throttle_per_minute,
          throttle_burst, created_at_ms)
        values ($1, $2, $3, $4, $5, $6) on conflict (name) do nothing`,
      params: [`org_${randomUUID()}`, name, ...made, nowMs],
    },
    {
      text: `update organizations set
          monthly_quota = coalesce(cast($2 as bigint), monthly_quota),
          throttle_per_minute = coalesce(cast($3 as bigint), throttle_per_minute),
          throttle_burst = coalesce(cast($4 as bigint), throttle_burst)
        where name = $1`,
      params: [name, quota ?? null, perMinute ?? null, burst ?? null],
    },
    {
      text: `update balances set quota = case
          when used + reserved - granted > cast($3 as bigint) then used + reserved - granted
          else coalesce(cast($3 as bigint), quota) end
        where month = $2
          and organization_id = (select id from organizations where name = $1)`,
      params: [name, monthOf(nowMs), quota ?? null],
    },
  ]);
  const organization = await findOrganization(sql, name);
  if (organization === null) throw new Error('the organization just written is not there');
  return organization;
}

async function findOrganization(sql: Sql, name: string): Promise<Organization | null> {
  const rows = await sql.all('select * from organizations where name = $1', [name]);
  return rows.map(toOrganization)[0] ?? null;
}

function toOrganization(row: Row): Organization {
  return {
    id: String(row['id']),
    name: String(row['name']),
    monthlyQuota: Number(row['monthly_quota']),
    throttlePerMinute: Number(row['throttle_per_minute']),
    throttleBurst: Number(row['throttle_burst']),
    createdAtMs: Number(row['created_at_ms']),
  };
}

async function addKey(sql: Sql, key: NewKey): Promise<void> {
  await sql.write([
    {
      text: `insert into api_keys (id, organization_id, secret_sha256, scopes, note,
          created_at_ms, expires_at_ms)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      params: [
        key.id,
        key.organizationId,
        key.secretSha256,
        key.scopes.join(' '),
        key.note,
        key.createdAtMs,
        key.expiresAtMs,
      ],
    },
  ]);
}

async function findKey(sql: Sql, id: string): Promise<KeyOfOrganization | null> {
  const rows = await sql.all(
    `select api_keys.*, organizations.name, monthly_quota, throttle_per_minute, throttle_burst,
       organizations.created_at_ms as organization_created_at_ms
     from api_keys join organizations on organizations.id = organization_id
     where api_keys.id = $1`,
    [id],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    key: toKey(row),
    organization: toOrganization({
      ...row,
      id: row['organization_id'] ?? null,
      created_at_ms: row['organization_created_at_ms'] ?? null,
    }),
  };
}

function toKey(row: Row): StoredKey {
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    secretSha256: String(row['secret_sha256']),
    scopes: String(row['scopes'])
      .split(' ')
      .filter((scope) => scope !== ''),
    note: textOrNull(row['note']),
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: numberOrNull(row['expires_at_ms']),
    revokedAtMs: numberOrNull(row['revoked_at_ms']),
    lastUsedDay: textOrNull(row['last_used_day']),
  };
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOrNull(value: SqlValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

async function revokeKey(sql: Sql, id: string, atMs: number): Promise<boolean> {
  const result = await sql.write([
    {
      text: `update api_keys set revoked_at_ms = $2
        where id = $1 and revoked_at_ms is null returning id`,
      params: [id, atMs],
      mustReturn: true,
    },
  ]);
  return result.done;
}
