// retailer_w: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerWAddressBook } from './address-book.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerWAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerWAdapter: RetailerAdapter = {
  slug: 'retailer_w',
  book: retailerWAddressBook,
  readers: {},
  sources: [pages],
};
