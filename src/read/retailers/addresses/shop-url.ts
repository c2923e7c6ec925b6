// The reduced form of any shop's address, under which a page is fetched and cached (D9). It determines which addresses are
// the same page; whether an address may be fetched is decided in `src/egress/guard`.

import { MAX_URL_LENGTH } from '../../../base/identifiers/parse-identifier.ts';

/** Parameters that indicate where a visitor came from, and never select a product or variant. */
const TRACKING: ReadonlySet<string> = new Set(
  [
    // Well-known click ids and affiliate parameters.
    'gclid fbclid msclkid irclickid irgwc afsrc mpid ref ref_ tag cmp',
    'wmlspartner athbdg selectedsellerid',
    // Click ids of other advertising networks and mail services.
    'gbraid wbraid dclid gclsrc gad_source gad_campaignid srsltid yclid ttclid twclid igshid',
    'li_fat_id epik mc_cid mc_eid _hsenc _hsmi _ga _gl',
    // Hosted stores: position in a search or in a list of recommendations.
    '_pos _sid _ss pr_prod_strat pr_rec_id pr_rec_pid pr_ref_pid pr_seq',
  ].flatMap((names) => names.split(' ')),
);
const TRACKING_PREFIX = 'utm_';

/** Control characters, spaces, line separators, direction marks, BOM, backslash, lone surrogates. */
const NEVER_IN_AN_ADDRESS =
  /[\u0000-\u0020\u007f-\u00a0\u061c\u200e\u200f\u2028-\u202f\u2066-\u2069\ufeff\\]|\p{Surrogate}/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/**
 * Removes fragment, credentials, default port, the root dot of the host and known tracking parameters; scheme and host
 * become lower case. Path and all other parameters (such as `variant`) stay unchanged and in order. Idempotent.
 */
export function reducedShopUrl(url: URL): string {
  const { href, hostname, search } = url;
  const parameters = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracking(parameter))
    .join('&');
  const hasSameSearch = parameters === '' ? !href.includes('?') : search === `?${parameters}`;
  const hasUser = url.username !== '' || url.password !== '';
  // Returns early because each assignment makes the URL parse the whole address again.
  if (hasSameSearch && !hasUser && !href.includes('#') && !hostname.endsWith('.')) return href;
  const reduced = new URL(url);
  reduced.hash = '';
  reduced.username = '';
  reduced.password = '';
  if (hostname.endsWith('.')) reduced.hostname = hostname.slice(0, -1);
  // The `?` is explicit: without it, a question mark at the start of the query would be taken as the separator.
  reduced.search = parameters === '' ? '' : `?${parameters}`;
  return reduced.href;
}

function isTracking(parameter: string): boolean {
  const [raw = ''] = parameter.split('=', 1);
  const name = decoded(raw).toLowerCase();
  return name.startsWith(TRACKING_PREFIX) || TRACKING.has(name);
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether the authority of an address has neither user information nor percent signs. With these, parsers disagree about the
 * host.
 */
export function isPlainText(text: string): boolean {
  const authority = AUTHORITY.exec(text)?.[1] ?? '';
  return !authority.includes('@') && !authority.includes('%');
}

/** Parses an absolute http(s) address; null when it has characters that browsers drop or convert, or is not valid. */
export function parsedUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || NEVER_IN_AN_ADDRESS.test(text)) return null;
  return AUTHORITY.test(text) ? URL.parse(text) : null;
}
