// Reads the product page of any shop: decides whether it is one, then takes its facts from structured data (JSON-LD, a
// store's script, microdata, OpenGraph). Visible text is used only for the name of a product without one in the data.
// docs/reading-pages.md explains how and why.

import { EMPTY_LISTING } from '../listing/listing.ts';
import type { Listing } from '../listing/listing.ts';
import type { Page, PageVerdict } from '../listing/page.ts';
import type { UnknownWords } from '../listing/unknown-words.ts';
import { breadcrumbsIn } from '../page-data/breadcrumbs.ts';
import { decodeBody } from '../page-data/charset.ts';
import { NO_FACTS } from '../page-data/facts.ts';
import type { Facts, PageContext } from '../page-data/facts.ts';
import { EMPTY_GRAPH, graphOf } from '../page-data/graph.ts';
import type { Graph } from '../page-data/graph.ts';
import { readHtml } from '../page-data/html.ts';
import type { HtmlPage } from '../page-data/html.ts';
import { readJsonLd } from '../page-data/json-ld.ts';
import { chooseProduct, isArticle, isList } from '../page-data/main-product.ts';
import type { ProductChoice } from '../page-data/main-product.ts';
import type { PageSigns } from '../page-data/page-signs.ts';
import { isTaggedProduct, signsOf, withoutShop } from '../page-data/page-signs.ts';
import { readOpenGraph } from '../page-data/open-graph.ts';
import type { OpenGraph } from '../page-data/open-graph.ts';
import { absoluteUrl } from '../page-data/page-address.ts';
import { isFrontPage, isServicePage } from '../page-data/page-names.ts';
import { weighFacts } from '../page-data/precedence.ts';
import type { StatedFacts } from '../page-data/precedence.ts';
import { readProductNodes } from '../page-data/schema-org-product.ts';
import { URL_LENGTH } from '../page-data/schema-values.ts';
import { askedVariantPrice, storeFacts } from '../page-data/store-facts.ts';
import { readStoreScript } from '../page-data/store-script.ts';
import type { StoreScript } from '../page-data/store-script.ts';
import { unreadProduct } from '../page-data/unread-product.ts';
import { missingFields } from './expected-fields.ts';
import { readObstacle, readObstacleName, readStatus } from './page-status.ts';

/** The parts of a page, parsed once for this reader and those of known retailers. */
export type ParsedPage = {
  readonly page: Page;
  readonly charset: string;
  readonly html: HtmlPage;
  readonly context: PageContext;
  readonly jsonLd: Graph;
  readonly microdata: Graph;
  readonly tags: OpenGraph;
  readonly store: StoreScript | null;
  readonly signs: PageSigns;
};

/** Whether `$` alone is the US dollar: the page's language, its tags or the country of the host say US (D26). */
function isUsPage(html: HtmlPage, url: URL | null): boolean {
  const locale = html.metas.find((meta) => meta.key === 'og:locale')?.content ?? '';
  const says = [html.lang ?? '', locale].some((text) => /^[a-z]{2}[-_]us\b/i.test(text));
  return says || (url?.hostname.endsWith('.us') ?? false);
}

