// Parses the path of an address on one of a retailer's hosts. Used by all address books.

/** Lower-case path segments, without empty ones (double and trailing slashes). */
export type PathSegments = readonly string[];

/** Returns the path of an address on one of `hosts`, with or without `www.` or `m.`; null on another host. */
export function pathOn(hosts: readonly string[], url: URL): PathSegments | null {
  return isHostOf(hosts, url.hostname) ? pathOf(url) : null;
}

/**
 * Returns the path's segments in lower case, because the retailers ignore case in paths, and lists and spreadsheets change
 * it.
 */
export function pathOf(url: URL): PathSegments {
  return url.pathname
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

/**
 * Whether a host is one of `hosts`. Compares whole names: `notshop.com` and `shop.com.evil.example` are not `shop.com`.
 */
export function isHostOf(hosts: readonly string[], host: string): boolean {
  return namesOfHost(host).some((name) => hosts.includes(name));
}

/** Returns the names to look up a host by: its own, and the one without `www.` or `m.`. */
export function namesOfHost(host: string): readonly string[] {
  const name = host.toLowerCase();
  const whole = name.endsWith('.') ? name.slice(0, -1) : name;
  const prefix = ['www.', 'm.'].find((each) => whole.startsWith(each));
  return prefix === undefined ? [whole] : [whole, whole.slice(prefix.length)];
}
