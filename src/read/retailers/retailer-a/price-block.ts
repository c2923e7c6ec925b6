// Reads a price in the markup of retailer_a, anywhere on its pages: the amount to pay and the struck-through amount next to
// it. The caller knows which offer it belongs to.

import { readMoney } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import {
  hasClass,
  innerHtml,
  pageElements,
  visibleText,
} from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';

type PriceBlock = {
  /** The amount to pay; for a range, the lower end. */
  readonly price: Money | null;
  /** "List Price", "Typical price", "Was": the struck-through amount. */
  readonly struck: Money | null;
};

/** `$` on the US shop is the US dollar; another currency sign takes precedence (D26). */
const US = { currency: 'USD' } as const;

const BLOCK_LENGTH = 100_000;
/** Length of one price with its hidden copies. */
const AMOUNT_LENGTH = 3000;
const PRICES_LOOKED_AT = 12;

const PRICE = new Set(['a-price']);
const TO_PAY = new Set([
  'priceToPay',
  'apexPriceToPay',
  'apex-pricetopay-value',
  'reinventPricePriceToPayMargin',
]);
/** The style of unit prices ("$0.62 / ounce") and struck-through prices. */
const TEXT_PRICE = new Set(['a-text-price']);
const LARGER = new Set(['a-size-medium']);
const BASIS = new Set(['basisPrice', 'apex-basisprice-value', 'priceBlockStrikePriceString']);

/** Returns the amount in a line of text, in the shop's currency unless the text states another. */
export function moneyIn(text: string | null): Money | null {
  return text === null ? null : readMoney(text, US);
}

/** Returns the amount in a text about a delivery charge, or the order value above which delivery is free. */
export function chargeIn(text: string): Money | null {
  return readMoney(text, { ...US, isCharge: true });
}

function roleOf(tag: MarkupScanner): string | null {
  const isPrice = hasClass(tag, PRICE);
  if (hasClass(tag, BASIS)) return 'basis';
  if (!isPrice) return null;
  if (tag.attribute('data-a-strike') === 'true') return 'struck';
  if (hasClass(tag, TO_PAY)) return 'pay';
  if (!hasClass(tag, TEXT_PRICE)) return 'plain';
  // 2021: only color and size distinguish it from savings and unit prices.
  return tag.attribute('data-a-color') === 'price' && hasClass(tag, LARGER) ? 'tinted' : null;
}

/** Raised cents without a point (2017 to 2019): in plain text they would merge with the dollars. */
const RAISED = ['price-info-superscript', 'priceToPayPadding'];

function hasRaisedCents(html: string): boolean {
  return RAISED.some((name) => html.includes(name));
}

/** Whether the amount is split over several elements, which makes its plain text unreliable. */
export function isInPieces(html: string): boolean {
  return hasRaisedCents(html) || html.includes('a-price-fraction');
}

const AMOUNT_PARTS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['whole line', new Set(['a-offscreen'])],
  ['symbol', new Set(['a-price-symbol'])],
  ['whole', new Set(['a-price-whole', 'price-large', 'buyingPrice'])],
  ['fraction', new Set(['a-price-fraction', ...RAISED])],
];

/**
 * Returns the amount of a price element. Since 2025 the screen reader text may be blank; the amount is then assembled from
 * the digit elements.
 */
function amountOf(html: string, element: PageElement): Money | null {
  const piece = innerHtml(html, element).slice(0, AMOUNT_LENGTH);
  const parts = pageElements(
    piece,
    (tag) => AMOUNT_PARTS.find(([, classes]) => hasClass(tag, classes))?.[0] ?? null,
  );
  const textOf = (key: string): string | null => {
    const part = parts.find((each) => each.key === key);
    return part === undefined ? null : visibleText(piece, part, 60);
  };
  const line = textOf('whole line');
  if (line !== null && /\d/.test(line)) return moneyIn(line);
  const whole = textOf('whole')?.replaceAll(/\D/g, '') ?? '';
  if (whole === '') {
    // Cents without dollars are only half an amount.
    if (parts.some((each) => each.key === 'fraction')) return null;
    return moneyIn(visibleText(html, { ...element, to: element.from + piece.length }));
  }
  const cents = parts
    .filter((each) => each.key === 'fraction')
    .map((part) => (visibleText(piece, part, 60) ?? '').replaceAll(/\D/g, ''))
    .find((digits) => digits !== '');
  return moneyIn(`${textOf('symbol') ?? ''}${whole}.${cents ?? '00'}`);
}

function wholeOf(html: string): PageElement {
  return { key: 'whole', name: 'div', start: 0, from: 0, to: html.length };
}

/** Returns the price and the struck-through price in a piece of markup. */
export function readPriceBlock(block: string): PriceBlock {
  const html = block.slice(0, BLOCK_LENGTH);
  const found = pageElements(html, roleOf).slice(0, PRICES_LOOKED_AT);
  const first = (key: string): PageElement | undefined => found.find((each) => each.key === key);
  const paid = first('pay') ?? first('plain') ?? first('tinted');
  const struck = first('struck') ?? first('basis');
  const older = hasRaisedCents(html) ? amountOf(html, wholeOf(html)) : null;
  return {
    price: paid === undefined ? older : amountOf(html, paid),
    struck: struck === undefined ? null : amountOf(html, struck),
  };
}
