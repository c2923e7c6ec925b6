// retailer_h: how it is asked, in the order its sources are tried, and how its answers are read. It has no
// official API: its pages come first, its public gateway only where the operator names a store.

import { wireForms } from '../../domain/gtin.ts';
import type { Gtin14 } from '../../domain/gtin.ts';
import type { QuestionKind, RetailerAdapter, Source } from '../adapter.ts';
import { retailerHAddressBook, retailerHSearchUrl } from './address-book.ts';
import { readGatewayProduct, readGatewaySearch } from './gateway.ts';
import { productRequest, searchRequest } from './gateway-request.ts';
import { readProductPage } from './product-page.ts';
import { readReviews } from './reviews.ts';
import { readSearchPage } from './search-page.ts';

/** The form that is printed on the goods and that its search knows. */
function searchText(gtin: Gtin14): string {
  const { upc, ean, gtin: whole } = wireForms(gtin);
  return upc ?? ean ?? whole;
}

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind: QuestionKind) => (kind === 'reviews' ? 'reviews' : 'product'),
  request: (question) => {
    const isFirst = question.kind === 'reviews' && question.page === 1;
    if (question.kind !== 'product' && !isFirst) return null;
    const url = retailerHAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

/** A page search that shows nothing proves nothing: it may only have been asked without a store. */
const search: Source = {
  name: 'search',
  needs: [],
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : 'product'),
  request: (question) => {
    if (question.kind !== 'barcode') return null;
    return { url: retailerHSearchUrl(searchText(question.gtin)), accept: 'html' };
  },
};

const gateway: Source = {
  name: 'graphql',
  needs: ['STORE_ID', 'ZIP_CODE'],
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'api:graphql_search' : 'api:graphql_product'),
  request: (question, { credentials }) => {
    const place = {
      storeId: credentials['STORE_ID'] ?? '',
      zipCode: credentials['ZIP_CODE'] ?? '',
    };
    if (question.kind === 'barcode') return searchRequest(searchText(question.gtin), place);
    if (question.kind !== 'product' || question.candidate.kind !== 'retailer_item') return null;
    const isOwn = retailerHAddressBook.productUrl(question.candidate) !== null;
    return isOwn ? productRequest(question.candidate.value, place) : null;
  },
};

export const retailerHAdapter: RetailerAdapter = {
  slug: 'retailer_h',
  book: retailerHAddressBook,
  readers: {
    product: readProductPage,
    search: readSearchPage,
    reviews: readReviews,
    'api:graphql_product': readGatewayProduct,
    'api:graphql_search': readGatewaySearch,
  },
  sources: [pages, search, gateway],
};
