// Builds the requests to a search engine, and determines the host to search.

import type { KnownSlug } from '../../../base/retailer.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import { bookOf } from '../addresses/address-books.ts';
import type { SearchProvider } from './search-providers.ts';

const BRAVE_ENDPOINT = 'https://api.search.brave.com/res/v1/web/search';
/** The maximum returned by Brave; SearXNG decides itself. */
const PAGE_SIZE = 20;
/** Brave refuses longer queries. */
const QUERY_LENGTH = 400;

/** Requests the first page of hits for a text. Nothing from the caller except the text is sent. */
export function requestSearch(provider: SearchProvider, text: string): PageRequest {
  const query = cleanText(text, QUERY_LENGTH);
  if (provider.kind === 'brave') {
    const url = new URL(BRAVE_ENDPOINT);
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(PAGE_SIZE));
    url.searchParams.set('offset', '0');
    url.searchParams.set('country', 'us');
    url.searchParams.set('search_lang', 'en');
    return { url: url.href, accept: 'json', headers: { 'x-subscription-token': provider.apiKey } };
  }
  const url = new URL('search', provider.base);
  url.searchParams.set('q', query);
  url.searchParams.set('format', 'json');
  url.searchParams.set('categories', 'general');
  url.searchParams.set('language', 'en-US');
  url.searchParams.set('pageno', '1');
  url.searchParams.set('safesearch', '0');
  return { url: url.href, accept: 'json' };
}

/** Returns the query for a barcode on one host, with the exact code. */
export function barcodeQuery(code: string, host: string): string {
  return `"${code}" site:${host}`;
}

/** Returns the host on which pages of a known retailer are searched. */
export function searchHostOf(slug: KnownSlug): string {
  return bookOf(slug).hosts[0] ?? '';
}
