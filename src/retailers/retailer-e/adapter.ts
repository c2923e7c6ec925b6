// retailer_e: its sources, in the order in which they are tried, and its readers.

import type { Page, PageVerdict } from '../../listing/page.ts';
import type { RetailerAnswer } from '../../listing/retailer-answer.ts';
import type { UnknownWords } from '../../listing/unknown-words.ts';
import type { RetailerAdapter, Source } from '../adapter.ts';
import { barcodeSearch } from '../page-sources.ts';
import { idsIn, isSearchUrl, retailerEAddressBook, searchUrl } from './address-book.ts';
import { readBrowseItem, readBrowseOffers } from './browse-item.ts';
import { readBrowseSearch } from './browse-search.ts';
import { browseSource } from './browse-source.ts';
import { readItemOffers } from './item-offers.ts';
import { readItemPage } from './item-page.ts';
import { readSearchPage } from './search-page.ts';

function readProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const url = URL.parse(page.url);
  if (url !== null && isSearchUrl(url)) {
    return { kind: 'not_a_product', why: 'a page of search results' };
  }
  const verdict = readItemPage(page, words);
  if (verdict.kind !== 'read') return verdict;
  return { ...verdict, value: { kind: 'product', listing: verdict.value } };
}

/** A search may redirect to an item: then the answer is that item. */
function readSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  if (idsIn(page.url).itemId !== null) return readProduct(page, words);
  const verdict = readSearchPage(page);
  return verdict.kind === 'read'
    ? { ...verdict, value: { kind: 'search', ...verdict.value } }
    : verdict;
}

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'offers' ? 'offers' : 'product'),
  request: (question) => {
    if (question.kind !== 'product' && question.kind !== 'offers') return null;
    const url = retailerEAddressBook.productUrl(question.identifier);
    return url === null ? null : { url, accept: 'html' };
  },
};

export const retailerEAdapter: RetailerAdapter = {
  slug: 'retailer_e',
  pagePricesFrom: 'visible',
  book: retailerEAddressBook,
  readers: {
    product: readProduct,
    offers: readItemOffers,
    search: readSearch,
    'api:browse_item': readBrowseItem,
    'api:browse_offers': readBrowseOffers,
    'api:browse_search': readBrowseSearch,
  },
  // Barcodes are searched as keywords: a hit is not confirmed until its page is read (D35).
  sources: [browseSource, pages, barcodeSearch(searchUrl)],
};
