// Finds the facts that an unknown shop's page shows about its product: a price if its data has none, and whether heading,
// price and button make it a product page.

import { isSameAmount } from '../../../base/listing/money/minor-units.ts';
import { decodeEntities, plainTextOfHtml } from '../../../base/listing/text/text.ts';
import { NO_FACTS } from '../../page-data/facts.ts';
import type { Facts } from '../../page-data/facts.ts';
import type { StatedFacts } from '../../page-data/precedence.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import {
  isFrontPage,
  isSearchPage,
  isServicePage,
  isTextPath,
  isTicketAddress,
} from '../../page-data/page-names.ts';
import { stateNames, stateOffer } from '../../page-data/page-state.ts';
import { isAboutNoGoods, isList } from '../../page-data/schema-org/main-product.ts';
import { isServiceName } from '../../page-data/service-names.ts';
import { UNREAD_BUTTON, unreadProduct } from '../../page-data/unread-product.ts';
import { taxedUnits } from '../../page-data/visible/amounts/taxed-amount.ts';
import { displayedFacts, factsOfState } from '../../page-data/visible/displayed-facts.ts';
import type { Displayed } from '../../page-data/visible/displayed-facts.ts';
import { isBuyingPlace, isBuyLabel } from '../../page-data/visible/lines/visible-buttons.ts';
import { isNoGoods, isOnlyByTime } from '../../page-data/visible/no-goods.ts';
import { isCalledOutOfStock, isOutOfStockBeside } from '../../page-data/visible/stock-lines.ts';
import { mayBeBought, seePage, sellsOnlyOthers } from '../../page-data/visible/visible-page.ts';
import type { VisiblePage } from '../../page-data/visible/visible-page.ts';
import { domainOf } from '../addresses/shop-slug.ts';
import { readObstacleName } from '../page-status.ts';
import type { ParsedPage } from './parsed-page.ts';
import { isAboveOthers, isTiled, isTileShown } from './shown-list.ts';
import type { StatedProduct } from './stated-product.ts';

/**
 * Returns the facts that the page shows around its product's heading. Null without such a heading, or when it is not worth
 * reading: if the data does not say that it is a product page, it must have a product page's buy buttons.
 */
export function shownOn(
  parsed: ParsedPage,
  { isStated, facts, isInSeveral }: StatedProduct,
): Displayed | null {
  if (!isStated && !mayBeProductByView(parsed)) return null;
  const { html, context, signs, tags } = parsed;
  const stated = Object.values(facts);
  const prices = stated.map(({ price }) => price).filter((price) => price !== null);
  const isPriced = prices.length > 0;
  const isStocked = stated.some(({ inStock }) => inStock !== null);
  const currencies = prices.map(({ money }) => money.currency);
  const page = seePage({
    page: html,
    context,
    signs,
    names: stated.map(({ title }) => title).filter((title) => title !== null),
    currency: currencies.find((currency) => currency !== null) ?? tags.currency,
    isPriced,
    isUnpriced: !isPriced && isStocked,
    // The visible content decides which of several prices counts.
    isComplete:
      !isInSeveral &&
      isPriced &&
      tags.otherSale === null &&
      // The page may supply a currency, or contradict one that no source states with its amount.
      currencies.some((currency) => currency !== null) &&
      context.named === null &&
      prices.every(
        ({ highestCents, isOfOtherTime, afterwards, isNet, isUnclear }) =>
          highestCents === undefined &&
          isOfOtherTime !== true &&
          afterwards === undefined &&
          isNet !== true &&
          isUnclear !== true,
      ) &&
      stated.some(({ brand }) => brand !== null) &&
      isStocked,
    taxed: prices.map((price) => taxedUnits(price, context.country)).find((each) => each !== null),
    isToBuy: !isStated && !signs.isTaggedProduct,
  });
  if (page === null) return null;
  const displayed = displayedFacts(page);
  // If the product is sold out and states no price, a price next to it belongs to another product.
  const isSoldOut = !isPriced && stated.some(({ inStock }) => inStock === false);
  const shown = isSoldOut ? withoutPrice(displayed) : displayed;
  // So does the price of a list's only tile next to a product that is sold out or does not show its own price. A price that the
  // data also states is kept.
  const { price } = shown.offer;
  const isOfTile =
    isStated &&
    price !== null &&
    !prices.some(({ money }) => isSameAmount(money, price)) &&
    isTileShown(parsed, shown);
  if (!isOfTile) return shown;
  const offer = { ...shown.offer, price: null, listPrice: null, isUnsure: false };
  return { ...withoutPrice(shown), offer };
}

const withoutPrice = (displayed: Displayed): Displayed => ({
  ...displayed,
  facts: { ...displayed.facts, price: null, listPrice: null },
});

/**
 * Whether a page may be a product page by everything except its visible content. Checked first, because reading the visible
 * content is more expensive.
 */
