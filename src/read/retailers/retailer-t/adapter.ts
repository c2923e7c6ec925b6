// retailer_t: its sources, in the order they are tried. It cannot be queried by barcode: its pages are found by a search
// provider and never confirmed (D35).

import type { Access, RetailerQuestion, RetailerAdapter, Source } from '../adapter.ts';
import { productPages } from '../page-sources.ts';
import { redskyProductUrl, redskySummaryUrl, retailerTAddressBook } from './address-book.ts';
import type { RedskyRequest } from './address-book.ts';

/** Returns the parameters of an endpoint; null when the question is not about a product of this retailer. */
function requestOf(question: RetailerQuestion, access: Access): RedskyRequest | null {
  if (question.kind !== 'product') return null;
  if (retailerTAddressBook.productUrl(question.identifier) === null) return null;
  const visitorId = access
    .newId()
    .replaceAll(/[^0-9a-f]/gi, '')
    .toUpperCase()
    .slice(0, 32);
  return { tcin: question.identifier.value, key: access.credentials['API_KEY'] ?? '', visitorId };
}

/** A public, undocumented JSON endpoint: robots.txt applies as for a page. */
function redsky(
  name: string,
  reader: string,
  urlOf: (request: RedskyRequest) => string | null,
): Source {
  return {
    name,
    needs: ['API_KEY'],
    door: 'product_json',
    isAuthoritative: true,
    readerOf: () => reader,
    request: (question, access) => {
      const redskyRequest = requestOf(question, access);
      const url = redskyRequest === null ? null : urlOf(redskyRequest);
      return url === null ? null : { url, accept: 'json' };
    },
  };
}

export const retailerTAdapter: RetailerAdapter = {
  slug: 'retailer_t',
  pagePricesFrom: 'state',
  book: retailerTAddressBook,
  sources: [
    redsky('redsky', 'api:redsky_pdp', redskyProductUrl),
    // The product endpoint states no stock; the summary does.
    {
      ...redsky('redsky_summary', 'api:redsky_summary', redskySummaryUrl),
      completes: ['redsky'],
    },
    productPages(retailerTAddressBook),
  ],
};
