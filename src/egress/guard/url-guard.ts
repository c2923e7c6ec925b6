// Decides from the text alone which URLs may be fetched at all: rules on the raw string first, then one WHATWG parse. The
// result of that parse is used to connect, because a second parse could interpret the text differently. Pure.

import {
  authorityProblem,
  isLiteral,
  nameProblem,
  rawTextProblem,
} from '../../base/listing/public-url.ts';
import { classifyAddress } from './address-guard.ts';
import type { OriginMap } from '../origins.ts';
import type { IsDeniedHost } from './denials.ts';

/** A target that passed. `host` is looked up, named in TLS and sent as Host. */
export type CheckedUrl = {
  /** The parsed URL without its fragment, so that what was checked is what is fetched. */
  readonly url: URL;
  /** Lower-case ASCII name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly literal: boolean;
  /** The origin to connect to instead if the operator mapped this one (D5); otherwise null. */
  readonly mappedTo: URL | null;
};

export type UrlVerdict =
  | { readonly ok: true; readonly target: CheckedUrl }
  | { readonly ok: false; readonly why: string };

type UrlGuardOptions = {
  /**
   * Whether hosts may be IP addresses. By default they are refused, because shops have names. If allowed, they must still be
   * public.
   */
  readonly allowIpLiterals?: boolean;
  readonly origins?: OriginMap;
  /** Hosts that the operator never contacts. */
  readonly isDeniedHost?: IsDeniedHost;
};

const ABSOLUTE_HTTP = /^https?:\/\/([^/?#]+)/i;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Checks an absolute URL from a caller or a page. Total: any string gets a verdict. */
export function guardUrl(text: string, options: UrlGuardOptions): UrlVerdict {
  const rawProblem = rawTextProblem(text);
  if (rawProblem !== null) return { ok: false, why: rawProblem };
  const authority = ABSOLUTE_HTTP.exec(text)?.[1];
  if (authority === undefined) return { ok: false, why: 'not an absolute http or https address' };
  const problem = authorityProblem(authority);
  if (problem !== null) return { ok: false, why: problem };
  const url = URL.parse(text);
  if (url === null) return { ok: false, why: 'no parser accepts this address' };
  return guardParsed(url, options);
}

function guardParsed(url: URL, options: UrlGuardOptions): UrlVerdict {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { ok: false, why: `scheme ${url.protocol}` };
  }
  if (url.username !== '' || url.password !== '') return { ok: false, why: 'user information' };
  url.hash = '';
  const host = url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
  if (options.isDeniedHost?.(bare(host)) === true) {
    return { ok: false, why: 'a host that the operator denies' };
  }
  const mappedTo = options.origins?.targetOf(url.origin) ?? null;
  if (mappedTo !== null) {
    return { ok: true, target: { url, host: bare(host), literal: isLiteral(host), mappedTo } };
  }
  if (url.port !== '' && url.port !== '80' && url.port !== '443') {
    return { ok: false, why: `port ${url.port}` };
  }
  const literal = isLiteral(host);
  const why = literal ? literalProblem(bare(host), options) : nameProblem(host);
  if (why !== null) return { ok: false, why };
  return { ok: true, target: { url, host: bare(host), literal, mappedTo: null } };
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function literalProblem(address: string, options: UrlGuardOptions): string | null {
  if (options.allowIpLiterals !== true) return 'an address instead of a name';
  const verdict = classifyAddress(address);
  return verdict.public ? null : verdict.why;
}

type LocationVerdict =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly why: string };

/**
 * Resolves a `Location` against the URL that returned it. The same rules for the raw string apply, and forms that parsers
 * interpret differently are refused. The result must still pass `guardUrl`: a page must not lead where a caller may not go.
 */
export function resolveLocation(location: string, base: URL): LocationVerdict {
  const rawProblem = rawTextProblem(location);
  if (rawProblem !== null) return { ok: false, why: rawProblem };
  if (ANY_SCHEME.test(location) && !ABSOLUTE_HTTP.test(location)) {
    return { ok: false, why: 'a scheme other than http and https' };
  }
  if (location.startsWith('//') && !/^\/\/[^/?#]/.test(location)) {
    return { ok: false, why: 'an empty authority' };
  }
  const authority =
    ABSOLUTE_HTTP.exec(location)?.[1] ?? /^\/\/([^/?#]+)/.exec(location)?.[1] ?? null;
  const problem = authority === null ? null : authorityProblem(authority);
  if (problem !== null) return { ok: false, why: problem };
  const url = URL.parse(location, base.href);
  return url === null ? { ok: false, why: 'not an address' } : { ok: true, url: url.href };
}
