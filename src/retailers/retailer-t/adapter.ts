// retailer_t: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerTAddressBook } from './address-book.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerTAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerTAdapter: RetailerAdapter = {
  slug: 'retailer_t',
  book: retailerTAddressBook,
  readers: {},
  sources: [pages],
};
