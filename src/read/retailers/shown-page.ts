// Reads what an unknown shop's page shows, for the generic reader: a price where its data has none, and whether heading, price
// and button make it a product page.

import { plainTextOfHtml } from '../../base/listing/text/text.ts';
import { displayedFacts, factsOfState } from '../page-data/visible/displayed-facts.ts';
import type { Displayed } from '../page-data/visible/displayed-facts.ts';
import { NO_FACTS } from '../page-data/facts.ts';
import type { Facts } from '../page-data/facts.ts';
import { isAboutNoGoods, isList } from '../page-data/schema-org/main-product.ts';
import type { ProductChoice } from '../page-data/schema-org/main-product.ts';
import {
  isFrontPage,
  isSearchPage,
  isServicePage,
  isTextPath,
  isTicketAddress,
} from '../page-data/page-names.ts';
import { stateOffer } from '../page-data/page-state.ts';
import { isServiceName } from '../page-data/service-names.ts';
import { UNREAD_BUTTON, unreadProduct } from '../page-data/unread-product.ts';
import { isSingleTile } from '../page-data/visible/single-tile.ts';
import { isNoGoods, isOnlyByTime } from '../page-data/visible/no-goods.ts';
import { isBuyingPlace } from '../page-data/visible/lines/visible-buttons.ts';
import { MARK } from '../page-data/visible/lines/visible-marks.ts';
import {
  isCalledOutOfStock,
  isOutOfStockBeside,
} from '../page-data/visible/amounts/visible-offer.ts';
import { mayBeBought, seePage, sellsOnlyOthers } from '../page-data/visible/visible-page.ts';
import type { VisiblePage } from '../page-data/visible/visible-page.ts';
import { readObstacleName } from './page-status.ts';
import type { ParsedPage } from './parsed-page.ts';
import { isSoldElsewhere } from './sold-elsewhere.ts';

/** What the caller wants to know of what a page shows. */
export type Wanted = {
  /** Gives nothing for a page without the buttons to buy of a product page: one that has none, or as many as a list has. */
  readonly isToBuy: boolean;
  /** Reads the price although the data states one: what the page shows decides which of several prices counts. */
  readonly isDoubtful: boolean;
};

/**
 * What the page shows around the heading of its product. `stated` is what the data of the page says. Null without such a heading.
 */
export function displayedOn(
  parsed: ParsedPage,
  stated: readonly Facts[],
  { isToBuy, isDoubtful }: Wanted,
): Displayed | null {
  const { html, context, signs, tags } = parsed;
  const names = stated.map(({ title }) => title).filter((title) => title !== null);
  const isPriced = stated.some(({ price }) => price !== null);
  const isComplete =
    !isDoubtful &&
    isPriced &&
    stated.some(({ brand }) => brand !== null) &&
    stated.some(({ inStock }) => inStock !== null);
  const currency = stated.map(({ price }) => price?.money.currency ?? null).find(isSome) ?? null;
  const page = seePage({
    page: html,
    context,
    signs,
    names,
    currency: currency ?? tags.currency,
    isPriced,
    isUnpriced: !isPriced && stated.some(({ inStock }) => inStock !== null),
    isComplete,
    isToBuy,
  });
  if (page === null) return null;
  const displayed = displayedFacts(page);
  const isSoldOut = !isPriced && stated.some(({ inStock }) => inStock === false);
  if (!isSoldOut) return displayed;
  // A price beside a sold-out product that states none belongs to another product.
  return { ...displayed, facts: { ...displayed.facts, price: null, listPrice: null } };
}

/**
 * What a product page shows, without the price of a tile of other goods. A product that is sold out, or whose own price is not
 * shown, has such prices beside it. A price that the page's data states too (`stated`) stays.
 */
export function withoutTile(
  parsed: ParsedPage,
  displayed: Displayed | null,
  stated: readonly Facts[],
): Displayed | null {
  const cents = displayed?.offer.price?.cents;
  if (displayed === null || cents === undefined) return displayed;
  if (stated.some(({ price }) => price?.money.cents === cents)) return displayed;
  if (!isTileShown(parsed, displayed)) return displayed;
  const offer = { ...displayed.offer, price: null, listPrice: null, isUnsure: false };
  return { ...displayed, offer, facts: { ...displayed.facts, price: null, listPrice: null } };
}

