// Reads the answers of a WooCommerce shop's store API. Amounts are integers in a unit that the answer states, which may
// differ from the currency's minor unit.

import { currencyCodeOf } from '../../base/listing/money/currencies.ts';
import { listPriceOf } from '../../base/listing/money/list-price.ts';
import { decimalsOf, moneyOfDigits, type Money } from '../../base/listing/money/minor-units.ts';
import { EMPTY_LISTING } from '../../base/listing/listing.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { EMPTY_OFFER, type Offer } from '../../base/listing/offer.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import { comparableCodes } from '../../base/listing/stated-codes.ts';
import { plainTextOfHtml } from '../../base/listing/text/text.ts';
import { decodeBody } from '../page-data/html/charset.ts';
import { parseJson } from '../page-data/json/bounded-json.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import {
  isNode,
  listOf,
  plainNumber,
  valueOf,
  type SchemaNode,
} from '../page-data/schema-org/node.ts';
import {
  DESCRIPTION_LENGTH,
  imageIn,
  textIn,
  titleIn,
} from '../page-data/schema-org/schema-values.ts';
import { askedIn, decodedText } from '../page-data/variants/asked-address.ts';
import { chosenAgain } from '../page-data/variants/chosen-variant.ts';
import { namedVariants } from '../page-data/variants/named-variants.ts';
import { NET_WORDS } from '../page-data/visible/amounts/amount-labels.ts';
import { TAXED_LATER } from '../page-data/visible/amounts/related-amounts.ts';
import { STORE_PRODUCTS, variationRequest } from './store-api.ts';

/** Reads an answer of a store API; null for every other body. */
export function readStoreApi(page: Page): PageVerdict<Listing> | null {
  if (page.insteadOf === undefined || !page.requestedUrl.includes(STORE_PRODUCTS)) return null;
  const value = parseJson(decodeBody(page.body, page.headers['content-type']).text);
  const products = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode);
  const asked = new URL(page.insteadOf);
  const product = products.find((each) => isOfPage(each, asked));
  if (product === undefined) return { kind: 'not_a_product', why: 'no product at this address' };
  const type = textIn(product, 'type', 40) ?? 'simple';
  if (type === 'variable') return readVariable(product, page, asked);
  if (type === 'simple' || type === 'variation') return readProduct(product, page);
  return { kind: 'unreadable', why: `a product of the type ${type}` };
}

const pathOf = (url: URL): string => decodedText(url.pathname).replace(/\/+$/, '').toLowerCase();

const bareHost = ({ hostname }: URL): string => hostname.replace(/^www\./, '');

/** Whether the page at this address shows the product or one of its variations. */
function isOfPage(product: SchemaNode, asked: URL): boolean {
  const own = URL.parse(textIn(product, 'permalink', 2_000) ?? '');
  if (own === null) return false;
  const isVariation = textIn(product, 'type', 40) === 'variation';
  const isNumber = asked.searchParams.get('p') === numberOf(product, 'id');
  if (!isNumber && (bareHost(own) !== bareHost(asked) || pathOf(own) !== pathOf(asked)))
    return false;
  const named = [...asked.searchParams].filter(([name]) => name.startsWith('attribute_'));
  return (
    !isVariation || named.every(([name, value]) => (own.searchParams.get(name) ?? value) === value)
  );
}

/**
 * Selects the variation that the address names, otherwise the one chosen before, otherwise the one that the page selects by
 * itself. A variable product states the price of its cheapest variation, which counts only if all variations have it.
 */
