// retailer_t: its sources. Only its pages are queried: the host of its product JSON forbids every program. It cannot be
// queried by barcode: its pages are found by a search provider and never confirmed (D35).

import type { RetailerAdapter } from '../adapter.ts';
import { productPages } from '../page-sources.ts';
import { retailerTAddressBook } from './address-book.ts';

export const retailerTAdapter: RetailerAdapter = {
  slug: 'retailer_t',
  pagePricesFrom: 'state',
  book: retailerTAddressBook,
  sources: [productPages(retailerTAddressBook)],
};
