// Compares an address that a page states with the address of the page: shops write it with and without scheme, www,
// trailing slash and tracking parameters.

/** An absolute http(s) address without its fragment; null for anything else. */
export function absoluteUrl(address: string | null, base: URL | null): URL | null {
  if (address === null || address.length > 4096) return null;
  const text = address.trim();
  const url = text === '' ? null : URL.parse(text, base?.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  // This also removes the `#` of an empty fragment.
  if (url.href.includes('#')) url.hash = '';
  return url;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^(?:www|m)\./, '');
}

/** The decoded path in lower case; undecoded when its percent signs are invalid. */
export function pathText(url: URL): string {
  try {
    return decodeURIComponent(url.pathname).toLowerCase();
  } catch {
    return url.pathname.toLowerCase();
  }
}

function barePath(url: URL): string {
  return pathText(url).replaceAll(' ', '-').replace(/\/+$/, '');
}

/**
 * How well `stated` matches `page`: 2 when host and path are equal and `page` has every parameter of `stated`, 1 when
 * only host and path are equal, else 0.
 */
export function addressMatch(stated: URL | null, page: URL | null): 0 | 1 | 2 {
  if (stated === null || page === null) return 0;
  if (bareHost(stated) !== bareHost(page) || barePath(stated) !== barePath(page)) return 0;
  for (const [name, value] of stated.searchParams) {
    if (page.searchParams.get(name) !== value) return 1;
  }
  return 2;
}

const lastOf = (url: URL): string => pathText(url).split('/').findLast(Boolean) ?? '';

/** A page: where it answered, and the canonical address that it states. */
type PageAt = { readonly url: URL | null; readonly canonical: URL | null };

/** Whether an address is that of another page of the same shop. One page may be reachable under several paths. */
export function isOtherPage(link: URL, { url, canonical }: PageAt): boolean {
  if (url === null || link.hostname !== url.hostname || lastOf(link) === '') return false;
  return [url, canonical].every((own) => own === null || lastOf(own) !== lastOf(link));
}
