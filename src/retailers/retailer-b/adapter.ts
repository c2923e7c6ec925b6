// retailer_b: how it is asked, in the order its sources are tried, and how its answers are read.

import { wireForms } from '../../domain/gtin.ts';
import type { Page, PageVerdict } from '../../domain/page.ts';
import type { Reading } from '../../domain/reading.ts';
import type { RetailerAdapter, Source } from '../adapter.ts';
import { idsIn, retailerBAddressBook, searchUrl } from './address-book.ts';
import { openBoxSource, productsSource } from './api-sources.ts';
import { readOpenBox } from './open-box-api.ts';
import { readProductPage } from './product-page.ts';
import { readProducts } from './products-api.ts';
import { readSearchPage } from './search-page.ts';

function readProduct(page: Page): PageVerdict<Reading> {
  const verdict = readProductPage(page);
  if (verdict.kind !== 'read') return verdict;
  return { ...verdict, value: { kind: 'product', listing: verdict.value } };
}

/** A search for a number that leads straight to a product is that product. */
function readSearch(page: Page): PageVerdict<Reading> {
  const { itemId, productId } = idsIn(page.url);
  if (itemId !== null || productId !== null) return readProduct(page);
  const verdict = readSearchPage(page);
  if (verdict.kind !== 'read') return verdict;
  return { ...verdict, value: { kind: 'search', ...verdict.value } };
}

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: () => 'product',
  request: (question) => {
    if (question.kind !== 'product') return null;
    const url = retailerBAddressBook.productUrl(question.candidate);
    return url === null ? null : { url, accept: 'html' };
  },
};

/** The site's search takes barcodes as words: what it does not show may still be there. */
const pageSearch: Source = {
  name: 'search',
  needs: [],
  isAuthoritative: false,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : 'product'),
  request: (question) => {
    if (question.kind !== 'barcode') return null;
    const { upc, ean, gtin } = wireForms(question.gtin);
    return { url: searchUrl(upc ?? ean ?? gtin), accept: 'html' };
  },
};

export const retailerBAdapter: RetailerAdapter = {
  slug: 'retailer_b',
  book: retailerBAddressBook,
  readers: {
    product: readProduct,
    search: readSearch,
    'api:products': readProducts,
    'api:open_box': readOpenBox,
  },
  sources: [productsSource, openBoxSource, pages, pageSearch],
};
