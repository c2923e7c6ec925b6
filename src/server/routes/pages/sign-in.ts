// POST /console/session begins a session of the console with a one-time code or a key; POST /console/code makes such a code.
// Only pages of this service may call them. A code that is not valid is refused like a wrong key, and as slowly.

import { z } from 'zod';

import { FaultError } from '../../../base/fault.ts';
import { isoTimestamp } from '../../../base/clock.ts';
import { orUnavailable, type Metering } from '../../../data/metering/metering.ts';
import type { SignInBy } from '../../../data/metering/sign-ins.ts';
import { json, type Answer } from '../../answer.ts';
import { chargeFree } from '../../bill.ts';
import { authenticated, callerOf, type Call } from '../../call.ts';
import { bodyOf } from '../../parsed-call.ts';
import type { RouteRow } from '../../route.ts';
import { cookieFor, isOfOwnPage, lastsAt, ownOrigin, sessionIdOf } from '../../session-call.ts';
import type { SessionRouteParts } from '../installation/sessions.ts';

export type SignInRouteParts = SessionRouteParts & {
  readonly metering: Pick<Metering, 'authenticate' | 'charge'>;
};

const SignIn = z.strictObject({
  code: z.string().max(100).optional(),
  /** Only asks for the organization; the code stays valid. */
  look: z.boolean().default(false),
  /** False for a browser that takes no cookies. */
  lasts: z.boolean().default(true),
});

const NOT_STORED = { 'cache-control': 'private, no-store' };
const SECOND_MS = 1_000;

export const SIGN_IN_ROWS: readonly RouteRow<SignInRouteParts>[] = [
  {
    method: 'post',
    path: '/console/session',
    scope: 'no key',
    request: null,
    takes: 'text',
    call:
      (parts) =>
      async ({ call, text }) =>
        await signIn(parts, call, text),
  },
  {
    method: 'post',
    path: '/console/code',
    scope: 'any key',
    request: null,
    call:
      ({ signIns, metering }) =>
      async ({ call, route }) => {
        await chargeFree(metering, call, route);
        const made = await orUnavailable(signIns.createCode(callerOf(call).keyId));
        return stored({ code: made.code, expires_at: isoTimestamp(made.expiresAtMs) });
      },
  },
];

async function signIn(parts: SignInRouteParts, call: Call, text: string): Promise<Answer> {
  const { asked } = call;
  const { signIns, isBehindProxy } = parts;
  const origin = ownOrigin(asked, isBehindProxy);
  if (!isOfOwnPage(asked, origin)) throw ofOtherPage(origin);
  const { code, look, lasts: mayLast } = bodyOf(asked, SignIn, text) as z.infer<typeof SignIn>;
  if (look) {
    const organization = await orUnavailable(signIns.organizationOf(code ?? ''));
    return stored({ organization: organization ?? notValid() });
  }
  // A session begins another one by a code only.
  if (code === undefined && sessionIdOf(asked) !== null) notValid();
  const by: SignInBy =
    code === undefined ? { keyId: (await authenticated(call, parts.metering)).keyId } : { code };
  const lasts = mayLast && lastsAt(origin);
  const userAgent = asked.headers.get('user-agent') ?? '';
  const begun = (await orUnavailable(signIns.begin(by, { userAgent, lasts }))) ?? notValid();
  const { session, cookie, half } = begun;
  const body = {
    session_id: session.id,
    key_id: session.keyId,
    lasts,
    token: lasts ? half : `${cookie}.${half}`,
    expires_at: isoTimestamp(session.expiresAtMs),
  };
  const age = Math.floor((session.expiresAtMs - session.createdAtMs) / SECOND_MS);
  return stored(body, lasts ? { 'set-cookie': cookieFor(origin, cookie, age) } : {});
}

function stored(body: object, headers: Readonly<Record<string, string>> = {}): Answer {
  const answer = json(body);
  return { ...answer, headers: { ...answer.headers, ...NOT_STORED, ...headers } };
}

function notValid(): never {
  throw new FaultError({
    code: 'invalid_api_key',
    detail:
      'The code is not valid: it has expired, or it was used before. Print a new address with openshelf console, or make a ' +
      'code on the page Devices of a browser that is signed in.',
  });
}

function ofOtherPage(origin: string): FaultError {
  return new FaultError({
    code: 'invalid_api_key',
    detail:
      `Only pages at ${origin} can sign in here. A proxy in front has to pass on the Host header of the browser and, for ` +
      'https, set X-Forwarded-Proto, and the service needs OPENSHELF_TRUST_PROXY=true.',
  });
}
