// retailer_l: how it is asked, in the order its sources are tried, and how its answers are read. It has no open
// API: its pages come first, the JSON behind them only where the operator names a store.

import { wireForms } from '../../domain/gtin.ts';
import type { RetailerAdapter, Source } from '../adapter.ts';
import { retailerLAddressBook, retailerLDetailUrl, retailerLSearchUrl } from './address-book.ts';
import { readProduct, readSearch } from './pages.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: () => 'product',
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerLAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

/** A page search that shows nothing proves nothing: what it shows depends on the store. */
const search: Source = {
  name: 'search',
  needs: [],
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : 'product'),
  request: (question) => {
    if (question.kind !== 'barcode') return null;
    const { upc, ean, gtin } = wireForms(question.gtin);
    return { url: retailerLSearchUrl(upc ?? ean ?? gtin), accept: 'html' };
  },
};

/** Answered in 2020; whether it does today no public source tells. */
const detail: Source = {
  name: 'productdetail',
  needs: ['STORE_NUMBER'],
  isAuthoritative: false,
  readerOf: () => 'product',
  request: (question, { credentials }) => {
    if (question.kind !== 'product' || question.candidate.kind !== 'retailer_item') return null;
    if (retailerLAddressBook.productUrl(question.candidate) === null) return null;
    const store = credentials['STORE_NUMBER'] ?? '';
    return { url: retailerLDetailUrl(question.candidate.value, store), accept: 'json' };
  },
};

export const retailerLAdapter: RetailerAdapter = {
  slug: 'retailer_l',
  book: retailerLAddressBook,
  readers: { product: readProduct, search: readSearch },
  sources: [pages, search, detail],
};
