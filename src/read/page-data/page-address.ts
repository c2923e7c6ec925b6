// Compares an address stated by a page with the page's own address: shops write it with and without scheme, www, trailing
// slash and tracking parameters.

/** Returns an absolute http(s) address without its fragment; null for anything else. */
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

/** Returns the decoded path in lower case; undecoded when its percent signs are invalid. */
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
 * Rates how well `stated` matches `page`: 2 when host and path are equal and `page` has every parameter of `stated`, 1 when
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

/** A page: the address it was served from, and the canonical address it states. */
type PageAt = { readonly url: URL | null; readonly canonical: URL | null };

/** Whether an address belongs to another page of the same shop. One page may be reachable under several paths. */
export function isOtherPage(link: URL, { url, canonical }: PageAt): boolean {
  if (url === null || link.hostname !== url.hostname || lastOf(link) === '') return false;
  return [url, canonical].every((own) => own === null || lastOf(own) !== lastOf(link));
}
