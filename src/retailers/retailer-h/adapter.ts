// retailer_h: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerHAddressBook } from './address-book.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerHAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerHAdapter: RetailerAdapter = {
  slug: 'retailer_h',
  book: retailerHAddressBook,
  readers: {},
  sources: [pages],
};
