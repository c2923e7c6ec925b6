// Reads visible facts of retailer_b's product page, in the layouts of 2021 (classes) and 2026 (component and test names).
// Carousels have prices too: only the page's own price box counts.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { readMoney } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import { firstUnderstood } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';
import {
  attributeOf,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';

const COMPONENTS: ReadonlyMap<string, string> = new Map([
  ['ProductHeader', 'header'],
  ['LargePrice', 'price box'],
  ['ReviewStatsContextualized', 'stats'],
  ['AddToCart', 'cart box'],
  ['MediaGallery', 'gallery'],
  ['Badge', 'badge'],
]);
const TEST_IDS: ReadonlyMap<string, string> = new Map([
  ['price-block-customer-price', 'price'],
  ['price-block-regular-price-message-text', 'was'],
  ['mbo-value-proposition-body', 'other options'],
]);
const CLASSES: ReadonlyMap<string, string> = new Map([
  ['price-box', 'old price box'],
  ['priceView-customer-price', 'price'],
  ['priceView-purchase-price', 'price'],
  ['priceView-hero-price', 'hero price'],
  ['pricing-price__regular-price', 'was'],
  ['add-to-cart-button', 'button'],
  ['sku-title', 'header'],
  ['product-data', 'number'],
]);

function keyOf(tag: MarkupScanner): string | null {
  const component = tag.attribute('data-component-name');
  if (component !== null) return COMPONENTS.get(component) ?? null;
  const testId = tag.attribute('data-testid');
  if (testId !== null) {
    if (/^pdp-add-to-cart-\d{7,8}$/.test(testId)) return 'button';
    if (/^seller-details-.*sold-by/.test(testId)) return 'seller';
    if (/^pdp-(?:shipping|pickup)-tile-\d{7,8}/.test(testId)) return 'delivery';
    return TEST_IDS.get(testId) ?? null;
  }
  if (tag.attribute('id') === 'key-specs-list') return 'specs';
  const classes = tag.attribute('class');
  if (classes === null) return null;
  for (const name of classes.slice(0, 1000).split(/\s+/)) {
    const key = CLASSES.get(name);
    if (key !== undefined) return key;
  }
  return null;
}

type Elements = {
  readonly html: string;
  readonly all: readonly PageElement[];
  readonly words: UnknownWords;
};

/**
 * Returns the elements with these keys inside `outer`, at most four: a box has one price, its hidden copies and a monthly
 * rate.
 */
function within({ all }: Elements, outer: PageElement, keys: readonly string[]) {
  return all
    .filter((each) => keys.includes(each.key))
    .filter((each) => each.start >= outer.from && each.start < outer.to)
    .slice(0, 4);
}

function firstOf({ all }: Elements, key: string): PageElement | null {
  return all.find((element) => element.key === key) ?? null;
}

function moneyIn(elements: Elements, element: PageElement | null): Money | null {
  const text = element === null ? null : visibleText(elements.html, element, 200);
  return text === null ? null : readMoney(text, { currency: 'USD' });
}

type Prices = Pick<Listing, 'price' | 'listPrice'>;

function pricesIn(elements: Elements, key: 'price box' | 'old price box'): Prices {
  const boxes = elements.all.filter((each) => each.key === key).slice(0, 5);
  for (const box of boxes) {
    const price = firstMoney(elements, within(elements, box, ['price', 'hero price']));
    if (price === null) continue;
    const was = firstMoney(elements, within(elements, box, ['was']));
    return { price, listPrice: listPriceOf(price, [was]) };
  }
  return { price: null, listPrice: null };
}

/** Returns the first amount that is not a rate ("$15.00/mo."). */
function firstMoney(elements: Elements, found: readonly PageElement[]): Money | null {
  for (const element of found) {
    const money = moneyIn(elements, element);
    if (money !== null) return money;
  }
  return null;
}

/** Words on a button for later or offline purchase, which does not mean in stock. */
const NOT_NOW =
  /^(?:pre-?order|notify|find a store|check stores|shop open|see details|unavailable)/i;
const GONE = /no longer available/i;

/** Whether a button belongs to the page's own product: it states the SKU, or states none and is in the page's own box. */
function isOwnButton({ html }: Elements, button: PageElement, own: OwnBox): boolean {
  const testId = attributeOf(html, button, 'data-testid') ?? '';
  const sku =
    attributeOf(html, button, 'data-sku-id') ?? /^pdp-add-to-cart-(\d+)$/.exec(testId)?.[1] ?? null;
  if (sku !== null && own.sku !== null) return sku === own.sku;
  const { box } = own;
  return box !== null && button.start >= box.from && button.start < box.to;
}

type OwnBox = { readonly sku: string | null; readonly box: PageElement | null };

/** Returns the stock from the page's own button; buttons for other products (an accessory, a bundle) do not count. */
function stockIn(elements: Elements, sku: string | null): Pick<Listing, 'inStock' | 'unavailable'> {
  const { html, all, words } = elements;
  const box = firstOf(elements, 'cart box');
  const boxText = box === null ? null : visibleText(html, box, 500);
  if (boxText !== null && GONE.test(boxText)) return { inStock: false, unavailable: true };
  const own = { sku, box };
  const button = all.find((each) => each.key === 'button' && isOwnButton(elements, each, own));
  const text = button === undefined ? null : visibleText(html, button, 100);
  if (button === undefined || text === null) return { inStock: null, unavailable: null };
  const state = attributeOf(html, button, 'data-button-state');
  const said = NOT_NOW.test(text)
    ? { inStock: false, unavailable: false }
    : words.note(firstUnderstood([state ?? text, text], readAvailability));
  if (said === null) return { inStock: null, unavailable: null };
  const isOff = attributeOf(html, button, 'disabled') !== null;
  return { inStock: said.inStock === true && !isOff, unavailable: said.unavailable };
}

/** Parses "Rating 4.7 out of 5 stars with 1,166 reviews". */
function ratingIn(elements: Elements): Pick<Listing, 'rating' | 'reviewCount'> {
  const stats = firstOf(elements, 'stats');
  const text = stats === null ? null : visibleText(elements.html, stats, 300);
  const match = /rating (\d(?:\.\d{1,2})?) out of 5 stars with (\d[\d,]{0,11}) reviews?/i.exec(
    text ?? '',
  );
  const stars = Number(match?.[1] ?? 0);
  const count = match === null ? null : Number((match[2] ?? '').replaceAll(',', ''));
  return { rating: stars > 0 && stars <= 5 && count !== 0 ? stars : null, reviewCount: count };
}

function sellerIn(elements: Elements): Pick<Listing, 'sellerName' | 'sellerType'> {
  const element = firstOf(elements, 'seller');
  if (element === null) return { sellerName: null, sellerType: null };
  const text = visibleText(elements.html, element, 300) ?? '';
  const name = /sold (?:and shipped )?by:?\s*(.{1,200}?)\s*$/i.exec(text)?.[1] ?? null;
  const testId = attributeOf(elements.html, element, 'data-testid') ?? '';
  const isThird = /third-party|marketplace|3p/i.test(testId);
  const isFirst = /first-party|1p/i.test(testId);
  return { sellerName: name, sellerType: isThird ? '3p' : isFirst ? '1p' : null };
}

/** Returns pairs from the innermost boxes of the list: first the name, then the value. */
function specsIn(elements: Elements): readonly Spec[] {
  const list = firstOf(elements, 'specs');
  if (list === null) return [];
  const inner = innerHtml(elements.html, list).slice(0, 100_000);
  const boxes = pageElements(inner, (tag) => (tag.name === 'div' ? 'box' : null));
  const leaves = boxes.filter((box) => !/<div\b/i.test(innerHtml(inner, box).slice(0, 5000)));
  const specs = new Map<string, Spec>();
  for (let index = 0; index + 1 < leaves.length && specs.size < 200; index += 2) {
    const [label, content] = [leaves[index], leaves[index + 1]];
    const name = label === undefined ? null : visibleText(inner, label, 200);
    const value = content === undefined ? null : visibleText(inner, content, 2000);
    if (name !== null && value !== null && !specs.has(name)) specs.set(name, { name, value });
  }
  return [...specs.values()];
}

/** Returns the numbers in the header: "Model: AB-1", "SKU: 1234567". */
function numbersIn({ html, all }: Elements): {
  readonly model: string | null;
  readonly sku: string | null;
} {
  const texts = all
    .filter(({ key }) => key === 'header' || key === 'number')
    .slice(0, 6)
    .map((each) => visibleText(html, each, 1500) ?? '');
  const found = (pattern: RegExp): string | null =>
    texts.map((text) => pattern.exec(text)?.[1]).find((match) => match !== undefined) ?? null;
  return {
    model: found(/\bmodel:\s*([^\s].{0,80}?)(?=\s*(?:sku:|color:|publisher:|$))/i),
    sku: found(/\bsku:\s*(\d{7,8})\b/i),
  };
}

function titleIn({ html, all }: Elements): string | null {
  const header = all.find(({ key }) => key === 'header');
  if (header === undefined) return null;
  const inner = innerHtml(html, header).slice(0, 20_000);
  const [heading] = pageElements(inner, (tag) => (tag.name === 'h1' ? 'h1' : null));
  return heading === undefined ? null : visibleText(inner, heading, 1000);
}

function imageIn(elements: Elements): string | null {
  const gallery = firstOf(elements, 'gallery');
  if (gallery === null) return null;
  const inner = innerHtml(elements.html, gallery).slice(0, 50_000);
  const [image] = pageElements(inner, (tag) => (tag.name === 'img' ? 'img' : null));
  return image === undefined ? null : attributeOf(inner, image, 'src');
}

/** The page's badge is before its title; carousel badges are after it. */
function isBestSeller(elements: Elements): boolean | null {
  const badge = firstOf(elements, 'badge');
  const header = firstOf(elements, 'header');
  if (badge === null || header === null || badge.start > header.start) return null;
  const text = visibleText(elements.html, badge, 200) ?? '';
  return /\bbest[ -]sell(?:er|ing)\b/i.test(text) ? true : null;
}

export type SeenFacts = Pick<
  Listing,
  | 'title'
  | 'model'
  | 'price'
  | 'listPrice'
  | 'secondaryOfferPrice'
  | 'inStock'
  | 'unavailable'
  | 'rating'
  | 'reviewCount'
  | 'sellerName'
  | 'sellerType'
  | 'imageUrl'
  | 'specs'
  | 'isBestSeller'
> & {
  readonly sku: string | null;
  /** Prices of the 2021 layout, in which some price boxes belong to other products. */
  readonly oldPrices: Prices;
};

/** Returns the visible facts of the product; with `sku`, only its own buttons count. */
export function seenFacts(html: string, sku: string | null, words: UnknownWords): SeenFacts {
  const elements = { html, all: pageElements(html, keyOf), words };
  const numbers = numbersIn(elements);
  return {
    title: titleIn(elements),
    model: numbers.model,
    sku: numbers.sku,
    ...pricesIn(elements, 'price box'),
    oldPrices: pricesIn(elements, 'old price box'),
    secondaryOfferPrice: moneyIn(elements, firstOf(elements, 'other options')),
    ...stockIn(elements, sku ?? numbers.sku),
    ...ratingIn(elements),
    ...sellerIn(elements),
    imageUrl: imageIn(elements),
    specs: specsIn(elements),
    isBestSeller: isBestSeller(elements),
  };
}
