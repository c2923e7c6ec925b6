// retailer_l: how it is asked, in the order its sources are tried, and how its answers are read. It has no open
// API: its pages come first, the JSON behind them only where the operator names a store.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch, productPages } from '../page-sources.ts';
import { retailerLAddressBook, retailerLDetailUrl, retailerLSearchUrl } from './address-book.ts';
import { readProduct, readSearch } from './pages.ts';

/** Answered in 2020; whether it does today no public source tells. */
const detail: Source = {
  name: 'productdetail',
  needs: ['STORE_NUMBER'],
  isAuthoritative: false,
  readerOf: () => 'product',
  request: (question, { credentials }) => {
    if (question.kind !== 'product' || question.identifier.kind !== 'retailer_item') return null;
    if (retailerLAddressBook.productUrl(question.identifier) === null) return null;
    const store = credentials['STORE_NUMBER'] ?? '';
    return { url: retailerLDetailUrl(question.identifier.value, store), accept: 'json' };
  },
};

export const retailerLAdapter: RetailerAdapter = {
  slug: 'retailer_l',
  book: retailerLAddressBook,
  readers: { product: readProduct, search: readSearch },
  // What the search shows depends on the store.
  sources: [productPages(retailerLAddressBook), barcodeSearch(retailerLSearchUrl), detail],
};
