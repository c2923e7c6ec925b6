// The part of an address that names a product, once the host is known to be the right one. Shared
// by the address books; knows no retailer.

/**
 * Empty segments (double and trailing slashes) are gone; dot segments the URL parser has resolved.
 */
export type PathSegments = readonly string[];

/**
 * The path of an address on one of `hosts`, with or without `www.` or `m.`; null for another host.
 */
export function pathOn(hosts: readonly string[], url: URL): PathSegments | null {
  if (!isHostOf(hosts, url.hostname)) return null;
  return url.pathname.split('/').filter((segment) => segment !== '');
}

/**
 * Compares whole host names: neither `notshop.com` nor `shop.com.evil.example` is on `shop.com`.
 */
export function isHostOf(hosts: readonly string[], host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.includes(name) || hosts.includes(name.replace(/^(?:www|m)\./, ''));
}
