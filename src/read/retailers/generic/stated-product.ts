// Finds the facts that a page's data (JSON-LD, a store's script, microdata, OpenGraph) states about its product, and
// whether that makes it a page of one product. docs/how/reading.md explains how and why.

import { inCurrency, isSameAmount, type Money } from '../../../base/listing/money/minor-units.ts';
import {
  askedStoreFacts,
  storeFacts,
  storeVariants,
} from '../../page-data/hosted-store/store-script.ts';
import { NO_FACTS } from '../../page-data/facts.ts';
import type { Facts, PageContext } from '../../page-data/facts.ts';
import { haveSeveralCurrencies } from '../../page-data/page-currency.ts';
import {
  bareName,
  isFrontPage,
  isSearchPage,
  isServicePage,
  spacedAs,
} from '../../page-data/page-names.ts';
import { isTaggedProduct, withoutShop } from '../../page-data/page-signs.ts';
import type { StatedFacts } from '../../page-data/precedence.ts';
import type { Graph } from '../../page-data/schema-org/graph.ts';
import {
  chooseProduct,
  isAboutNoGoods,
  isArticle,
  isList,
} from '../../page-data/schema-org/main-product.ts';
import type { ProductChoice } from '../../page-data/schema-org/main-product.ts';
import { soleOf } from '../../page-data/schema-org/offer-currencies.ts';
import { isReviewPage } from '../../page-data/schema-org/review-pages.ts';
import { readProductNodes } from '../../page-data/schema-org/schema-org-product.ts';
import { titleIn } from '../../page-data/schema-org/schema-values.ts';
import type { FormVariant } from '../../page-data/variants/variation-form.ts';
import { askedVariantFacts, embeddedVariants } from '../../page-data/variants/variation-form.ts';
import { isShown } from '../../page-data/visible/displayed-facts.ts';
import type { Displayed } from '../../page-data/visible/displayed-facts.ts';
import { isLinkedElsewhere } from '../../page-data/visible/single-tile.ts';
import { domainOf } from '../addresses/shop-slug.ts';
import { readObstacleName } from '../page-status.ts';
import type { ParsedPage } from './parsed-page.ts';

/** Page types in a hosted store's script that may be product pages: `page` is a manually created page. */
const PRODUCT_STORE_PAGES = new Set(['product', 'page']);

export const LIST_OF_ONE = 'a list with one product in it';
const SEVERAL = 'several products, none of them of the page itself';

/** The product in each kind of structured data. Microdata about a product other than JSON-LD's is omitted. */
type Choices = { readonly jsonLd: ProductChoice; readonly microdata: ProductChoice };

/** The facts of a page's data. */
export type StatedProduct = {
  readonly choices: Choices;
  readonly main: ProductChoice;
  /** The reason why the page is not a product page; null if there is none. */
  readonly other: string | null;
  /** Whether the data lists goods, none of which is the product of the page: they may be listed below it. */
  readonly isOfOthers: boolean;
  /** Whether structured data or a store's script describes the page's own product. */
  readonly isDescribed: boolean;
  /** Whether it is a product page: described as one, or called one by its tags alone. */
  readonly isStated: boolean;
  /** The variants in the page's form or in its store's script. */
  readonly embedded: readonly FormVariant[];
  /** The facts of each source; `PRECEDENCE` says which one counts for a field. */
  readonly facts: StatedFacts;
  readonly isInSeveralCurrencies: boolean;
  /** Whether the product has several prices or currencies, one of which is selected by the visible content. */
  readonly isInSeveral: boolean;
};

/** Reads the facts of a page's data. */
export function statedProductOf(parsed: ParsedPage): StatedProduct {
  const { jsonLd, microdata, context, signs, tags, store } = parsed;
  const choices: Choices = {
    jsonLd: withoutTile(parsed, chooseProduct(jsonLd, { context, signs, isStrict: false })),
    microdata: withoutTile(parsed, chooseProduct(microdata, { context, signs, isStrict: true })),
  };
  const both = [choices.jsonLd, choices.microdata];
  const main = choices.jsonLd.kind === 'none' ? choices.microdata : choices.jsonLd;
  const other = otherKind(parsed, main);
  const isTagged = isTaggedProduct(tags);
  const isDescribed =
    store?.pageType === 'product' ||
    both.some((choice) => choice.kind === 'one' && (choice.isOffered || isTagged));
  const { facts, embedded } = factsOf(parsed, choices);
  const isInSeveralCurrencies = both.some(
    (choice) =>
      choice.kind === 'one' &&
      haveSeveralCurrencies(choice.products.flatMap(({ offers }) => offers)),
  );
  return {
    choices,
    main,
    other,
    isOfOthers: other === SEVERAL || (other === null && (isList(jsonLd) || isList(microdata))),
    isDescribed,
    isStated: other === null && (isDescribed || isProductByTags(parsed, choices)),
    embedded,
    facts,
    isInSeveralCurrencies,
    isInSeveral:
      isInSeveralCurrencies ||
      Object.values(facts).some(({ price }) => price?.isOneOfSeveral === true),
  };
}