const isSome = <T>(value: T | null): value is T => value !== null;

/**
 * Whether a page may be a product page by everything except its visible content. It is asked first, because reading the visible
 * content costs more.
 */
export function mayBeProductByView(parsed: ParsedPage): boolean {
  const { jsonLd, microdata, tags, context, html, page } = parsed;
  if (isFrontPage(context.url) || isServicePage(context.url) || isSearchPage(context.url))
    return false;
  if (isTextPath(context.url) || isTicketAddress(context.url)) return false;
  if (isList(jsonLd) || isList(microdata) || isAboutNoGoods(jsonLd) || isAboutNoGoods(microdata))
    return false;
  if (tags.types.some((type) => NO_PRODUCT_TYPES.has(type))) return false;
  return readObstacleName(html, page) === null;
}

/**
 * Whether the visible page alone makes it a product page. It needs a heading, a button to buy, and a price beside them or in the
 * state of its scripts, and nothing may call the page something else. `stated` is what the data of the page says.
 */
export function isProductByView(
  parsed: ParsedPage,
  displayed: Displayed | null,
  stated: readonly Facts[],
): displayed is Displayed {
  if (isShownSoldOut(parsed, displayed)) return true;
  if (!isShownToBuy(parsed, displayed) || isTileShown(parsed, displayed)) return false;
  const { offer } = displayed;
  // Some pages show their price only after their script has run. Then the price is in the state that the script reads.
  return (
    offer.price !== null || offer.isUnsure || stateFacts(parsed, stated, displayed).price !== null
  );
}

/**
 * Whether the page shows a product that is sold out, and nothing calls it something else. Below a heading that is its title it
 * shows a price. Words of stock stand beside the price, or in an element that is named after them.
 */
function isShownSoldOut(parsed: ParsedPage, displayed: Displayed | null): boolean {
  if (displayed === null || !displayed.isOutOfStock) return false;
  const { offer, page } = displayed;
  const cents = offer.price?.cents;
  if (cents === undefined || !page.isNamed) return false;
  const priceAt = page.amounts.find(({ money, score }) => money.cents === cents && score > 0)?.at;
  const isBeside = priceAt !== undefined && isOutOfStockBeside(page.part, priceAt);
  if (!isBeside && !isCalledOutOfStock(page.part)) return false;
  if (!mayBeProductByView(parsed) || isServiceName(page.heading) || isNoGoods(page)) return false;
  return !isTileShown(parsed, displayed);
}

/** Whether the page shows the buttons of a product page beside its heading, and nothing calls it something else. */
function isShownToBuy(parsed: ParsedPage, displayed: Displayed | null): displayed is Displayed {
  if (displayed === null || !mayBeBought(displayed.page.part)) return false;
  if (!mayBeProductByView(parsed) || isServiceName(displayed.page.heading)) return false;
  if (isNoGoods(displayed.page) || isSoldElsewhere(parsed, displayed.page)) return false;
  const { isUnsure, isNet } = displayed.offer;
  return !isUnsure || isNet || !isTiled(displayed.page);
}

/** Why a page is a product page although nothing on it can be read; null when it has neither data nor a sign of a product. */
export function unreadIn(parsed: ParsedPage, displayed: Displayed | null): string | null {
  const { html, jsonLd, microdata, tags, context, signs } = parsed;
  if (isList(jsonLd) || isList(microdata)) return null;
  if (isSearchPage(context.url) || isTicketAddress(context.url)) return null;
  if (displayed !== null && isNothingToRead(parsed, displayed)) return null;
  // The surroundings of the heading are searched for the words of more shops than a whole page is.
  if (isShownToBuy(parsed, displayed)) return UNREAD_BUTTON;
  const why = unreadProduct(html, tags, context.url);
  const isOfOthers =
    why === UNREAD_BUTTON && sellsOnlyOthers({ page: html, context, signs, names: [] });
  return isOfOthers ? null : why;
}

