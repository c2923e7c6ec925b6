// retailer_e: its sources, in the order in which they are tried.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch } from '../page-sources.ts';
import { retailerEAddressBook, searchUrl } from './address-book.ts';
import { browseSource } from './browse-source.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'offers' ? 'offers' : 'product'),
  request: (question) => {
    if (question.kind !== 'product' && question.kind !== 'offers') return null;
    const url = retailerEAddressBook.productUrl(question.identifier);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerEAdapter: RetailerAdapter = {
  slug: 'retailer_e',
  pagePricesFrom: 'visible',
  book: retailerEAddressBook,
  // Barcodes are searched as keywords: a hit is only confirmed once its page is read (D35).
  sources: [browseSource, pages, barcodeSearch(searchUrl)],
};
