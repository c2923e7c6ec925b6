// The price history: controls, a summary in words, a table and a file. `plot.js` draws the chart.

import { call, productPath } from './api.js';
import { cheapestWords, legendTable } from './chart-legend.js';
import { csvOfRows, tableOf } from './chart-table.js';
import { download, el, fill, folded, problemLine } from './dom.js';
import { counted, hostOf, knownRetailers, plain } from './format.js';
import { createPlot } from './plot.js';
import {
  DAY_MS,
  figuresOf,
  DAYS_STORED,
  hasGap,
  hasPrice,
  outOfStockRuns,
  seriesOf,
} from './series.js';

/** @typedef {import('./series.js').Observation} Observation */
/** @typedef {import('./series.js').Series} Series */
/** @typedef {import('../src/answer/wire/history/history.ts').HistoryBody} History */
/**
 * `sure`: the shops that surely sell the product. `currency`: the currency of the card; undefined means dollars.
 * @typedef {{
 *   spend: (tokens: number) => void, signal: AbortSignal, anchor: string | null, sure: ReadonlySet<string>,
 *   currency: string | undefined,
 * }} ChartParts
 */

const RANGES = /** @type {const} */ ([
  ['30d', '30 days', 30],
  ['90d', '90 days', 90],
  ['1y', '1 year', 365],
  ['all', 'All', null],
]);
/** The maximum number of pages of 10,000 rows that are read for one chart. */
const MOST_PAGES = 10;

/**
 * @param {HTMLElement} section
 * @param {string} id
 * @param {string} title
 * @param {ChartParts} parts
 */
export async function showChart(section, id, title, parts) {
  fill(
    section,
    el('h2', {}, 'Price history'),
    el('p', { class: 'soft busy', role: 'status' }, 'Reading the prices…'),
  );
  const year = await read(id, '1y', parts);
  if (parts.signal.aborted) return;
  if (typeof year === 'string') {
    fill(section, el('h2', {}, 'Price history'), el('p', { class: 'problem' }, year));
    return;
  }
  if (year.length === 0) {
    fill(
      section,
      el('h2', {}, 'Price history'),
      el(
        'p',
        { class: 'soft' },
        'No price has been seen yet. Each lookup adds one; a watch checks automatically. Existing prices can be ' +
          'imported (openshelf import).',
      ),
    );
    return;
  }
  createChart(section, { id, title, year, parts });
}

/**
 * Returns the observations of a timeframe, or why there are none.
 * @param {string} id
 * @param {string} timeframe
 * @param {ChartParts} parts
 */