function mayBeProductByView(parsed: ParsedPage): boolean {
  const { jsonLd, microdata, tags, context, html, page } = parsed;
  if (isFrontPage(context.url) || isServicePage(context.url) || isSearchPage(context.url))
    return false;
  if (isTextPath(context.url) || isTicketAddress(context.url)) return false;
  if (isAboutNoGoods(jsonLd) || isAboutNoGoods(microdata)) return false;
  if (tags.types.some((type) => NO_PRODUCT_TYPES.has(type))) return false;
  // The visible content decides whether the name belongs to a wall: walls have no price and no buy button.
  return readObstacleName(html, page)?.kind !== 'not_found';
}

/**
 * Whether the visible page alone makes it a product page. It needs a heading, a buy button, and a price next to them or in its
 * scripts' state, and no sign of another kind of page. `stated` are the facts of the page's data.
 */
export function isProductByView(
  parsed: ParsedPage,
  displayed: Displayed,
  product: StatedProduct,
  stated: readonly Facts[],
): boolean {
  // `shownOn` has already checked this for a page whose data does not say that it is a product page.
  if (product.isStated && !mayBeProductByView(parsed)) return false;
  if (product.isOfOthers && !isAboveOthers(parsed, displayed)) return false;
  if (isShownSoldOut(parsed, displayed)) return true;
  if (!isShownToBuy(parsed, displayed) || isTileShown(parsed, displayed)) return false;
  const { offer } = displayed;
  // Some pages only show their price after their script has run. The price is then in the state that the script reads.
  return (
    offer.price !== null || offer.isUnsure || stateFacts(parsed, stated, displayed).price !== null
  );
}

/**
 * Whether the page shows a sold-out product, and nothing marks it as something else. It shows a price below a heading that is
 * its title. Stock words are next to the price, or in an element named after stock.
 */
function isShownSoldOut(parsed: ParsedPage, displayed: Displayed): boolean {
  if (!displayed.isOutOfStock) return false;
  const { offer, page } = displayed;
  const { price } = offer;
  if (price === null || !page.isNamed) return false;
  const priceAt = page.amounts.find(
    ({ money, score }) => score > 0 && isSameAmount(money, price),
  )?.at;
  const isBeside = priceAt !== undefined && isOutOfStockBeside(page.part, priceAt);
  if (!isBeside && !isCalledOutOfStock(page.part)) return false;
  if (isServiceName(page.heading) || isNoGoods(page)) return false;
  return !isTileShown(parsed, displayed);
}

/** Whether the page shows a product page's buttons next to its heading, and nothing marks it as something else. */
function isShownToBuy(parsed: ParsedPage, { page, offer }: Displayed): boolean {
  if (!mayBeBought(page.part) || isServiceName(page.heading)) return false;
  if (isNoGoods(page) || isSoldElsewhere(parsed, page)) return false;
  return !offer.isUnsure || offer.isNet || !isTiled(page);
}

/**
 * Returns why a page is a product page although nothing on it can be read; null when it has neither data nor a sign of a
 * product.
 */
export function unreadIn(
  parsed: ParsedPage,
  displayed: Displayed | null,
  { isStated }: StatedProduct,
): string | null {
  const { html, jsonLd, microdata, tags, context, signs } = parsed;
  if (isList(jsonLd) || isList(microdata)) return null;
  if (isSearchPage(context.url) || isTicketAddress(context.url)) return null;
  if (displayed !== null) {
    if (isNothingToRead(parsed, displayed)) return null;
    // The area around the heading is searched for the words of more shops than the whole page is.
    const mayBeProduct = !isStated || mayBeProductByView(parsed);
    if (mayBeProduct && isShownToBuy(parsed, displayed)) return UNREAD_BUTTON;
  }
  const why = unreadProduct(html, tags, context.url);
  const isOfOthers =
    why === UNREAD_BUTTON && sellsOnlyOthers({ page: html, context, signs, names: [] });
  return isOfOthers ? null : why;
}

/** Whether the visible content says that the page is not a product page, regardless of its buttons. */
function isNothingToRead(parsed: ParsedPage, { page, offer }: Displayed): boolean {
  if (isNoGoods(page) || isServiceName(page.heading) || isSoldElsewhere(parsed, page)) return true;
  if (offer.isUnsure) return !offer.isNet && isTiled(page);
  return offer.price === null && isOnlyByTime(page);
}

