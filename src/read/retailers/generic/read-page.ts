// Reads the product page of any shop: decides whether it is one, and builds a listing from its data and, for unknown shops,
// from its visible content. The readers of known retailers use it to fill their gaps. docs/how/reading.md explains how and
// why.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, PriceReadFrom } from '../../../base/listing/listing.ts';
import { isLoadCapacity } from '../../../base/listing/measures/load-capacity.ts';
import type { Page, PageVerdict, Places } from '../../../base/listing/page.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { Facts } from '../../page-data/facts.ts';
import { refreshAddress } from '../../page-data/html/meta-refresh.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { bareName } from '../../page-data/page-names.ts';
import { withoutShop } from '../../page-data/page-signs.ts';
import { PRECEDENCE, weighFacts } from '../../page-data/precedence.ts';
import type { FactSource, StatedFacts } from '../../page-data/precedence.ts';
import { breadcrumbsIn } from '../../page-data/schema-org/breadcrumbs.ts';
import { URL_LENGTH } from '../../page-data/schema-org/schema-values.ts';
import { asDisplayed } from '../../page-data/visible/displayed-facts.ts';
import type { Displayed } from '../../page-data/visible/displayed-facts.ts';
import { variantAt } from '../../page-data/variants/variation-form.ts';
import { visiblePicture } from '../../page-data/visible/visible-picture.ts';
import { visibleTrail } from '../../page-data/visible/visible-trail.ts';
import { readStoreJson } from '../hosted-store.ts';
import { readStoreApi } from '../store-api-answers.ts';
import { readUcpJson } from '../ucp/answer.ts';
import { looksLikeJson, readObstacle, readStatus } from '../page-status.ts';
import { parsePage } from './parsed-page.ts';
import type { ParsedPage } from './parsed-page.ts';
import {
  isOnlyTagged,
  isProductByView,
  shownOn,
  stateFacts,
  stateNameFacts,
  unreadIn,
} from './shown-product.ts';
import { isListByView, isTileShown } from './shown-list.ts';
import { factsAsShown, LIST_OF_ONE, statedProductOf } from './stated-product.ts';
import type { StatedProduct } from './stated-product.ts';

type ReadVerdict = Extract<PageVerdict<Listing>, { readonly kind: 'read' }>;

/**
 * Reads a page of any shop, or the product JSON of a hosted store. Visible content only counts with `isSeen`: a known
 * retailer's reader knows its page layout better. Never throws: any bytes produce a verdict.
 */
export function readGenericPage(
  page: Page,
  words: UnknownWords,
  isSeen = true,
): PageVerdict<Listing> {
  const early = readStatus(page) ?? (looksLikeJson(page) ? readShopJson(page, words) : null);
  return early ?? readParsedPage(parsePage(page, words), isSeen);
}

/** Reads the JSON of a shop's endpoint. It is read by a protocol only if it was requested in place of a page. */
function readShopJson(page: Page, words: UnknownWords): PageVerdict<Listing> | null {
  const asked = page.insteadOf === undefined ? null : readUcpJson(page, words);
  return asked ?? readStoreApi(page) ?? readStoreJson(page);
}

/** The same for a page with status 200 already parsed by a known retailer's reader. */
export function readParsedPage(parsed: ParsedPage, isSeen = false): PageVerdict<Listing> {
  const product = statedProductOf(parsed);
  const { main, other, isStated, isOfOthers } = product;
  const isDenied = main.kind === 'none' && main.isDenied;
  // Visible content may identify a product page whose data does not.
  const mayBeSeen = isSeen && (isStated || ((other === null || isOfOthers) && !isDenied));
  const displayed = mayBeSeen ? shownOn(parsed, product) : null;
  const stated = factsAsShown(parsed, product, displayed);
  const isCategory =
    (isStated || parsed.signs.isTaggedProduct) &&
    displayed !== null &&
    isListByView(parsed, product, displayed);
  // Visible content must confirm a tag that is the only sign of a product page.
  const isDoubtful = isSeen && !product.isDescribed;
  const isCalled = isStated && !isCategory && !(isDoubtful && isOnlyTagged(parsed, displayed));
  const isShown =
    displayed !== null &&
    !isCategory &&
    !isCalled &&
    isProductByView(parsed, displayed, product, Object.values(stated));
  if (!isCalled && !isShown) return verdictWithout(parsed, product, displayed, isCategory);
  const shown = displayed === null ? stated : withShown(parsed, stated, displayed, isCalled);
  const sources = isSeen ? withNames(parsed, shown, displayed) : shown;
  const verdict = verdictWith(parsed, sources, displayed, isSeen);
  return verdict.kind === 'read' ? withChosen(verdict, product) : verdict;
}

