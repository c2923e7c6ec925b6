// The calculator: the profit at every shop for an entered cost. The service does the arithmetic.

import { amountOf } from './amounts.js';
import { call, productPath } from './api.js';
import { el, fill, oneAtATime, problemLine } from './dom.js';
import { counted, hostOf, money, NONE, returnOf, timesOf, unitMoney } from './format.js';
import { tokensInWords } from './prices.js';
import { warningWords } from './words.js';

/** @typedef {import('../src/answer/wire/compare.ts').ComparisonBody} Comparison */
/** @typedef {Comparison['rows'][number]} CompareRow */

/**
 * Creates the choice of what a cost applies to, as a paragraph with its label.
 * @param {string} id
 * @param {(per: import('./rows.js').CostPer) => void} [chosen]
 * @param {import('./rows.js').CostPer} [per]
 */
export function costPerChoice(id, chosen, per = 'code') {
  const select = el(
    'select',
    { id, name: 'cost_per', onchange: () => chosen?.(valueOf()) },
    el('option', { value: 'code' }, 'what the barcode identifies'),
    el('option', { value: 'piece', selected: per === 'piece' }, 'one piece of a set'),
  );
  const valueOf = () => (select.value === 'piece' ? 'piece' : 'code');
  return { valueOf, element: el('p', {}, el('label', { for: id }, 'A cost applies to'), select) };
}

/** The fields, each with its placeholder: the value used when it is empty, or an example. */
const FIELDS = /** @type {const} */ ([
  ['cost', 'Cost per unit', 'e.g. 12.50'],
  ['shipping', 'Shipping per unit', '0.00'],
  ['prep', 'Preparation per unit', '0.00'],
  ['roi', 'Desired ROI, percent', 'e.g. 30'],
]);

/**
 * @param {HTMLElement} section
 * @param {string} id
 * @param {{ spend: (tokens: number) => void, signal: AbortSignal, currency: string | undefined }} parts `currency`: of the card
 */
export function showProfit(section, id, { spend, signal, currency }) {
  const result = el('div', { class: 'profit-result' });
  const inputs = FIELDS.map(([name, , example]) =>
    el('input', {
      id: `profit-${name}`,
      name,
      inputmode: 'decimal',
      autocomplete: 'off',
      placeholder: example,
      class: 'number',
    }),
  );
  const per = costPerChoice('profit-cost-per');
  const submit = oneAtATime(async () => {
    const query = new URLSearchParams(currency === undefined ? {} : { currency });
    for (const input of inputs) {
      const value = amountOf(input.value);
      input.removeAttribute('aria-invalid');
      if (value === '') continue;
      if (value === null) {
        input.setAttribute('aria-invalid', 'true');
        input.focus();
        fill(result, problemLine('Enter an amount such as 12.50.'));
        return;
      }
      query.set(input.name, value);
    }
    if (per.valueOf() === 'piece') query.set('cost_per', 'piece');
    fill(result, el('p', { class: 'soft busy', role: 'status' }, 'Calculating…'));
    const answer = /** @type {import('./api.js').Answer<Comparison>} */ (
      await call(`${productPath(id)}/compare?${query}`, { signal })
    );
    if (!answer.ok) {
      fill(result, problemLine(answer.problem.detail));
      return;
    }
    spend(answer.body.tokens_consumed);
    fill(result, profitTable(answer.body, query.has('cost')));
  });
  fill(
    section,
    el('h2', {}, 'Profit'),
    el(
      'form',
      { class: 'profit', onsubmit: submit },
      FIELDS.map(([name, label], at) =>
        el(
          'p',
          {},
          el('label', { for: `profit-${name}` }, label),
          /** @type {HTMLInputElement} */ (inputs[at]),
        ),
      ),
      per.element,
      el('button', { type: 'submit' }, `Calculate (${tokensInWords('comparison')})`),
    ),
    result,
  );
}

const HEADS = [
  'Shop',
  'Price',
  'Fees',
  'Profit',
  'Margin',
  'ROI',
  'Break-even',
  'Highest cost',
  'Warnings',
];

/**
 * @param {Comparison} comparison
 * @param {boolean} hasCost
 */
function profitTable({ rows, pack_count: pack, cost_per: per, currency }, hasCost) {
  const priced = rows.filter(({ price }) => price !== null);
  if (priced.length === 0) return el('p', { class: 'soft' }, 'No shop has a price for it now.');
  const caption = hasCost
    ? 'The figures assume that you sell it there at that price. Cost and highest cost are for ' +
      `${costOf(per, pack ?? 1)}.`
    : 'Enter a cost for profit, margin and ROI.';
  const unknown =
    (currency ?? 'USD') === 'USD'
      ? ''
      : ` Fees are known in US dollars only, so there is no profit in ${currency}.`;
  const heads = HEADS.map((head, at) =>
    el('th', { scope: 'col', class: at > 0 && at < 8 ? 'number' : null }, head),
  );
  return el(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Profit by shop' },
    el(
      'table',
      {},
      el('caption', {}, caption + unknown),
      el('thead', {}, el('tr', {}, heads)),
      el(
        'tbody',
        {},
        priced.map((row) => profitRow(row, currency)),
      ),
    ),
  );
}

/**
 * @param {import('./rows.js').CostPer | undefined} per
 * @param {number} pack
 */
function costOf(per, pack) {
  if (per === 'piece') return 'one piece';
  return pack === 1 ? 'one' : `the whole pack of ${pack}`;
}

/**
 * @param {CompareRow} row
 * @param {string | undefined} currency
 */
function profitRow(row, currency) {
  const { retailer, pack_count: pack, price, fees, profit, margin, roi, warnings } = row;
  const { cost_factor: factor } = row;
  const pieces = [
    (pack ?? 1) > 1
      ? `${counted(pack ?? 1, 'piece')}, ${unitMoney(row.unit_price, currency)} each`
      : null,
    factor === undefined ? null : `${timesOf(factor)} times the cost`,
  ].filter((words) => words !== null);
  return el(
    'tr',
    { 'data-retailer': retailer },
    el(
      'th',
      { scope: 'row' },
      hostOf(retailer),
      pieces.length === 0 ? null : el('span', { class: 'soft small' }, ` ${pieces.join(', ')}`),
    ),
    el('td', { class: 'number' }, money(price, currency)),
    el('td', { class: 'number' }, money(fees?.total, currency)),
    el('td', { class: `number ${toneOf(profit)}` }, money(profit, currency)),
    el('td', { class: 'number' }, returnOf(margin)),
    el('td', { class: `number ${toneOf(roi)}` }, returnOf(roi)),
    el('td', { class: 'number' }, money(row.break_even_price, currency)),
    el('td', { class: 'number' }, money(row.highest_cost, currency)),
    el('td', { class: 'soft' }, warnings.map(warningWords).join(', ') || NONE),
  );
}

/** @param {number | null} value */
export function toneOf(value) {
  if (value === null) return '';
  return value > 0 ? 'gain' : 'loss';
}
