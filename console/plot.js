// Draws the price history with uPlot: stepped lines, the range and the shading of one shop, and a cursor for mouse, touch and keys.

import { axisMoney, day, hostOf, money } from './format.js';
import { figuresOf, loneDays, outOfStockRuns } from './series.js';

/** @typedef {import('./series.js').Series} Series */
/** @typedef {import('./series.js').ShopSeries} ShopSeries */
/** @typedef {{ hidden: ReadonlySet<string>, focused: string, currency?: string | undefined }} View */

/** The colours of the shops: distinguishable for most eyes, with a contrast of 3:1 against both backgrounds. */
const COLOURS = new Map(
  Object.entries(
    /** @satisfies {Record<import('./words.js').Retailer['retailer'], string>} */ ({
      retailer_w: '#2f76d2',
      retailer_a: '#c96a00',
      retailer_e: '#b2479f',
      retailer_l: '#0f8a99',
      retailer_t: '#d03b3b',
      retailer_b: '#8a7a00',
      retailer_h: '#218a56',
    }),
  ),
);
const OTHERS = ['#6b7f8e', '#8e6bb0', '#3c8f99', '#a36a4f'];

/** @param {string} retailer */
export function colourOf(retailer) {
  const sum = Array.from(retailer).reduce((all, letter) => all + letter.charCodeAt(0), 0);
  return COLOURS.get(retailer) ?? OTHERS[sum % OTHERS.length] ?? '#6b7f8e';
}

/**
 * Returns the colour of a shop's line. The chosen shop stands out among seven crossing lines; the others still have the
 * contrast of 3:1.
 * @param {string} retailer
 * @param {boolean} isChosen
 */
export function lineColour(retailer, isChosen) {
  return isChosen ? colourOf(retailer) : `${colourOf(retailer)}e6`;
}

/** The readout until somebody points at a day. */
const NOTHING_READ = 'Point at the chart, or move along it with the arrow keys.';
/** From this width on, the lines of the lowest and the average price are labelled next to the plot. */
const WIDE = 600;
/** The pixels between the plot and the text next to it. */
const MARGIN = 8;
const AXIS_FONT = '12px system-ui, sans-serif';
const NAMES_FONT = '11px system-ui, sans-serif';
const LARGE = 320;
const SMALL = 240;

/**
 * @param {HTMLElement} box
 * @param {HTMLElement} readout
 * @param {AbortSignal} signal removes its listeners
 */
export function createPlot(box, readout, signal) {
  /** @type {uPlot | null} */
  let plot = null;
  /** @type {{ series: Series, view: View } | null} */
  let drawn = null;
  const size = () => ({
    width: Math.max(240, box.clientWidth),
    height: box.clientWidth < WIDE ? SMALL : LARGE,
  });
  const observer = new ResizeObserver(() => plot?.setSize(size()));
  observer.observe(box);
  signal.addEventListener('abort', () => (observer.disconnect(), plot?.destroy()), { once: true });
  // Colours on a canvas do not follow the colour scheme automatically.
  matchMedia('(prefers-color-scheme: dark)').addEventListener(
    'change',
    () => drawn !== null && draw(drawn.series, drawn.view),
    { signal },
  );
  box.addEventListener('keydown', (event) => {
    const to =
      drawn === null || plot === null
        ? null
        : stepOf(event.key, plot.cursor.idx ?? null, drawn.series);
    if (to === null || plot === null) return;
    event.preventDefault();
    moveTo(plot, to);
  });
  // uPlot handles only the mouse. These listeners make touch read out the days too.
  for (const type of /** @type {const} */ (['pointerdown', 'pointermove'])) {
    box.addEventListener(type, (event) => {
      if (plot === null || event.pointerType === 'mouse') return;
      const left = event.clientX - plot.over.getBoundingClientRect().left;
      moveTo(plot, plot.posToIdx(Math.min(plot.over.clientWidth, Math.max(0, left))));
    });
  }

  /**
   * @param {Series} series
   * @param {View} view
   */
  function draw(series, view) {
    drawn = { series, view };
    plot?.destroy();
    box.replaceChildren();
    readout.textContent = NOTHING_READ;
    plot = new uPlot({ ...size(), ...optionsOf(series, view, readout) }, dataOf(series, view), box);
  }
  return { draw };
}

/**
 * Returns the day to which a key moves the cursor; null for other keys. A step goes to the next day with an observation.
 * @param {string} key
 * @param {number | null} at
 * @param {Series} series
 */
