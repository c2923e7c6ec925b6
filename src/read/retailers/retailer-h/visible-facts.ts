// Reads facts that retailer_h's product page shows but its structured data lacks: the numbers under the breadcrumbs, the
// pickup and delivery tiles, the badge, the cart button. They are found by test ids and component names, which have
// outlived several layouts.

import type { Fulfillment, FulfillmentOption } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readMoney } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import {
  attributeOf,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import { nearDay } from '../../page-data/near-day.ts';

export type VisibleFacts = {
  readonly itemId: string | null;
  readonly model: string | null;
  readonly storeSku: string | null;
  /** Stock according to the tiles; null when they are inconclusive. */
  readonly inStock: boolean | null;
  readonly fulfillment: Fulfillment | null;
  readonly deliveryDate: string | null;
  /** True with the badge; null without it, because its absence proves nothing. */
  readonly isBestSeller: true | null;
  readonly price: Money | null;
  /** The former price next to the price ("Was $179.00"), when it is higher. */
  readonly wasPrice: Money | null;
};

const COMPONENTS: readonly (readonly [string, string])[] = [
  ['product-info-bar:', 'numbers'],
  ['add-to-cart:AddToCart', 'cart'],
  ['price:Price', 'price'],
];

const TEST_IDS = new Set([
  'pickupTile',
  'deliveryTile',
  'bundle-price',
  'bundle-track-oos',
  'product-list-item',
]);

/** Returns the key of a selected element. */
function pickOnPage(tag: MarkupScanner): string | null {
  const testId = tag.attribute('data-testid');
  if (testId !== null && TEST_IDS.has(testId)) return testId;
  if (tag.attribute('id') === 'product-details__default-badge') return 'badge';
  const component = tag.attribute('data-component');
  if (component === null) return null;
  return COMPONENTS.find(([start]) => component.startsWith(start))?.[1] ?? null;
}

const TILE_PARTS = new Set([
  'tileHeading',
  'ffm-details-row',
  'fulfillment-qty-row',
  'card-messaging-bottom',
  'sth-instock',
  'bodfs-instock',
]);

function pickInTile(tag: MarkupScanner): string | null {
  const testId = tag.attribute('data-testid');
  return testId !== null && TILE_PARTS.has(testId) ? testId : null;
}

type Tile = {
  /** `nearby`: in another store. `shelf`: in the store, but it cannot be ordered. */
  readonly state: 'open' | 'closed' | 'nearby' | 'shelf' | 'unknown';
  readonly isParcel: boolean;
  readonly option: FulfillmentOption;
};

/** Words of an unavailable tile. */
const CLOSED = /\bunavailable\b|\bnot available\b|\bout of stock\b|\bsold out\b/i;
/** Words for a promised day or a number of units. */
const PROMISE =
  /\b(?:today|tomorrow|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d)|\b[1-9][\d,]*\s+(?:in stock|available|left)\b/i;

function stateOf(heading: string, said: string): Tile['state'] {
  if (CLOSED.test(said) || /^0 (?:in stock|available)\b/i.test(said)) return 'closed';
  if (/\bnearby\b/i.test(heading)) return 'nearby';
  if (/^(?:at your store|in[ -]store)/i.test(heading)) return 'shelf';
  return PROMISE.test(said) ? 'open' : 'unknown';
}

/**
 * Returns the charge, "FREE" or an amount. The charge attribute is not used: on appliances it is 0 although the page says
 * that the cost is added in the cart.
 */
function chargeOf(text: string): number | null {
  if (/^free\b/i.test(text)) return 0;
  return readMoney(text, { currency: 'USD', isCharge: true })?.cents ?? null;
}

function readTile(html: string, element: PageElement, fetchedAtMs: number): Tile {
  const inner = innerHtml(html, element);
  const parts = pageElements(inner, pickInTile);
  const textOf = (key: string): string => {
    const part = parts.find((each) => each.key === key);
    return part === undefined ? '' : (visibleText(inner, part, 200) ?? '');
  };
  const details = textOf('ffm-details-row');
  // The number of units is inside the details row on most tiles, and next to it on others.
  const said = `${details} ${textOf('fulfillment-qty-row')}`.trim();
  const state = stateOf(textOf('tileHeading'), said);
  const isOpen = state === 'open';
  return {
    state,
    isParcel: parts.some((part) => part.key === 'sth-instock'),
    option: {
      available: isOpen ? true : state === 'unknown' || state === 'shelf' ? null : false,
      costCents: isOpen ? chargeOf(textOf('card-messaging-bottom')) : null,
      date: isOpen ? nearDay(said, fetchedAtMs) : null,
    },
  };
}

function known(tile: Tile | null): FulfillmentOption | null {
  return tile === null || tile.option.available === null ? null : tile.option;
}

function fulfillmentOf(pickup: Tile | null, delivery: Tile | null): Fulfillment | null {
  const brought = known(delivery);
  const isParcel = delivery?.isParcel === true;
  const fulfillment = {
    shipping: isParcel ? brought : null,
    delivery: isParcel ? null : brought,
    pickup: known(pickup),
  };
  return Object.values(fulfillment).some((option) => option !== null) ? fulfillment : null;
}

/** Returns in stock when any tile is available; out of stock when all are unavailable and there is no cart button. */
function stockOf(tiles: readonly Tile[], hasCart: boolean): boolean | null {
  if (tiles.some((tile) => tile.state === 'open')) return true;
  const states = tiles.filter((tile) => tile.state !== 'unknown');
  return states.length === 0 || hasCart ? null : false;
}

/** Returns the number after a label in "Internet # 123456789 Model # AB-1 Store SKU # 1000123456". */
function numberAfter(text: string, label: RegExp): string | null {
  const at = label.exec(text);
  if (at === null) return null;
  const rest = text.slice(at.index + at[0].length);
  const value = rest.split(/\s+(?:Internet|Model|Store(?: SO)? SKU|UPC)\b/)[0]?.trim() ?? '';
  return value === '' || value.length > 100 ? null : value;
}

/** Returns the first amount of the price block; null when anything other than a purchase limit precedes it. */
function shownPrice(text: string): Money | null {
  const match =
    /^(?:Online Price\s*)?(?:Limit \d+ per order\s*)?(\$[\d,]{1,12}\s?\.\s?\d{2})(?!\s*\/(?!\s*bundle))/.exec(
      text,
    );
  const amount = match?.[1]?.replaceAll(/\s/g, '');
  return amount === undefined ? null : readMoney(amount, { currency: 'USD' });
}

/** Returns the former price in the price block: "Was $179.00". */
function shownWasPrice(text: string, price: Money | null): Money | null {
  const amount = /\bWas\s*(\$[\d,]{1,12}\.\d{2})(?!\s*\/)/.exec(text)?.[1];
  const was = amount === undefined ? null : readMoney(amount, { currency: 'USD' });
  return listPriceOf(price, [was]);
}

type ShownPrices = Pick<VisibleFacts, 'price' | 'wasPrice'>;

function pricesIn(text: string): ShownPrices {
  const price = shownPrice(text);
  return { price, wasPrice: shownWasPrice(text, price) };
}

/** Returns the sum of the item prices in a bundle; null when no item shows a price. */
function sumOfItems(texts: readonly string[]): ShownPrices {
  let now = 0;
  let before = 0;
  for (const { price, wasPrice } of texts.map(pricesIn)) {
    now += price?.cents ?? 0;
    before += (wasPrice ?? price)?.cents ?? 0;
  }
  const price = now === 0 ? null : { cents: now, currency: 'USD' };
  return { price, wasPrice: before > now ? { cents: before, currency: 'USD' } : null };
}

/** Returns the page's price: its own block's, a bundle's, or otherwise the sum of the items in the bundle. */
function pricesOn(html: string, elements: readonly PageElement[]): ShownPrices {
  const text = (element: PageElement): string => visibleText(html, element, 500) ?? '';
  const items = elements.filter(({ key }) => key === 'product-list-item');
  const isWithin = (inner: PageElement, outer: PageElement): boolean =>
    outer.from <= inner.start && inner.to <= outer.to;
  const prices = elements.filter(({ key }) => key === 'price');
  const own = prices.find((price) => !items.some((item) => isWithin(price, item)));
  if (own !== undefined) return pricesIn(text(own));
  return sumOfItems(prices.map(text));
}

/** Reads the visible facts in one pass; `fetchedAtMs` determines the year of days. */
export function visibleFactsOf(html: string, fetchedAtMs: number): VisibleFacts {
  const elements = pageElements(html, pickOnPage);
  const first = (key: string): PageElement | null =>
    elements.find((element) => element.key === key) ?? null;
  const textOf = (key: string): string => {
    const element = first(key);
    return element === null ? '' : (visibleText(html, element, 500) ?? '');
  };
  const tileOf = (key: string): Tile | null => {
    const element = first(key);
    return element === null ? null : readTile(html, element, fetchedAtMs);
  };
  const numbers = textOf('numbers');
  const internet = numberAfter(numbers, /\bInternet\s*#/);
  const cart = first('cart');
  const hasCart =
    cart !== null &&
    attributeOf(html, cart, 'disabled') === null &&
    /\badd to cart\b/i.test(textOf('cart'));
  const pickup = tileOf('pickupTile');
  const delivery = tileOf('deliveryTile');
  const fulfillment = fulfillmentOf(pickup, delivery);
  const isBundleGone = first('bundle-track-oos') !== null;
  const shown = stockOf(
    [pickup, delivery].filter((tile) => tile !== null),
    hasCart,
  );
  return {
    itemId: internet !== null && /^\d{6,12}$/.test(internet) ? internet : null,
    model: numberAfter(numbers, /\bModel\s*#/),
    storeSku: numberAfter(numbers, /\bStore SKU\s*#/),
    inStock: shown ?? (isBundleGone ? false : null),
    fulfillment,
    deliveryDate: delivery?.option.date ?? null,
    isBestSeller: /^best seller$/i.test(textOf('badge')) ? true : null,
    ...pricesOn(html, elements),
  };
}
