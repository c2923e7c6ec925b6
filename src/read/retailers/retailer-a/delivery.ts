// Reads delivery time and cost at retailer_a: from the marked-up promise, otherwise from the visible line. A date without a
// year must be consistent with the day of the fetch; otherwise it is null.

import { DAY_MS } from '../../../base/clock.ts';
import type { Day } from '../../../base/clock.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import { nearDay } from '../../page-data/near-day.ts';
import { attributeOf, pageElements } from '../../page-data/html/page-elements.ts';
import { chargeIn } from './price-block.ts';

export type Delivery = {
  readonly day: Day | null;
  /** 0 when free; null when the page states no cost, or only one that depends on a condition the buyer must meet. */
  readonly costCents: number | null;
};

/** A weekday right before the date. */
const WEEKDAY =
  /\b(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6},?\s{1,3}[a-z]{3,9}\.?\s{1,3}\d{1,2}(?!\d)/i;
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
/**
 * The latest plausible delivery: made-to-order goods take months. A later date is the result of reading a page that was
 * saved long ago.
 */
const LATEST_MS = 240 * DAY_MS;

/**
 * Returns the first day in a delivery text ("Friday, August 21", "Dec 23 - 29") as its next occurrence after `nearMs`. Null
 * without a day, or when the weekday does not match because the page is older.
 */
function deliveryDay(text: string, nearMs: number): Day | null {
  const line = cleanText(text, 300);
  const day = nearDay(line, nearMs);
  if (day === null) return null;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  const weekday = WEEKDAY.exec(line)?.[1]?.toLowerCase();
  const fits = weekday === undefined || WEEKDAYS[new Date(atMs).getUTCDay()] === weekday;
  return fits && atMs - nearMs <= LATEST_MS ? day : null;
}

/** Returns the cost for `FREE`, `$5.99` or no text, given the condition next to it and the product price. */
function costOf(text: string, condition: string, priceCents: number | null): number | null {
  if (!/^\s*free\b/i.test(text)) return /\d/.test(text) ? (chargeIn(text)?.cents ?? null) : null;
  if (condition === '') return 0;
  // "on orders over $35" is met by a product at that price or above; "for members" is not met.
  const least = /\bover\b/i.test(condition) ? chargeIn(condition)?.cents : undefined;
  if (least === undefined || priceCents === null) return null;
  return priceCents >= least ? 0 : null;
}

/** Reads the marked-up promise of a delivery block. */
export function readDelivery(
  block: string,
  context: { readonly nearMs: number; readonly priceCents: number | null },
): Delivery | null {
  const html = block.slice(0, 60_000);
  const marked = pageElements(html, (tag) =>
    tag.attribute('data-csa-c-delivery-time') === null ? null : 'promise',
  );
  for (const element of marked.slice(0, 6)) {
    const of = (name: string): string =>
      cleanText(attributeOf(html, element, `data-csa-c-delivery-${name}`) ?? '', 200);
    // The fastest delivery costs an extra amount that is not stated.
    if (/^fastest$/i.test(of('price'))) continue;
    return {
      day: deliveryDay(of('time'), context.nearMs),
      costCents: costOf(of('price'), of('condition'), context.priceCents),
    };
  }
  return null;
}

/** Reads the promise in a line of text: "FREE delivery: Friday, Sep 3", "Arrives: Dec 23 - 29". */
export function deliveryOfText(text: string, nearMs: number): Delivery | null {
  const day = deliveryDay(text, nearMs);
  const isFree =
    /^free (?:delivery|shipping)\b(?!.{0,60}\b(?:on orders?|with|over|if|members?)\b)/i;
  const costCents = isFree.test(text.trim()) ? 0 : null;
  return day === null && costCents === null ? null : { day, costCents };
}
