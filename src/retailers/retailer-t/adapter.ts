// retailer_t: how it is asked, in the order its sources are tried, and how its answers are read. A barcode is
// no question for it: its pages are reached through a search provider, and never confirmed (D35).

import type { Access, RetailerQuestion, RetailerAdapter, Source } from '../adapter.ts';
import { productPages } from '../page-sources.ts';
import { redskyProductUrl, redskySummaryUrl, retailerTAddressBook } from './address-book.ts';
import type { RedskyAsk } from './address-book.ts';
import { readProductPage } from './product-page.ts';
import { readRedskyProduct, readRedskySearch, readRedskySummary } from './redsky-answers.ts';

/** Null: not a product of this retailer, or nothing that the endpoint knows. */
function askOf(question: RetailerQuestion, access: Access): RedskyAsk | null {
  if (question.kind !== 'product') return null;
  if (retailerTAddressBook.productUrl(question.identifier) === null) return null;
  const visitorId = access
    .newId()
    .replaceAll(/[^0-9a-f]/gi, '')
    .toUpperCase()
    .slice(0, 32);
  return { tcin: question.identifier.value, key: access.credentials['API_KEY'] ?? '', visitorId };
}

/** A public JSON endpoint, undocumented: robots.txt is asked as for a page. */
function redsky(name: string, reader: string, urlOf: (ask: RedskyAsk) => string | null): Source {
  return {
    name,
    needs: ['API_KEY'],
    isAuthoritative: true,
    readerOf: () => reader,
    request: (question, access) => {
      const ask = askOf(question, access);
      const url = ask === null ? null : urlOf(ask);
      return url === null ? null : { url, accept: 'json' };
    },
  };
}

export const retailerTAdapter: RetailerAdapter = {
  slug: 'retailer_t',
  book: retailerTAddressBook,
  readers: {
    product: readProductPage,
    'api:redsky_pdp': readRedskyProduct,
    'api:redsky_summary': readRedskySummary,
    'api:redsky_search': readRedskySearch,
  },
  sources: [
    redsky('redsky', 'api:redsky_pdp', redskyProductUrl),
    // The product answer states no stock; the summary does.
    {
      ...redsky('redsky_summary', 'api:redsky_summary', redskySummaryUrl),
      completes: ['redsky'],
    },
    productPages(retailerTAddressBook),
  ],
};
