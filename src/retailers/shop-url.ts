// The reduced form of an address of any shop: what is fetched and what the cache is keyed by (D9).
// Not the guard: it says which addresses are the same page, never whether one may be asked.

import { MAX_URL_LENGTH } from '../identifiers/parse-identifier.ts';

/** Parameters that say where a visitor came from, never which product or variant is shown. */
const TRACKING: ReadonlySet<string> = new Set(
  [
    // Named by the reference of this service.
    'gclid fbclid msclkid irclickid irgwc afsrc mpid ref ref_ tag cmp',
    'wmlspartner athbdg selectedsellerid',
    // Click numbers of other advertising networks and mail services.
    'gbraid wbraid dclid gclsrc gad_source gad_campaignid srsltid yclid ttclid twclid igshid',
    'li_fat_id epik mc_cid mc_eid _hsenc _hsmi _ga _gl',
    // Hosted stores: position in a search or in a list of recommendations.
    '_pos _sid _ss pr_prod_strat pr_rec_id pr_rec_pid pr_ref_pid pr_seq',
  ].flatMap((names) => names.split(' ')),
);
const TRACKING_PREFIX = 'utm_';

/**
 * Control characters, spaces, line separators, direction marks, BOM, backslash, lone surrogates.
 */
const NEVER_IN_AN_ADDRESS =
  /[\u0000-\u0020\u007f-\u00a0\u061c\u200e\u200f\u2028-\u202f\u2066-\u2069\ufeff\\]|\p{Surrogate}/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/**
 * Fragment, credentials, default port, the root dot of the host and known tracking parameters are
 * gone, scheme and host are lower case; path and every other parameter stay byte for byte and in
 * order (`variant` among them). Reducing twice changes nothing.
 */
export function reducedShopUrl(url: URL): string {
  const reduced = new URL(url);
  reduced.hash = '';
  reduced.username = '';
  reduced.password = '';
  if (reduced.hostname.endsWith('.')) reduced.hostname = reduced.hostname.slice(0, -1);
  const parameters = url.search.slice(1).split('&');
  reduced.search = parameters.filter((p) => p !== '' && !isTracking(p)).join('&');
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
 * An absolute http(s) address that is written plainly, as a URL; null when it has characters that
 * browsers drop or turn silently, user information or percent signs in its authority, or no parser
 * takes it. Such a text is nobody's product page: parsers disagree about where it leads.
 */
export function plainUrl(text: string): URL | null {
  const url = parsedUrl(text);
  const authority = AUTHORITY.exec(text)?.[1] ?? '';
  return authority.includes('@') || authority.includes('%') ? null : url;
}

/** As `plainUrl`, and user information is let through: for hosts whose addresses are only read. */
export function parsedUrl(text: string): URL | null {
  if (text.length > MAX_URL_LENGTH || NEVER_IN_AN_ADDRESS.test(text)) return null;
  return AUTHORITY.test(text) ? URL.parse(text) : null;
}

/** The reduced form of an address as text; null when it is not plain (`plainUrl`). */
export function normalizeUrlText(text: string): string | null {
  const url = plainUrl(text);
  return url === null ? null : reducedShopUrl(url);
}
