// retailer_l: its sources, in the order in which they are tried. It has no open API: its pages come
// first, and the JSON after them is used only when the operator names a store.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch, productPages } from '../page-sources.ts';
import { retailerLAddressBook, retailerLDetailUrl, retailerLSearchUrl } from './address-book.ts';

/** This endpoint answered in 2020; whether it still does is unknown. */
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
  pagePricesFrom: 'state',
  book: retailerLAddressBook,
  // The result of the search depends on the store.
  sources: [productPages(retailerLAddressBook), barcodeSearch(retailerLSearchUrl), detail],
};