/** Number of source characters after the heading searched for links to other sites. */
const SOURCE = 60_000;
/** A link that the page marks as sponsored, or does not endorse. */
const REFERRING =
  /<a\s[^<>]{0,800}?\srel\s*=\s*["']?[^"'<>]{0,60}\b(?:sponsored|nofollow)\b[^<>]{0,800}>/gi;
const HREF = /\shref\s*=\s*["']?([^"'\s<>]{1,2000})/i;
const LINK_CONTENT = 400;

/**
 * Whether a page only writes about goods sold elsewhere: every buy button on it is a sponsored or unendorsed link to another
 * site.
 */
function isSoldElsewhere(
  { html, context }: ParsedPage,
  { headingFrom, part }: VisiblePage,
): boolean {
  const buttons = part.buttons.filter(isBuyingPlace).length;
  const source = html.html.slice(headingFrom, headingFrom + SOURCE);
  let away = 0;
  for (const { 0: tag, index } of source.matchAll(REFERRING)) {
    const from = index + tag.length;
    const [label = ''] = source.slice(from, from + LINK_CONTENT).split('</a', 1);
    if (!isBuyLabel(plainTextOfHtml(label, 100))) continue;
    const address = absoluteUrl(decodeEntities(HREF.exec(tag)?.[1] ?? ''), context.url);
    if (address !== null && domainOf(address) !== domainOf(context.url)) away += 1;
  }
  return away > 0 && away >= buttons;
}

/** Values of `og:type` for pages that are not product pages. */
const NO_PRODUCT_TYPES = new Set(['article', 'product.group', 'profile', 'video.other', 'blog']);

/**
 * Returns the price in the scripts' state. It is only searched when nothing else states a price, or when the page shows the
 * price in an unknown currency, which the state then provides.
 */
export function stateFacts(
  parsed: ParsedPage,
  stated: readonly Facts[],
  displayed: Displayed,
): Facts {
  const others = [...stated, displayed.facts];
  const shown = displayed.facts.price?.money ?? null;
  if (stated.some((one) => one.price !== null || one.isPriceZero || one.isVariantUnclear)) {
    return NO_FACTS;
  }
  if (shown !== null && shown.currency !== null) return NO_FACTS;
  const names = [displayed.page.heading, ...others.map(({ title }) => title)].filter(
    (name) => name !== null,
  );
  const offer = stateOffer(parsed.html, names);
  const facts = offer === null ? NO_FACTS : factsOfState(offer, displayed);
  if (shown === null) return facts;
  const isSame = facts.price !== null && isSameAmount(facts.price.money, shown);
  return isSame ? facts : NO_FACTS;
}

/**
 * Returns the barcode and the seller in the scripts' state, where nothing else states them. A barcode is not taken if the data
 * lists several variants, or the address names one.
 */
export function stateNameFacts(
  { html, store, context }: ParsedPage,
  stated: StatedFacts,
  displayed: Displayed | null,
): Facts {
  if (store !== null || context.url === null) return NO_FACTS;
  const sources = Object.values(
    displayed === null ? stated : { ...stated, visible: displayed.facts },
  );
  const { price, sku, isVariantUnclear } = stated['asked variant'];
  const isOfVariants =
    price !== null ||
    sku !== null ||
    isVariantUnclear ||
    sources.some(({ codes }) => isSeveral(codes));
  const isCoded = isOfVariants || sources.some(({ gtin }) => gtin !== null);
  const hasSeller = sources.some(({ sellerName }) => sellerName !== null);
  if (isCoded && hasSeller) return NO_FACTS;
  const names = sources.map(({ title }) => title).filter((name) => name !== null);
  const found = stateNames(html, names, [
    ...(isCoded ? [] : (['gtin'] as const)),
    ...(hasSeller ? [] : (['seller'] as const)),
  ]);
  return {
    ...NO_FACTS,
    gtin: isCoded ? null : found.gtin,
    sellerName: hasSeller ? null : found.sellerName,
  };
}

/** Whether the numbers in the data belong to several variants. */
function isSeveral(codes: readonly string[]): boolean {
  const barcodes = codes.filter((code) => code.startsWith('gtin:')).length;
  return barcodes > 1 || codes.filter((code) => code.startsWith('sku:')).length > 1;
}

/** Other types that a page also has when its type "product" is a mistake. */
const OTHER_KINDS = /^(?:article|blog|post|status|video|photo|profile|music|event|episode)/;

/** A page with at least this many displayed characters is more than a shell for its script. */
const FILLED = 600;

function isFilled(html: string): boolean {
  const body = html.slice(Math.max(0, html.search(/<body\b/i)));
  return plainTextOfHtml(body, FILLED).length >= FILLED - 20;
}

/**
 * Whether `og:type` is the only sign of a product, while the page shows much text around its heading but neither a price nor a
 * buy button.
 */
export function isOnlyTagged({ tags, html }: ParsedPage, displayed: Displayed | null): boolean {
  const { facts, plain, sale, card } = tags;
  const { inStock, condition, gtin, sku, mpn, brand } = facts;
  const says = [plain, sale, card, inStock, condition, gtin, sku, mpn, brand];
  if (says.some((fact) => fact !== null)) return false;
  if (tags.types.some((type) => OTHER_KINDS.test(type))) return true;
  if (displayed === null) return isFilled(html.html);
  const { offer, page } = displayed;
  if (displayed.hasBuyButton || offer.price !== null || offer.isUnsure) return false;
  const last = page.part.lines.at(-1);
  return last !== undefined && last.at + last.text.length >= FILLED - 20;
}
