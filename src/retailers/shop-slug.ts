// The slug of a shop that is none of the seven (D10): from its host alone. Whose slug it becomes,
// when two domains have the same label, is the store's to say.

import { parse } from 'tldts';

export type Shop = {
  /** Registrable domain, or the whole host where there is none. */
  readonly domain: string;
  /** What the first domain with this label is called. */
  readonly slug: string;
  /** What any further one is called; the same as `slug` where the label alone is never used. */
  readonly otherSlug: string;
};

const MAX_LENGTH = 30;
/** `retailer=all` already means every retailer. */
const TAKEN: ReadonlySet<string> = new Set(['all']);

/**
 * Domain and slugs of a host name as `URL.hostname` spells it; null only when it holds no letter or
 * digit. Both slugs match `^[a-z0-9]{2,30}$` (D2). The private section of the public suffix list
 * counts: what stands below the domain of a store platform belongs to different owners, as do its
 * prices. A non-ASCII label is taken in its ASCII form (`xn--...`), which is one of a kind.
 */
export function shopOfHost(host: string): Shop | null {
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

/** The slug of the `count`-th domain (2, 3, ...) whose `otherSlug` is taken too. */
export function numberedSlug(shop: Shop, count: number): string {
  const number = String(count);
  return shop.otherSlug.slice(0, MAX_LENGTH - number.length) + number;
}

type Registrable = { readonly domain: string; readonly label: string; readonly suffix: string };

function registrable(name: string): Registrable | null {
  const own = registrableBy(name, true);
  // The operator's own site stands on or right below the suffix it gives to its customers.
  if (own !== null && own.label !== 'www' && own.label !== 'm') return own;
  return registrableBy(name, false) ?? own;
}

function registrableBy(name: string, allowPrivateDomains: boolean): Registrable | null {
  const options = { extractHostname: false, validateHostname: false, allowPrivateDomains };
  const { domain, domainWithoutSuffix: label, publicSuffix: suffix } = parse(name, options);
  return domain === null || label === null || suffix === null ? null : { domain, label, suffix };
}

/** The suffix without dots stays whole; the label gives way when both do not fit. */
function labelAndSuffix(label: string, suffix: string): string {
  const end = alphanumeric(suffix).slice(-(MAX_LENGTH - 1));
  const slug = alphanumeric(label).slice(0, MAX_LENGTH - end.length) + end;
  return usable(slug);
}

/**
 * Addresses, single labels and bare suffixes: reached only where the operator has mapped them (D5).
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
