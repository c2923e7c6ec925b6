// retailer_l: its sources, in the order they are tried. It has no public API: its pages come first, and the JSON behind
// them is only used when the operator configures a store.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch, productPages } from '../page-sources.ts';
import { retailerLAddressBook, retailerLDetailUrl, retailerLSearchUrl } from './address-book.ts';

/** This endpoint answered in 2020; whether it still does is unknown. */
const detail: Source = {
  name: 'productdetail',
  needs: ['STORE_NUMBER'],
  door: 'product_json',
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
  // The search result depends on the store.
  sources: [productPages(retailerLAddressBook), barcodeSearch(retailerLSearchUrl), detail],
};
