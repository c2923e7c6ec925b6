// The variations of a listing in the script of its page: price and stock of the one that the address chooses, and
// whether any is available.

import type { Money } from '../../../base/listing/money/money.ts';
import { readAmount } from '../../../base/listing/money/money.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { at, boolAt } from '../../page-data/json/json-path.ts';
import { jsonPieceAt } from '../../page-data/json/bounded-json.ts';
import { browseMoney } from './browse-values.ts';

const MARK = '"variationsMap":';
const LIMIT = 2000;

export type Variation = { readonly price: Money | null; readonly inStock: boolean | null };
export type Variations = ReadonlyMap<string, Variation>;

function mapIn(page: HtmlPage): unknown {
  for (const { from, to } of page.scripts) {
    const found = page.html.slice(from, to).indexOf(MARK);
    if (found < 0) continue;
    const brace = from + found + MARK.length;
    if (page.html[brace] === '{') return jsonPieceAt(page.html, brace);
  }
  return null;
}

function priceOf(entry: unknown): Money | null {
  const value = at(entry, 'binModel.price.value');
  if (typeof value === 'object') return browseMoney(value, '');
  const cents = readAmount(value);
  return cents === null ? null : { cents, currency: null };
}

/** Variation id -> price and stock; null for a page without variations. */
export function variationsIn(page: HtmlPage): Variations | null {
  const map = mapIn(page);
  if (typeof map !== 'object' || map === null) return null;
  const found = new Map<string, Variation>();
  for (const id of Object.keys(map).slice(0, LIMIT)) {
    if (!/^[1-9]\d{0,14}$/.test(id)) continue;
    const entry = at(map, id);
    const isOut = boolAt(entry, 'quantity.outOfStock') ?? boolAt(entry, 'outOfStock');
    found.set(id, { price: priceOf(entry), inStock: isOut === null ? null : !isOut });
  }
  return found.size === 0 ? null : found;
}

/** True when any is in stock; false when all that state it are out of stock; null when none states it. */
export function stockOfAny(variations: Variations): boolean | null {
  const known = [...variations.values()].map(({ inStock }) => inStock).filter((is) => is !== null);
  return known.length === 0 ? null : known.includes(true);
}
