// The readers of retailer_e's answers, by name.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { Readers } from '../adapter.ts';
import { idsIn, isSearchUrl } from './address-book.ts';
import { readBrowseItem, readBrowseOffers } from './browse-item.ts';
import { readBrowseSearch } from './browse-search.ts';
import { readItemOffers } from './item-offers.ts';
import { readItemPage } from './item-page.ts';
import { readSearchPage } from './search-page.ts';
import { asProductAnswer } from '../expected-fields.ts';

function readProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const url = URL.parse(page.url);
  if (url !== null && isSearchUrl(url)) {
    return { kind: 'not_a_product', why: 'a page of search results' };
  }
  return asProductAnswer(readItemPage(page, words));
}

/** A search may redirect to an item: then the answer is that item. */
function readSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  if (idsIn(page.url).itemId !== null) return readProduct(page, words);
  const verdict = readSearchPage(page);
  return verdict.kind === 'read'
    ? { ...verdict, value: { kind: 'search', ...verdict.value } }
    : verdict;
}

export const retailerEReaders: Readers = {
  product: readProduct,
  offers: readItemOffers,
  search: readSearch,
  'api:browse_item': readBrowseItem,
  'api:browse_offers': readBrowseOffers,
  'api:browse_search': readBrowseSearch,
};