/** Parses a page. Never throws: any bytes give a result. */
export function parsePage(page: Page, words: UnknownWords): ParsedPage {
  const { text, charset } = decodeBody(page.body, page.headers['content-type']);
  const isJson = /^[\s\ufeff]*[{[]/.test(text.slice(0, 200));
  const html = readHtml(isJson ? '' : text);
  const url = absoluteUrl(page.url, null);
  const base = absoluteUrl(html.base, url) ?? url;
  const canonical = absoluteUrl(html.canonical, base) ?? url;
  const context = { url, canonical, dollarIsUs: isUsPage(html, url), words };
  const tags = readOpenGraph(html.metas, context);
  const jsonLd = readJsonLd(isJson ? [text] : html.jsonLd);
  return {
    page,
    charset,
    html,
    context,
    jsonLd,
    microdata: html.items.length === 0 ? EMPTY_GRAPH : graphOf(html.items),
    tags,
    store: readStoreScript(html),
    signs: signsOf({ html, tags, jsonLd, url }),
  };
}

/** Page types in a hosted store's script that may be product pages: `page` is a page made by hand. */
const PRODUCT_STORE_PAGES = new Set(['product', 'page']);

/** Why a page with products is not a product page; null when nothing says so. */
function otherKind(parsed: ParsedPage, choice: ProductChoice): string | null {
  const { store, tags, jsonLd } = parsed;
  if (store?.pageType !== null && store?.pageType !== undefined) {
    const isOther = !PRODUCT_STORE_PAGES.has(store.pageType);
    if (isOther) return `the store calls it a ${store.pageType} page`;
  }
  // A review or recipe of a product is an article, unless the tags of the page call it a product.
  const isTagged = parsed.signs.isTaggedProduct;
  const isOwnOffer = choice.kind === 'one' && choice.isAddressed && choice.isNamed;
  if (!isTagged && !isOwnOffer && isArticle(jsonLd)) return 'an article';
  const isBare = choice.kind === 'one' && !choice.hasOffer;
  if (!isTagged && isBare && tags.types.includes('article')) return 'an article';
  if (choice.kind === 'several' && !isTagged)
    return 'several products, none of them of the page itself';
  return null;
}

/**
 * The visible title: the heading when the page title repeats it, else the title in the tags without the name of the
 * shop.
 */
function headingTitle(parsed: ParsedPage): string | null {
  const { html, tags } = parsed;
  const titles = [tags.facts.title, html.title].filter((title) => title !== null);
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const heading = html.headings.find((text) => {
    const plain = bare(text);
    // On some pages the logo is a heading too.
    return (
      plain.length > 2 &&
      !parsed.signs.shops.has(plain) &&
      titles.some((title) => bare(title).includes(plain))
    );
  });
  if (heading !== undefined) return heading;
  const title = tags.facts.title ?? html.title;
  return title === null ? null : withoutShop(title, parsed.signs);
}

/** A structured name without the name of the shop after it, when a heading of the page has it that way. */
function ownTitle(parsed: ParsedPage, title: string | null): string | null {
  if (title === null) return null;
  const short = withoutShop(title, parsed.signs);
  return parsed.html.headings.includes(short) ? short : title;
}

function productFacts(graph: Graph, choice: ProductChoice, context: PageContext): Facts {
  return choice.kind === 'one' ? readProductNodes(graph, choice.nodes, context) : NO_FACTS;
}

/** The facts of each source of the page; `PRECEDENCE` says which one counts for a field. */
function statedFacts(parsed: ParsedPage, choices: Choices): StatedFacts {
  const { jsonLd, microdata, context, tags, store } = parsed;
  return {
    'asked variant': { ...NO_FACTS, price: askedVariantPrice(store, context) },
    'JSON-LD': productFacts(jsonLd, choices.jsonLd, context),
    'store script': storeFacts(store, context),
    microdata: productFacts(microdata, choices.microdata, context),
    heading: { ...NO_FACTS, title: headingTitle(parsed) },
    OpenGraph: tags.facts,
    card: { ...NO_FACTS, price: tags.card },
  };
}

type Choices = { readonly jsonLd: ProductChoice; readonly microdata: ProductChoice };

/**
 * Whether the tags alone make it a product page: they state a price, or call it a product and nothing on the page says
 * that it is a list. A title is never enough (D12).
 */
function isProductByTags(parsed: ParsedPage, choices: Choices): boolean {
  const { tags, jsonLd, microdata, context, html } = parsed;
  const { facts } = tags;
  if (facts.title === null && html.headings.length === 0) return false;
  const isTagged = isTaggedProduct(tags);
  const isOther = isFrontPage(context.url) || isList(jsonLd) || isList(microdata);
  if (tags.plain !== null || tags.sale !== null) {
    return isTagged || !(isOther || tags.types.includes('article'));
  }
  if (!isTagged || isOther || isServicePage(context.url)) return false;
  const says = [facts.inStock, facts.condition, facts.gtin, facts.brand, facts.sku, facts.mpn];
  const hasTiles = choices.jsonLd.kind === 'several' || choices.microdata.kind === 'several';
  return says.some((fact) => fact !== null) || (!hasTiles && facts.imageUrl !== null);
}

/** Chooses the product in each source. Microdata about another product than JSON-LD is left out. */
function choicesOf(parsed: ParsedPage): Choices {
  const { jsonLd, microdata, context, signs } = parsed;
  return {
    jsonLd: chooseProduct(jsonLd, { context, signs, isStrict: false }),
    microdata: chooseProduct(microdata, { context, signs, isStrict: true }),
  };
}

/** Whether structured data or the store script describes the page's own product. */
function isDescribed(parsed: ParsedPage, choices: Choices): boolean {
  const isTagged = isTaggedProduct(parsed.tags);
  return [choices.jsonLd, choices.microdata].some(
    (choice) => choice.kind === 'one' && (choice.isOffered || isTagged),
  );
}

function isProductPage(parsed: ParsedPage, choices: Choices): boolean {
  if (isDescribed(parsed, choices) || parsed.store?.pageType === 'product') return true;
  // Some shops tag error pages as products: tags alone do not outweigh a headline that says otherwise.
  if (readObstacleName(parsed.html, parsed.page) !== null) return false;
  return isProductByTags(parsed, choices);
}

/** The canonical address, when it is on the same host; else the one that answered. */
function ownUrl(parsed: ParsedPage): string | null {
  const { url, canonical } = parsed.context;
  const isSame = url !== null && canonical !== null && canonical.hostname === url.hostname;
  const chosen = isSame ? canonical : url;
  if (chosen === null) return null;
  const variant = url?.searchParams.get('variant') ?? null;
  const whole = new URL(chosen.href);
  if (variant !== null && isSame) whole.searchParams.set('variant', variant);
  return whole.href.length <= URL_LENGTH ? whole.href : null;
}

function listingOf(parsed: ParsedPage, facts: Facts): Listing {
  const { html, context, jsonLd, microdata } = parsed;
  const base = absoluteUrl(html.base, context.url) ?? context.url;
  const image = absoluteUrl(facts.imageUrl, base);
  const end = { title: facts.title, context };
  const crumbs = breadcrumbsIn(jsonLd, end);
  const trail = crumbs.length > 0 ? crumbs : breadcrumbsIn(microdata, end);
  const { isPriceZero: _, ...rest } = facts;
  return {
    ...EMPTY_LISTING,
    ...rest,
    title: ownTitle(parsed, facts.title),
    url: ownUrl(parsed),
    imageUrl: image !== null && image.href.length <= URL_LENGTH ? image.href : null,
    categories: trail.length > 0 ? trail : facts.categories,
    price: facts.price?.money ?? null,
    // `unavailable` means that the listing is gone; in stock or out of stock means that it is not (D24).
    unavailable: facts.unavailable ?? (facts.inStock === null ? null : false),
  };
}

/** Why it is a product page that states nothing which can be read; null: no data and no sign of a product. */
function unreadIn({ html, jsonLd, microdata, tags, context }: ParsedPage): string | null {
  if (isList(jsonLd) || isList(microdata)) return null;
  return unreadProduct(html, tags, context.url);
}

/** Reads a parsed page. */
export function readParsedPage(parsed: ParsedPage): PageVerdict<Listing> {
  const choices = choicesOf(parsed);
  const main = choices.jsonLd.kind === 'none' ? choices.microdata : choices.jsonLd;
  const other = otherKind(parsed, main);
  const isProduct = other === null && isProductPage(parsed, choices);
  if (!isProduct) {
    const obstacle = readObstacle(parsed.html, parsed.page);
    if (obstacle !== null) return obstacle;
    const said = main.kind === 'none' ? main.why : null;
    const unread = (other ?? said) === null ? unreadIn(parsed) : null;
    if (unread !== null) return { kind: 'unreadable', why: unread };
    return { kind: 'not_a_product', why: other ?? said ?? 'no product in its structured data' };
  }
  const { facts, remarks } = weighFacts(statedFacts(parsed, choices), parsed.tags);
  const listing = listingOf(parsed, facts);
  if (listing.title === null) return { kind: 'unreadable', why: 'a product without a name' };
  const notes = {
    missing: missingFields(listing),
    remarks: [`charset ${parsed.charset}`, ...parsed.jsonLd.remarks, ...remarks],
  };
  return { kind: 'read', value: listing, notes };
}

/** Reads any page of any shop. */
export function readGenericPage(page: Page, words: UnknownWords): PageVerdict<Listing> {
  return readStatus(page) ?? readParsedPage(parsePage(page, words));
}
