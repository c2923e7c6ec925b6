// retailer_a: its sources, in the order in which they are tried.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch } from '../page-sources.ts';
import { offersUrl, retailerAAddressBook, searchUrl } from './address-book.ts';
import { creatorsSource } from './creators-source.ts';
import { sellingPartnerSource } from './selling-partner-source.ts';

/** Product pages and seller lists: authoritative for an ASIN. */
const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => kind,
  request: (question) => {
    if (question.kind !== 'product' && question.kind !== 'offers') return null;
    const url = retailerAAddressBook.productUrl(question.identifier);
    if (url === null) return null;
    if (question.kind === 'product') return { url, accept: 'html' };
    return { url: offersUrl(question.identifier.value), accept: 'html' };
  },
};

export const retailerAAdapter: RetailerAdapter = {
  slug: 'retailer_a',
  pagePricesFrom: 'visible',
  book: retailerAAddressBook,
  // The page search treats a barcode as text, so its hits are not confirmed (D35).
  sources: [sellingPartnerSource, creatorsSource, pages, barcodeSearch(searchUrl)],
};
