// Shows the numbers of the chart as a table, for people who cannot see it and for spreadsheets.

import { csvOf } from './csv.js';
import { el } from './dom.js';
import { day, hostOf, money, NONE, shopName } from './format.js';

/** @typedef {import('./series.js').Observation} Observation */
/** @typedef {import('./series.js').Series} Series */

/**
 * @param {Series} series
 * @param {string} [currency]
 */
export function tableOf({ days, shops }, currency) {
  const seen = days
    .map((_, at) => at)
    .filter((at) => shops.some(({ looks }) => (looks[at] ?? 0) > 0))
    .reverse();
  return el(
    'div',
    { class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': 'Prices by day' },
    el(
      'table',
      { class: 'history' },
      el(
        'caption',
        {},
        'The last price of each day (UTC) on which a shop was checked, newest first',
      ),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('th', { scope: 'col' }, 'Day'),
          shops.map(({ retailer, isCounted }) =>
            el(
              'th',
              { scope: 'col', class: 'number' },
              hostOf(retailer),
              isCounted ? '' : ' (does not count)',
            ),
          ),
        ),
      ),
      el(
        'tbody',
        {},
        seen.map((at) =>
          el(
            'tr',
            {},
            el(
              'th',
              { scope: 'row', class: 'nowrap' },
              day(new Date((days[at] ?? 0) * 1_000).toISOString()),
            ),
            shops.map((shop) =>
              el(
                'td',
                { class: 'number' },
                (shop.looks[at] ?? 0) === 0
                  ? NONE
                  : shop.out[at]
                    ? 'out of stock'
                    : money(shop.close[at], currency),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {readonly Observation[]} rows
 * @param {string} [currency]
 */
export function csvOfRows(rows, currency = 'USD') {
  return csvOf([
    [
      'observed_at',
      'retailer',
      'shop',
      `price_${currency.toLowerCase()}`,
      'in_stock',
      'counted',
      'suspect',
    ],
    ...rows.map((row) => [
      row.observed_at,
      row.retailer ?? '',
      shopName(row.retailer ?? ''),
      row.price,
      row.in_stock === null ? '' : String(row.in_stock),
      String(row.counted ?? true),
      row.suspect ?? '',
    ]),
  ]);
}
