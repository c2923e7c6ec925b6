// The columns of the table: what each shows for a line, and the value used for sorting and written to the file.

import { el, outward } from './dom.js';
import {
  hostOf,
  isKnownRetailer,
  knownRetailers,
  money,
  NONE,
  plain,
  returnOf,
  timesOf,
  unitMoney,
  whole,
} from './format.js';
import { toneOf } from './profit.js';
import { bestSale, rankOf, warningsOf } from './rows.js';
import { problemBox } from './problem-box.js';
import { chosenCurrency } from './session.js';
import { stateOf } from './words.js';

/** @typedef {import('./table.js').Line} Line */
/** @typedef {import('./words.js').ProductRecord} ProductRecord */
/** @typedef {string | number | null} Value */
/** @typedef {{ key: string, label: string, isNumber: boolean, isRare?: boolean, value: (line: Line) => Value, show: (line: Line) => import('./dom.js').Child }} Column */

/** @typedef {{ everywhere: number | null, per: import('./rows.js').CostPer }} Costs the cost of lines without one */

/**
 * @param {Costs} costs
 * @returns {readonly Column[]}
 */
export function columnsOf(costs) {
  const [code, product, ...facts] = FACTS;
  return [
    code,
    product,
    ...facts,
    ...saleColumns(costs),
    ...MARKET,
    ...knownRetailers().map(shopColumn),
    ...ELSEWHERE,
  ];
}

/**
 * @param {string} key
 * @param {string} label
 * @param {(line: Line) => number | null} value
 * @returns {Column}
 */
function amount(key, label, value) {
  return { key, label, isNumber: true, value, show: (line) => shown(line, value(line)) };
}

/**
 * Formats an amount of a line in the currency of its answer; before it is answered, in the one that is asked for.
 * @param {Line} line
 * @param {number | null | undefined} value
 */
function shown({ record }, value) {
  const chosen = chosenCurrency();
  const usual = /^[A-Z]{3}$/.test(chosen) ? chosen : undefined;
  return money(value, record === null ? usual : record.currency);
}

/** @type {[Column, Column, ...Column[]]} */
const FACTS = [
  {
    key: 'code',
    label: 'Code',
    isNumber: false,
    value: ({ id }) => id,
    show: ({ id }) =>
      el(
        'a',
        { href: `/console?q=${encodeURIComponent(id)}`, title: id.length > 20 ? plain(id) : null },
        el('bdi', {}, plain(id.replace(/^https?:\/\/(?:www\.)?/i, ''), 40)),
      ),
  },
  {
    key: 'product',
    label: 'Product',
    isNumber: false,
    value: ({ record }) => record?.title ?? null,
    show: productOf,
  },
  amount('best', 'Best price', ({ record }) => record?.best_price?.price ?? null),
  {
    key: 'best_at',
    label: 'Where',
    isNumber: false,
    value: ({ record }) => record?.best_price?.retailer ?? null,
    show: ({ record }) =>
      record?.best_price
        ? outward(record.best_price.url, hostOf(record.best_price.retailer))
        : NONE,
  },
  {
    ...amount('unit', 'A piece', ({ record }) => record?.unit_price?.price ?? null),
    isRare: true,
    show: ({ record }) => unitMoney(record?.unit_price?.price, record?.currency),
  },
];

/**
 * @param {Costs} costs
 * @returns {readonly Column[]}
 */
