// Converts retailer_w's search page to its hits, without advertisements and placeholders. A search that redirects to a
// product page is that product.

import type { FailedVerdict, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { boolAt, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { countAt } from '../../page-data/json/json-values.ts';
import { absenceOf, isState, partsOf, readPageState } from './page-state.ts';
import type { PageState } from './page-state.ts';
import { readStateProduct } from './product-page.ts';
import { listingOfItem } from './state-listing.ts';

/** Maximum number of hits read: a page has about 40, and the limit is for hostile ones. */
const HIT_LIMIT = 500;

/** Returns the items of all stacks in page order. */
function itemsOf(search: unknown): readonly unknown[] {
  const items = listAt(search, 'itemStacks', 50).flatMap((stack) => {
    const own = listAt(stack, 'items');
    return own.length > 0 ? own : listAt(stack, 'itemsV2');
  });
  return items.slice(0, HIT_LIMIT);
}

function isHit(item: unknown): boolean {
  const type = textAt(item, '__typename');
  if (type !== null && type !== 'Product') return false;
  const isNamed = textAt(item, 'usItemId') !== null || textAt(item, 'canonicalUrl') !== null;
  return isNamed && boolAt(item, 'isSponsoredFlag') !== true;
}

/** Returns the verdict for a state without a search result. A search that finds nothing has a result without items. */
function noResult(state: PageState): FailedVerdict {
  const absence = absenceOf(state, 'searchResult');
  return absence.kind === 'retry' ? absence : { kind: 'unreadable', why: 'no search result' };
}

/** Reads a search page, or the GraphQL reply of a search. */
export function readSearchPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const state = readPageState(page, words);
  if (!isState(state)) return state;
  const { search, product } = partsOf(state.initial);
  if (search === null) {
    return hasObjectAt(product) ? readStateProduct(state) : noResult(state);
  }
  const hits = itemsOf(search)
    .filter(isHit)
    .map((item) => listingOfItem(item, state))
    .filter(({ title, itemId }) => title !== null && itemId !== null);
  const total = countAt(search, 'aggregatedCount') ?? countAt(search, 'itemStacks.0.count') ?? null;
  const value: RetailerAnswer = { kind: 'search', hits, total };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
