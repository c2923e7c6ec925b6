// Reads what the scripts of a hosted store's page, and its theme's copy of the product, state in addition to its structured data:
// number and maker of the product, kind of page, currency. JSON is cut out of the scripts by its brackets; no script is run.

import { jsonPieceAt, parseJson } from '../json/bounded-json.ts';
import { indexOfPattern, wordToFind } from '../html/find-word.ts';
import type { HtmlPage, ScriptBlock } from '../html/html.ts';
import { NO_FACTS } from '../facts.ts';
import type { Facts, PageContext, StatedPrice } from '../facts.ts';
import { isNode, listOf, plainNumber, valueOf } from '../schema-org/node.ts';
import type { SchemaNode } from '../schema-org/node.ts';
import { readStoreProduct } from './store-product.ts';

/** Largest copy of a product in a theme that is read. */
const PIECE_LENGTH = 1_048_576;

/** The object after `mark` in the scripts of the page: `var meta = {...}`. */
function objectAfter(page: HtmlPage, mark: string): SchemaNode | null {
  for (const script of page.scripts) {
    const at = indexWithin(page.html, mark, script);
    if (at < 0) continue;
    const brace = page.html.indexOf('{', at + mark.length);
    if (brace < 0 || brace > at + mark.length + 10) continue;
    const value = jsonPieceAt(page.html, brace);
    if (isNode(value)) return value;
  }
  return null;
}

/** Index of `mark` within one script. Does not search beyond its end, which would make many scripts quadratic. */
function indexWithin(html: string, mark: string, script: ScriptBlock): number {
  const text = html.slice(script.from, script.to);
  const at = text.indexOf(mark);
  return at < 0 ? -1 : script.from + at;
}

export type StoreScript = {
  /** "product", "collection", "home", "searchresults", "article", "page"; null when not stated. */
  readonly pageType: string | null;
  readonly product: SchemaNode | null;
  /** The currency of the amounts on the page. */
  readonly activeCurrency: string | null;
  /** Whether amounts are converted from the shop's own currency. */
  readonly isConverted: boolean;
  /** The theme's copy of the product, in the shape of `/products/<handle>.js`. */
  readonly themeProduct: SchemaNode | null;
};

/**
 * The theme's copy of the page's product. Quick views and recommendations look the same, so it must have the product
 * number of the page's own script, or be the only one.
 */
function themeProductOf(page: HtmlPage, own: SchemaNode | null): SchemaNode | null {
  const found: SchemaNode[] = [];
  for (const script of page.scripts) {
    if (script.type !== 'application/json' || script.to - script.from > PIECE_LENGTH) continue;
    const text = page.html.slice(script.from, script.to);
    if (!text.includes('"variants"') || !text.includes('"handle"')) continue;
    const value = parseJson(text);
    const product = isNode(value) ? (valueOf(value, 'product') ?? value) : null;
    if (isNode(product) && Array.isArray(valueOf(product, 'variants'))) found.push(product);
  }
  const id = own === null ? undefined : valueOf(own, 'id');
  if (id !== undefined) return found.find((one) => valueOf(one, 'id') === id) ?? null;
  const first = found[0] ?? null;
  const isSame = (one: SchemaNode): boolean =>
    first !== null && valueOf(one, 'id') === valueOf(first, 'id');
  return found.every(isSame) ? first : null;
}

const SOFTWARE = wordToFind('Shopify');
const OF_A_STORE = /Shopify(?:\.(?:shop|theme)|Analytics)/y;

/** Whether the page is from the software of a hosted store. */
export function isHostedStoreHtml(html: string): boolean {
  return indexOfPattern(html, SOFTWARE, OF_A_STORE) >= 0;
}

/** Reads the scripts of a hosted store's page; null for pages of other software. */
export function readStoreScript(page: HtmlPage): StoreScript | null {
  if (!isHostedStoreHtml(page.html)) return null;
  const meta = objectAfter(page, 'var meta =') ?? objectAfter(page, 'ShopifyAnalytics.meta =');
  const metaPage = meta === null ? null : valueOf(meta, 'page');
  const product = meta === null ? null : valueOf(meta, 'product');
  const pageType = isNode(metaPage) ? valueOf(metaPage, 'pageType') : null;
  const currency = objectAfter(page, 'Shopify.currency =');
  const active = currency === null ? null : valueOf(currency, 'active');
  const rate = currency === null ? null : valueOf(currency, 'rate');
  return {
    pageType: typeof pageType === 'string' ? pageType.slice(0, 40).toLowerCase() : null,
    product: isNode(product) ? product : null,
    activeCurrency: typeof active === 'string' && /^[A-Z]{3}$/.test(active) ? active : null,
    isConverted: rate !== null && rate !== undefined && plainNumber(rate) !== 1,
    themeProduct: themeProductOf(page, isNode(product) ? product : null),
  };
}

function variantAsked(context: PageContext): string | null {
  return context.url?.searchParams.get('variant') ?? null;
}

/** The facts of the product: all of them from the copy in the theme, or only number and maker from the script. */
export function storeFacts(store: StoreScript, context: PageContext): Facts {
  const own = store.themeProduct ?? store.product;
  if (own === null) return NO_FACTS;
  const variant = variantAsked(context);
  const { facts } = readStoreProduct(own, { variant, base: context.url });
  const isTheme = store.themeProduct !== null;
  const isSingle = listOf(own, 'variants').length === 1;
  const isNamed = variant !== null && facts.variantId === variant;
  const money = isTheme ? (facts.price ?? null) : null;
  return {
    ...NO_FACTS,
    itemId: facts.itemId ?? null,
    variantId: isNamed ? variant : null,
    brand: facts.brand ?? null,
    title: isTheme ? (facts.title ?? null) : null,
    // The page's own script states no stock, so the variant whose price counts is unknown when there are several.
    sku: isTheme || isSingle || isNamed ? (facts.sku ?? null) : null,
    codes: facts.codes ?? [],
    gtin: isTheme ? (facts.gtin ?? null) : null,
    imageUrl: isTheme ? (facts.imageUrl ?? null) : null,
    inStock: isTheme ? (facts.inStock ?? null) : null,
    unavailable: isTheme ? (facts.unavailable ?? null) : null,
    price: money === null ? null : priced(money.cents, store),
  };
}

function priced(cents: number, store: StoreScript): StatedPrice {
  return { money: { cents, currency: store.activeCurrency }, isWhole: false };
}

/**
 * The price of the variant that the address names (`?variant=`), from the page's own script, which writes cents. Null
 * when the variant is not listed, or when amounts are converted to another currency than the script's.
 */
export function askedVariantPrice(store: StoreScript, context: PageContext): StatedPrice | null {
  const variant = variantAsked(context);
  if (variant === null) return null;
  if (store.product === null || store.activeCurrency === null || store.isConverted) return null;
  const listed = listOf(store.product, 'variants').filter(isNode);
  const asked = listed.find((one) => String(plainNumber(valueOf(one, 'id'))) === variant);
  const cents = asked === undefined ? null : valueOf(asked, 'price');
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents <= 0) return null;
  return priced(cents, store);
}