function saleColumns(costs) {
  const costOf = (/** @type {Line} */ line) => line.cost ?? costs.everywhere;
  const saleOf = (/** @type {Line} */ line) =>
    line.record === null ? null : bestSale(line.record, costOf(line), costs.per);
  const profitOf = (/** @type {Line} */ line) => saleOf(line)?.profit ?? null;
  const roiOf = (/** @type {Line} */ line) => saleOf(line)?.roi ?? null;
  return [
    amount('cost', 'Cost', costOf),
    {
      key: 'cost_factor',
      label: 'Times the cost',
      isNumber: true,
      isRare: true,
      value: (line) => otherFactor(saleOf(line)),
      show: (line) => timesOf(otherFactor(saleOf(line))),
    },
    amount('fees', 'Fees', (line) => saleOf(line)?.fees ?? null),
    {
      ...amount('profit', 'Profit', profitOf),
      show: (line) => el('span', { class: toneOf(profitOf(line)) }, shown(line, profitOf(line))),
    },
    {
      key: 'roi',
      label: 'ROI',
      isNumber: true,
      value: roiOf,
      show: (line) => el('span', { class: toneOf(roiOf(line)) }, returnOf(roiOf(line))),
    },
    {
      key: 'sell_at',
      label: 'Sold at',
      isNumber: false,
      value: (line) => saleOf(line)?.retailer ?? null,
      show: (line) => hostOf(saleOf(line)?.retailer ?? NONE),
    },
  ];
}

/** Returns how many times a sale incurs the cost; null if once. @param {import('./rows.js').Sale | null} sale */
function otherFactor(sale) {
  return sale === null || sale.costs === 1 ? null : sale.costs;
}

/** @type {readonly Column[]} */
const MARKET = [
  {
    key: 'rank',
    label: 'Rank',
    isNumber: true,
    isRare: true,
    value: ({ record }) => (record === null ? null : rankOf(record)),
    show: ({ record }) => whole(record === null ? null : rankOf(record)),
  },
  {
    key: 'warnings',
    label: 'Warnings',
    isNumber: false,
    isRare: true,
    value: ({ record }) => (record === null ? null : warningsOf(record).join(', ') || null),
    show: ({ record }) => (record === null ? '' : warningsOf(record).join(', ')),
  },
];

/**
 * @param {string} slug
 * @returns {Column}
 */
function shopColumn(slug) {
  return {
    key: slug,
    label: hostOf(slug),
    isNumber: true,
    value: ({ record }) => record?.cross_retailer?.[slug]?.price ?? null,
    show: (line) => cellOf(line, slug),
  };
}

/**
 * Returns the shop that supplies the price if it is not a known retailer. A caller who looks up a page of that shop wants its
 * price.
 * @param {Line} line
 */
function otherShop({ record }) {
  const slug = record?._meta.price_source ?? null;
  return slug === null || isKnownRetailer(slug) ? null : slug;
}

/** @type {readonly Column[]} */
const ELSEWHERE = [
  {
    key: 'elsewhere',
    label: 'Elsewhere',
    isNumber: true,
    isRare: true,
    value: (line) => (otherShop(line) === null ? null : (line.record?.current_price ?? null)),
    show: (line) => cellOf(line, otherShop(line)),
  },
  {
    key: 'elsewhere_at',
    label: 'other shop',
    isNumber: false,
    isRare: true,
    value: otherShop,
    show: (line) => {
      const slug = otherShop(line);
      return slug === null ? NONE : outward(line.record?.cross_retailer?.[slug]?.url, hostOf(slug));
    },
  },
];

/** @param {Line} line */
function productOf({ id, state, record, problem }) {
  if (state === 'waiting') return el('span', { class: 'soft' }, 'waiting');
  if (state === 'asking') return el('span', { class: 'state busy' }, 'Looking up');
  if (problem !== null)
    return el(
      'details',
      { class: 'line-problem' },
      el('summary', {}, problem.title),
      problemBox(problem, { asked: id }),
    );
  return el('bdi', { class: 'title' }, plain(record?.title, 120) || 'without a title');
}

/**
 * @param {Line} line
 * @param {string | null} slug
 */
function cellOf(line, slug) {
  const { record, isSettled } = line;
  const cell = record?.cross_retailer?.[slug ?? ''];
  if (cell === undefined) return NONE;
  const { label, tone, help } = stateOf(cell, isSettled);
  const isQuiet =
    cell.price !== null &&
    cell.status === 'ok' &&
    cell.unavailable !== true &&
    (tone === 'good' || tone === 'quiet');
  if (isQuiet) return el('span', { title: help }, shown(line, cell.price));
  return el(
    'span',
    { class: `state ${tone}`, title: help },
    cell.price === null ? label : `${shown(line, cell.price)} ${label.toLowerCase()}`,
  );
}
