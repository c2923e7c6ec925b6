// The table of shops on a card: price, stock, identity, fees and age of each, and what to do where there is none.

import { el, fill, outward } from './dom.js';
import { age, dollars, hostOf, NONE } from './format.js';
import { feesOf } from './rows.js';
import { identityOf, stateOf, waysAround } from './words.js';

/** @typedef {import('./words.js').Cell} Cell */
/** @typedef {import('./words.js').ProductRecord} ProductRecord */

/**
 * @param {HTMLElement} section
 * @param {ProductRecord} record
 * @param {boolean} [isSettled] no further look follows by itself
 */
export function shopTable(section, record, isSettled = false) {
  const cells = Object.values(record.cross_retailer ?? {});
  if (cells.length === 0) {
    fill(
      section,
      el('h2', {}, 'At the shops'),
      el(
        'p',
        { class: 'soft' },
        'No barcode is known of this product, so other shops cannot be asked for it.',
      ),
    );
    return;
  }
  const best = record.best_price?.retailer;
  const anchor = record._meta.price_source;
  fill(
    section,
    el('h2', {}, 'At the shops'),
    el(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Shops' },
      el(
        'table',
        { class: 'shops' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('th', { scope: 'col' }, 'Shop'),
            el('th', { scope: 'col', class: 'number' }, 'Price'),
            el('th', { scope: 'col' }, 'State'),
            el('th', { scope: 'col' }, 'Identity'),
            el('th', { scope: 'col', class: 'number' }, 'Fees'),
            el('th', { scope: 'col', class: 'number' }, 'Read'),
          ),
        ),
        el(
          'tbody',
          {},
          cells.map((cell) =>
            row(cell, { best, anchor, isSettled, hasBarcode: record.gtin !== null }),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {Cell} cell
 * @param {{ best: string | undefined, anchor: string | null, isSettled: boolean, hasBarcode: boolean }} about
 */
function row(cell, { best, anchor, isSettled, hasBarcode }) {
  const { label, tone, help } = stateOf(cell, isSettled);
  const marks = [
    cell.retailer === anchor ? 'anchor' : null,
    cell.retailer === best ? 'best' : null,
  ];
  const fees = feesOf(cell);
  const identity = hasBarcode ? identityOf(cell) : 'Not compared';
  const helper = help === '' ? null : el('p', { class: 'soft small' }, help);
  if (cell.status === 'blocked' && helper !== null) void addWays(helper, cell.retailer);
  return el(
    'tr',
    { 'data-retailer': cell.retailer, 'data-status': cell.status },
    el(
      'th',
      { scope: 'row' },
      outward(cell.url, hostOf(cell.retailer)),
      ' ',
      el('span', { class: 'slug' }, cell.retailer),
      marks
        .filter((mark) => mark !== null)
        .map((mark) => el('span', { class: `mark ${mark}` }, mark)),
    ),
    el('td', { class: 'number' }, dollars(cell.price)),
    el('td', {}, el('span', { class: `state ${tone}` }, label), helper),
    el('td', { class: 'soft', 'data-none': identity === '' }, identity === '' ? NONE : identity),
    el('td', { class: 'number soft' }, fees === null ? NONE : dollars(fees / 100)),
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
 */
async function addWays(helper, slug) {
  const ways = await waysAround(slug);
  helper.append(
    el(
      'details',
      { class: 'ways' },
      el('summary', {}, 'What can be done'),
      el(
        'ul',
        {},
        ways.map((way) => el('li', {}, way)),
      ),
    ),
  );
}
