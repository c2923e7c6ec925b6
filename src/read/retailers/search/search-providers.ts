// The operator's search engine, used to find product pages of retailers that cannot be queried by barcode: SearXNG (JSON) or
// the Brave Search API.

import { absoluteUrl } from '../../page-data/page-address.ts';

/**
 * The operator's search engine. `base` is the address of its search page including the path (`http://searx.example/s/`).
 */
export type SearchProvider =
  | { readonly kind: 'searxng'; readonly base: string }
  | { readonly kind: 'brave'; readonly apiKey: string };

/**
 * Returns the configured provider, or a sentence that describes the mistake in the settings; null when none is set. SearXNG
 * is the operator's own and is preferred to Brave.
 */
export function searchProviderOf(settings: {
  readonly searxngUrl: string | undefined;
  readonly braveApiKey: string | undefined;
}): SearchProvider | { readonly problem: string } | null {
  const address = settings.searxngUrl?.trim() ?? '';
  if (address !== '') {
    const url = absoluteUrl(address, null);
    const isBare = url !== null && url.search === '' && url.username === '' && url.password === '';
    if (!isBare) {
      return {
        problem:
          'OPENSHELF_SEARXNG_URL must be an http or https address without query, user and password.',
      };
    }
    const path = url.pathname.replace(/\/(?:search\/?)?$/, '');
    return { kind: 'searxng', base: `${url.origin}${path}/` };
  }
  const apiKey = settings.braveApiKey?.trim() ?? '';
  if (apiKey === '') return null;
  if (/^[\x21-\x7e]{8,200}$/.test(apiKey)) return { kind: 'brave', apiKey };
  return {
    problem: 'OPENSHELF_BRAVE_API_KEY must be 8 to 200 printable ASCII characters without spaces.',
  };
}
