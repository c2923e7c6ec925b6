// The cookies of one chain of redirects: shops answer a first visit with a cookie and a redirect to the same page. They are
// held as long as the chain lasts and go only to the host that set them (RFC 6265, without the cookies of whole domains).

import type { ExchangeAnswer } from './exchange.ts';

/** More than any shop sets in one chain. A cookie beyond is ignored. */
const MAX_COOKIES = 32;
/** Maximum length of all names and values: servers accept about as much in a header. A cookie beyond is ignored. */
const MAX_LENGTH = 8_000;
/** Maximum length of one name and value, as in browsers. */
const MAX_COOKIE_LENGTH = 4_096;
const MAX_ATTRIBUTES = 20;

type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly isSecure: boolean;
};

type ChainCookies = {
  /** Takes the cookies of an answer from this address. `nowMs` decides which have expired. */
  take(answer: Pick<ExchangeAnswer, 'setCookies'>, url: URL, nowMs: number): void;
  /** Returns the `Cookie` header for this address; null if there is none. */
  headerFor(url: URL): string | null;
};

/** Starts a chain without cookies. */
export function createChainCookies(): ChainCookies {
  let cookies: readonly Cookie[] = [];
  const set = (cookie: Cookie, isExpired: boolean): void => {
    const at = cookies.findIndex((each) => isSame(each, cookie));
    const others = cookies.filter((_, index) => index !== at);
    if (isExpired) cookies = others;
    else if (others.length < MAX_COOKIES && lengthOf([...others, cookie]) <= MAX_LENGTH) {
      cookies = at < 0 ? [...cookies, cookie] : cookies.with(at, cookie);
    }
  };
  return {
    take({ setCookies }, url, nowMs) {
      for (const field of setCookies) {
        const read = readSetCookie(field, url, nowMs);
        if (read !== null) set(read.cookie, read.isExpired);
      }
    },
    headerFor(url) {
      const pairs = cookies
        .filter((cookie) => isFor(cookie, url))
        .toSorted((one, other) => other.path.length - one.path.length)
        .map(({ name, value }) => `${name}=${value}`);
      return pairs.length === 0 ? null : pairs.join('; ');
    },
  };
}

function lengthOf(cookies: readonly Cookie[]): number {
  return cookies.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
}

function isSame(one: Cookie, other: Cookie): boolean {
  return one.name === other.name && one.host === other.host && one.path === other.path;
}

function isFor({ host, path, isSecure }: Cookie, url: URL): boolean {
  return (
    host === url.hostname && pathMatches(path, url.pathname) && (!isSecure || isEncrypted(url))
  );
}

/** RFC 6265 5.1.4: a path covers itself and what is below it. */
function pathMatches(path: string, asked: string): boolean {
  return (
    asked === path ||
    (asked.startsWith(path) && (path.endsWith('/') || asked.charAt(path.length) === '/'))
  );
}

function isEncrypted(url: URL): boolean {
  return url.protocol === 'https:';
}

/** Reads one field by RFC 6265 5.2 and 5.3; null for a cookie that is ignored. */
function readSetCookie(
  field: string,
  url: URL,
  nowMs: number,
): { readonly cookie: Cookie; readonly isExpired: boolean } | null {
  const [pair = '', ...rest] = field.split(';', MAX_ATTRIBUTES);
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, equals)).trim();
  const value = pair.slice(equals + 1).trim();
  // oxlint-disable-next-line no-control-regex -- a header with them could not be sent
  const isUnfit = /[\0-\x08\x0a-\x1f\x7f]/.test(pair);
  if (name === '' || isUnfit || name.length + value.length > MAX_COOKIE_LENGTH) return null;
  const attributes = new Map(rest.map(readAttribute));
  const isSecure = attributes.has('secure');
  if (!coversHost(attributes.get('domain') ?? '', url.hostname)) return null;
  // What arrives unencrypted may come from anyone.
  if (isSecure && !isEncrypted(url)) return null;
  const path = attributes.get('path') ?? '';
  const cookie = {
    name,
    value,
    host: url.hostname,
    path: path.startsWith('/') ? path : defaultPath(url.pathname),
    isSecure,
  };
  return { cookie, isExpired: hasExpired(attributes, nowMs) };
}

function readAttribute(text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  return [name.trim().toLowerCase(), equals < 0 ? '' : text.slice(equals + 1).trim()];
}

/** Whether the `Domain` of a cookie includes the host that sets it. If not, the whole cookie is ignored. */
function coversHost(attribute: string, host: string): boolean {
  const domain = attribute.replace(/^\./, '').toLowerCase();
  return domain === '' || host === domain || host.endsWith(`.${domain}`);
}

/** The directory of the address (RFC 6265 5.1.4). */
function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

/** `Max-Age` takes precedence over `Expires`; an unreadable one does not count. */
function hasExpired(attributes: ReadonlyMap<string, string>, nowMs: number): boolean {
  const maxAge = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  const expires = attributes.get('expires') ?? '';
  // A text without a time is not a date, but the parser would make a date of `0`.
  return /\d:\d\d/.test(expires) && Date.parse(expires) <= nowMs;
}
