// Conditions that must hold within any record, regardless of earlier calls (D19, D23, D27 to D31, D43, D45): each violated
// one is one sentence.

import { DAY_MS } from '../../../src/base/clock.ts';
import { listOf, numberAt, objectOf, textAt, timeAt, valueAt, type Json } from './bodies.ts';
import type { Form } from './goods.ts';

export type RecordCall = {
  readonly query: URLSearchParams;
  readonly isRefresh: boolean;
  readonly form: Form;
  readonly nowMs: number;
};

type Say = (holds: boolean, what: string) => void;

export const FIRST_PARTY = ['retailer_l', 'retailer_t', 'retailer_b', 'retailer_h'];
const WINDOWS = [
  ['30d', 30],
  ['60d', 60],
  ['90d', 90],
  ['180d', 180],
] as const;

export function brokenLaws(record: Json, call: RecordCall): readonly string[] {
  const broken: string[] = [];
  const say: Say = (holds, what) => void (holds || broken.push(what));
  judgeFields(record, call, say);
  judgeCodes(record, say);
  judgeAnchor(record, say);
  judgeWindows(record, call, say);
  judgeHistory(record, call, say);
  judgeOffers(record, call, say);
  judgeNumbers(record, '', say);
  return broken;
}

/** Checks that a field that a parameter adds is present exactly when the parameter is set. */
function judgeFields(record: Json, { query, isRefresh, form }: RecordCall, say: Say): void {
  const on = (name: string): boolean => query.get(name) === 'true';
  const off = (name: string): boolean => query.get(name) === 'false';
  const isFull = isRefresh && !off('include_offers_reviews');
  const isLive = on('include_offers') || on('include_offers_reviews') || isFull;
  const has = (name: string, should: boolean): void =>
    say(name in record === should, `${name} is ${should ? 'absent' : 'present'}`);
  has('offers', isLive);
  has('reviews', on('include_offers_reviews') || isFull);
  has('review_summary', isLive || isRefresh);
  has('cross_retailer', on('include_cross_retailer'));
  has('seller_context', on('include_seller_context'));
  has('offers_history', on('include_offers_history'));
  has('offers_history_count', on('include_offers_history'));
  has('price_history', !off('include_history'));
  has('stats', !off('include_stats'));
  has('fee_breakdown', on('include_fee_breakdown'));
  has('asin_match', form === 'asin');
  if (form === 'item_id') has('retailer_links', false);
  if (query.has('retailer')) has('best_price', false);
}

function judgeCodes(record: Json, say: Say): void {
  const gtin = textAt(record, 'gtin');
  const codeOf = (fits: boolean, from: number): string | null =>
    gtin !== null && fits ? gtin.slice(from) : null;
  const isBook = gtin !== null && /^097[89]/.test(gtin) && !gtin.startsWith('09790');
  for (const [name, code] of [
    ['upc', codeOf(gtin?.startsWith('00') === true, 2)],
    ['ean', codeOf(gtin?.startsWith('0') === true, 1)],
    ['isbn', codeOf(isBook, 1)],
  ] as const) {
    say(valueAt(record, name) === code, `${name} is ${textAt(record, name)} of ${gtin}`);
  }
}

function judgeAnchor(record: Json, say: Say): void {
  const anchor = textAt(record, '_meta', 'price_source');
  if (anchor === null || !FIRST_PARTY.includes(anchor)) return;
  for (const name of [
    'referral_fee_usd',
    'fulfillment_fee_usd',
    'restriction',
    'fulfillment_eligibility',
    'seller_context',
  ])
    say(valueAt(record, name) === null, `${name} of ${anchor}`);
  if ('offers' in record && textAt(record, 'offers_retailer') === null)
    say(listOf(record['offers']).length === 0, `offers of ${anchor}`);
}

