// Reads the path of an address on one of a retailer's hosts. All address books use it.

/** Segments of a path in lower case, without empty ones (double and trailing slashes). */
export type PathSegments = readonly string[];

/** The path of an address on one of `hosts`, with or without `www.` or `m.`; null on another host. */
export function pathOn(hosts: readonly string[], url: URL): PathSegments | null {
  return isHostOf(hosts, url.hostname) ? pathOf(url) : null;
}

/** The path's segments in lower case, because the retailers answer a path in any case, and lists and spreadsheets change it. */
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

/** The names under which a host is in a list of hosts: its own, and that without `www.` or `m.`. */
export function namesOfHost(host: string): readonly string[] {
  const name = host.toLowerCase();
  const whole = name.endsWith('.') ? name.slice(0, -1) : name;
  const prefix = ['www.', 'm.'].find((each) => whole.startsWith(each));
  return prefix === undefined ? [whole] : [whole, whole.slice(prefix.length)];
}
