// Identifies the caller: the Authorization header -> organization, key and scopes (D15). Keys are cached for at most half a
// second, so that a key revoked by another process is rejected within a second.

import { timingSafeEqual } from 'node:crypto';

import { dayOf, SECOND_MS, SET_BACK_MS, type Clock } from '../../base/clock.ts';
import { FaultError } from '../../base/fault.ts';
import type { Scope } from '../../base/scopes.ts';
import type { Accounts, KeyOfOrganization } from '../accounts/accounts.ts';
import { isSecret, parseApiKey, type ApiKey } from './api-key.ts';

export type Caller = {
  readonly organizationId: string;
  readonly organization: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  /** The settings of the organization's throttle. */
  readonly throttlePerMinute: number;
  readonly throttleBurst: number;
  /** Calls of the burst reserved for other calls of the organization. */
  readonly throttleSpared: number;
  /** Whether the organization has facts of its own, which then lie over the common ones. */
  readonly hasOwnFacts: boolean;
};

/** For how long a process may go by a key and an organization as it last read them. */
export const HELD_MS = SECOND_MS / 2;
const MAX_HELD = 10_000;
/** Longer headers are refused unread. One with a key is 64 characters. */
const MAX_HEADER = 200;
/** The text before the id of a key in a header, and the length of the id. */
const BEFORE_ID = 'Bearer osk_live_';
const ID_CHARACTERS = 8;
/** The scheme of a session's token, and the token: its id and both halves of its secret. */
export const SESSION_SCHEME = 'Session ';
const SESSION = /^(ses_[\w-]{22})\.([0-9A-Za-z]{32}\.[0-9A-Za-z]{32})$/;

type CachedKey = {
  readonly found: KeyOfOrganization;
  readonly readAtMs: number;
  readonly changes: number;
  /** The last header whose secret was verified, and its caller. Verifying the secret again took a twentieth of a call. */
  proven: Proven | null;
};

/** `given` is a buffer for the header to compare; it is as long as the verified one. Every call gets the same promise. */
type Proven = { readonly header: Buffer; readonly given: Buffer; readonly caller: Promise<Caller> };

type Authentication = {
  /** Returns the caller of a cached key; null for any other header. */
  readonly knownCaller: (authorization: string | undefined) => Promise<Caller> | null;
  /** Finds the caller of a header's text. FaultError missing_api_key, invalid_api_key. */
  readonly findCaller: (authorization: string | undefined) => Promise<Caller>;
};

export function createAuthentication(accounts: Accounts, clock: Clock): Authentication {
  const keys = createKeyCache(accounts, (id) => accounts.findKey(id), clock);
  const sessions = createKeyCache(accounts, (id) => accounts.findSession(id), clock);

  function knownCaller(authorization: string | undefined): Promise<Caller> | null {
    if (authorization === undefined || authorization.length > MAX_HEADER) return null;
    if (!authorization.startsWith(BEFORE_ID)) return null;
    const known = keys.cached(
      authorization.slice(BEFORE_ID.length, BEFORE_ID.length + ID_CHARACTERS),
    );
    if (known === null) return null;
    const { found, proven } = known;
    if (proven !== null && isProven(proven, authorization)) {
      return isInForce(found, clock.now()) ? proven.caller : null;
    }
    const key = keyIn(authorization);
    const right = key === null ? null : callerOf(found, key.secret, clock.now());
    if (right === null) return null;
    const header = Buffer.from(authorization);
    const caller = Promise.resolve(right);
    known.proven = { header, given: Buffer.alloc(header.length), caller };
    return caller;
  }

  /** Finds the caller of a session of the console. */
  async function findSigned(token: string): Promise<Caller> {
    const [, id = '', secret = ''] = SESSION.exec(token) ?? [];
    if (id === '') throw endedSession();
    const cached = sessions.cached(id)?.found;
    const found = cached ?? (await sessions.find(id));
    const nowMs = clock.now();
    const caller = callerOf(found, secret, nowMs);
    // A session from the future was begun before the clock was set back.
    if (caller === null || found === null || found.key.createdAtMs > nowMs + SET_BACK_MS) {
      throw endedSession();
    }
    const day = dayOf(nowMs);
    if (cached === undefined && found.key.lastUsedDay !== day) {
      // What is only shown must not fail the call.
      accounts.noteSessionUsed(id, day).catch(() => undefined);
    }
    return caller;
  }

  async function findCaller(authorization: string | undefined): Promise<Caller> {
    if (authorization?.startsWith(SESSION_SCHEME) === true) {
      return await findSigned(authorization.slice(SESSION_SCHEME.length));
    }
    const { id, secret } = keyOf(authorization);
    const found = keys.cached(id)?.found ?? (await keys.find(id));
    const caller = callerOf(found, secret, clock.now());
    if (caller === null) throw invalidKey();
    return caller;
  }

  return { knownCaller, findCaller };
}