async function read(id, timeframe, { spend, signal, currency }) {
  /** @type {Observation[]} */
  const rows = [];
  let cursor = '';
  const money = currency === undefined ? '' : `&currency=${currency}`;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `${productPath(id)}/history?retailer=all&timeframe=${timeframe}${money}${cursor}`;
    const answer = /** @type {import('./api.js').Answer<History>} */ (await call(path, { signal }));
    if (!answer.ok) return plain(answer.problem.detail, 400);
    spend(answer.body.tokens_consumed);
    rows.push(...answer.body.observations);
    if (answer.body.next === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.body.next)}`;
  }
  return rows;
}

/**
 * A chart on a page, and its current selection.
 * @typedef {{
 *   id: string, title: string, parts: ChartParts,
 *   year: readonly Observation[], all: readonly Observation[] | null,
 *   range: string, withSuspect: boolean, hidden: Set<string>, focused: string,
 *   plot: ReturnType<typeof createPlot>, plotBox: HTMLElement, readout: HTMLElement, cheapest: HTMLElement, legend: HTMLElement, summary: HTMLElement,
 *   trouble: HTMLElement, tableBox: HTMLElement, buttons: readonly HTMLButtonElement[],
 * }} Chart
 */

/**
 * @param {HTMLElement} section
 * @param {{ id: string, title: string, year: readonly Observation[], parts: ChartParts }} given
 */
function createChart(section, { id, title, year, parts }) {
  const plotBox = el('div', {
    class: 'plot',
    tabindex: 0,
    role: 'group',
    'aria-roledescription': 'chart',
    'aria-describedby': 'chart-words',
  });
  const readout = el('p', { class: 'readout soft', role: 'status' });
  const buttons = RANGES.map(([value, label]) =>
    el(
      'button',
      { type: 'button', 'data-range': value, onclick: () => void choose(chart, value) },
      label,
    ),
  );
  /** @type {Chart} */
  const chart = {
    id,
    title,
    parts,
    year,
    all: null,
    range: '90d',
    withSuspect: false,
    hidden: new Set(),
    focused: parts.anchor ?? '',
    plot: createPlot(plotBox, readout, parts.signal),
    plotBox,
    readout,
    buttons,
    cheapest: el('p', { class: 'cheapest' }),
    legend: el('div', { class: 'legend' }),
    summary: el('p', { class: 'soft', id: 'chart-words' }),
    trouble: el('div', {}),
    tableBox: el('div', {}),
  };
  fill(
    section,
    el(
      'div',
      { class: 'section-head' },
      el('h2', {}, 'Price history'),
      el('div', { class: 'ranges', role: 'group', 'aria-label': 'Timeframe' }, buttons),
    ),
    chart.cheapest,
    chart.trouble,
    wishForSuspects(chart),
    plotBox,
    readout,
    chart.legend,
    chart.summary,
    folded('The same numbers as a table', chart.tableBox),
    el(
      'p',
      { class: 'actions' },
      el('button', { type: 'button', onclick: () => saveRows(chart) }, 'Download as CSV'),
    ),
  );
  draw(chart);
}

/** @param {Chart} chart */
function rowsOf({ range, all, year }) {
  return range === 'all' ? (all ?? year) : year;
}

/**
 * Returns the position of a shop in the fixed order. It does not depend on prices, so that each shop keeps its place and
 * its colour.
 * @param {string} retailer
 */
function rankOf(retailer) {
  const at = knownRetailers().indexOf(retailer);
  return at === -1 ? Infinity : at;
}

/**
 * @param {Chart} chart
 * @param {string} value
 */
async function choose(chart, value) {
  fill(chart.trouble);
  if (value === 'all' && chart.all === null) {
    const rows = await read(chart.id, 'all', chart.parts);
    if (chart.parts.signal.aborted) return;
    if (typeof rows === 'string') {
      // The displayed year and its selected button stay, because one year is not the whole history.
      fill(chart.trouble, problemLine(`Prices before the last year could not be read. ${rows}`));
      return;
    }
    chart.all = rows;
  }
  chart.range = value;
  draw(chart);
}

/** @param {Chart} chart */
function draw(chart) {
  const rows = rowsOf(chart);
  const { range, withSuspect, title, buttons } = chart;
  const made = seriesOf(rows, { ...spanOf(rows, range), withSuspect });
  const series = {
    ...made,
    shops: made.shops.toSorted((a, b) => rankOf(a.retailer) - rankOf(b.retailer)),
  };
  if (!series.shops.some(({ retailer }) => retailer === chart.focused))
    chart.focused = series.shops[0]?.retailer ?? '';
  buttons.forEach((button) =>
    button.setAttribute('aria-pressed', String(button.dataset['range'] === range)),
  );
  // Without a price the axes would be invented, and one day does not make a line.
  const isDrawn = series.shops.some(hasPrice) && daysSeen(series) > 1;
  for (const part of [chart.plotBox, chart.readout, chart.legend]) part.hidden = !isDrawn;
  const { currency } = chart.parts;
  if (isDrawn) chart.plot.draw(series, { ...chart, currency });
  fill(chart.legend, legendTable(series, choiceOn(chart)));
  fill(
    chart.cheapest,
    isDrawn
      ? cheapestWords(series, chart.parts.sure, { span: spanWords(series, range), currency })
      : '',
  );
  fill(chart.summary, wordsOf(series, chart.focused, currency ?? 'dollars'));
  fill(chart.tableBox, tableOf(series, currency));
  chart.plotBox.setAttribute(
    'aria-label',
    `Price history of ${plain(title, 80)}, ${counted(series.shops.length, 'shop')}`,
  );
}

/**
 * @param {Chart} chart
 * @returns {import('./chart-legend.js').Choice}
 */
function choiceOn(chart) {
  return {
    sure: chart.parts.sure,
    currency: chart.parts.currency,
    hidden: chart.hidden,
    focused: chart.focused,
    onToggle(retailer, isShown) {
      if (isShown) chart.hidden.delete(retailer);
      else chart.hidden.add(retailer);
      draw(chart);
      focusOn(chart, retailer, 'input');
    },
    onFocus(retailer) {
      chart.focused = retailer;
      draw(chart);
      focusOn(chart, retailer, 'button');
    },
  };
}

/**
 * Returns the focus to a legend control that drawing has recreated, so that keyboard users do not lose their place.
 * @param {Chart} chart
 * @param {string} retailer
 * @param {'input' | 'button'} what
 */
function focusOn({ legend }, retailer, what) {
  const items = [...legend.querySelectorAll('.legend-item')];
  const item = items.find((each) => each.getAttribute('data-retailer') === retailer);
  item?.querySelector(what)?.focus();
}

/** @param {Chart} chart */
function wishForSuspects(chart) {
  const count = chart.year.filter(({ suspect }) => suspect !== undefined).length;
  if (count === 0) return null;
  const choice = (/** @type {any} */ event) => {
    chart.withSuspect = event.target.checked;
    draw(chart);
  };
  return el(
    'label',
    { class: 'check' },
    el('input', { type: 'checkbox', onchange: choice }),
    ` Show ${counted(count, 'price that looks wrong', 'prices that look wrong')}`,
  );
}

/** @param {Chart} chart */
function saveRows(chart) {
  const name = chart.id.replaceAll(/[^\w-]+/g, '_').slice(0, 60);
  download(
    `prices-${name}.csv`,
    csvOfRows(rowsOf(chart), chart.parts.currency),
    'text/csv;charset=utf-8',
  );
}

/**
 * Returns the days that a range shows. It ends today; the range for everything begins with the first price.
 * @param {readonly Observation[]} rows
 * @param {string} range
 */
function spanOf(rows, range) {
  const toMs = Date.now();
  const days = RANGES.find(([value]) => value === range)?.[2] ?? null;
  const oldest = rows.at(-1)?.observed_at ?? '';
  const firstMs = Math.min(toMs, Date.parse(oldest) || toMs);
  return { fromMs: days === null ? firstMs : toMs - (days - 1) * DAY_MS, toMs };
}

/** Counts the days on which any shop was observed. @param {Series} series */
function daysSeen({ shops, days }) {
  return days.filter((_, at) => shops.some(({ looks }) => (looks[at] ?? 0) > 0)).length;
}

/**
 * @param {Series} series
 * @param {string} range
 */
function spanWords({ days }, range) {
  return range === 'all'
    ? `all ${counted(days.length, 'day')}`
    : (RANGES.find(([value]) => value === range)?.[1] ?? '');
}

/**
 * Explains the symbols in the chart.
 * @param {Series} series
 * @param {string} focused
 * @param {string} currency in words
 */
function wordsOf({ shops, days }, focused, currency) {
  if (!shops.some(hasPrice))
    return `No price in ${currency} was seen in this time. The table says when it was checked, and when it was out of stock.`;
  if (daysSeen({ shops, days }) === 1)
    return (
      'It was checked on one day in this time. The chart begins with the second day; a watch checks ' +
      'automatically.'
    );
  const shop = shops.find(({ retailer }) => retailer === focused);
  const figures = shop === undefined ? null : figuresOf(shop);
  return [
    figures === null ? `${hostOf(focused)} has no price in this time.` : null,
    figures === null || (shop?.looks.filter((count) => count > 0).length ?? 0) > 1
      ? null
      : `${hostOf(focused)} was seen on one day so far; its line begins with the next check.`,
    shop?.high.some((price, at) => price !== shop.low[at]) === true
      ? 'The band shows the price range of each day.'
      : null,
    shop === undefined || outOfStockRuns(shop).length === 0
      ? null
      : 'On shaded days the product was out of stock.',
    shops.some(({ isCounted }) => !isCounted) ? 'Dashed lines do not count for the product.' : null,
    shops.some(hasGap) ? `More than ${DAYS_STORED} days without a check are shown as a gap.` : null,
  ]
    .filter((each) => each !== null)
    .join(' ');
}
