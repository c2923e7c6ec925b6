// API keys and the organizations they belong to. A key is stored as its public id and the SHA-256 of its secret; the secret
// itself never reaches this module.

import {
  insertOrganization,
  findOrganization,
  listOrganizations,
  upsertOrganization,
  updateOrganization,
  toOrganization,
  type Organization,
  type OrganizationSettings,
} from './organizations.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { numberOrNull, textOrNull } from '../statement-values.ts';

export type { Organization, OrganizationSettings };

export type NewKey = {
  /** The public part of the key, used to look it up. */
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
  /** The day of the last billed call. A call is recorded here within a minute, if the service keeps running. */
  readonly lastUsedDay: string | null;
};

export type KeyOfOrganization = { readonly key: StoredKey; readonly organization: Organization };

export type Accounts = {
  /**
   * Adds the organization if the name is new. If it exists, updates the given settings, and also the quota of the current
   * month (never below what was spent). Throws a RangeError if a setting is out of range.
   */
  upsertOrganization(settings: OrganizationSettings, nowMs: number): Promise<Organization>;
  /** Adds an organization. Returns null, and changes nothing, if the name is taken. Throws like `upsertOrganization`. */
  insertOrganization(settings: OrganizationSettings, nowMs: number): Promise<Organization | null>;
  /** Changes an organization. Returns null if none has that name. Throws like `upsertOrganization`. */
  updateOrganization(settings: OrganizationSettings, nowMs: number): Promise<Organization | null>;
  findOrganization(name: string): Promise<Organization | null>;
  listOrganizations(): Promise<readonly Organization[]>;
  insertKey(key: NewKey): Promise<void>;
  findKey(id: string): Promise<KeyOfOrganization | null>;
  /** Lists an organization's keys, oldest first. */
  listKeys(organizationId: string): Promise<readonly StoredKey[]>;
  /** Returns false if there is no such key or it was revoked before. */
  revokeKey(id: string, atMs: number): Promise<boolean>;
  /**
   * Adds a key that replaces another. The old key stays valid until the given time, or until its own expiry if that is
   * sooner. Returns false, and changes nothing, if the old key is no longer valid.
   */
  rotateKey(oldId: string, key: NewKey, oldUntilMs: number): Promise<boolean>;
  noteKeyUsed(id: string, day: string): Promise<void>;
  /** Finds a session of the console, as its key with the session's own secret and end; null if it has ended. */
  findSession(id: string): Promise<KeyOfOrganization | null>;
  noteSessionUsed(id: string, day: string): Promise<void>;
  /** Ends a session; if another caller than itself does, also the codes of its key. Returns false if the key has none with this id. */
  endSession(keyId: string, id: string, byItself?: boolean): Promise<boolean>;
  /**
   * A counter that increases with every change of a key or organization in this process: anything cached before is
   * outdated.
   */
  changes(): number;
  /** To be called after an organization was changed elsewhere, because its cached data is then outdated. */
  noteChange(): void;
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
    upsertOrganization: (settings, nowMs) => changed(upsertOrganization(sql, settings, nowMs)),
    insertOrganization: (settings, nowMs) => insertOrganization(sql, settings, nowMs),
    updateOrganization: (settings, nowMs) => changed(updateOrganization(sql, settings, nowMs)),
    findOrganization: (name) => findOrganization(sql, name),
    listOrganizations: () => listOrganizations(sql),
    async insertKey(key) {
      await sql.write([insertKey(key)]);
    },
    findKey: (id) => findKey(sql, id),
    async listKeys(organizationId) {
      const rows = await sql.all(
        'select * from api_keys where organization_id = $1 order by created_at_ms, id',
        [organizationId],
      );
      return rows.map(toKey);
    },
    revokeKey: (id, atMs) => changed(revokeKey(sql, id, atMs)),
    rotateKey: (oldId, key, untilMs) => changed(rotateKey(sql, oldId, key, untilMs)),
    async noteKeyUsed(id, day) {
      await sql.write([
        {
          text: `update api_keys set last_used_day = $2
            where id = $1 and (last_used_day is null or last_used_day < $2)`,
          params: [id, day],
        },
      ]);
    },
    findSession: (id) => findSession(sql, id),
    async noteSessionUsed(id, day) {
      await sql.write([
        { text: 'update sessions set last_used_day = $2 where id = $1', params: [id, day] },
      ]);
    },
    endSession: (keyId, id, byItself = false) => changed(endSession(sql, keyId, id, byItself)),
    changes: () => changes,
    noteChange: () => {
      changes += 1;
    },
  };
}

function insertKey(key: NewKey): Statement {
  return {
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
  };
}

async function findKey(sql: Sql, id: string): Promise<KeyOfOrganization | null> {
  const rows = await sql.all(
    `select api_keys.*, organizations.name, monthly_quota, throttle_per_minute, throttle_burst, has_own_facts,
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

async function findSession(sql: Sql, id: string): Promise<KeyOfOrganization | null> {
  const [row] = await sql.all('select * from sessions where id = $1', [id]);
  const found = row === undefined ? null : await findKey(sql, String(row['key_id']));
  if (row === undefined || found === null) return null;
  const endsAtMs = Number(row['expires_at_ms']);
  const key: StoredKey = {
    ...found.key,
    secretSha256: String(row['secret_sha256']),
    createdAtMs: Number(row['created_at_ms']),
    expiresAtMs: Math.min(endsAtMs, found.key.expiresAtMs ?? endsAtMs),
    lastUsedDay: textOrNull(row['last_used_day']),
  };
  return { ...found, key };
}

async function endSession(
  sql: Sql,
  keyId: string,
  id: string,
  byItself: boolean,
): Promise<boolean> {
  const end: Statement = {
    text: 'delete from sessions where id = $1 and key_id = $2 returning id',
    params: [id, keyId],
    mustReturn: true,
  };
  // A code that the session has made must not bring it back. A browser that signs in again ends its session before it uses a code.
  const codes = { text: 'delete from sign_in_codes where key_id = $1', params: [keyId] };
  return (await sql.write(byItself ? [end] : [end, codes])).done;
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

async function rotateKey(
  sql: Sql,
  oldId: string,
  key: NewKey,
  oldUntilMs: number,
): Promise<boolean> {
  const result = await sql.write([
    {
      text: `update api_keys set expires_at_ms = case
          when expires_at_ms < $3 then expires_at_ms else $3 end
        where id = $1 and organization_id = $4 and revoked_at_ms is null
          and (expires_at_ms is null or expires_at_ms > $2) returning id`,
      params: [oldId, key.createdAtMs, oldUntilMs, key.organizationId],
      mustReturn: true,
    },
    insertKey(key),
  ]);
  return result.done;
}