function readVariable(product: SchemaNode, page: Page, asked: URL): PageVerdict<Listing> {
  const variations = listOf(product, 'variations').filter(isNode);
  const nameable = variations.map((item) => ({
    item,
    numbers: [numberOf(item, 'id') ?? ''],
    options: listOf(item, 'attributes')
      .filter(isNode)
      .map((one) => ({
        name: textIn(one, 'name', 100) ?? '',
        value: textIn(one, 'value', 200) ?? '',
      }))
      .filter(({ value }) => value !== ''),
    price: numberOf(item, 'id'),
  }));
  const naming = namedVariants(nameable, { options: askedIn(asked).options, parts: [] });
  if (naming.kind === 'unclear') return { kind: 'unreadable', why: 'an unknown variation' };
  const left = naming.kind === 'named' ? naming.items : variations;
  const identityOf = (one: SchemaNode) => ({ id: numberOf(one, 'id') });
  const again = chosenAgain(left, identityOf, page.chosenBefore ?? null);
  const chosen = again.length > 0 ? again : left.length > 1 ? defaultsOf(product, left) : left;
  const [id, ...others] = chosen.map((one) => numberOf(one, 'id'));
  if (id !== undefined && id !== null && others.length === 0) {
    return { kind: 'follow', request: variationRequest(page.requestedUrl, id) };
  }
  const prices = valueOf(product, 'prices');
  const range = isNode(prices) ? valueOf(prices, 'price_range') : null;
  const isOnePrice =
    !isNode(range) || valueOf(range, 'min_amount') === valueOf(range, 'max_amount');
  return isOnePrice
    ? readProduct(product, page)
    : { kind: 'unreadable', why: 'several variations at several prices' };
}

/** Returns the variations that the page selects by itself: those with the default value of every attribute. */
function defaultsOf(product: SchemaNode, variations: readonly SchemaNode[]): readonly SchemaNode[] {
  const defaults = listOf(product, 'attributes')
    .filter(isNode)
    .flatMap((attribute) =>
      listOf(attribute, 'terms')
        .filter(isNode)
        .filter((term) => valueOf(term, 'default') === true)
        .map((term) => [textIn(attribute, 'name', 100), textIn(term, 'slug', 200)] as const),
    );
  if (defaults.length === 0) return [];
  return variations.filter((variation) =>
    defaults.every(([name, slug]) =>
      listOf(variation, 'attributes')
        .filter(isNode)
        .some((one) => textIn(one, 'name', 100) === name && textIn(one, 'value', 200) === slug),
    ),
  );
}

function readProduct(product: SchemaNode, page: Page): PageVerdict<Listing> {
  const title = titleIn(product, 'name');
  if (title === null) return { kind: 'unreadable', why: 'a product without a name' };
  const isVariation = textIn(product, 'type', 40) === 'variation';
  const { price, regular, remark } = pricesOf(product);
  const sku = textIn(product, 'sku', 100);
  const count = plainNumber(valueOf(product, 'review_count')) ?? 0;
  const rating = plainNumber(valueOf(product, 'average_rating')) ?? 0;
  const inStock = stockOf(product);
  const description = textIn(product, 'description', 200_000) ?? '';
  const listing: Listing = {
    ...EMPTY_LISTING,
    url: addressOf(product),
    itemId: numberOf(product, isVariation ? 'parent' : 'id'),
    variantId: isVariation ? numberOf(product, 'id') : null,
    title: plainTextOfHtml(title, 1_000),
    brand: namesIn(product, 'brands')[0] ?? null,
    description: plainTextOfHtml(description, DESCRIPTION_LENGTH) || null,
    imageUrl: imageOf(product, page),
    categories: namesIn(product, 'categories').slice(0, 1),
    sku,
    codes: comparableCodes([{ gtins: [], skus: [sku], mpns: [] }]),
    price,
    priceReadFrom: price === null ? null : 'api',
    listPrice: listPriceOf(price, [regular]),
    inStock,
    unavailable: inStock === null ? null : false,
    rating: count > 0 && rating > 0 && rating <= 5 ? rating : null,
    reviewCount: Number.isSafeInteger(count) && count > 0 ? count : null,
    offers: offersOf(product, price, inStock),
  };
  const chosen = listing.variantId === null ? {} : { chosen: { id: listing.variantId } };
  const remarks = [`store API: ${remark}`];
  return { kind: 'read', value: listing, notes: { missing: [], remarks, ...chosen } };
}

/** Returns the address of the product's page, without the attributes of a variation. */
function addressOf(product: SchemaNode): string | null {
  const url = URL.parse(textIn(product, 'permalink', 2_000) ?? '');
  if (url === null) return null;
  const others = [...url.searchParams].filter(([name]) => !name.startsWith('attribute_'));
  url.search = new URLSearchParams(others).toString();
  return url.href;
}

function imageOf(product: SchemaNode, page: Page): string | null {
  const [first] = listOf(product, 'images').filter(isNode);
  const text = first === undefined ? null : imageIn(first, 'src');
  return text === null ? null : (absoluteUrl(text, URL.parse(page.url))?.href ?? null);
}

