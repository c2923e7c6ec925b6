// Derives the slug of a shop other than the seven known retailers from its host alone (D10). When two domains have the same
// label, the store decides which one gets it.

import { parse } from 'tldts';

import { ALIASES } from './aliases.ts';

export type ShopSlugs = {
  /** The registrable domain, or the whole host if there is none. */
  readonly domain: string;
  /** The slug of the first domain with this label. */
  readonly slug: string;
  /** The slug of any further domain; equal to `slug` when the label alone is never used. */
  readonly otherSlug: string;
};

const MAX_LENGTH = 30;
/** Reserved slugs: `retailer=all` means every retailer, and each alias is one of the seven (D63). */
const TAKEN: ReadonlySet<string> = new Set(['all', ...ALIASES]);

/**
 * Returns domain and slugs of a host name as spelled by `URL.hostname`; null only when it has no letter or digit. Both
 * slugs match `^[a-z0-9]{2,30}$` (D2). Uses the private section of the public suffix list, because hosts below a store
 * platform's domain belong to different owners. A non-ASCII label is used in its ASCII form (`xn--...`), which is unique.
 */
export function shopOfHost(host: string): ShopSlugs | null {
  const name = host.toLowerCase().replace(/\.$/, '');
  const { domain, label, suffix } = registrable(name) ?? { domain: name, label: name, suffix: '' };
  if (!/[a-z0-9]/.test(domain)) return null;
  const short = alphanumeric(label).slice(0, MAX_LENGTH);
  const otherSlug = suffix === '' ? hostSlug(name) : labelAndSuffix(label, suffix);
  if (suffix === '' || short.length < 2 || TAKEN.has(short)) {
    return { domain, slug: otherSlug, otherSlug };
  }
  return { domain, slug: short, otherSlug };
}

/** Returns the registrable domain of an address; null if there is none. */
export const domainOf = (address: URL | null): string | null =>
  address === null ? null : (shopOfHost(address.hostname)?.domain ?? null);

/** Returns the slug of the `count`-th domain (2, 3, ...) when its `otherSlug` is taken too. */
export function numberedSlug(shop: ShopSlugs, count: number): string {
  const number = String(count);
  return shop.otherSlug.slice(0, MAX_LENGTH - number.length) + number;
}

type Registrable = { readonly domain: string; readonly label: string; readonly suffix: string };

function registrable(name: string): Registrable | null {
  const own = registrableBy(name, true);
  // A platform's own site is at, or directly below, the suffix used for its customers' shops.
  if (own !== null && own.label !== 'www' && own.label !== 'm') return own;
  return registrableBy(name, false) ?? own;
}

function registrableBy(name: string, allowPrivateDomains: boolean): Registrable | null {
  const options = { extractHostname: false, validateHostname: false, allowPrivateDomains };
  const { domain, domainWithoutSuffix: label, publicSuffix: suffix } = parse(name, options);
  return domain === null || label === null || suffix === null ? null : { domain, label, suffix };
}

/** Joins label and suffix without dots; the label is truncated if they do not fit. */
function labelAndSuffix(label: string, suffix: string): string {
  const end = alphanumeric(suffix).slice(-(MAX_LENGTH - 1));
  const slug = alphanumeric(label).slice(0, MAX_LENGTH - end.length) + end;
  return usable(slug);
}

/**
 * Returns the slug of IP addresses, single labels and bare suffixes, which are only reachable when the operator maps them
 * (D5).
 */
function hostSlug(name: string): string {
  const padded = /^[0-9.]+$/.test(name)
    ? name.split('.').map((part) => part.padStart(3, '0'))
    : [alphanumeric(name)];
  const slug = padded.join('').slice(0, MAX_LENGTH);
  if (padded.length > 1 || name.startsWith('[')) return `ip${slug}`.slice(0, MAX_LENGTH);
  return usable(slug);
}

function usable(slug: string): string {
  return slug.length < 2 || TAKEN.has(slug) ? `shop${slug}` : slug;
}

function alphanumeric(text: string): string {
  return text.replace(/[^a-z0-9]/g, '');
}

/**
 * Whether the names below a host belong to different owners (`co.uk`, a store platform's domain), or the host is a top-level
 * label.
 */
export function isSharedSuffix(host: string): boolean {
  const options = { extractHostname: false, validateHostname: false, allowPrivateDomains: true };
  const { domain, isIp } = parse(host, options);
  return domain === null && isIp !== true;
}
