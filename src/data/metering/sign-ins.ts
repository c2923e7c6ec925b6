// Signing in to the console (D93). A one-time code, or a key, begins a session. Its secret has two halves: in a browser that
// keeps it, one is in a cookie that no script reads, the other in the storage of the pages' own origin, which no other
// origin reads. Neither half alone is of use, so a cookie that is stolen, sent by another site or set by another port of the
// host signs nobody in.

import { randomBytes } from 'node:crypto';

import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from '../../base/clock.ts';
import { codeFrom, readCode } from '../../base/typed-code.ts';
import type { Session, Sessions } from '../accounts/sessions.ts';
import { madeId } from '../made-id.ts';
import { hashSecret, randomBase62, SECRET_LENGTH } from './api-key.ts';

/** 60 bits: a million guesses a second hit one of a thousand codes in the ten minutes of their life once in two million times. */
const CODE_LETTERS = 12;
const CODE_MS = 10 * MINUTE_MS;
const LASTING_MS = 30 * DAY_MS;
/** A session that is not kept in a cookie ends with its tab, and at the latest then. */
const TAB_MS = 12 * HOUR_MS;
const LONGEST_NAME = 200;

/** What begins a session. */
export type SignInBy = { readonly code: string } | { readonly keyId: string };

type BegunSession = {
  readonly session: Session;
  /** The first half, with the session's id before it. */
  readonly cookie: string;
  readonly half: string;
};

export type SignIns = Pick<Sessions, 'list'> & {
  /** Makes a code that signs in once, as the key. */
  createCode(keyId: string, ms?: number): Promise<{ code: string; expiresAtMs: number }>;
  /** Returns the organization that a code signs in to, without using it up; null if it is not valid. */
  organizationOf(code: string): Promise<string | null>;
  /** Null if the code is not valid, or was used before. */
  begin(by: SignInBy, browser: { userAgent: string; lasts: boolean }): Promise<BegunSession | null>;
};

export function createSignIns(sessions: Sessions, clock: Pick<Clock, 'now'>): SignIns {
  const hashOf = (code: string) => {
    const read = readCode(code, CODE_LETTERS);
    return read === null ? null : hashSecret(read);
  };
  return {
    list: (keyId, nowMs) => sessions.list(keyId, nowMs),
    async createCode(keyId, ms = CODE_MS) {
      const code = codeFrom(randomBytes(CODE_LETTERS));
      const createdAtMs = clock.now();
      const expiresAtMs = createdAtMs + ms;
      await sessions.insertCode({ sha256: hashSecret(code), keyId, createdAtMs, expiresAtMs });
      return { code, expiresAtMs };
    },
    async organizationOf(code) {
      const sha256 = hashOf(code);
      return sha256 === null ? null : await sessions.findOrganization(sha256, clock.now());
    },
    async begin(by, { userAgent, lasts }) {
      const given = 'code' in by ? hashOf(by.code) : by.keyId;
      if (given === null) return null;
      const id = madeId('ses', randomBase62(SECRET_LENGTH));
      const [first, half] = [randomBase62(SECRET_LENGTH), randomBase62(SECRET_LENGTH)];
      const createdAtMs = clock.now();
      const session = await sessions.begin(
        {
          id,
          secretSha256: hashSecret(`${first}.${half}`),
          userAgent: userAgent.slice(0, LONGEST_NAME),
          createdAtMs,
          expiresAtMs: createdAtMs + (lasts ? LASTING_MS : TAB_MS),
        },
        'code' in by ? { code: given } : { keyId: given },
      );
      return session === null ? null : { session, cookie: `${id}.${first}`, half };
    },
  };
}
