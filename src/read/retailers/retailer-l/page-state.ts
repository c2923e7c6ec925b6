// Finds the state of retailer_l's pages (assigned by a script, in a data block, or the whole body of the older JSON
// answer), and the product and list in it.

import type { HtmlPage } from '../../page-data/html/html.ts';
import { wordToFind } from '../../page-data/html/find-word.ts';
import { at, hasObjectAt, listAt } from '../../page-data/json/json-path.ts';
import { assignedState, stateOfScript } from '../../page-data/json/script-state.ts';
import { isStateProduct } from './state-product.ts';
import type { StateEntry } from './state-product.ts';

const STATE = wordToFind('__PRELOADED_STATE__');

/** The state of a page; undefined without one. */
export function pageStateOf(html: HtmlPage): unknown {
  const assigned = assignedState(html, STATE);
  if (hasObjectAt(assigned)) return assigned;
  const next = stateOfScript(html, '__NEXT_DATA__');
  return [at(next, 'props.pageProps.initialState'), at(next, 'props.pageProps')].find((each) =>
    hasObjectAt(each),
  );
}

/**
 * The product of the page: the one that the state names, else the one that the address names. Some pages have accessories too, or
 * nothing else. Therefore the only product of a page counts only where neither names one.
 */
export function productIn(
  state: unknown,
  addressed: string | null,
): (StateEntry & { readonly key: string }) | null {
  const details = at(state, 'productDetails');
  if (!hasObjectAt(details)) return null;
  const own = at(state, 'productId');
  const named = typeof own === 'number' ? String(own) : own;
  for (const key of [named, addressed]) {
    if (typeof key !== 'string') continue;
    const entry = (details as Record<string, unknown>)[key];
    if (Object.hasOwn(details as object, key) && isStateProduct(entry))
      return { key, entry, state };
  }
  if (typeof named === 'string' || addressed !== null) return null;
  const [only, second] = Object.entries(details as object) as [string, unknown][];
  if (only === undefined || second !== undefined || !isStateProduct(only[1])) return null;
  return { key: only[0], entry: only[1], state };
}

/** Paths of lists, newest layout first. */
const LISTS = ['itemList', 'searchResult.itemList', 'search.itemList', 'productList.itemList'];

export type StateList = { readonly entries: readonly unknown[]; readonly root: unknown };

/** The list of a search page; null without one. */
export function listIn(state: unknown): StateList | null {
  for (const path of LISTS) {
    if (!Array.isArray(at(state, path))) continue;
    const parent = path.includes('.') ? at(state, path.slice(0, path.lastIndexOf('.'))) : state;
    return { entries: listAt(state, path, 200).filter(isStateProduct), root: parent };
  }
  return null;
}
