// Converts observations to chart data: one value for each shop and day. Pure.

/** @typedef {import('../src/answer/wire/history/history.ts').HistoryBody['observations'][number]} Observation */
/**
 * The days of one shop; each list is as long as `days`.
 * @typedef {{
 *   retailer: string,
 *   isCounted: boolean,
 *   close: (number | null)[],
 *   low: (number | null)[],
 *   high: (number | null)[],
 *   out: boolean[],
 *   looks: number[],
 * }} ShopSeries
 */
/** @typedef {{ days: number[], shops: ShopSeries[] }} Series seconds since 1970 at each day's start, UTC */

export const DAY_MS = 86_400_000;
/** A price holds until the next observation if that follows within this many days. A longer interval is a gap. */
export const DAYS_STORED = 7;

/**
 * @param {readonly Observation[]} observations in any order
 * @param {{ fromMs: number, toMs: number, withSuspect: boolean }} span days outside are omitted
 * @returns {Series}
 */
export function seriesOf(observations, { fromMs, toMs, withSuspect }) {
  const first = Math.floor(fromMs / DAY_MS);
  const last = Math.floor(toMs / DAY_MS);
  const days = Array.from({ length: last - first + 1 }, (_, at) => ((first + at) * DAY_MS) / 1_000);
  /** @type {Map<string, ShopSeries>} */
  const shops = new Map();
  const oldestFirst = observations
    .map((each) => ({ ...each, atMs: Date.parse(each.observed_at) }))
    .sort((a, b) => a.atMs - b.atMs);
  for (const {
    atMs,
    price,
    in_stock: inStock,
    retailer = '',
    counted = true,
    suspect,
  } of oldestFirst) {
    const at = Math.floor(atMs / DAY_MS) - first;
    if (at < 0 || at >= days.length) continue;
    if (suspect !== undefined && !withSuspect) continue;
    const shop = shops.get(retailer) ?? emptySeries(retailer, days.length);
    shops.set(retailer, shop);
    shop.isCounted = counted;
    shop.looks[at] = (shop.looks[at] ?? 0) + 1;
    shop.close[at] = price;
    shop.out[at] = inStock === false;
    if (price === null) continue;
    shop.low[at] = Math.min(price, shop.low[at] ?? price);
    shop.high[at] = Math.max(price, shop.high[at] ?? price);
  }
  for (const shop of shops.values()) holdPrices(shop);
  return { days, shops: [...shops.values()] };
}

/**
 * @param {string} retailer
 * @param {number} length
 * @returns {ShopSeries}
 */
function emptySeries(retailer, length) {
  const none = () => /** @type {(number | null)[]} */ (Array.from({ length }, () => null));
  return {
    retailer,
    isCounted: true,
    close: none(),
    low: none(),
    high: none(),
    out: Array.from({ length }, () => false),
    looks: Array.from({ length }, () => 0),
  };
}

/**
 * Fills days without an observation: between two observations that are close together, the earlier price holds.
 * @param {ShopSeries} shop
 */
function holdPrices(shop) {
  let from = -1;
  shop.looks.forEach((looks, at) => {
    if (looks === 0) return;
    if (from >= 0 && at - from <= DAYS_STORED) {
      for (let between = from + 1; between < at; between += 1) {
        shop.close[between] = shop.close[from] ?? null;
        shop.out[between] = shop.out[from] ?? false;
      }
    }
    from = at;
  });
}

/**
 * Returns whether a price of this shop was observed.
 * @param {ShopSeries} shop
 */
export function hasPrice({ close }) {
  return close.some((price) => price !== null);
}

/**
 * Returns whether the shop's line has a gap: days without data between days with data.
 * @param {ShopSeries} shop
 */
export function hasGap({ close, out, looks }) {
  const isKnown = close.map(
    (price, at) => price !== null || out[at] === true || (looks[at] ?? 0) > 0,
  );
  return isKnown.slice(isKnown.indexOf(true), isKnown.lastIndexOf(true) + 1).includes(false);
}

/**
 * Returns the lowest price with the last day that had it, the highest price, and the mean of the days' last prices, over days
 * with an observation; null without a price.
 * @param {ShopSeries} shop
 */
export function figuresOf(shop) {
  const closes = shop.close.filter((price, at) => price !== null && (shop.looks[at] ?? 0) > 0);
  const lows = shop.low.filter((price) => price !== null);
  const highs = shop.high.filter((price) => price !== null);
  if (closes.length === 0 || lows.length === 0) return null;
  const sum = closes.reduce((/** @type {number} */ all, price) => all + (price ?? 0), 0);
  const lowest = Math.min(...lows);
  return {
    lowest,
    lowestAt: shop.low.lastIndexOf(lowest),
    highest: Math.max(...highs),
    average: sum / closes.length,
  };
}

/**
 * Returns the index of the last day with an observation.
 * @param {ShopSeries} shop
 */
export function newestCheck({ looks }) {
  return looks.findLastIndex((count) => count > 0);
}

/**
 * Returns the runs of days on which the shop was out of stock, as pairs of indexes, end exclusive.
 * @param {ShopSeries} shop
 */
export function outOfStockRuns(shop) {
  /** @type {[from: number, to: number][]} */
  const runs = [];
  shop.out.forEach((isOut, at) => {
    const open = runs.at(-1);
    if (!isOut) return;
    if (open !== undefined && open[1] === at) open[1] = at + 1;
    else runs.push([at, at + 1]);
  });
  return runs;
}

/**
 * Returns the indexes of prices that no line reaches, because neither the day before nor the day after has a price.
 * @param {ShopSeries['close']} close
 */
export function loneDays(close) {
  return close.flatMap((price, at) =>
    price !== null && (close[at - 1] ?? null) === null && (close[at + 1] ?? null) === null
      ? [at]
      : [],
  );
}
