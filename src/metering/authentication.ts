// Who is calling: the Authorization header -> organization, key and scopes (D15). Keys are cached for at most half a
// second, so that a key revoked by another process is refused within a second.

import { SECOND_MS, type Clock } from '../core/clock.ts';
import { FaultError } from '../core/fault.ts';
import type { Accounts, KeyOfOrganization } from '../store/accounts.ts';
import { isSecret, parseApiKey } from './api-key.ts';

export type Caller = {
  readonly organizationId: string;
  readonly organization: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** What the throttle of the organization is set to. */
  readonly throttlePerMinute: number;
  readonly throttleBurst: number;
};

const HELD_MS = SECOND_MS / 2;
const MAX_HELD = 10_000;
/** A header with a key is 64 characters. */
const MAX_HEADER = 200;

type CachedKey = { readonly found: KeyOfOrganization; readonly readAtMs: number; changes: number };

/** Returns `authenticate`: header text -> Caller, or FaultError missing_api_key, invalid_api_key. */
export function createAuthentication(accounts: Accounts, clock: Clock) {
  const held = new Map<string, CachedKey>();

  async function findKey(id: string): Promise<KeyOfOrganization | null> {
    const nowMs = clock.now();
    const known = held.get(id);
    if (known !== undefined && isFresh(known, nowMs)) return known.found;
    held.delete(id);
    // Read before the database is asked: a key revoked meanwhile must not be held.
    const changes = accounts.changes();
    const found = await accounts.findKey(id);
    if (found === null) return null;
    if (held.size >= MAX_HELD) held.clear();
    held.set(id, { found, readAtMs: nowMs, changes });
    return found;
  }

  function isFresh({ readAtMs, changes }: CachedKey, nowMs: number): boolean {
    const ageMs = nowMs - readAtMs;
    return ageMs >= 0 && ageMs < HELD_MS && changes === accounts.changes();
  }

  return async (authorization: string | undefined): Promise<Caller> => {
    const { id, secret } = keyOf(authorization);
    const found = await findKey(id);
    const isRight = isSecret(secret, found?.key.secretSha256 ?? null);
    if (found === null || !isRight || !isInForce(found, clock.now())) throw invalidKey();
    const { key, organization } = found;
    return {
      organizationId: organization.id,
      organization: organization.name,
      keyId: key.id,
      scopes: key.scopes,
      throttlePerMinute: organization.throttlePerMinute,
      throttleBurst: organization.throttleBurst,
    };
  };
}

function isInForce({ key }: KeyOfOrganization, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}

function keyOf(authorization: string | undefined): { id: string; secret: string } {
  if (authorization === undefined || authorization.trim() === '') {
    throw new FaultError({
      code: 'missing_api_key',
      detail: 'Send an API key: "Authorization: Bearer osk_live_...".',
    });
  }
  if (authorization.length > MAX_HEADER) throw invalidKey();
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  const key = token === undefined ? null : parseApiKey(token);
  if (key !== null) return key;
  throw parseApiKey(authorization.trim()) === null ? invalidKey() : keyWithoutScheme();
}

function keyWithoutScheme(): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      'The header "Authorization" has a key and not the word before it. Send "Authorization: Bearer osk_live_...".',
  });
}

/** One text for every reason: the answer does not tell a revoked key from one that never was. */
function invalidKey(): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      'The API key is malformed, unknown, expired or revoked. Send "Authorization: Bearer osk_live_..." ' +
      'with a key of this service.',
  });
}

/** FaultError insufficient_scope unless the caller's key has the scope. */
export function requireScope(caller: Caller, scope: string): void {
  if (caller.scopes.includes(scope)) return;
  throw new FaultError({
    code: 'insufficient_scope',
    detail: `This API key lacks the scope ${scope}. Use a key that has it.`,
    scope,
  });
}
