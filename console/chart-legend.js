// The shops of the chart as a table, with the colour of each line and the day on which the shop was cheapest. Also a
// sentence about the lowest price of all.

import { el, table } from './dom.js';
import { day, hostOf, money, NONE } from './format.js';
import { colourOf } from './plot.js';
import { figuresOf, DAYS_STORED, newestCheck } from './series.js';

/** @typedef {import('./series.js').Series} Series */
/** @typedef {import('./series.js').ShopSeries} ShopSeries */
/**
 * The selection on the chart, and the callbacks for its changes. `sure`: the shops that surely sell the product.
 * @typedef {{
 *   sure: ReadonlySet<string>, currency: string | undefined, hidden: ReadonlySet<string>, focused: string,
 *   onToggle: (retailer: string, isShown: boolean) => void, onFocus: (retailer: string) => void,
 * }} Choice
 */

const HEADS = ['Shop', '#Newest', '#Lowest', '#Average', '#Highest'];
const ABOUT = 'Show its range, its lowest price and when it was out of stock';

/**
 * @param {Series} series
 * @param {Choice} choice
 */
export function legendTable({ shops, days }, choice) {
  const cheapest = cheapestOf({ shops, days }, choice.sure);
  return table(
    'Shops on the chart',
    HEADS,
    shops.map((shop) => legendRow(shop, { days, cheapest, choice })),
  );
}

/**
 * @param {ShopSeries} shop
 * @param {{ days: readonly number[], cheapest: Seen | null, choice: Choice }} given
 */
function legendRow(shop, { days, cheapest, choice }) {
  const figures = figuresOf(shop);
  const { currency } = choice;
  const lowest =
    figures === null
      ? NONE
      : [
          el(
            'span',
            { class: shop.retailer === cheapest?.retailer ? 'gain' : null },
            money(figures.lowest, currency),
          ),
          el('span', { class: 'when soft' }, dayAt(days, figures.lowestAt)),
        ];
  const cells = [
    newestWords(shop, currency),
    lowest,
    money(figures?.average, currency),
    money(figures?.highest, currency),
  ];
  return el(
    'tr',
    { class: 'legend-item', 'data-retailer': shop.retailer },
    el('th', { scope: 'row' }, nameOf(shop, choice)),
    cells.map((cell) => el('td', { class: 'number' }, cell)),
  );
}

/**
 * @param {ShopSeries} shop
 * @param {Choice} choice
 */
function nameOf({ retailer, isCounted }, { hidden, focused, onToggle, onFocus }) {
  const mark = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  mark.style.background = colourOf(retailer);
  return el(
    'span',
    { class: 'line-name' },
    el('input', {
      type: 'checkbox',
      checked: !hidden.has(retailer),
      'aria-label': `Show ${hostOf(retailer)}`,
      onchange: (/** @type {any} */ event) => onToggle(retailer, event.target.checked),
    }),
    el(
      'button',
      {
        type: 'button',
        class: 'plain',
        'aria-pressed': String(retailer === focused),
        title: ABOUT,
        onclick: () => onFocus(retailer),
      },
      mark,
      hostOf(retailer),
    ),
    isCounted ? null : el('span', { class: 'mark' }, 'does not count'),
  );
}

/**
 * @param {ShopSeries} shop
 * @param {string | undefined} currency
 */
function newestWords(shop, currency) {
  const at = newestCheck(shop);
  const price = shop.close[at] ?? null;
  if (price !== null) return money(price, currency);
  return shop.out[at] === true ? el('span', { class: 'soft' }, 'out of stock') : NONE;
}

/**
 * Returns a sentence that says whether the product was ever cheaper, and where. Like the best price, it covers only the shops
 * that surely sell the product. If there is no such shop, it covers the shops that count.
 * @param {Series} series
 * @param {ReadonlySet<string>} sure
 * @param {{ span: string, currency: string | undefined }} given `span` such as `90 days`
 */
export function cheapestWords(series, sure, { span, currency }) {
  const cheapest = cheapestOf(series, sure);
  if (cheapest === null) return '';
  const now = cheapestNow(series, sure);
  const price = sure.size === 0 ? 'price' : 'confirmed price';
  if (now !== null && now.price <= cheapest.price)
    return `Never cheaper in ${span}: ${money(now.price, currency)} at ${hostOf(now.retailer)} is the lowest ${price} seen.`;
  const was = `Lowest ${price} in ${span}: ${money(cheapest.price, currency)} at ${hostOf(cheapest.retailer)} on ${dayAt(series.days, cheapest.at)}.`;
  return now === null
    ? was
    : `${was} Now: ${money(now.price, currency)} at ${hostOf(now.retailer)}.`;
}

/** @typedef {{ retailer: string, price: number, at: number }} Seen */

/**
 * @param {Series} series
 * @param {ReadonlySet<string>} sure
 */
function cheapestOf(series, sure) {
  return least(
    speaking(series, sure).map((shop) => {
      const figures = figuresOf(shop);
      if (figures === null) return null;
      return { retailer: shop.retailer, price: figures.lowest, at: figures.lowestAt };
    }),
  );
}

/**
 * Returns the cheapest price today, among observations recent enough that their line in the chart reaches today.
 * @param {Series} series
 * @param {ReadonlySet<string>} sure
 */
function cheapestNow(series, sure) {
  return least(
    speaking(series, sure).map((shop) => {
      const at = newestCheck(shop);
      const price = shop.close[at] ?? null;
      if (price === null || series.days.length - 1 - at > DAYS_STORED) return null;
      return { retailer: shop.retailer, price, at };
    }),
  );
}

/**
 * @param {Series} series
 * @param {ReadonlySet<string>} sure
 */
function speaking({ shops }, sure) {
  return shops.filter(
    ({ retailer, isCounted }) => isCounted && (sure.size === 0 || sure.has(retailer)),
  );
}

/** @param {readonly (Seen | null)[]} prices */
function least(prices) {
  return prices
    .filter((each) => each !== null)
    .reduce(
      (/** @type {Seen | null} */ best, each) =>
        best === null || each.price < best.price ? each : best,
      null,
    );
}

/**
 * @param {readonly number[]} days
 * @param {number} at
 */
function dayAt(days, at) {
  return day(new Date((days[at] ?? 0) * 1_000).toISOString());
}