type KeyCache = {
  /** Returns the cached key. Null if it was not read in the last half second, or keys have changed since. */
  readonly cached: (id: string) => CachedKey | null;
  /** Reads the key from the store; null if there is none. */
  readonly find: (id: string) => Promise<KeyOfOrganization | null>;
};

/** `findKey` reads a key, or a session, of an id. */
function createKeyCache(
  accounts: Pick<Accounts, 'changes'>,
  findKey: Accounts['findKey'],
  clock: Clock,
): KeyCache {
  const held = new Map<string, CachedKey>();
  /** Reads in progress, by key: if a key has to be read again, the calls of all connections share one read. */
  const reading = new Map<string, Promise<KeyOfOrganization | null>>();

  /** `changes` is read before the database is queried, because a key revoked meanwhile must not be cached. */
  async function read(id: string, changes: number): Promise<KeyOfOrganization | null> {
    const nowMs = clock.now();
    held.delete(id);
    const found = await findKey(id);
    if (found === null) return null;
    if (held.size >= MAX_HELD) held.clear();
    held.set(id, { found, readAtMs: nowMs, changes, proven: null });
    return found;
  }

  return {
    cached: (id) => {
      const known = held.get(id);
      if (known === undefined || known.changes !== accounts.changes()) return null;
      const ageMs = clock.now() - known.readAtMs;
      return ageMs >= 0 && ageMs < HELD_MS ? known : null;
    },
    find: async (id) => {
      const changes = accounts.changes();
      const name = `${id} ${changes}`;
      const inProgress = reading.get(name);
      if (inProgress !== undefined) return await inProgress;
      const begun = read(id, changes).finally(() => reading.delete(name));
      reading.set(name, begun);
      return await begun;
    },
  };
}

function callerOf(found: KeyOfOrganization | null, secret: string, nowMs: number): Caller | null {
  const isRight = isSecret(secret, found?.key.secretSha256 ?? null);
  if (found === null || !isRight || !isInForce(found, nowMs)) return null;
  const { key, organization } = found;
  return {
    organizationId: organization.id,
    organization: organization.name,
    keyId: key.id,
    scopes: key.scopes,
    throttlePerMinute: organization.throttlePerMinute,
    throttleBurst: organization.throttleBurst,
    throttleSpared: 0,
    hasOwnFacts: organization.hasOwnFacts,
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
  const key = keyIn(authorization);
  if (key !== null) return key;
  throw parseApiKey(authorization.trim()) === null ? invalidKey() : keyWithoutScheme();
}

/**
 * Compares in constant time, as for every comparison with a secret. A text with more or fewer bytes than `given` is another
 * header.
 */
function isProven({ header, given }: Proven, text: string): boolean {
  if (text.length !== header.length || given.write(text) !== header.length) return false;
  return timingSafeEqual(header, given);
}

function keyIn(authorization: string): ApiKey | null {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return token === undefined ? null : parseApiKey(token);
}

function keyWithoutScheme(): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      'The header "Authorization" has a key without the word "Bearer" before it. Send "Authorization: Bearer ' +
      'osk_live_...".',
  });
}

/** One text for every reason: the answer does not distinguish a revoked key from one that never existed. */
function invalidKey(): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      'The API key is malformed, unknown, expired or revoked. Send "Authorization: Bearer osk_live_..." ' +
      'with a key of this service.',
  });
}

/** One text for every reason, as for keys. */
function endedSession(): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      'This sign-in to the console has ended, or the call does not come from a page of this service. Sign in again.',
  });
}

/** Throws FaultError insufficient_scope unless the caller's key has the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new FaultError({
    code: 'insufficient_scope',
    detail: `This API key lacks the scope ${scope}. Use a key that has it.`,
    scope,
  });
}