/** Whether the visible content says that the page is not a product page, whatever buttons it has. */
function isNothingToRead(parsed: ParsedPage, { page, offer }: Displayed): boolean {
  if (isNoGoods(page) || isServiceName(page.heading) || isSoldElsewhere(parsed, page)) return true;
  if (offer.isUnsure) return !offer.isNet && isTiled(page);
  return offer.price === null && isOnlyByTime(page);
}

/** Whether the price that a page shows belongs to the only tile of a list. */
export function isTileShown(
  { html, context, signs }: ParsedPage,
  { offer: { price }, page }: Displayed,
): boolean {
  const shown = page.amounts.filter(
    ({ money, score, at }) =>
      score > 0 && at > 0 && (price === null || money.cents === price.cents),
  );
  const priceAt = shown[0]?.at ?? page.part.buttons.find(isBuyingPlace)?.at ?? 0;
  return isSingleTile(html, { ...page, names: signs.names, context }, priceAt);
}

/**
 * Whether the data's product, which states nothing but a range of prices, is the list that the page shows. Then the range's
 * lowest or highest price is that of one of several tiles, and the page has neither a price nor a button to buy of its own.
 */
export function isCategoryByView(choice: ProductChoice, { page }: Displayed): boolean {
  if (choice.kind !== 'one' || !choice.mayBeCategory) return false;
  if (page.part.buttons.some(isBuyingPlace)) return false;
  const range = choice.products[0]?.offers.find(({ price }) => price !== null)?.price ?? null;
  if (range === null) return false;
  const { money, highestCents = money.cents } = range;
  const inRange = page.amounts.filter(
    ({ at, money: { cents } }) => at > 0 && cents >= money.cents && cents <= highestCents,
  );
  const inTiles = inRange.filter(({ marks }) => (marks & MARK.aside) !== 0);
  const sums = new Set(inTiles.map(({ money: { cents } }) => cents));
  const isOwn = inRange.some(({ score }) => score > 0);
  return !isOwn && sums.size > 1 && (sums.has(money.cents) || sums.has(highestCents));
}

/** Whether the page shows tiles of several goods: several buttons to buy, each after an amount of its own. */
function isTiled({ part, amounts }: VisiblePage): boolean {
  const buttons = part.buttons.filter(isBuyingPlace);
  const sums = buttons.map(
    ({ at }) => amounts.findLast((amount) => amount.score > 0 && amount.at < at)?.money.cents,
  );
  return buttons.length > 1 && new Set(sums).size === buttons.length;
}

/** What `og:type` calls a page that is no product page. */
const NO_PRODUCT_TYPES = new Set(['article', 'product.group', 'profile', 'video.other', 'blog']);

/**
 * The price in the state of the scripts. It is looked for only where nothing else states a price, or where the page shows the
 * price in an unknown currency, which the state then names.
 */
export function stateFacts(
  parsed: ParsedPage,
  stated: readonly Facts[],
  displayed: Displayed,
): Facts {
  const others = [...stated, displayed.facts];
  const shown = displayed.facts.price?.money ?? null;
  if (stated.some(({ price, isPriceZero }) => price !== null || isPriceZero)) return NO_FACTS;
  if (shown !== null && shown.currency !== null) return NO_FACTS;
  const names = [displayed.page.heading, ...others.map(({ title }) => title)].filter(
    (name) => name !== null,
  );
  const offer = stateOffer(parsed.html, names);
  const facts = offer === null ? NO_FACTS : factsOfState(offer, displayed);
  const isSame = shown === null || facts.price?.money.cents === shown.cents;
  return isSame ? facts : NO_FACTS;
}

/** Other types that a page also gives itself when its type "product" is a mistake. */
const OTHER_KINDS = /^(?:article|blog|post|status|video|photo|profile|music|event|episode)/;

/** A page that shows at least this many characters is more than a shell for its script. */
const FILLED = 600;

function isFilled(html: string): boolean {
  const body = html.slice(Math.max(0, html.search(/<body\b/i)));
  return plainTextOfHtml(body, FILLED).length >= FILLED - 20;
}

/**
 * Whether only `og:type` speaks for a product, while the page shows much text around its heading but neither a price nor a button
 * to buy.
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
