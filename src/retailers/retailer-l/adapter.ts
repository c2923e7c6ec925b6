// retailer_l: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerLAddressBook } from './address-book.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerLAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerLAdapter: RetailerAdapter = {
  slug: 'retailer_l',
  book: retailerLAddressBook,
  readers: {},
  sources: [pages],
};
