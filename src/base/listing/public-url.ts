// Decides from the text alone whether an address on the public web may be fetched or shown. The fetcher's guard and the images
// and links of an answer use the same rules. Pure.

/** Longest URL, in UTF-8 bytes. */
const MAX_URL_BYTES = 8_192;

const MAX_HOST_LENGTH = 253;
/**
 * The longest host and port as written. No script needs more characters for a name than ASCII, and the parser takes 40 ms to
 * encode one label of 2,700 different ideographs.
 */
const MAX_AUTHORITY_LENGTH = 320;

/** C0, space, DEL, C1, line separators, bidi controls, BOM, backslash, unpaired surrogates. */
const FORBIDDEN_CHARACTER =
  /[\u0000-\u0020\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\\]|\p{Surrogate}/u;

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const LABEL = /^[a-z0-9_-]{1,63}$/;
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * Names that never belong to a public shop. Each entry refuses itself and all its subdomains: RFC 6761 and 6762 (localhost,
 * invalid, local and its appendix G), RFC 7686 (onion), RFC 8375 and the rest of .arpa, RFC 9476 (alt), ICANN's reserved
 * and collision-prone names, zones of container and cloud platforms, and metadata services with a public-looking name.
 */
const REFUSED_ZONES: ReadonlySet<string> = new Set(
  `localhost localdomain local localnet internal intranet private intra corp home lan
   mail domain workgroup router gateway dhcp invalid arpa onion alt i2p exit consul
   nomad svc docker containers kubernetes cluster mesh fritz.box routerlogin.net
   metadata.goog metadata.tencentyun.com metadata.platformequinix.com
   metadata.packet.net metadata.vultr.com metadata.cloud.oracle.com`.split(/\s+/),
);

/** Checks the raw text of every URL, including `Location`; null if it passes. */
export function rawTextProblem(text: string): string | null {
  if (text.length > MAX_URL_BYTES || Buffer.byteLength(text, 'utf8') > MAX_URL_BYTES) {
    return `longer than ${MAX_URL_BYTES} bytes`;
  }
  if (FORBIDDEN_CHARACTER.test(text)) return 'a control character, space or backslash';
  return null;
}

/** Checks the part between `//` and the path; null if it passes. */
export function authorityProblem(authority: string): string | null {
  if (authority.includes('@')) return 'user information in the authority';
  if (authority.includes('%')) return 'percent-encoding in the authority';
  if (authority.length > MAX_AUTHORITY_LENGTH) return 'a host that is too long';
  return null;
}

/** Returns whether the host of a parsed URL is an IP address instead of a name. */
export function isLiteral(host: string): boolean {
  return host.startsWith('[') || IPV4.test(host);
}

/** Checks a name: at least two labels, plain labels, a top label of letters, no private zone. */
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
 * Returns the address in a form that may be shown to a caller, who may fetch it: http or https, a public name, no user
 * information, a standard port. Null for any other text.
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
