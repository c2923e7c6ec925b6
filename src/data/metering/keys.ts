// Issues, lists and rotates API keys, for the key commands and the demo.

import { isoTimestamp } from '../../base/clock.ts';
import type { Accounts, NewKey, OrganizationSettings } from '../accounts/accounts.ts';
import { DEFAULT_SCOPES, type Scope } from '../../base/scopes.ts';
import { generateKey } from './api-key.ts';

type KeyRequest = Omit<OrganizationSettings, 'name'> & {
  /** Created if it does not exist; otherwise the given settings replace its own. */
  readonly organization: string;
  /** What the key is for. */
  readonly note: string | null;
  /** The default scopes if absent (D15). */
  readonly scopes?: readonly Scope[];
  /** Milliseconds since 1970 from which the key is rejected; never if absent. */
  readonly expiresAtMs?: number;
};

/** `text` is the key itself: shown once, it cannot be read again. */
export type IssuedKey = {
  readonly text: string;
  readonly id: string;
  readonly organization: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number | null;
};

/** Issues a key. Throws a RangeError if a setting is out of range. */
export async function issueKey(
  accounts: Accounts,
  request: KeyRequest,
  nowMs: number,
): Promise<IssuedKey> {
  const { organization: name, note, scopes, expiresAtMs, ...settings } = request;
  const organization = await accounts.upsertOrganization({ name, ...settings }, nowMs);
  const { key, text } = newKey({
    organizationId: organization.id,
    scopes: scopes ?? DEFAULT_SCOPES,
    note,
    createdAtMs: nowMs,
    expiresAtMs: expiresAtMs ?? null,
  });
  await accounts.insertKey(key);
  return issued(key, text, organization.name);
}

function newKey(wanted: Omit<NewKey, 'id' | 'secretSha256'>) {
  const { id, secretSha256, text } = generateKey();
  return { key: { ...wanted, id, secretSha256 }, text };
}

function issued(key: NewKey, text: string, organization: string): IssuedKey {
  const { id, scopes, expiresAtMs } = key;
  return { text, id, organization, scopes, expiresAtMs };
}

type Rotation = {
  readonly id: string;
  /** The old key stays valid until then, unless it expires sooner. */
  readonly oldUntilMs: number;
  /** When the new key expires. If absent, the lifetime of the old key applies, or none. */
  readonly expiresAtMs?: number;
};

type RotatedKey = IssuedKey & { readonly oldUntilMs: number };

/**
 * Makes a key that replaces an old one, with the same organization, scopes and note. Returns null, and changes nothing, if
 * there is no such key or it is no longer valid.
 */
export async function rotateKey(
  accounts: Accounts,
  { id, oldUntilMs, expiresAtMs }: Rotation,
  nowMs: number,
): Promise<RotatedKey | null> {
  const found = await accounts.findKey(id);
  if (found === null) return null;
  const { key: old, organization } = found;
  const life = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs;
  const { key, text } = newKey({
    organizationId: organization.id,
    scopes: old.scopes,
    note: old.note,
    createdAtMs: nowMs,
    expiresAtMs: expiresAtMs ?? (life === null ? null : nowMs + life),
  });
  if (!(await accounts.rotateKey(id, key, oldUntilMs))) return null;
  const until = Math.min(oldUntilMs, old.expiresAtMs ?? oldUntilMs);
  return { ...issued(key, text, organization.name), oldUntilMs: until };
}

/** A key as `openshelf keys list` shows it. */
type ListedKey = {
  readonly id: string;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly state: 'active' | 'expired' | 'revoked';
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Day (UTC) of the last billed call. */
  readonly last_used: string | null;
};

/** Lists an organization's keys, oldest first; null if none has that name. */
export async function listKeys(
  accounts: Accounts,
  name: string,
  nowMs: number,
): Promise<readonly ListedKey[] | null> {
  const organization = await accounts.findOrganization(name);
  if (organization === null) return null;
  const instant = (atMs: number | null) => (atMs === null ? null : isoTimestamp(atMs));
  const keys = await accounts.listKeys(organization.id);
  return keys.map((key) => ({
    id: key.id,
    note: key.note,
    scopes: key.scopes,
    state: stateOf(key, nowMs),
    created_at: isoTimestamp(key.createdAtMs),
    expires_at: instant(key.expiresAtMs),
    revoked_at: instant(key.revokedAtMs),
    last_used: key.lastUsedDay,
  }));
}

function stateOf(
  key: { readonly revokedAtMs: number | null; readonly expiresAtMs: number | null },
  nowMs: number,
): ListedKey['state'] {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
}