/**
 * Returns the choice without a product whose name only resembles the page's, if others are next to it in the data and its name
 * links to its own page: "Oak Tray XL" among the goods below "Oak Tray".
 */
function withoutTile({ html, context }: ParsedPage, choice: ProductChoice): ProductChoice {
  if (choice.kind !== 'one' || !choice.isAlike || !choice.isAmongOthers || choice.isAddressed)
    return choice;
  const title = titleIn(choice.products[0]?.node ?? {}, 'name');
  const isTile = title !== null && isLinkedElsewhere(html, context, { title, isAlike: false });
  return isTile ? { kind: 'several' } : choice;
}

/** Returns the reason why a page with products is not a product page, or null if there is none. */
function otherKind(parsed: ParsedPage, choice: ProductChoice): string | null {
  const { store, tags, jsonLd, signs } = parsed;
  const pageType = store?.pageType ?? null;
  if (pageType !== null && !PRODUCT_STORE_PAGES.has(pageType))
    return `the store calls it a ${pageType} page`;
  // The rest follows from structured data.
  if (jsonLd.nodes.length === 0 && parsed.microdata.nodes.length === 0) return null;
  const isOnlyCalled = isOnlyCalledProduct(parsed, choice);
  // A review or recipe of a product is an article, unless the page's tags call it a product.
  const isTagged = signs.isTaggedProduct && !isOnlyCalled;
  const isOwnOffer = choice.kind === 'one' && choice.isAddressed && choice.isNamed;
  if (!isTagged && !isOwnOffer && isArticle(jsonLd)) return 'an article';
  if (isOnlyCalled) return 'called a product by a tag alone';
  if (isTagged) return null;
  if (choice.kind === 'several') return SEVERAL;
  if (choice.kind === 'one' && isListOfOne(parsed, choice)) return LIST_OF_ONE;
  const products = choice.kind === 'one' ? choice.products : [];
  const isCalledArticle = tags.types.includes('article');
  if (isReviewPage(products, { names: signs.names, isCalledArticle, graph: jsonLd }))
    return 'a review of a product';
  if (choice.kind === 'one' && isCalledArticle && !isSoldHere(choice, parsed.context))
    return 'an article';
  return null;
}

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

/** Whether only `og:type` calls an article, a recipe, an episode or an event a product: no price, no number, no offer. */
function isOnlyCalledProduct({ tags, jsonLd, microdata }: ParsedPage, choice: ProductChoice) {
  if (choice.kind === 'one' && choice.isOffered) return false;
  const { price, isPriceZero, sku, gtin, mpn, inStock } = tags.facts;
  if ([price, sku, gtin, mpn, inStock].some((fact) => fact !== null) || isPriceZero) return false;
  return isAboutNoGoods(jsonLd) || isAboutNoGoods(microdata);
}

/**
 * Whether the tags alone make the page a product page: they state a price, or they call the page a product and nothing on it
 * indicates a list. A title is never sufficient (D12). Some shops tag error pages as products, so tags alone do not override a
 * headline that says otherwise.
 */
function isProductByTags(parsed: ParsedPage, choices: Choices): boolean {
  const { tags, jsonLd, microdata, context, html, page } = parsed;
  const { facts } = tags;
  if (facts.title === null && html.headings.length === 0) return false;
  const isTagged = isTaggedProduct(tags);
  const isPriced = facts.price !== null;
  if (!isTagged && !isPriced) return false;
  // A wall has no price: "Are You Human?" is also a book.
  const obstacle = readObstacleName(html, page);
  if (obstacle !== null && (obstacle.kind !== 'blocked' || !isPriced)) return false;
  const isOther = isFrontPage(context.url) || isList(jsonLd) || isList(microdata);
  if (isPriced) return isTagged || !isOther;
  if (isOther || isServicePage(context.url)) return false;
  const says = [facts.inStock, facts.condition, facts.gtin, facts.brand, facts.sku, facts.mpn];
  const hasTiles = choices.jsonLd.kind === 'several' || choices.microdata.kind === 'several';
  return says.some((fact) => fact !== null) || (!hasTiles && facts.imageUrl !== null);
}

