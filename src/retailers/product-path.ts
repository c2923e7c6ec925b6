// The path of an address on one of the hosts of a retailer. Shared by the address books.

/** Segments of a path, without empty ones (double and trailing slashes). */
export type PathSegments = readonly string[];

/** The path of an address on one of `hosts`, with or without `www.` or `m.`; null on another host. */
export function pathOn(hosts: readonly string[], url: URL): PathSegments | null {
  if (!isHostOf(hosts, url.hostname)) return null;
  return url.pathname.split('/').filter((segment) => segment !== '');
}

/**
 * Whether a host is one of `hosts`. Compares whole names: `notshop.com` and `shop.com.evil.example` are not `shop.com`.
 */
export function isHostOf(hosts: readonly string[], host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.includes(name) || hosts.includes(name.replace(/^(?:www|m)\./, ''));
}
