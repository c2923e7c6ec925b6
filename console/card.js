// Shows one product as a card.

import { call, productPath, slept } from './api.js';
import { beliefSection, doubtsOf } from './belief.js';
import { showChart } from './chart.js';
import { el, fill, keepFocus, outward } from './dom.js';
import { extraSections } from './extras.js';
import {
  age,
  counted,
  day,
  hostOf,
  money,
  nativeAmount,
  NONE,
  plain,
  unitMoney,
  whole,
} from './format.js';
import { problemBox } from './problem-box.js';
import { askProduct, isIndexing } from './product-call.js';
import { showProfit } from './profit.js';
import { shopTable } from './shops.js';
import { conditionWords, stateOf, stockOf, sureShops } from './words.js';
import { watchButton } from './watch-button.js';

/** @typedef {import('./words.js').ProductRecord} ProductRecord */

/** Seconds between lookups while a retailer is still being asked. Each lookup costs as much as the first. */
const LOOKS = [2, 3, 5, 8, 15, 30];

/**
 * Looks up a product and shows it, and repeats the lookup while a retailer is being asked.
 * @param {HTMLElement} result
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {import('./product-call.js').AskedProduct} [begun] if the call has already been made
 */
export async function showCard(result, id, signal, begun) {
  const asked = begun ?? askProduct(id, signal);
  const status = el('p', { class: 'soft busy', role: 'status' }, 'Looking up…');
  const card = el(
    'article',
    { class: 'card', 'aria-label': 'Product', 'aria-busy': 'true' },
    status,
  );
  fill(result, card);
  asked.say = (words) => (status.textContent = words ?? 'Looking up…');
  const answer = await asked.answer;
  if (signal.aborted) return;
  if (!answer.ok) {
    fill(
      card,
      problemBox(answer.problem, { asked: id, again: () => void showCard(result, id, signal) }),
    );
    card.removeAttribute('aria-busy');
    return;
  }
  const shown = createCard(card, id, signal);
  shown.update(answer.body);
  for (const seconds of LOOKS) {
    if (!isIndexing(shown.record())) break;
    await slept(seconds * 1_000, signal);
    if (signal.aborted) return;
    const next = await askProduct(id, signal).answer;
    if (signal.aborted || !next.ok) break;
    shown.update(next.body);
  }
  card.removeAttribute('aria-busy');
  shown.settled();
}

/** @param {() => void} work run after the current content has been painted */
function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

/**
 * Creates the parts of a card. Parts that a later answer does not change keep their state: the chart, the calculator, unfolded
 * sections.
 * @param {HTMLElement} card
 * @param {string} id
 * @param {AbortSignal} signal
 */
function createCard(card, id, signal) {
  const head = el('div', { class: 'card-head' });
  const picture = el('div', { class: 'picture', 'aria-hidden': 'true' });
  const shops = el('section', { 'aria-label': 'Shops' });
  const chart = el('section', { class: 'chart-section', 'aria-label': 'Price history' });
  const profit = el('section', { 'aria-label': 'Profit' });
  const belief = el('section', { 'aria-label': 'Why we believe it' });
  const more = el('section', { class: 'more', 'aria-label': 'More' });
  const spent = el('p', { class: 'soft spent' });
  let tokens = 0;
  let last = /** @type {ProductRecord | null} */ (null);
  let lookedAgain = 0;
  /** @param {number} some */
  const spend = (some) => {
    tokens += some;
    const again =
      lookedAgain === 0
        ? ''
        : `, with ${counted(lookedAgain, 'more lookup')} while shops were being queried`;
    fill(spent, `This card has spent ${whole(tokens)} tokens${again}.`);
  };
  fill(card, head, shops, chart, profit, belief, more, spent);
  /** Shows the lower parts of the card, which make calls of their own, after the prices. @param {ProductRecord} record */
  const showRest = (record) => {
    void showPicture(picture, id, record, signal);
    // Otherwise nobody has a price of it.
    if (record.identity_only !== true) showPrices(record);
    extraSections(more, id, record, { spend, signal });
  };
  /** @param {ProductRecord} record */
  const showPrices = (record) => {
    void showChart(chart, id, record.title ?? id, {
      spend,
      signal,
      anchor: record._meta.price_source,
      sure: sureShops(record),
      currency: record.currency,
    });
    showProfit(profit, id, { spend, signal, currency: record.currency });
    beliefSection(belief, record);
  };
  return {
    record: () => /** @type {ProductRecord} */ (last),
    /** @param {ProductRecord} record */
    update(record) {
      const isFirst = last === null;
      last = record;
      if (!isFirst) lookedAgain += 1;
      spend(record.tokens_consumed);
      fill(head, picture, headOf(record, id));
      keepFocus(shops, 'data-retailer', () => shopTable(shops, record));
      if (isFirst) afterPaint(() => signal.aborted || showRest(record));
      else beliefSection(belief, record);
      if (!isFirst) return;
      document.title = `${plain(record.title, 60) || id} · openshelf`;
    },
    settled() {
      if (last === null) return;
      const settled = last;
      keepFocus(shops, 'data-retailer', () => shopTable(shops, settled, true));
      // Shops that were asked meanwhile have their first observations now.
      if (lookedAgain > 0 && settled.identity_only !== true)
        void showChart(chart, id, last.title ?? id, {
          spend,
          signal,
          anchor: last._meta.price_source,
          sure: sureShops(last),
          currency: last.currency,
        });
    },
  };
}

