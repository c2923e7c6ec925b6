// What retailer_h's product page shows a visitor and its structured data leaves out: the numbers under the
// breadcrumbs, the tiles for pickup and delivery, the badge, the cart button. Read by test ids and component
// names, which carry no style and have outlived several layouts.

import type { Fulfillment, FulfillmentOption } from '../../listing/listing.ts';
import { readMoney } from '../../listing/money.ts';
import type { Money } from '../../listing/money.ts';
import {
  attributeOf,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/page-elements.ts';
import type { PageElement } from '../../page-data/page-elements.ts';
import type { MarkupScanner } from '../../page-data/markup.ts';
import { nearDay } from '../../page-data/near-day.ts';

export type VisibleFacts = {
  readonly itemId: string | null;
  readonly model: string | null;
  readonly storeSku: string | null;
  /** True: a cart button is on the page. */
  readonly hasCart: boolean;
  /** Stock as the tiles tell it; null where they leave it open. */
  readonly inStock: boolean | null;
  readonly fulfillment: Fulfillment | null;
  readonly deliveryDate: string | null;
  /** True: the badge says so. Its absence says nothing. */
  readonly isBestSeller: true | null;
  readonly price: Money | null;
  /** Struck through beside the price ("Was $179.00"); higher than it. */
  readonly wasPrice: Money | null;
};

const COMPONENTS: readonly (readonly [string, string])[] = [
  ['product-info-bar:', 'numbers'],
  ['add-to-cart:AddToCart', 'cart'],
  ['price:Price', 'price'],
];

/** Names the elements of the page that are looked at. */
function pickOnPage(tag: MarkupScanner): string | null {
  const testId = tag.attribute('data-testid');
  if (testId === 'pickupTile' || testId === 'deliveryTile') return testId;
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
  /** `nearby`: another store has it. `shelf`: it lies in the store and cannot be ordered. */
  readonly state: 'open' | 'closed' | 'nearby' | 'shelf' | 'unknown';
  readonly isParcel: boolean;
  readonly option: FulfillmentOption;
};

/** Words of a way that is shut. */
const CLOSED = /\bunavailable\b|\bnot available\b|\bout of stock\b|\bsold out\b/i;
/** Words that promise a day, or a number of pieces. */
const PROMISE =
  /\b(?:today|tomorrow|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d)|\b[1-9][\d,]*\s+(?:in stock|available|left)\b/i;

function stateOf(heading: string, said: string): Tile['state'] {
  if (CLOSED.test(said) || /^0 (?:in stock|available)\b/i.test(said)) return 'closed';
  if (/\bnearby\b/i.test(heading)) return 'nearby';
  if (/^(?:at your store|in[ -]store)/i.test(heading)) return 'shelf';
  return PROMISE.test(said) ? 'open' : 'unknown';
}

/**
 * "FREE" or an amount. The charge in the markup's own attribute is not believed: on appliances it says 0 where
 * the page says that the cost is added in the cart.
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
  // The number of pieces stands inside the details row on most tiles, beside it on others.
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
  const ways = {
    shipping: isParcel ? brought : null,
    delivery: isParcel ? null : brought,
    pickup: known(pickup),
  };
  return Object.values(ways).some((way) => way !== null) ? ways : null;
}

/** A tile that is open sells; tiles that are all shut, and no cart button, do not. */
function stockOf(tiles: readonly Tile[], hasCart: boolean): boolean | null {
  if (tiles.some((tile) => tile.state === 'open')) return true;
  const states = tiles.filter((tile) => tile.state !== 'unknown');
  return states.length === 0 || hasCart ? null : false;
}

/** "Internet # 123456789 Model # AB-1 Store SKU # 1000123456". */
function numberAfter(text: string, label: RegExp): string | null {
  const at = label.exec(text);
  if (at === null) return null;
  const rest = text.slice(at.index + at[0].length);
  const value = rest.split(/\s+(?:Internet|Model|Store(?: SO)? SKU|UPC)\b/)[0]?.trim() ?? '';
  return value === '' || value.length > 100 ? null : value;
}

/** The price block's first amount, where nothing but a limit stands in front of it. */
function shownPrice(text: string): Money | null {
  const match =
    /^(?:Online Price\s*)?(?:Limit \d+ per order\s*)?(\$[\d,]{1,12}\s?\.\s?\d{2})(?!\s*\/)/.exec(
      text,
    );
  const amount = match?.[1]?.replaceAll(/\s/g, '');
  return amount === undefined ? null : readMoney(amount, { currency: 'USD' });
}

/** "Was $179.00" of the price block. */
function shownWasPrice(text: string, price: Money | null): Money | null {
  const amount = /\bWas\s*(\$[\d,]{1,12}\.\d{2})(?!\s*\/)/.exec(text)?.[1];
  const was = amount === undefined ? null : readMoney(amount, { currency: 'USD' });
  return was !== null && price !== null && was.cents > price.cents ? was : null;
}

/** Reads the page's visible facts in one walk; `fetchedAtMs` gives days their year. */
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
  const price = shownPrice(textOf('price'));
  return {
    itemId: internet !== null && /^\d{6,12}$/.test(internet) ? internet : null,
    model: numberAfter(numbers, /\bModel\s*#/),
    storeSku: numberAfter(numbers, /\bStore SKU\s*#/),
    hasCart,
    inStock: stockOf(
      [pickup, delivery].filter((tile) => tile !== null),
      hasCart,
    ),
    fulfillment,
    deliveryDate: delivery?.option.date ?? null,
    isBestSeller: /^best seller$/i.test(textOf('badge')) ? true : null,
    price,
    wasPrice: shownWasPrice(textOf('price'), price),
  };
}
