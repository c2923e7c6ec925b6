// Calls of the console's pages: whether one comes from a page of this service, and the token of its session. A page sends
// one half of its session's secret as `Authorization: Session …`, the browser adds the other as a cookie. A session that has
// no cookie sends both.

import { SESSION_SCHEME } from '../data/metering/authentication.ts';
import type { Asked } from './call.ts';

type Head = Pick<Asked, 'method' | 'headers'>;

/** Names of this machine in an address: a browser that shows one talks to it without a network. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Returns the origin at which a browser has opened the page, as `https://shelf.example`. Only a trusted proxy may say that
 * it was https; one that adds to what a caller sent adds at the end.
 */
export function ownOrigin({ headers }: Pick<Head, 'headers'>, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? (headers.get('x-forwarded-proto') ?? '') : '';
  const isHttps = /(?:^|[\s,])https$/i.test(forwarded.trim());
  return `${isHttps ? 'https' : 'http'}://${(headers.get('host') ?? '').toLowerCase()}`;
}

/**
 * Checks whether a call was made by a page of the origin. Browsers name the origin in every call that may change something,
 * and modern ones say how the page is related to the address.
 */
export function isOfOwnPage({ method, headers }: Head, origin: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const from = headers.get('origin');
  if (from === undefined) return method === 'GET' || method === 'HEAD';
  return from.toLowerCase() === origin;
}

/** Returns the name of the cookie at an origin; null where a cookie would cross a network in the clear. */
function cookieName(origin: string): string | null {
  if (origin.startsWith('https:')) return '__Host-openshelf';
  return LOOPBACK.test(origin) ? 'openshelf' : null;
}

/** Whether a session at an origin lasts longer than its tab. */
export const lastsAt = (origin: string): boolean => cookieName(origin) !== null;

/** Returns the `Set-Cookie` that keeps a session at an origin, or ends it with an age of 0. Throws where `lastsAt` is false. */
export function cookieFor(origin: string, value: string, ageSeconds: number): string {
  const name = cookieName(origin);
  if (name === null) throw new Error(`no cookie is set at ${origin}`);
  const secure = origin.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${ageSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * Completes the token of a call's session with its cookie, in the headers. The token of a call that another site's page may
 * have made is removed: it is then answered as a session that has ended.
 */
export function completeSession(
  method: string,
  headers: Map<string, string>,
  isBehindProxy: boolean,
): void {
  const given = headers.get('authorization');
  if (given?.startsWith(SESSION_SCHEME) !== true) return;
  const origin = ownOrigin({ headers }, isBehindProxy);
  if (!isOfOwnPage({ method, headers }, origin)) {
    headers.set('authorization', SESSION_SCHEME);
    return;
  }
  const half = given.slice(SESSION_SCHEME.length);
  const name = cookieName(origin);
  if (half.includes('.') || name === null) return;
  const start = `${name}=`;
  const cookie = (headers.get('cookie') ?? '')
    .split(/[;,] */)
    .find((each) => each.startsWith(start));
  headers.set('authorization', `${SESSION_SCHEME}${cookie?.slice(start.length) ?? ''}.${half}`);
}

/** Returns the id of the session with which a call was made; null if it was made with a key. */
export function sessionIdOf({ headers }: Pick<Head, 'headers'>): string | null {
  const given = headers.get('authorization') ?? '';
  return given.startsWith(SESSION_SCHEME)
    ? (given.slice(SESSION_SCHEME.length).split('.')[0] ?? null)
    : null;
}