/**
 * @param {ProductRecord} record
 * @param {string} id
 */
function headOf(record, id) {
  const { title, brand, categories, pack_count: pack, condition } = record;
  const line = [
    plain(brand, 80),
    categories.map((each) => plain(each, 60)).join(' › '),
    starsOf(record),
  ].filter((text) => text !== '');
  return el(
    'div',
    { class: 'facts' },
    el('h1', {}, el('bdi', {}, plain(title) || 'A product without a title')),
    line.length === 0 ? null : el('p', { class: 'soft' }, el('bdi', {}, line.join(' · '))),
    record.identity_only === true ? identifiedBy(record) : pricesOf(record),
    doubtsOf(record),
    el(
      'dl',
      { class: 'codes' },
      [
        barcodeOf(record),
        ['ASIN', record.asin],
        ['Item', record.item_id],
        ['MPN', record.mpn],
        ['Model', record.model],
        ['Pack', pack === null ? null : `${pack} pieces`],
        ['Condition', conditionWords(condition)],
      ]
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) =>
          el('div', {}, el('dt', {}, name), el('dd', {}, el('bdi', {}, plain(value, 80)))),
        ),
    ),
    watchButton(() => [id], record.current_price, record.currency),
  );
}

/**
 * Returns the barcode as printed. The longer forms are the same digits with leading zeros.
 * @param {ProductRecord} record
 * @returns {[string, string | null]}
 */
function barcodeOf({ isbn, upc, ean, gtin }) {
  if (isbn !== null) return ['ISBN', isbn];
  if (upc !== null) return ['UPC', upc];
  return ean === null ? ['GTIN', gtin] : ['EAN', ean];
}

/** @param {ProductRecord} record */
function starsOf({ average_rating: stars, review_count: count }) {
  if (stars === null) return '';
  return `★ ${stars}${count === null ? '' : ` (${counted(count, 'review')})`}`;
}

/**
 * Shows which database names a product that no retailer has, under which licence, and which retailers have not answered.
 * @param {ProductRecord} record
 */
function identifiedBy({ _meta: { identity_from: from, upstream: silent = [] } }) {
  return el(
    'div',
    { class: 'prices' },
    el(
      'div',
      { class: 'price-block' },
      el('span', {}, 'No retailer is known to have it. ', outward(from?.url, 'What it is')),
      el('span', { class: 'soft' }, from?.licence ?? ''),
      silent.length === 0
        ? null
        : el('span', {}, `No answer from ${silent.map((slug) => hostOf(slug)).join(', ')}.`),
    ),
  );
}

/** @param {ProductRecord} record */
function pricesOf(record) {
  const { current_price: price, _meta: meta, unit_price: unit, msrp, currency } = record;
  const source = meta.price_source ?? '';
  const native = meta.native_price;
  // The stock of the shown shop: `in_stock` of the record is true if any shop has stock.
  const shown = record.cross_retailer?.[source];
  const { label, tone } = shown === undefined ? stockOf(record.in_stock) : stateOf(shown);
  return el(
    'div',
    { class: 'prices' },
    el(
      'div',
      { class: 'price-block' },
      el(
        'p',
        { class: 'price-line' },
        el(
          'span',
          { class: 'price' },
          price === null && native !== undefined ? nativeAmount(native) : money(price, currency),
        ),
        msrp === null
          ? null
          : el('span', { class: 'soft' }, ` list price ${money(msrp, currency)}`),
      ),
      el('span', {}, el('span', { class: `state ${tone}` }, label), ` · ${hostOf(source)}`),
      windowOf(record),
      unit === null
        ? null
        : el('span', { class: 'soft' }, `${unitMoney(unit.price, currency)} a piece`),
      sellerOf(record),
      el(
        'span',
        { class: 'soft' },
        whyNoPrice(record),
        `read ${age(record._freshness.refreshed_at)}`,
      ),
    ),
    bestOf(record),
  );
}

