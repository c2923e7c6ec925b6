// A price as retailer_a marks it up anywhere on its pages: the amount to pay and the struck one beside it.
// Knows a piece of markup, not the page: whose price it is, the caller knows.

import { readMoney } from '../../listing/money.ts';
import type { Money } from '../../listing/money.ts';
import { hasClass, innerHtml, pageElements, visibleText } from '../../page-data/page-elements.ts';
import type { PageElement } from '../../page-data/page-elements.ts';
import type { MarkupScanner } from '../../page-data/markup.ts';

export type PriceBlock = {
  /** What a buyer pays; the lower end of a range. */
  readonly price: Money | null;
  /** "List Price", "Typical price", "Was": the amount shown struck through. */
  readonly struck: Money | null;
};

/** The US shop writes `$` and means its own; a sign that tells another currency wins (D26). */
const US = { currency: 'USD' } as const;

const BLOCK_LENGTH = 100_000;
/** One price with its hidden copies; the next ones belong to another. */
const AMOUNT_LENGTH = 3000;
const PRICES_LOOKED_AT = 12;

const PRICE = new Set(['a-price']);
const TO_PAY = new Set([
  'priceToPay',
  'apexPriceToPay',
  'apex-pricetopay-value',
  'reinventPricePriceToPayMargin',
]);
/** Unit prices ("$0.62 / ounce") and struck ones are set in this style. */
const TEXT_PRICE = new Set(['a-text-price']);
const LARGER = new Set(['a-size-medium']);
const BASIS = new Set(['basisPrice', 'apex-basisprice-value', 'priceBlockStrikePriceString']);

/** An amount of a line of text, in the shop's currency unless the text names another. */
export function moneyIn(text: string | null): Money | null {
  return text === null ? null : readMoney(text, US);
}

/** The amount of a text about a charge: delivery, or the order that it is free from. */
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
  // 2021: told from savings and unit prices by its colour and size only.
  return tag.attribute('data-a-color') === 'price' && hasClass(tag, LARGER) ? 'tinted' : null;
}

/** Cents set high, without a point (2017 to 2019): as plain text they run into the dollars. */
const RAISED = ['price-info-superscript', 'priceToPayPadding'];

function hasRaisedCents(html: string): boolean {
  return RAISED.some((name) => html.includes(name));
}

/** Whether the amount stands in several elements: then its bare text is no safe reading of it. */
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
 * The amount of one price element. Since 2025 the line for screen readers may be blank; then the amount
 * is put together from its digits, which stand in elements of their own.
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
    // Cents without dollars are half an amount.
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

/** The price and the struck price that stand in a piece of markup. */
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
