// The readers of retailer_b's answers, by name.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { Readers } from '../adapter.ts';
import { idsIn } from './address-book.ts';
import { readOpenBox } from './open-box-api.ts';
import { readProductPage } from './product-page.ts';
import { readProducts } from './products-api.ts';
import { readSearchPage } from './search-page.ts';
import { asProductAnswer } from '../expected-fields.ts';

function readProduct(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  return asProductAnswer(readProductPage(page, words));
}

/** A search for a number may redirect to a product page: then the answer is that product. */
function readSearch(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const { itemId, productId } = idsIn(page.url);
  if (itemId !== null || productId !== null) return readProduct(page, words);
  const verdict = readSearchPage(page);
  if (verdict.kind !== 'read') return verdict;
  return { ...verdict, value: { kind: 'search', ...verdict.value } };
}

export const retailerBReaders: Readers = {
  product: readProduct,
  search: readSearch,
  'api:products': readProducts,
  'api:open_box': readOpenBox,
};