function stepOf(key, at, { days, shops }) {
  const seen = days
    .map((_, each) => each)
    .filter((each) => shops.some(({ looks }) => (looks[each] ?? 0) > 0));
  const last = seen.at(-1) ?? days.length - 1;
  switch (key) {
    case 'ArrowLeft':
      return at === null ? last : (seen.findLast((each) => each < at) ?? seen[0] ?? 0);
    case 'ArrowRight':
      return at === null ? (seen[0] ?? 0) : (seen.find((each) => each > at) ?? last);
    case 'Home':
      return seen[0] ?? 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/**
 * @param {uPlot} plot
 * @param {number} at
 */
function moveTo(plot, at) {
  const x = plot.data[0][at];
  if (x !== undefined)
    plot.setCursor({ left: plot.valToPos(x, 'x'), top: plot.over.clientHeight / 2 });
}

/**
 * Returns the days, the shops' lines, and after them the high and low of the focused shop for the band.
 * @param {Series} series
 * @param {View} view
 * @returns {uPlot.AlignedData}
 */
function dataOf({ days, shops }, { focused }) {
  const shop = shops.find(({ retailer }) => retailer === focused);
  const band =
    shop === undefined ? [days.map(() => null), days.map(() => null)] : [shop.high, shop.low];
  return /** @type {uPlot.AlignedData} */ ([days, ...shops.map(({ close }) => close), ...band]);
}

/**
 * @param {Series} series
 * @param {View} view
 * @param {HTMLElement} readout
 * @returns {Omit<uPlot.Options, 'width' | 'height'>}
 */
function optionsOf(series, view, readout) {
  const { shops } = series;
  const css = getComputedStyle(document.documentElement);
  const soft = css.getPropertyValue('--soft').trim();
  const line = css.getPropertyValue('--line').trim();
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const focused = shops.find(({ retailer }) => retailer === view.focused);
  const isBandShown = focused !== undefined && !view.hidden.has(view.focused);
  const axis = {
    stroke: soft,
    grid: { stroke: line, width: 1 },
    ticks: { stroke: line, width: 1 },
    font: AXIS_FONT,
  };
  const names = focused === undefined ? [] : namesOf(focused, view);
  return {
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    padding: [
      null,
      (plot) => MARGIN + (plot.width < WIDE ? 0 : widthOf(plot, NAMES_FONT, names)),
      null,
      null,
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_, low, high) => rangeOf(low, high) } },
    axes: [
      {
        ...axis,
        space: 80,
        values: (...[, ticks, , , step]) => ticks.map((tick) => dateOf(tick, step)),
      },
      {
        ...axis,
        // As wide as the longest label, because a truncated label loses its thousands.
        size: (plot, marks) => 2 * MARGIN + widthOf(plot, AXIS_FONT, marks ?? []),
        gap: MARGIN / 2,
        values: (...[, ticks, , , step]) => ticks.map(axisMoney(step, view.currency)),
      },
    ],
    series: [
      {},
      ...shops.map((shop) => lineOf(shop, view, stepped)),
      {
        show: isBandShown,
        stroke: 'transparent',
        points: { show: false },
        ...(stepped === undefined ? {} : { paths: stepped }),
      },
      {
        show: isBandShown,
        stroke: 'transparent',
        points: { show: false },
        ...(stepped === undefined ? {} : { paths: stepped }),
      },
    ],
    bands: [{ series: [shops.length + 1, shops.length + 2], fill: `${colourOf(view.focused)}38` }],
    hooks: {
      drawClear: [(plot) => focused !== undefined && shade(plot, series, focused)],
      draw: [
        (plot) =>
          focused !== undefined &&
          isBandShown &&
          drawFigures(plot, focused, { soft, currency: view.currency }),
      ],
      setCursor: [(plot) => (readout.textContent = wordsAt(series, view, plot.cursor.idx ?? null))],
    },
  };
}

/**
 * @param {ShopSeries} shop
 * @param {View} view
 * @param {uPlot.Series.PathBuilder | undefined} stepped
 * @returns {uPlot.Series}
 */
function lineOf({ retailer, isCounted, close }, view, stepped) {
  const colour = colourOf(retailer);
  const values = close.filter((price) => price !== null).length;
  const points =
    values <= 2 ? close.flatMap((price, at) => (price === null ? [] : [at])) : loneDays(close);
  return {
    label: hostOf(retailer),
    show: !view.hidden.has(retailer),
    stroke: lineColour(retailer, retailer === view.focused),
    width: retailer === view.focused ? 2.5 : 1.25,
    spanGaps: false,
    points: { show: true, filter: () => points, size: values <= 2 ? 8 : 5, fill: colour },
    ...(isCounted ? {} : { dash: [4, 4] }),
    ...(stepped === undefined ? {} : { paths: stepped }),
  };
}