/**
 * Compares the price with this shop's earlier prices. A single day's price says nothing.
 * @param {ProductRecord} record
 */
function windowOf({ current_price: price, stats, _meta: meta, currency }) {
  const seen = stats?.windows?.['90d'] ?? null;
  if (price === null || seen === null || seen.days_covered < 2) return null;
  if (meta.price_suspect !== undefined) return null;
  const { low, high, average } = seen;
  if (low === high) return el('span', { class: 'soft' }, 'the same for 90 days');
  const others = `${money(high, currency)}, average ${money(average, currency)}`;
  return price <= low
    ? el('span', { class: 'gain' }, `lowest in 90 days; high ${others}`)
    : el('span', { class: 'soft' }, `90 days: ${money(low, currency)} to ${others}`);
}

/**
 * Shows the lowest price at the shops that surely sell the product.
 * @param {ProductRecord} record
 */
function bestOf(record) {
  const { best_price: best, current_price: price, gtin, currency } = record;
  const { price_source: source } = record._meta;
  if (best === null || best === undefined)
    return el(
      'div',
      { class: 'price-block best none' },
      el('span', { class: 'soft' }, 'No best price'),
      el(
        'span',
        { class: 'soft small' },
        gtin === null
          ? 'The page of this product states no barcode, so no other shop can be queried. Look up the number below ' +
              'the bars on its package.'
          : 'No listing is confirmed, in stock, new and fresh at the same time.',
      ),
    );
  const less =
    price === null || best.price >= price ? '' : `, ${money(price - best.price, currency)} less`;
  return el(
    'div',
    { class: 'price-block best' },
    el(
      'span',
      { class: 'label' },
      best.retailer === source ? 'Also the best confirmed price' : 'Best confirmed price',
    ),
    el('span', { class: 'price' }, outward(best.url, money(best.price, currency))),
    el('span', {}, `${hostOf(best.retailer)}${less}`),
    el('span', { class: 'soft' }, `read ${age(best.refreshed_at)}, without shipping`),
  );
}

/** @param {ProductRecord} record */
function whyNoPrice({
  current_price: price,
  _meta: meta,
  cross_retailer: cells,
  in_stock: inStock,
}) {
  if (price !== null) return '';
  if (meta.native_price !== undefined) return 'in another currency, ';
  const shown = cells?.[meta.price_source ?? ''];
  return (shown === undefined ? inStock : shown.in_stock) === false ? '' : 'no price is stated, ';
}

/** @param {ProductRecord} record */
function sellerOf({
  seller_name: name,
  seller_type: type,
  seller_rating: rating,
  delivery_date: arrives,
}) {
  if (name === null && arrives === null) return null;
  const kind =
    type === 'first_party' ? 'the shop itself' : type === 'third_party' ? 'third party' : null;
  const about = [kind, rating === null ? null : `${rating} stars`]
    .filter((part) => part !== null)
    .join(', ');
  const seller =
    name === null ? '' : `sold by ${plain(name, 60)}${about === '' ? '' : ` (${about})`}`;
  const delivery = arrives === null ? '' : `arrives ${day(arrives)}`;
  return el(
    'span',
    { class: 'soft' },
    el('bdi', {}, [seller, delivery].filter((part) => part !== '').join(', ') || NONE),
  );
}

/**
 * Shows the picture, loaded through this service.
 * @param {HTMLElement} box
 * @param {string} id
 * @param {ProductRecord} record
 * @param {AbortSignal} signal
 */
async function showPicture(box, id, record, signal) {
  if (record.image_url === null) return;
  const answer = /** @type {import('./api.js').Answer<{ picture: string | null }>} */ (
    await call(`${productPath(id)}/picture`, { signal })
  );
  if (!answer.ok || answer.body.picture === null) return;
  const image = el('img', {
    alt: '',
    width: 160,
    height: 160,
    decoding: 'async',
    onerror: () => image.remove(),
  });
  image.src = answer.body.picture;
  fill(box, image);
}
