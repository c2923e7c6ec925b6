// The two page sources shared by most retailers: product pages by their canonical address, and the page search for a
// barcode.

import { printedForm } from '../../base/identifiers/gtin.ts';
import type { AddressBook, Source } from './adapter.ts';

/** Returns the product page source: authoritative for the retailer's own identifiers. */
export function productPages(book: AddressBook): Source {
  return {
    name: 'page',
    needs: [],
    isAuthoritative: true,
    readerOf: () => 'product',
    request: (question) => {
      if (question.kind !== 'product') return null;
      const url = book.productUrl(question.identifier);
      return url === null ? null : { url, accept: 'html' };
    },
  };
}

/** Returns the page search source: not authoritative, because it does not find every barcode that the retailer sells. */
export function barcodeSearch(searchUrl: (text: string) => string): Source {
  return {
    name: 'search',
    needs: [],
    isAuthoritative: false,
    readerOf: () => 'search',
    request: (question) => {
      if (question.kind !== 'barcode') return null;
      return { url: searchUrl(printedForm(question.gtin)), accept: 'html' };
    },
  };
}
