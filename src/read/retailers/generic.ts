// Reads the product page of any shop: decides whether it is one, then takes its facts from structured data (JSON-LD, a
// store's script, microdata, OpenGraph). Visible text is used only for the name of a product without one in the data.
// docs/how/reading.md explains how and why.

import type { Listing, PriceReadFrom } from '../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../base/listing/page.ts';
import type { UnknownWords } from '../../base/listing/vocabularies/unknown-words.ts';
import { asDisplayed, isShown } from '../page-data/visible/displayed-facts.ts';
import type { Displayed } from '../page-data/visible/displayed-facts.ts';
import { NO_FACTS } from '../page-data/facts.ts';
import type { Facts, PageContext } from '../page-data/facts.ts';
import type { Graph } from '../page-data/schema-org/graph.ts';
import {
  chooseProduct,
  isAboutNoGoods,
  isArticle,
  isList,
} from '../page-data/schema-org/main-product.ts';
import type { ProductChoice } from '../page-data/schema-org/main-product.ts';
import { isTaggedProduct, withoutShop } from '../page-data/page-signs.ts';
import { haveSeveralCurrencies } from '../page-data/page-currency.ts';
import {
  bareName,
  isFrontPage,
  isSearchPage,
  isServicePage,
  spacedAs,
} from '../page-data/page-names.ts';
import { weighFacts } from '../page-data/precedence.ts';
import type { FactSource, StatedFacts } from '../page-data/precedence.ts';
import { isReviewPage } from '../page-data/schema-org/review-pages.ts';
import type { ReviewSigns } from '../page-data/schema-org/review-pages.ts';
import { readProductNodes } from '../page-data/schema-org/schema-org-product.ts';
import { titleIn } from '../page-data/schema-org/schema-values.ts';
import { isLinkedElsewhere } from '../page-data/visible/single-tile.ts';
import { askedVariantPrice, storeFacts } from '../page-data/hosted-store/store-facts.ts';
import { readObstacle, readObstacleName, readStatus } from './page-status.ts';
import { listingOf } from './page-listing.ts';
import { parsePage } from './parsed-page.ts';
import type { ParsedPage } from './parsed-page.ts';
import {
  displayedOn,
  isCategoryByView,
  isOnlyTagged,
  isProductByView,
  isTileShown,
  mayBeProductByView,
  stateFacts,
  unreadIn,
  withoutTile,
} from './shown-page.ts';
import { domainOf } from './sold-elsewhere.ts';

/** Page types in a hosted store's script that may be product pages: `page` is a page made by hand. */
const PRODUCT_STORE_PAGES = new Set(['product', 'page']);

const LIST_OF_ONE = 'a list with one product in it';
const LIST_WITH_RANGE = 'a list with a price range';

/** Why a page with products is not a product page; null when nothing says so. */
function otherKind(parsed: ParsedPage, choice: ProductChoice): string | null {
  const { store, tags, jsonLd } = parsed;
  if (store?.pageType !== null && store?.pageType !== undefined) {
    const isOther = !PRODUCT_STORE_PAGES.has(store.pageType);
    if (isOther) return `the store calls it a ${store.pageType} page`;
  }
  // A review or recipe of a product is an article, unless the tags of the page call it a product.
  const isTagged = parsed.signs.isTaggedProduct && !isOnlyCalledProduct(parsed, choice);
  const isOwnOffer = choice.kind === 'one' && choice.isAddressed && choice.isNamed;
  if (!isTagged && !isOwnOffer && isArticle(jsonLd)) return 'an article';
  if (isOnlyCalledProduct(parsed, choice)) return 'called a product by a tag alone';
  if (!isTagged && choice.kind === 'one' && isListOfOne(parsed, choice)) return LIST_OF_ONE;
  const products = choice.kind === 'one' ? choice.products : [];
  if (!isTagged && choice.kind !== 'several' && isReviewPage(products, reviewSigns(parsed)))
    return 'a review of a product';
  const isCalledArticle = !isTagged && choice.kind === 'one' && tags.types.includes('article');
  if (isCalledArticle && !isSoldHere(choice, parsed.context)) return 'an article';
  if (choice.kind === 'several' && !isTagged)
    return 'several products, none of them of the page itself';
  return null;
}

