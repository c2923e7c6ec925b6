// Signed addresses for content that a browser loads without a key, such as a picture. An address states its caller, its
// expiry and what it shows. Its signature is keyed with the stored hash of the caller's key, so that only a process with
// the same database can make it. The address expires at its time, or earlier with the key.

import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import type { Accounts, StoredKey } from '../accounts/accounts.ts';
import { isKeyId } from './api-key.ts';
import type { Caller } from './authentication.ts';

type SignedAddress = { readonly token: string; readonly expiresAtMs: number };

/** The kind of content that an address shows. An address of one kind cannot open another kind. */
type AddressKind = 'picture' | 'sparkline';

export type SignedAddresses = {
  /**
   * Makes a token for each text, valid until an instant. Equal calls make equal tokens, so that browsers can cache what they
   * loaded.
   */
  sign(
    caller: Pick<Caller, 'keyId'>,
    shown: readonly string[],
    expiresAtMs: number,
  ): Promise<readonly SignedAddress[]>;
  /**
   * Returns what the token shows and its caller's organization. Null if the token was made elsewhere, has expired, or its
   * key is no longer valid.
   */
  open(token: string): Promise<{ readonly what: string; readonly organizationId: string } | null>;
};

type Claim = { readonly key: string; readonly until: number; readonly what: string };

export function createSignedAddresses(
  kind: AddressKind,
  accounts: Pick<Accounts, 'findKey'>,
  clock: Pick<Clock, 'now'>,
): SignedAddresses {
  const signatureOf = (payload: string, { secretSha256 }: StoredKey) =>
    createHmac('sha256', `${kind} ${secretSha256}`).update(payload).digest('base64url');
  return {
    async sign({ keyId }, shown, expiresAtMs) {
      const found = await accounts.findKey(keyId);
      if (found === null) throw new Error('the key of a caller is not stored');
      return shown.map((what) => {
        const claim: Claim = { key: keyId, until: expiresAtMs, what };
        const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
        return { token: `${payload}.${signatureOf(payload, found.key)}`, expiresAtMs };
      });
    },
    async open(token) {
      const [payload = '', signature = '', ...rest] = token.split('.');
      const claim = rest.length === 0 ? claimOf(payload) : null;
      if (claim === null || claim.until <= clock.now()) return null;
      const found = await accounts.findKey(claim.key);
      if (found === null || !isInForce(found.key, clock.now())) return null;
      if (!isEqual(signature, signatureOf(payload, found.key))) return null;
      return { what: claim.what, organizationId: found.organization.id };
    },
  };
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function isInForce({ revokedAtMs, expiresAtMs }: StoredKey, nowMs: number): boolean {
  return revokedAtMs === null && (expiresAtMs === null || nowMs < expiresAtMs);
}

/** Parses the claim of a payload; the signature is not checked here. */
function claimOf(payload: string): Claim | null {
  try {
    const { key, until, what } = JSON.parse(
      Buffer.from(payload, 'base64url').toString('utf8'),
    ) as Partial<Record<keyof Claim, unknown>>;
    const isClaim =
      typeof key === 'string' &&
      isKeyId(key) &&
      typeof until === 'number' &&
      typeof what === 'string';
    return isClaim ? { key, until, what } : null;
  } catch {
    return null;
  }
}
