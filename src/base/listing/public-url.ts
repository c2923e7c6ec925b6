// Decides by its text alone whether an address of the public web may be fetched or shown. The fetcher's guard and the images and
// links of an answer use the same rules. Pure.

/** Longest URL, in bytes of UTF-8. */
const MAX_URL_BYTES = 8_192;

const MAX_HOST_LENGTH = 253;
/**
 * The longest host and port as written. No script writes a name longer than ASCII does, and the parser takes 40 ms to encode one
 * label of 2,700 different ideographs.
 */
const MAX_AUTHORITY_LENGTH = 320;

/** C0, space, DEL, C1, line separators, bidi controls, BOM, backslash, unpaired surrogates. */
const FORBIDDEN_CHARACTER =
  /[\u0000-\u0020\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\\]|\p{Surrogate}/u;

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

/** Rules for what stands between `//` and the path; null when it passes. */
export function authorityProblem(authority: string): string | null {
  if (authority.includes('@')) return 'user information in the authority';
  if (authority.includes('%')) return 'percent-encoding in the authority';
  if (authority.length > MAX_AUTHORITY_LENGTH) return 'a host that is too long';
  return null;
}

/** Is the host of a parsed URL an address instead of a name? */
export function isLiteral(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host);
}

/** The name rules: at least two labels, plain labels, a top label of letters, no private zone. */
export function nameProblem(host: string): string | null {
  if (host.length > MAX_HOST_LENGTH) return `host longer than ${MAX_HOST_LENGTH} octets`;
  const labels = host.split('.');
  if (labels.length < 2) return 'a single-label name';
  if (!labels.every((label) => LABEL.test(label))) return 'a host label outside [a-z0-9_-]{1,63}';
  if (!TOP_LABEL.test(labels.at(-1) ?? '')) return 'a top label that is not made of letters';
  for (let from = 0; from < labels.length; from += 1) {
    const zone = labels.slice(from).join('.');
    if (REFUSED_ZONES.has(zone)) return `a name below ${zone}`;
  }
  return null;
}

const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/**
 * The address as it may be shown to a caller, who may fetch it: http or https, a public name, no user information, an
 * ordinary port. Null for any other text.
 */
export function publicUrl(text: string | null): string | null {
  if (text === null || rawTextProblem(text) !== null) return null;
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined || authorityProblem(authority) !== null) return null;
  const url = URL.parse(text);
  if (url === null || !['', '80', '443'].includes(url.port)) return null;
  const host = url.hostname.replace(/\.$/, '');
  return isLiteral(host) || nameProblem(host) !== null ? null : text;
}
