// retailer_b: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerBAddressBook } from './address-book.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerBAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerBAdapter: RetailerAdapter = {
  slug: 'retailer_b',
  book: retailerBAddressBook,
  readers: {},
  sources: [pages],
};
