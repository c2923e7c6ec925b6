// Giving out, listing and revoking API keys: what the key commands and the demo do to the accounts.

import { isoTimestamp } from '../domain/clock.ts';
import type { Accounts, OrganizationSettings } from '../store/accounts.ts';
import { DEFAULT_SCOPES, generateKey } from './api-key.ts';

export type KeyRequest = Omit<OrganizationSettings, 'name'> & {
  /** Made when it does not exist; settings that are given are set on one that does. */
  readonly organization: string;
  /** What the key is for. */
  readonly note: string | null;
};

/** `text` is the key itself: shown once, nobody can read it again. */
export type IssuedKey = {
  readonly text: string;
  readonly id: string;
  readonly organization: string;
};

/** Makes a key with the usual scopes (D15). Throws a RangeError on settings out of range. */
export async function issueKey(
  accounts: Accounts,
  request: KeyRequest,
  nowMs: number,
): Promise<IssuedKey> {
  const { organization: name, note, ...settings } = request;
  const organization = await accounts.putOrganization({ name, ...settings }, nowMs);
  const key = generateKey();
  await accounts.addKey({
    id: key.id,
    organizationId: organization.id,
    secretSha256: key.secretSha256,
    scopes: DEFAULT_SCOPES,
    note,
    createdAtMs: nowMs,
    expiresAtMs: null,
  });
  return { text: key.text, id: key.id, organization: organization.name };
}

/** A key as `openshelf keys list` shows it. */
export type ListedKey = {
  readonly id: string;
  readonly note: string | null;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly revoked_at: string | null;
};

/** Keys of an organization, oldest first; null when there is no organization of that name. */
export async function listKeys(
  accounts: Accounts,
  name: string,
): Promise<readonly ListedKey[] | null> {
  const organization = await accounts.findOrganization(name);
  if (organization === null) return null;
  const keys = await accounts.listKeys(organization.id);
  return keys.map((key) => ({
    id: key.id,
    note: key.note,
    scopes: key.scopes,
    created_at: isoTimestamp(key.createdAtMs),
    revoked_at: key.revokedAtMs === null ? null : isoTimestamp(key.revokedAtMs),
  }));
}