function judgeWindows(record: Json, { isRefresh, nowMs }: RecordCall, say: Say): void {
  const { stats } = record;
  if (stats === undefined) return;
  const price = numberAt(record, 'current_price');
  say(numberAt(stats, 'current_price') === price, 'stats.current_price is another price');
  let before: Json | null = null;
  for (const [name, days] of WINDOWS) {
    const window = valueAt(stats, 'windows', name);
    if (window === null) {
      say(before === null, `the window ${name} is null and a shorter one is not`);
      continue;
    }
    const of = (field: string): number => numberAt(window, field) ?? Number.NaN;
    const shown = JSON.stringify(window);
    say(of('low') <= of('average') && of('average') <= of('high'), `${name}: ${shown}`);
    const covered = of('days_covered');
    say(covered >= 1 && covered <= days, `${name} covers ${covered} days`);
    say(of('observation_count') >= covered, `${name} counts ${shown}`);
    const wider = (field: string): boolean => of(field) >= (numberAt(before, field) ?? 0);
    say(
      wider('high') && wider('days_covered') && wider('observation_count'),
      `${name} ${shown} is less than the window in it`,
    );
    say(of('low') <= (numberAt(before, 'low') ?? Infinity), `${name} has a higher low`);
    before = objectOf(window);
  }
  const month = valueAt(stats, 'windows', '30d');
  const seenMs = timeAt(record, '_freshness', 'refreshed_at') ?? 0;
  const isSuspect = valueAt(record, '_meta', 'price_suspect') !== null;
  if (price !== null && !isSuspect && seenMs > nowMs - 29 * DAY_MS) {
    const isWithin =
      (numberAt(month, 'low') ?? Infinity) <= price && (numberAt(month, 'high') ?? 0) >= price;
    say(isWithin, `the price ${price} is outside of its 30 days ${JSON.stringify(month)}`);
  }
  if (!isRefresh) return;
  for (const [short, long] of [
    ['low_30d', 'low'],
    ['high_30d', 'high'],
    ['avg_30d', 'average'],
  ] as const)
    say(numberAt(stats, short) === numberAt(month, long), `${short} is not ${long} of 30 days`);
}

function judgeHistory(record: Json, { query, isRefresh }: RecordCall, say: Say): void {
  const { price_history: history } = record;
  if (history === undefined) return;
  const hasSeries = query.get('include_price_series') === 'true';
  if (!isRefresh) say('series' in objectOf(history) === hasSeries, 'price_history.series');
  const bars = listOf(isRefresh ? history : valueAt(history, 'series'));
  for (const [at, bar] of bars.entries()) {
    const of = (name: string): number => numberAt(bar, name) ?? Number.NaN;
    const isBar =
      of('low') <= Math.min(of('open'), of('close')) &&
      of('high') >= Math.max(of('open'), of('close')) &&
      of('observations') >= 1;
    say(isBar, `a bar ${JSON.stringify(bar)}`);
    const later = textAt(bars[at - 1], 'date');
    say(later === null || (textAt(bar, 'date') ?? '') < later, 'bars that are not newest first');
  }
  if (isRefresh) {
    if (!hasSeries) say(bars.length <= 30, `${bars.length} bars of 30 days`);
    return;
  }
  const covered = numberAt(history, 'days_covered') ?? -1;
  const longest = numberAt(record, 'stats', 'windows', '180d', 'days_covered') ?? 0;
  say(covered >= longest, `${covered} days covered, ${longest} of them in 180 days`);
  const isOwn = textAt(record, '_meta', 'price_source') === 'retailer_w';
  if (hasSeries && isOwn)
    say(bars.length === covered, `${bars.length} bars, ${covered} days covered`);
}

function judgeOffers(record: Json, { nowMs }: RecordCall, say: Say): void {
  if (!('offers' in record)) return;
  const offers = listOf(record['offers']);
  const anchor = textAt(record, '_meta', 'price_source');
  say(
    numberAt(record, 'offers_count') === offers.length,
    `offers_count of ${offers.length} offers`,
  );
  const boxes = offers.filter((offer) => offer['is_buy_box'] === true);
  say(boxes.length <= 1, `${boxes.length} buy boxes`);
  // Offers are current, the record may be older unless it was fetched with them.
  const isOfAnchor =
    (textAt(record, 'offers_retailer') ?? anchor) === anchor &&
    timeAt(record, '_freshness', 'refreshed_at') === nowMs;
  for (const box of boxes) {
    if (isOfAnchor && box['in_stock'] !== false)
      say(box['price'] === record['buybox_price'], 'the buy box has another price');
  }
  for (const offer of offers) {
    if (offer['in_stock'] === false)
      say(offer['price'] === null, 'a price of an offer that is out of stock');
  }
  const archived = listOf(record['offers_history']);
  for (const [at, offer] of archived.entries()) {
    const newer = timeAt(archived[at - 1], 'observed_at') ?? Infinity;
    say((timeAt(offer, 'observed_at') ?? 0) <= newer, 'archived offers that are not newest first');
  }
}

const MONEY = /price$|cost$|^low$|^high$|_fee_usd$|msrp|^open$|^close$/;

/** Amounts are dollars with at most two decimals, and a price is never 0. */
function judgeNumbers(value: unknown, name: string, say: Say): void {
  if (Array.isArray(value)) for (const each of value) judgeNumbers(each, name, say);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value))
      if (key !== 'unit_price') judgeNumbers(each, key, say);
  } else if (typeof value === 'number' && MONEY.test(name)) {
    say(
      Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
      `${name} ${value} is not an amount`,
    );
    if (name.endsWith('price')) say(value > 0, `${name} ${value} is not a price`);
  } else if (typeof value === 'string') {
    say(value !== '', `${name} is an empty text`);
  }
}