const reviewSigns = ({ jsonLd, tags, signs }: ParsedPage): ReviewSigns => ({
  names: signs.names,
  isCalledArticle: tags.types.includes('article'),
  graph: jsonLd,
});

/**
 * Whether the product in the data is the only entry of a list: the page shows search results, or it links the product's name to
 * the product's own page.
 */
function isListOfOne(
  { html, context }: ParsedPage,
  { products, isAddressed, isNamed, isAlike }: ProductChoice & { readonly kind: 'one' },
): boolean {
  if (isAddressed) return false;
  if (isSearchPage(context.url)) return true;
  const title = titleIn(products[0]?.node ?? {}, 'name');
  return !isNamed && title !== null && isLinkedElsewhere(html, context, { title, isAlike });
}

/**
 * Whether a product has an offer that does not lead to another site. A site whose offers all lead elsewhere only writes about the
 * product.
 */
function isSoldHere(
  { products, hasOffer }: ProductChoice & { readonly kind: 'one' },
  { url }: PageContext,
): boolean {
  const addresses = products.flatMap(({ offers }) => offers.map((offer) => offer.url));
  const own = domainOf(url);
  const isHere = (address: URL | null): boolean => address === null || domainOf(address) === own;
  return hasOffer && (addresses.length === 0 || addresses.some(isHere));
}

/**
 * Whether nothing but `og:type` calls an article, a recipe, an episode or an event a product: no price, no number, no
 * offer.
 */
function isOnlyCalledProduct({ tags, jsonLd, microdata }: ParsedPage, choice: ProductChoice) {
  if (choice.kind === 'one' && choice.isOffered) return false;
  const { price, isPriceZero, sku, gtin, mpn, inStock } = tags.facts;
  if ([price, sku, gtin, mpn, inStock].some((fact) => fact !== null) || isPriceZero) return false;
  return isAboutNoGoods(jsonLd) || isAboutNoGoods(microdata);
}

/**
 * The visible title: the heading when the page title repeats it, else the title in the tags without the name of the
 * shop.
 */
function headingTitle(parsed: ParsedPage): string | null {
  const { html, tags } = parsed;
  const titles = [tags.facts.title, html.title].filter((title) => title !== null);
  const heading = html.headings.find((text) => {
    const plain = bareName(text);
    // On some pages the logo is a heading too.
    return (
      plain.length > 2 &&
      !parsed.signs.shops.has(plain) &&
      titles.some((title) => bareName(title).includes(plain))
    );
  });
  if (heading !== undefined) return spacedAs(heading, titles);
  const title = tags.facts.title ?? html.title;
  return title === null ? null : withoutShop(title, parsed.signs);
}

function productFacts(graph: Graph, choice: ProductChoice, context: PageContext): Facts {
  return choice.kind === 'one' ? readProductNodes(graph, choice.products, context) : NO_FACTS;
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
    visible: NO_FACTS,
    'page state': NO_FACTS,
  };
}

/** Whether the product of the page is offered in several currencies. */
function isInSeveralCurrencies({ jsonLd, microdata }: Choices): boolean {
  return [jsonLd, microdata].some(
    (choice) =>
      choice.kind === 'one' &&
      haveSeveralCurrencies(choice.products.flatMap(({ offers }) => offers)),
  );
}

/**
 * Where the product is offered in several currencies or at several prices: the facts of the offer whose price the page shows. Of
 * several prices, it replaces the one that would count only if the page does not show that one too.
 */
