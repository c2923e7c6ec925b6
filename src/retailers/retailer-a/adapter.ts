// retailer_a: how it is asked, in the order its sources are tried, and how its answers are read.

import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerAAddressBook } from './address-book.ts';
import { readProductPage } from './product-page.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerAAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerAAdapter: RetailerAdapter = {
  slug: 'retailer_a',
  book: retailerAAddressBook,
  readers: { product: readProductPage },
  sources: [pages],
};