/**
 * Returns the width of the longest of several texts on the canvas, in CSS pixels.
 * @param {uPlot} plot
 * @param {string} font
 * @param {readonly string[]} texts
 */
function widthOf({ ctx }, font, texts) {
  ctx.save();
  ctx.font = font;
  const widths = texts.map((text) => ctx.measureText(text).width);
  ctx.restore();
  return Math.ceil(Math.max(0, ...widths));
}

const MONTH = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/**
 * Formats an axis label: days, or months if the labels are more than three weeks apart.
 * @param {number} seconds
 * @param {number} step seconds between two labels
 */
function dateOf(seconds, step) {
  return (step > 21 * 86_400 ? MONTH : DATE).format(seconds * 1_000);
}

/**
 * Returns the range of the price axis, with some room above and below, but never below zero.
 * @param {number | null} low
 * @param {number | null} high
 * @returns {[number, number]}
 */
function rangeOf(low, high) {
  if (low === null || high === null) return [0, 1];
  const room = Math.max((high - low) * 0.12, high * 0.02, 0.05);
  return [Math.max(0, low - room), high + room];
}

/**
 * @param {uPlot} plot
 * @param {Series} series
 * @param {ShopSeries} shop
 */
function shade(plot, { days }, shop) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--shade').trim();
  for (const [from, to] of outOfStockRuns(shop)) {
    const left = plot.valToPos(days[from] ?? 0, 'x', true);
    const right = plot.valToPos((days[to - 1] ?? 0) + 86_400, 'x', true);
    const end = Math.min(right, bbox.left + bbox.width);
    ctx.fillRect(left, bbox.top, Math.max(2, end - left), bbox.height);
  }
  ctx.restore();
}

/**
 * Returns the labels next to the lines of the lowest and the average price.
 * @param {ShopSeries} shop
 * @param {View} view
 */
function namesOf(shop, { currency }) {
  const figures = figuresOf(shop);
  return figures === null
    ? []
    : ['lowest', 'average', money(figures.lowest, currency), money(figures.average, currency)];
}

/**
 * @param {uPlot} plot
 * @param {ShopSeries} shop
 * @param {{ soft: string, currency: string | undefined }} given
 */
function drawFigures(plot, shop, { soft, currency }) {
  const figures = figuresOf(shop);
  if (figures === null || shop.looks.filter((looks) => looks > 0).length < 2) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = soft;
  ctx.font = NAMES_FONT.replace('11', String(11 * ratio));
  ctx.textAlign = 'left';
  const isApart =
    Math.abs(plot.valToPos(figures.lowest, 'y') - plot.valToPos(figures.average, 'y')) > 30;
  const lines = /** @type {const} */ ([
    ['lowest', figures.lowest],
    ['average', figures.average],
  ]);
  for (const [name, value] of lines) {
    const y = plot.valToPos(value, 'y', true);
    ctx.strokeStyle = colourOf(shop.retailer);
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    if ((!isApart && name !== 'lowest') || plot.width < WIDE) continue;
    // Written next to the plot, where no line crosses the text.
    const x = bbox.left + bbox.width + MARGIN * ratio;
    ctx.fillText(name, x, y - 2 * ratio);
    ctx.fillText(money(value, currency), x, y + 11 * ratio);
  }
  ctx.restore();
}

/**
 * Describes all shops on one day in a sentence.
 * @param {Series} series
 * @param {View} view
 * @param {number | null} at
 */
function wordsAt({ days, shops }, { hidden, currency }, at) {
  if (at === null || days[at] === undefined) return NOTHING_READ;
  const parts = shops
    .filter(({ retailer }) => !hidden.has(retailer))
    .map((shop) => {
      const price = shop.close[at];
      const low = shop.low[at];
      const high = shop.high[at];
      if (shop.out[at]) return `${hostOf(shop.retailer)} out of stock`;
      if (price === null || price === undefined) return null;
      const range =
        low !== null && high !== null && low !== high
          ? ` (${money(low, currency)} to ${money(high, currency)})`
          : '';
      return `${hostOf(shop.retailer)} ${money(price, currency)}${range}`;
    })
    .filter((part) => part !== null);
  const date = day(new Date(days[at] * 1_000).toISOString());
  return `${date}: ${parts.length === 0 ? 'not checked' : parts.join(' · ')}`;
}