function asOfferedHere(
  parsed: ParsedPage,
  choices: Choices,
  stated: StatedFacts,
  displayed: Displayed | null,
): StatedFacts {
  const shown = displayed?.offer.price ?? null;
  if (displayed === null || shown === null || shown.currency === null) return stated;
  const { price: first } = stated['JSON-LD'].price === null ? stated.microdata : stated['JSON-LD'];
  if (!isInSeveralCurrencies(choices) && (first === null || isShown(displayed, first.money)))
    return stated;
  const context = { ...parsed.context, currency: shown.currency, shownCents: shown.cents };
  const again = statedFacts({ ...parsed, context }, choices);
  const price = again['JSON-LD'].price ?? again.microdata.price;
  const isStated = price?.money.cents === shown.cents && price.money.currency === shown.currency;
  return isStated ? again : stated;
}

type Choices = { readonly jsonLd: ProductChoice; readonly microdata: ProductChoice };

/**
 * Whether the tags alone make the page a product page: they state a price, or they call the page a product and nothing on it says
 * that it is a list. A title is never enough (D12).
 */
function isProductByTags(parsed: ParsedPage, choices: Choices): boolean {
  const { tags, jsonLd, microdata, context, html } = parsed;
  const { facts } = tags;
  if (facts.title === null && html.headings.length === 0) return false;
  const isTagged = isTaggedProduct(tags);
  const isOther = isFrontPage(context.url) || isList(jsonLd) || isList(microdata);
  if (tags.plain !== null || tags.sale !== null) {
    return isTagged || !isOther;
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
  // Some shops tag error pages as products, so tags alone do not outweigh a headline that says otherwise.
  if (readObstacleName(parsed.html, parsed.page) !== null) return false;
  return isProductByTags(parsed, choices);
}

/** What a page states and shows, gathered before it is decided whether it is a page of a product. */
type Evidence = {
  readonly choices: Choices;
  readonly main: ProductChoice;
  /** Why it is a page of another kind by its data; null when nothing says so. */
  readonly other: string | null;
  /** Whether its data says that it is a page of a product. */
  readonly isStated: boolean;
  /** Whether what it shows counts; of a page whose data does not say so it may then be what makes it one. */
  readonly mayBeSeen: boolean;
  readonly displayed: Displayed | null;
  readonly stated: StatedFacts;
};

function evidenceOf(parsed: ParsedPage, isSeen: boolean): Evidence {
  const choices = choicesOf(parsed);
  const main = choices.jsonLd.kind === 'none' ? choices.microdata : choices.jsonLd;
  const other = otherKind(parsed, main);
  const isStated = other === null && isProductPage(parsed, choices);
  const isDenied = main.kind === 'none' && main.isDenied;
  const mayBeSeen = isSeen && (isStated || (other === null && !isDenied));
  const ofPage = statedFacts(parsed, choices);
  const prices = Object.values(ofPage).map(({ price }) => price);
  const isInSeveral =
    isInSeveralCurrencies(choices) || prices.some((price) => price?.isOneOfSeveral === true);
  const isDoubtful = isInSeveral || prices.some((price) => price?.highestCents !== undefined);
  const displayed = mayBeSeen ? shownOn(parsed, ofPage, { isStated, isDoubtful }) : null;
  const stated = isInSeveral ? asOfferedHere(parsed, choices, ofPage, displayed) : ofPage;
  return { choices, main, other, isStated, mayBeSeen, displayed, stated };
}

/** What a page shows; null where it is not worth a look. The price of the only tile of a list is not that of a stated product. */
function shownOn(
  parsed: ParsedPage,
  stated: StatedFacts,
  { isStated, isDoubtful }: { readonly isStated: boolean; readonly isDoubtful: boolean },
): Displayed | null {
  if (!isStated && !mayBeProductByView(parsed)) return null;
  const facts = Object.values(stated);
  const displayed = displayedOn(parsed, facts, { isToBuy: !isStated, isDoubtful });
  return isStated ? withoutTile(parsed, displayed, facts) : displayed;
}

/** Whether nothing but a tag calls it a product page, and what it shows does not bear that out. */
function isCalledInVain(parsed: ParsedPage, { choices, displayed }: Evidence): boolean {
  if (isDescribed(parsed, choices) || parsed.store?.pageType === 'product') return false;
  return isOnlyTagged(parsed, displayed);
}

/** Which list a page is that is no product page; null when it shows none. */
function listKind(
  parsed: ParsedPage,
  { isStated, displayed }: Evidence,
  isCategory: boolean,
): string | null {
  if (isCategory) return LIST_WITH_RANGE;
  const isTile = !isStated && displayed !== null && isTileShown(parsed, displayed);
  return isTile ? LIST_OF_ONE : null;
}

/** The verdict on a page that is no product page. `other`: what it is instead; null when nothing says so. */
function verdictWithout(
  parsed: ParsedPage,
  { main, displayed }: Evidence,
  other: string | null,
): PageVerdict<Listing> {
  const obstacle = readObstacle(parsed.html, parsed.page);
  if (obstacle !== null) return obstacle;
  const said = main.kind === 'none' ? main.why : null;
  const unread = (other ?? said) === null ? unreadIn(parsed, displayed) : null;
  if (unread !== null) return { kind: 'unreadable', why: unread } as const;
  const why = other ?? said ?? 'no product in its structured data';
  return { kind: 'not_a_product', why } as const;
}

/** Where the price of a source was read from, as callers see it. */
function readFrom(source: FactSource | null, parsed: ParsedPage): PriceReadFrom | null {
  if (source === 'microdata' && parsed.html.isRdfa) return 'rdfa';
  return source === null ? null : READ_FROM[source];
}

const READ_FROM: Readonly<Record<FactSource, PriceReadFrom | null>> = {
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

/** The stated facts and those that the page shows. */
function withShown(
  parsed: ParsedPage,
  stated: StatedFacts,
  displayed: Displayed,
  isCalled: boolean,
): StatedFacts {
  // The heading above the price and the button is the product's name, whatever the title of the page says.
  const visible = isCalled
    ? displayed.facts
    : { ...displayed.facts, title: displayed.page.heading };
  return { ...stated, visible, 'page state': stateFacts(parsed, Object.values(stated), displayed) };
}

/**
 * The listing of a product page. It combines the facts of the sources by precedence, and corrects them by what the page shows.
 */
function verdictWith(
  parsed: ParsedPage,
  sources: StatedFacts,
  displayed: Displayed | null,
  isSeen: boolean,
): PageVerdict<Listing> {
  const weighed = weighFacts(sources, parsed.tags);
  const { facts, remarks, priceFrom } =
    displayed === null ? weighed : asDisplayed(weighed, displayed);
  const listing = {
    ...listingOf(parsed, facts, isSeen),
    priceReadFrom: readFrom(priceFrom, parsed),
  };
  if (listing.title === null) return { kind: 'unreadable', why: 'a product without a name' };
  const notes = {
    missing: [],
    remarks: [`charset ${parsed.charset}`, ...parsed.jsonLd.remarks, ...remarks],
  };
  return { kind: 'read', value: listing, notes };
}

/**
 * Reads a parsed page. Its visible content is read with `isSeen` only, because the readers of known retailers know better where
 * their pages show what.
 */
export function readParsedPage(parsed: ParsedPage, isSeen = false): PageVerdict<Listing> {
  const evidence = evidenceOf(parsed, isSeen);
  const { main, other, isStated, mayBeSeen, displayed, stated } = evidence;
  const isCategory = displayed !== null && isCategoryByView(main, displayed);
  const isCalled = isStated && !isCategory && !(isSeen && isCalledInVain(parsed, evidence));
  const isProduct =
    isCalled ||
    (mayBeSeen && !isCategory && isProductByView(parsed, displayed, Object.values(stated)));
  if (!isProduct) {
    return verdictWithout(parsed, evidence, other ?? listKind(parsed, evidence, isCategory));
  }
  const sources = displayed === null ? stated : withShown(parsed, stated, displayed, isCalled);
  return verdictWith(parsed, sources, displayed, isSeen);
}

/** Reads any page of any shop. */
export function readGenericPage(page: Page, words: UnknownWords): PageVerdict<Listing> {
  return readStatus(page) ?? readParsedPage(parsePage(page, words), true);
}