/**
 * Returns the verdict with the variant whose price counts. A price that the data states for the whole product is that of a variant
 * in the page's form.
 */
function withChosen(verdict: ReadVerdict, { embedded }: StatedProduct): ReadVerdict {
  const { value, notes } = verdict;
  const chosen = notes.chosen === undefined ? variantAt(embedded, value) : null;
  return chosen === null ? verdict : { ...verdict, notes: { ...notes, chosen } };
}

/** Returns the verdict on a page that is not a product page. */
function verdictWithout(
  parsed: ParsedPage,
  product: StatedProduct,
  displayed: Displayed | null,
  isCategory: boolean,
): PageVerdict<Listing> {
  const { main, other, isStated } = product;
  const obstacle = readObstacle(parsed.html, parsed.page);
  if (obstacle !== null) return obstacle;
  const isTile = !isStated && !isCategory && displayed !== null && isTileShown(parsed, displayed);
  const shown = isCategory ? 'a list of goods' : isTile ? LIST_OF_ONE : null;
  const why = other ?? shown ?? (main.kind === 'none' ? main.why : null);
  const unread = why === null ? unreadIn(parsed, displayed, product) : null;
  if (unread !== null) return { kind: 'unreadable', why: unread } as const;
  const next = refreshOf(parsed);
  if (next !== null) return { kind: 'follow', request: { url: next, accept: 'html' } } as const;
  return { kind: 'not_a_product', why: why ?? 'no product in its structured data' } as const;
}

/**
 * Returns the address of another page to which this one sends its visitors; null if they stay. As with a redirect, the way
 * never leads from https down to http.
 */
function refreshOf({ html, page, context: { url } }: ParsedPage): string | null {
  const base = absoluteUrl(html.base, url) ?? url;
  const next = absoluteUrl(refreshAddress(html.html, page.headers['refresh']), base);
  if (next === null || next.href === url?.href) return null;
  return url?.protocol === 'https:' && next.protocol === 'http:' ? null : next.href;
}

/** Returns the stated facts together with those that the page shows. */
function withShown(
  parsed: ParsedPage,
  stated: StatedFacts,
  displayed: Displayed,
  isCalled: boolean,
): StatedFacts {
  // The heading above the price and the button is the product name, regardless of the page title.
  const visible = isCalled
    ? displayed.facts
    : { ...displayed.facts, title: displayed.page.heading };
  return { ...stated, visible, 'page state': stateFacts(parsed, Object.values(stated), displayed) };
}

/** Returns the facts together with the barcode and the seller in the scripts' state. */
function withNames(
  parsed: ParsedPage,
  stated: StatedFacts,
  displayed: Displayed | null,
): StatedFacts {
  const { gtin, sellerName } = stateNameFacts(parsed, stated, displayed);
  return { ...stated, 'page state': { ...stated['page state'], gtin, sellerName } };
}

/** Where the facts of a source were read from, as shown to callers. */
export const READ_FROM: Readonly<Record<FactSource, PriceReadFrom | null>> = {
  'JSON-LD': 'json_ld',
  microdata: 'microdata',
  OpenGraph: 'open_graph',
  card: 'open_graph',
  'store script': 'state',
  'asked variant': 'state',
  visible: 'visible',
  'page state': 'state',
  heading: null,
};

/** The fields whose place is worth knowing to a person who compares them with the page. The price has `priceReadFrom`. */
const PLACED = [
  'title',
  'brand',
  'gtin',
  'sku',
  'mpn',
  'condition',
  'rating',
  'sellerName',
] as const;

/** Returns the place of each field: the strongest source with its value. */
function placesOf(sources: StatedFacts, facts: Facts, stockFrom: FactSource | null): Places {
  const stated = PLACED.flatMap((field): readonly [keyof Listing, FactSource | undefined][] =>
    facts[field] === null
      ? []
      : [[field, PRECEDENCE[field].find((source) => sources[source][field] === facts[field])]],
  );
  const all = [...stated, ['inStock', facts.inStock === null ? undefined : stockFrom] as const];
  return Object.fromEntries(
    all.flatMap(([field, source]) => {
      const place = source === 'heading' ? 'visible' : READ_FROM[source ?? 'heading'];
      return place === null ? [] : [[field, place]];
    }),
  );
}

/**
 * Returns the listing of a product page: combines the facts of the sources by precedence, and corrects them by what the page
 * shows.
 */
