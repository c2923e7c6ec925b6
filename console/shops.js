// The shop table of a card: price, stock, identity, fees and age of each, and what to do if there is none.

import { el, fill, outward, table } from './dom.js';
import { age, hostOf, money, nativeAmount, NONE } from './format.js';
import { feesOf } from './rows.js';
import { identityOf, stateOf, workaroundsFor } from './words.js';

/** @typedef {import('./words.js').Cell} Cell */
/** @typedef {import('./words.js').ProductRecord} ProductRecord */

const HEADS = ['Shop', '#Price', 'State', 'Same product?', '#Fees', '#Read'];

/**
 * @param {HTMLElement} section
 * @param {ProductRecord} record
 * @param {boolean} [isSettled] no further lookup follows automatically
 */
export function shopTable(section, record, isSettled = false) {
  const best = record.best_price?.retailer;
  const cells = Object.values(record.cross_retailer ?? {}).toSorted(
    (a, b) => worthOf(a, best) - worthOf(b, best) || (a.price ?? 0) - (b.price ?? 0),
  );
  if (cells.length === 0) {
    fill(
      section,
      el('h2', {}, 'At the shops'),
      el(
        'p',
        { class: 'soft' },
        'No barcode is known for this product, so other shops cannot be queried for it.',
      ),
    );
    return;
  }
  // Another lookup recreates the rows; unfolded rows stay unfolded.
  const unfolded = new Set(
    [...section.querySelectorAll('[data-retailer]:has(.ways[open])')].map((each) =>
      each.getAttribute('data-retailer'),
    ),
  );
  const { price_source: anchor, native_price: native } = record._meta;
  const rows = cells.map((cell) =>
    row(cell, {
      best,
      anchor,
      native,
      currency: record.currency,
      isSettled,
      gtin: record.gtin,
      isUnfolded: unfolded.has(cell.retailer),
    }),
  );
  fill(section, el('h2', {}, 'At the shops'), table('Table of shops', HEADS, rows, 'shops'));
}

/**
 * Returns the rank of a row: the best price first, then listings that surely are the product, may be it, are doubted, or have
 * no price.
 * @param {Cell} cell
 * @param {string | undefined} best
 */
function worthOf({ retailer, price, price_suspect: suspect, in_stock: inStock, identity }, best) {
  if (retailer === best) return 0;
  if (price === null) return 4;
  if (inStock === false || suspect !== undefined || identity?.disputed) return 3;
  if (identity?.state === 'confirmed') return 1;
  return identity?.state === 'mismatch' ? 3 : 2;
}

/**
 * @param {Cell} cell
 * @param {{
 *   best: string | undefined, anchor: string | null, native: ProductRecord['_meta']['native_price'], currency: string | undefined, isSettled: boolean,
 *   gtin: string | null, isUnfolded: boolean, }} about `native`: the anchor's stated price, if it is in another currency
 */
function row(cell, { best, anchor, native, currency, isSettled, gtin, isUnfolded }) {
  const { label, tone, help } = stateOf(cell, isSettled, gtin);
  const isAnchor = cell.retailer === anchor;
  const marks = [
    isAnchor ? el('span', { class: 'mark' }, 'shown above') : null,
    cell.retailer === best ? el('span', { class: 'mark best' }, 'best') : null,
  ];
  const host = hostOf(cell.retailer);
  const other = cell.native_price ?? (isAnchor ? native : undefined);
  const price =
    cell.price === null && other !== undefined ? nativeAmount(other) : money(cell.price, currency);
  const fees = feesOf(cell);
  const identity = gtin === null ? 'Not compared' : identityOf(cell, gtin);
  const helper = help === '' ? null : el('p', { class: 'soft small' }, help);
  if (cell.status === 'blocked' && helper !== null)
    void addWorkarounds(helper, cell.retailer, isUnfolded);
  return el(
    'tr',
    { 'data-retailer': cell.retailer, 'data-status': cell.status },
    el(
      'th',
      { scope: 'row' },
      outward(cell.url, host),
      ' ',
      host === cell.retailer ? null : el('span', { class: 'slug' }, cell.retailer),
      marks,
    ),
    el('td', { class: 'number' }, price),
    el('td', {}, el('span', { class: `state ${tone}` }, label), helper),
    el('td', { class: 'soft', 'data-none': identity === '' }, identity === '' ? NONE : identity),
    el(
      'td',
      { class: 'number soft', 'data-none': fees === null },
      fees === null ? NONE : money(fees / 100),
    ),
    el(
      'td',
      { class: 'number soft nowrap', 'data-none': cell._freshness.refreshed_at === null },
      cell._freshness.refreshed_at === null ? NONE : age(cell._freshness.refreshed_at),
    ),
  );
}

/**
 * @param {HTMLElement} helper
 * @param {string} slug
 * @param {boolean} isUnfolded
 */
async function addWorkarounds(helper, slug, isUnfolded) {
  const ways = await workaroundsFor(slug);
  helper.append(
    el(
      'details',
      { class: 'ways', open: isUnfolded },
      el('summary', {}, 'What can be done'),
      el(
        'ul',
        {},
        ways.map((way) => el('li', {}, way)),
      ),
    ),
  );
}
