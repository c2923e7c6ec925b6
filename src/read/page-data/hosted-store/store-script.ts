// Reads what the scripts of a hosted store's page state in addition to its structured data: number and maker of the product, kind
// of page, currency. JSON is cut out of the scripts by its brackets; no script is run.

import { jsonPieceAt, parseJson } from '../json/bounded-json.ts';
import { indexOfPattern, wordToFind } from '../html/find-word.ts';
import type { HtmlPage, ScriptBlock } from '../html/html.ts';
import { isNode, plainNumber, valueOf } from '../schema-org/node.ts';
import type { SchemaNode } from '../schema-org/node.ts';

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