function verdictWith(
  parsed: ParsedPage,
  sources: StatedFacts,
  displayed: Displayed | null,
  isSeen: boolean,
): PageVerdict<Listing> {
  const weighed = weighFacts(sources, parsed.tags);
  const { facts, remarks, priceFrom, stockFrom } =
    displayed === null ? weighed : asDisplayed(weighed, displayed, parsed.context);
  const isRdfa = priceFrom === 'microdata' && parsed.html.isRdfa;
  const readFrom = priceFrom === null ? null : READ_FROM[priceFrom];
  const listing = {
    ...listingOf(parsed, facts, isSeen),
    priceReadFrom: isRdfa ? ('rdfa' as const) : readFrom,
  };
  if (listing.title === null) return { kind: 'unreadable', why: 'a product without a name' };
  const notes = {
    missing: [],
    remarks: [`charset ${parsed.charset}`, ...parsed.jsonLd.remarks, ...remarks],
    ...(facts.chosen === null ? {} : { chosen: facts.chosen }),
    places: placesOf(sources, facts, stockFrom),
  };
  return { kind: 'read', value: listing, notes };
}

/**
 * Builds the listing of a page from these facts, its own name and address. The visible picture and category path only count
 * with `isSeen`, and when the data states none.
 */
function listingOf(parsed: ParsedPage, facts: Facts, isSeen: boolean): Listing {
  const { html, context, jsonLd, microdata } = parsed;
  const {
    isPriceZero: _zero,
    isStockOfSeveral: _several,
    isVariantUnclear: _unclear,
    chosen: _chosen,
    title,
    ...rest
  } = facts;
  const pictured =
    isSeen && facts.imageUrl === null && title !== null
      ? visiblePicture(html, title, html.headingStarts[0] ?? 0)
      : facts.imageUrl;
  const image = absoluteUrl(pictured, absoluteUrl(html.base, context.url) ?? context.url);
  const end = { title, context };
  const crumbs = breadcrumbsIn(jsonLd, end);
  const trail = crumbs.length > 0 ? crumbs : breadcrumbsIn(microdata, end);
  const categories = trail.length > 0 ? trail : facts.categories;
  return {
    ...EMPTY_LISTING,
    ...rest,
    title: title === null ? null : ownTitle(parsed, title),
    url: ownUrl(parsed),
    imageUrl: image !== null && image.href.length <= URL_LENGTH ? image.href : null,
    categories: isSeen && categories.length === 0 ? visibleTrail(html, end) : categories,
    price: facts.price?.money ?? null,
    weightLbs: ownWeight(facts),
    // `unavailable` means that the listing is gone; in stock or out of stock means that it is not (D24).
    unavailable: facts.unavailable ?? (facts.inStock === null ? null : false),
  };
}

/**
 * Returns the name without the shop's name after it, if a heading shows it that way. A heading may begin with the text of a
 * link or a button ("Log in to save"). If the tagged title is the rest of the heading, it is the name.
 */
function ownTitle({ html, tags, signs }: ParsedPage, title: string): string {
  const tagged = tags.facts.title;
  if (html.headings.includes(title) && tagged !== null && isRestOf(tagged, title)) return tagged;
  const short = withoutShop(title, signs);
  return html.headings.includes(short) ? short : title;
}

/** Whether `rest` is the end and the larger part of `whole`. */
function isRestOf(rest: string, whole: string): boolean {
  const [bare, all] = [bareName(rest), bareName(whole)];
  return (
    bare.length >= 8 &&
    bare.length < all.length &&
    bare.length * 2 > all.length &&
    all.endsWith(bare)
  );
}

/** Returns the canonical address if it is on the same host, else the address the page was served from. */
function ownUrl({ context: { url, canonical } }: ParsedPage): string | null {
  if (url === null) return null;
  const isSame = canonical?.hostname === url.hostname;
  const whole = new URL(isSame ? canonical.href : url.href);
  const variant = url.searchParams.get('variant');
  if (variant !== null && isSame) whole.searchParams.set('variant', variant);
  return whole.href.length <= URL_LENGTH ? whole.href : null;
}

/** Returns the weight; null when the description or the specifications state a matching load capacity. */
function ownWeight({ weightLbs, description, specs }: Facts): number | null {
  if (weightLbs === null) return null;
  const rows = specs.map(({ name, value }) => `${name}: ${value}`);
  return isLoadCapacity(weightLbs, [description ?? '', ...rows]) ? null : weightLbs;
}
