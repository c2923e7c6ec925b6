// Which URLs may be fetched at all, decided from the text alone: rules on the raw string first, then one WHATWG
// parse. The result of that parse is what is connected; a second parse could understand the text differently. Pure.

import { classifyAddress } from './address-guard.ts';
import type { OriginMap } from '../origins.ts';

/** A target that passed: `host` is what is looked up, named in TLS and sent as Host. */
export type CheckedUrl = {
  /** The parsed URL without its fragment: what was checked is what is fetched. */
  readonly url: URL;
  /** Lower-case ASCII name without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly literal: boolean;
  /** The origin that is connected instead when the operator mapped this one (D5); else null. */
  readonly mappedTo: URL | null;
};

export type UrlVerdict =
  | { readonly ok: true; readonly target: CheckedUrl }
  | { readonly ok: false; readonly why: string };

export type UrlGuardOptions = {
  /** IP addresses as hosts are refused by default: shops have names. When allowed, they must still be public. */
  readonly allowIpLiterals?: boolean;
  readonly origins?: OriginMap;
  /** Hosts that the operator does not want to be asked. */
  readonly isDeniedHost?: IsDeniedHost;
};

/** Of a host as `CheckedUrl` has it. */
export type IsDeniedHost = (host: string) => boolean;

/** Longest URL, in bytes of UTF-8. */
export const MAX_URL_BYTES = 8_192;

const MAX_HOST_LENGTH = 253;

/** C0, space, DEL, C1, line separators, bidi controls, BOM, backslash, unpaired surrogates. */
const FORBIDDEN_CHARACTER =
  /[\u0000-\u0020\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\\]|\p{Surrogate}/u;

const ABSOLUTE_HTTP = /^https?:\/\/([^/?#]+)/i;
const ANY_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * Names that never belong to a public shop. Each entry refuses itself and everything below it:
 * RFC 6761 and 6762 (localhost, invalid, local and its appendix G), RFC 7686 (onion), RFC 8375 and the
 * rest of .arpa, RFC 9476 (alt), ICANN's reserved and collision-prone names, container and cloud
 * platforms' own zones, and metadata services that have a public-looking name.
 */
const REFUSED_ZONES: ReadonlySet<string> = new Set(
  `localhost localdomain local localnet internal intranet private intra corp home lan
   mail domain workgroup router gateway dhcp invalid arpa onion alt i2p exit consul
   nomad svc docker containers kubernetes cluster mesh fritz.box routerlogin.net
   metadata.goog metadata.tencentyun.com metadata.platformequinix.com
   metadata.packet.net metadata.vultr.com metadata.cloud.oracle.com`.split(/\s+/),
);

/** Rules for the raw text of every URL, `Location` included; null when it passes. */
export function rawTextProblem(text: string): string | null {
  if (text.length > MAX_URL_BYTES || Buffer.byteLength(text, 'utf8') > MAX_URL_BYTES) {
    return `longer than ${MAX_URL_BYTES} bytes`;
  }
  if (FORBIDDEN_CHARACTER.test(text)) return 'a control character, space or backslash';
  return null;
}

function authorityProblem(authority: string): string | null {
  if (authority.includes('@')) return 'user information in the authority';
  if (authority.includes('%')) return 'percent-encoding in the authority';
  return null;
}

/** Checks an absolute URL as a caller or a page gave it. Total: any string gives a verdict. */
export function guardUrl(text: string, options: UrlGuardOptions = {}): UrlVerdict {
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
  if (options.isDeniedHost?.(bare(host)) === true) return { ok: false, why: 'a denied host' };
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

function isLiteral(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host);
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function literalProblem(address: string, options: UrlGuardOptions): string | null {
  if (options.allowIpLiterals !== true) return 'an address instead of a name';
  const verdict = classifyAddress(address);
  return verdict.public ? null : verdict.why;
}

/** The name rules: at least two labels, plain labels, a top label of letters, no private zone. */
function nameProblem(host: string): string | null {
  if (host.length > MAX_HOST_LENGTH) return `host longer than ${MAX_HOST_LENGTH} octets`;
  const labels = host.split('.');
  if (labels.length < 2) return 'a single-label name';
  if (!labels.every((label) => LABEL.test(label))) return 'a host label outside [a-z0-9_-]{1,63}';
  if (!TOP_LABEL.test(labels.at(-1) ?? '')) return 'a top label that is no letter label';
  for (let from = 0; from < labels.length; from += 1) {
    const zone = labels.slice(from).join('.');
    if (REFUSED_ZONES.has(zone)) return `a name below ${zone}`;
  }
  return null;
}

export type LocationVerdict =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly why: string };

/**
 * Resolves a `Location` against the URL that answered. The same rules on the raw string hold, and forms that
 * parsers understand differently are refused. The result still has to pass `guardUrl`: a page must not lead
 * where a caller may not.
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