function namesIn(product: SchemaNode, name: string): readonly string[] {
  return listOf(product, name)
    .filter(isNode)
    .map((each) => textIn(each, 'name', 200))
    .filter((each) => each !== null)
    .map((each) => plainTextOfHtml(each, 200));
}

function numberOf(node: SchemaNode, name: string): string | null {
  const value = valueOf(node, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? String(value)
    : null;
}

/** A product on back order can be ordered but is not in stock (D24). */
function stockOf(product: SchemaNode): boolean | null {
  if (valueOf(product, 'is_on_backorder') === true) return false;
  const stated = valueOf(product, 'is_in_stock');
  return typeof stated === 'boolean' ? stated : null;
}

/** Returns the number in stock, as an offer of the shop itself. Shops state it once few are left. */
function offersOf(
  product: SchemaNode,
  price: Money | null,
  inStock: boolean | null,
): readonly Offer[] {
  const left = plainNumber(valueOf(product, 'low_stock_remaining'));
  if (left === null || left <= 0 || !Number.isSafeInteger(left) || inStock !== true) return [];
  return [{ ...EMPTY_OFFER, price, inStock, quantityAvailable: left }];
}

type Prices = {
  readonly price: Money | null;
  readonly regular: Money | null;
  readonly remark: string;
};

/**
 * Returns the prices. They are null if the unit of amounts is not stated, if the amount is not exact in its currency, if
 * the shop's own price text shows another amount, or if that text says that tax is added.
 */
function pricesOf(product: SchemaNode): Prices {
  const without = (remark: string): Prices => ({ price: null, regular: null, remark });
  const prices = valueOf(product, 'prices');
  if (!isNode(prices)) return without('no prices');
  const code = valueOf(prices, 'currency_code');
  const currency = typeof code === 'string' ? currencyCodeOf(code) : null;
  const unit = valueOf(prices, 'currency_minor_unit');
  if (currency === null) return without('no currency');
  if (typeof unit !== 'number' || !Number.isInteger(unit) || unit < 0 || unit > 4) {
    return without('the unit of its amounts is not stated');
  }
  const price = exactMoney(valueOf(prices, 'price'), unit, currency);
  if (price === null) return without('no exact price');
  const shown = plainTextOfHtml(textIn(product, 'price_html', 20_000) ?? '', 2_000);
  if (!isShown(valueOf(prices, 'price'), unit, { shown, prices })) {
    return without('its text shows another amount');
  }
  if (NET_WORDS.test(shown) && !TAXED_LATER.has(currency)) return without('tax is added');
  const regular = exactMoney(valueOf(prices, 'regular_price'), unit, currency);
  return { price, regular, remark: `prices in ${currency} with ${unit} decimals` };
}

/** Returns an amount that is written without its decimals; null if the currency has fewer and the rest is not zero. */
function exactMoney(value: unknown, unit: number, currency: string): Money | null {
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) return null;
  const digits = value.padStart(unit + 1, '0');
  const fraction = unit === 0 ? '' : digits.slice(-unit);
  if (/[1-9]/.test(fraction.slice(decimalsOf(currency)))) return null;
  return moneyOfDigits(digits.slice(0, digits.length - unit), fraction, currency);
}

type ShownPrice = { readonly shown: string; readonly prices: SchemaNode };

/** Whether the price text that the shop displays contains the amount; true if there is no such text. */
function isShown(value: unknown, unit: number, { shown, prices }: ShownPrice): boolean {
  if (!/\d/.test(shown)) return true;
  const decimal = valueOf(prices, 'currency_decimal_separator');
  const thousand = valueOf(prices, 'currency_thousand_separator');
  if (typeof decimal !== 'string' || typeof thousand !== 'string') return true;
  const joined =
    thousand.trim() === ''
      ? shown.replaceAll(/(?<=\d)\s(?=\d{3})/gu, '')
      : shown.replaceAll(thousand, '');
  const plain = decimal === '' ? joined : joined.replaceAll(decimal, '.');
  const amounts = plain.match(/\d+(?:\.\d+)?/g) ?? [];
  return amounts.some((amount) => Math.abs(Number(amount) * 10 ** unit - Number(value)) < 0.01);
}