function factsOf(parsed: ParsedPage, choices: Choices): Pick<StatedProduct, 'facts' | 'embedded'> {
  const { html, jsonLd, microdata, context, tags, store } = parsed;
  const data = {
    'JSON-LD': productFacts(jsonLd, choices.jsonLd, context),
    microdata: productFacts(microdata, choices.microdata, context),
  };
  const all = [...Object.values(data), tags.facts];
  const embedded =
    store === null ? embeddedVariants(html, soleCurrency(all)) : storeVariants(store);
  // The variant chosen at the last reading is looked for in the data first.
  const isFound = all.some(
    ({ price, isPriceZero }) => isPriceZero || price?.ofOthers !== undefined,
  );
  const asked = isFound ? { ...context.asked, chosenBefore: null } : context.asked;
  const facts = {
    ...data,
    'asked variant':
      store === null
        ? askedVariantFacts(embedded, asked)
        : askedStoreFacts(store, { ...context, asked }),
    'store script': store === null ? NO_FACTS : storeFacts(store, context),
    heading: { ...NO_FACTS, title: headingTitle(parsed) },
    OpenGraph: tags.facts,
    card: { ...NO_FACTS, price: tags.card },
    visible: NO_FACTS,
    'page state': NO_FACTS,
  };
  return { facts, embedded };
}

/** Returns the currency of all stated prices; null when they have none or several. */
function soleCurrency(stated: readonly Facts[]): string | null {
  const codes = new Set(stated.map(({ price }) => price?.money.currency ?? null).filter(Boolean));
  const [code = null] = codes.size === 1 ? codes : [];
  return code;
}

function productFacts(graph: Graph, choice: ProductChoice, context: PageContext): Facts {
  return choice.kind === 'one' ? readProductNodes(graph, choice.products, context) : NO_FACTS;
}

/** Returns the visible title: the heading if the page title repeats it, else the tagged title without the shop's name. */
function headingTitle({ html, tags, signs }: ParsedPage): string | null {
  const titles = [tags.facts.title, html.title].filter((title) => title !== null);
  const heading = html.headings.find((text) => {
    const plain = bareName(text);
    // On some pages the logo is a heading too.
    return (
      plain.length > 2 &&
      !signs.shops.has(plain) &&
      titles.some((title) => bareName(title).includes(plain))
    );
  });
  if (heading !== undefined) return spacedAs(heading, titles);
  const [title] = titles;
  return title === undefined ? null : withoutShop(title, signs);
}

/** Reads the data again without the currency that only a tag or the address names, if the page shows its price in another. */
function withoutDeniedName(
  parsed: ParsedPage,
  product: StatedProduct,
  shown: Money | null,
): StatedProduct {
  const { named } = parsed.context;
  if (named === null || shown === null || shown.currency === null) return product;
  if (shown.currency === named) return product;
  return statedProductOf({ ...parsed, context: { ...parsed.context, named: null } });
}

/**
 * Returns the facts of the offer whose price the page shows, when the product is offered in several currencies or at several
 * prices. Among several prices, it only replaces the default one if the page does not show that one too.
 */
export function factsAsShown(
  parsed: ParsedPage,
  product: StatedProduct,
  displayed: Displayed | null,
): StatedFacts {
  const seen = displayed?.offer.price ?? null;
  const { choices, facts, isInSeveral, isInSeveralCurrencies } = withoutDeniedName(
    parsed,
    product,
    seen,
  );
  if (!isInSeveral || displayed === null || seen === null) return facts;
  const shown = isInSeveralCurrencies ? withOfferedCurrency(seen, choices) : seen;
  if (shown.currency === null) return facts;
  const { price: first } = facts['JSON-LD'].price === null ? facts.microdata : facts['JSON-LD'];
  if (first?.ofOthers !== undefined && !isInSeveralCurrencies) return facts;
  if (!isInSeveralCurrencies && (first === null || isShown(displayed, first.money))) return facts;
  const context = { ...parsed.context, currency: shown.currency, shown };
  const { facts: again } = factsOf({ ...parsed, context }, choices);
  const price = again['JSON-LD'].price ?? again.microdata.price;
  if (price?.money.currency !== shown.currency) return facts;
  // If nothing else decides, the currency that the page shows does, even with another amount.
  return price.money.cents === shown.cents || first === null ? again : facts;
}

/** Returns a displayed amount with the only currency in which an offer states it, if its sign is shared by several. */
function withOfferedCurrency(shown: Money, { jsonLd, microdata }: Choices): Money {
  if (shown.currency !== null) return shown;
  const offered = [jsonLd, microdata]
    .flatMap((choice) => (choice.kind === 'one' ? choice.products : []))
    .flatMap(({ offers }) => offers.map(({ price }) => price?.money ?? null))
    .filter((money) => money !== null && isSameAmount(money, shown));
  const currency = soleOf(offered.map((money) => money?.currency ?? null));
  return inCurrency(shown, currency) ?? shown;
}
