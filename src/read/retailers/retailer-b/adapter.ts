// retailer_b: its sources, in the order in which they are tried.

import type { RetailerAdapter } from '../adapter.ts';
import { barcodeSearch, productPages } from '../page-sources.ts';
import { retailerBAddressBook, searchUrl } from './address-book.ts';
import { openBoxSource, productsSource } from './api-sources.ts';

export const retailerBAdapter: RetailerAdapter = {
  slug: 'retailer_b',
  pagePricesFrom: 'state',
  book: retailerBAddressBook,
  sources: [
    productsSource,
    openBoxSource,
    productPages(retailerBAddressBook),
    barcodeSearch(searchUrl),
  ],
};
