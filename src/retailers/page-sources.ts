// The two ways to ask public pages that most retailers share: a product at its canonical address, a barcode as a
// word of the page search.

import { printedForm } from '../identifiers/gtin.ts';
import type { AddressBook, Source } from './adapter.ts';

/** Product pages: of its own identifiers the retailer's own word. */
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

/** A page search: what it does not show for a barcode may be there all the same. */
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
