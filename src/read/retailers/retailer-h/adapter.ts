// retailer_h: its sources, in the order they are tried. It has no official API: its pages come first, and its public
// gateway is only used when the operator configures a store.

import { printedForm } from '../../../base/identifiers/gtin.ts';
import type { RetailerQuestionKind, RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch } from '../page-sources.ts';
import { retailerHAddressBook, retailerHSearchUrl } from './address-book.ts';
import { productRequest, searchRequest } from './gateway-request.ts';

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind: RetailerQuestionKind) => (kind === 'reviews' ? 'reviews' : 'product'),
  request: (question) => {
    const isFirst = question.kind === 'reviews' && question.page === 1;
    if (question.kind !== 'product' && !isFirst) return null;
    const url = retailerHAddressBook.productUrl(question.identifier);
    return url === null ? null : { url, accept: 'html' };
  },
};

const gateway: Source = {
  name: 'graphql',
  needs: ['STORE_ID', 'ZIP_CODE'],
  door: 'product_json',
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'api:graphql_search' : 'api:graphql_product'),
  request: (question, { credentials }) => {
    const place = {
      storeId: credentials['STORE_ID'] ?? '',
      zipCode: credentials['ZIP_CODE'] ?? '',
    };
    if (question.kind === 'barcode') return searchRequest(printedForm(question.gtin), place);
    if (question.kind !== 'product' || question.identifier.kind !== 'retailer_item') return null;
    const isOwn = retailerHAddressBook.productUrl(question.identifier) !== null;
    return isOwn ? productRequest(question.identifier.value, place) : null;
  },
};

export const retailerHAdapter: RetailerAdapter = {
  slug: 'retailer_h',
  pagePricesFrom: 'state',
  book: retailerHAddressBook,
  sources: [pages, barcodeSearch(retailerHSearchUrl), gateway],
};
