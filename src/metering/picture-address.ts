// Signed addresses of pictures. A browser loads a picture without a key, so its address carries who asked, until when it holds and
// which picture it is, under a signature that only a process with the same database can make: keyed with the stored hash of
// the caller's key. An address ends with its time, or sooner with the key.

import { createHmac, timingSafeEqual } from 'node:crypto';

import { MINUTE_MS, type Clock } from '../core/clock.ts';
import type { Accounts, StoredKey } from '../store/accounts.ts';
import type { Caller } from './authentication.ts';

const HELD_MS = 10 * MINUTE_MS;

export type SignedPicture = { readonly token: string; readonly expiresAtMs: number };

export type PictureAddresses = {
  /** A token for one picture, for ten minutes. */
  sign(caller: Pick<Caller, 'keyId'>, url: string): Promise<SignedPicture>;
  /** The picture and whose call it is; null for a token that was not made here, has ended, or whose key has. */
  open(token: string): Promise<{ readonly url: string; readonly organizationId: string } | null>;
};

type Claim = { readonly key: string; readonly until: number; readonly url: string };

export function createPictureAddresses(
  accounts: Pick<Accounts, 'findKey'>,
  clock: Clock,
): PictureAddresses {
  return {
    async sign({ keyId }, url) {
      const found = await accounts.findKey(keyId);
      if (found === null) throw new Error('the key of a caller is not stored');
      const expiresAtMs = clock.now() + HELD_MS;
      const claim: Claim = { key: keyId, until: expiresAtMs, url };
      const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
      return { token: `${payload}.${signatureOf(payload, found.key)}`, expiresAtMs };
    },
    async open(token) {
      const [payload = '', signature = '', ...rest] = token.split('.');
      const claim = rest.length === 0 ? claimOf(payload) : null;
      if (claim === null || claim.until <= clock.now()) return null;
      const found = await accounts.findKey(claim.key);
      if (found === null || !isInForce(found.key, clock.now())) return null;
      if (!isEqual(signature, signatureOf(payload, found.key))) return null;
      return { url: claim.url, organizationId: found.organization.id };
    },
  };
}

function signatureOf(payload: string, { secretSha256 }: StoredKey): string {
  return createHmac('sha256', `picture ${secretSha256}`).update(payload).digest('base64url');
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function isInForce({ revokedAtMs, expiresAtMs }: StoredKey, nowMs: number): boolean {
  return revokedAtMs === null && (expiresAtMs === null || nowMs < expiresAtMs);
}

/** What a payload says, signed or not. */
function claimOf(payload: string): Claim | null {
  try {
    const { key, until, url } = JSON.parse(
      Buffer.from(payload, 'base64url').toString('utf8'),
    ) as Partial<Record<keyof Claim, unknown>>;
    const isClaim = typeof key === 'string' && typeof until === 'number' && typeof url === 'string';
    return isClaim ? { key, until, url } : null;
  } catch {
    return null;
  }
}
