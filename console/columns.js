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
import { bestSale, MARKETPLACES, rankOf, salesOf, warningsOf } from './rows.js';
import { problemBox } from './problem-box.js';
import { chosenCurrency } from './session.js';
import { stateOf } from './words.js';

/** @typedef {import('./table.js').Line} Line */
/** @typedef {import('./words.js').ProductRecord} ProductRecord */
/** @typedef {string | number | null} Value */
/** @typedef {'own' | 'text' | 'link' | 'number' | 'money' | 'dollars' | 'percent'} Kind how a workbook shows it */
/** @typedef {{ key: string, label: string, kind: Kind, isNumber: boolean, isRare?: boolean, value: (line: Line) => Value, show: (line: Line) => import('./dom.js').Child | readonly import('./dom.js').Child[] }} Column */

/**
 * What somebody chose for the whole table, and what holds for all of it.
 * @typedef {{
 *   everywhere: number | null, per: import('./rows.js').CostPer, hasProfits: boolean, common: ReadonlySet<string>,
 * }} Costs `everywhere`: the cost of lines without one; `hasProfits`: also the profit at each marketplace; `common`: warnings
 * of all lines
 */

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
    ...marketColumns(costs),
    ...knownRetailers().map(shopColumn),
    ...MARKETPLACES.map((slug) => profitColumn(slug, costs)),
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
  return {
    key,
    label,
    kind: 'money',
    isNumber: true,
    value,
    show: (line) => shown(line, value(line)),
  };
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
    kind: 'text',
    isNumber: false,
    value: ({ id }) => id,
    show: (line) => [chooseBox(line), codeLink(line)],
  },
  {
    key: 'product',
    label: 'Product',
    kind: 'text',
    isNumber: false,
    value: ({ record }) => record?.title ?? null,
    show: productOf,
  },
  amount('best', 'Best price', ({ record }) => record?.best_price?.price ?? null),
  {
    key: 'best_at',
    label: 'Where',
    kind: 'text',
    isNumber: false,
    value: ({ record }) => record?.best_price?.retailer ?? null,
    show: ({ record }) =>
      record?.best_price
        ? outward(record.best_price.url, hostOf(record.best_price.retailer))
        : NONE,
  },
  {
    ...amount('unit', 'A piece', ({ record }) => record?.unit_price?.price ?? null),
    kind: 'number',
    isRare: true,
    show: ({ record }) => unitMoney(record?.unit_price?.price, record?.currency),
  },
];

/** @param {Line} line */
function chooseBox(line) {
  return el('input', {
    type: 'checkbox',
    class: 'choose-line',
    'aria-label': `Choose ${plain(line.record?.title, 80) || plain(line.id, 40)}`,
    checked: line.isChosen,
    onchange: (/** @type {any} */ event) => (line.isChosen = event.target.checked),
  });
}

/** @param {Line} line */
function codeLink({ id }) {
  return el(
    'a',
    { href: `/console?q=${encodeURIComponent(id)}`, title: id.length > 20 ? plain(id) : null },
    el('bdi', {}, plain(id.replace(/^https?:\/\/(?:www\.)?/i, ''), 40)),
  );
}

/** The cost of a line. @param {Line} line @param {Costs} costs */
const costOf = (line, costs) => line.cost ?? costs.everywhere;

/**
 * @param {Costs} costs
 * @returns {readonly Column[]}
 */
function saleColumns(costs) {
  const saleOf = (/** @type {Line} */ line) =>
    line.record === null ? null : bestSale(line.record, costOf(line, costs), costs.per);
  const profitOf = (/** @type {Line} */ line) => saleOf(line)?.profit ?? null;
  const roiOf = (/** @type {Line} */ line) => saleOf(line)?.roi ?? null;
  return [
    amount('cost', 'Cost', (line) => costOf(line, costs)),
    {
      key: 'cost_factor',
      label: 'Times the cost',
      kind: 'number',
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
      kind: 'percent',
      isNumber: true,
      value: roiOf,
      show: (line) => el('span', { class: toneOf(roiOf(line)) }, returnOf(roiOf(line))),
    },
    {
      key: 'sell_at',
      label: 'Sold at',
      kind: 'text',
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

/**
 * @param {Costs} costs
 * @returns {readonly Column[]}
 */
const marketColumns = (costs) => [
  {
    key: 'rank',
    label: 'Rank',
    kind: 'number',
    isNumber: true,
    isRare: true,
    value: ({ record }) => (record === null ? null : rankOf(record)),
    show: ({ record }) => whole(record === null ? null : rankOf(record)),
  },
  {
    key: 'warnings',
    label: 'Warnings',
    kind: 'text',
    isNumber: false,
    isRare: true,
    value: (line) => ownWarnings(line, costs) || null,
    show: (line) => ownWarnings(line, costs),
  },
];

/** The warnings that not all lines have. @param {Line} line @param {Costs} costs */
function ownWarnings({ record }, { common }) {
  if (record === null) return '';
  return warningsOf(record)
    .filter((each) => !common.has(each))
    .join(', ');
}

/**
 * @param {string} slug
 * @param {Costs} costs
 * @returns {Column}
 */
function profitColumn(slug, costs) {
  const profitAt = (/** @type {Line} */ line) => {
    if (!costs.hasProfits || line.record === null) return null;
    const sales = salesOf(line.record, costOf(line, costs), costs.per);
    return sales.find(({ retailer }) => retailer === slug)?.profit ?? null;
  };
  return {
    ...amount(`${slug}_profit`, `Profit at ${hostOf(slug)}`, profitAt),
    isRare: true,
    show: (line) => el('span', { class: toneOf(profitAt(line)) }, shown(line, profitAt(line))),
  };
}

/**
 * @param {string} slug
 * @returns {Column}
 */
function shopColumn(slug) {
  return {
    key: slug,
    label: hostOf(slug),
    kind: 'money',
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
    kind: 'money',
    isNumber: true,
    isRare: true,
    value: (line) => (otherShop(line) === null ? null : (line.record?.current_price ?? null)),
    show: (line) => cellOf(line, otherShop(line)),
  },
  {
    key: 'elsewhere_at',
    label: 'other shop',
    kind: 'text',
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
