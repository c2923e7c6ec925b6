// Adds the facts that the visible page shows to those of its data, and corrects them. It supplies a price for data without
// one, a former price, the shown price where the data has the struck-through one, and "out of stock".

import { listPriceOf, mayBeOneCurrency } from '../../../base/listing/money/list-price.ts';
import {
  amountOf,
  decimalsOf,
  inCurrency,
  isSameAmount,
  type Money,
} from '../../../base/listing/money/minor-units.ts';
import { NO_FACTS } from '../facts.ts';
import type { Facts, StatedPrice } from '../facts.ts';
import type { StateOffer } from '../page-state.ts';
import type { WeighedFacts } from '../precedence.ts';
import { isOfAnother } from '../price-conflicts.ts';
import type { VisibleAmount } from './amounts/visible-amounts.ts';
import { labelledLines } from './labelled/labelled-values.ts';
import { visibleBarcode, visibleCodes } from './labelled/visible-codes.ts';
import { visibleBrand } from './labelled/visible-brand.ts';
import { isAfterRate, isBelowMeasure } from './no-goods.ts';
import { isNetOf } from './amounts/related-amounts.ts';
import { withTaxOf } from './amounts/taxed-amount.ts';
import { hasOtherWords, isNamedAnywhere } from './amounts/stated-reduction.ts';
import { hasBuyButton } from './lines/visible-buttons.ts';
import { visibleCondition } from './labelled/visible-condition.ts';
import { formerBeside, isOfferedInstead, visibleOffer } from './amounts/visible-offer.ts';
import type { VisibleOffer } from './amounts/visible-offer.ts';
import {
  isCalledOutOfStock,
  isOutOfStockForSure,
  isShownOutOfStock,
  isShownToOrder,
} from './stock-lines.ts';
import type { VisiblePage } from './visible-page.ts';

/** The visible facts of a page, and its signs of being a product page. */
export type Displayed = {
  readonly page: VisiblePage;
  readonly offer: VisibleOffer;
  readonly facts: Facts;
  readonly hasBuyButton: boolean;
  readonly isOutOfStock: boolean;
  /** Whether the words for that, or for a back order, are beyond doubt. */
  readonly isSurelyOut: boolean;
};

/**
 * Returns the visible facts of a page, without a price that is probably a deposit or a sample: its words name something
 * else, and it follows an amount per day or month, or a higher one per metre or kilogram.
 */
function withoutDeposit(page: VisiblePage, offer: VisibleOffer): VisibleOffer {
  const { price } = offer;
  if (price === null) return offer;
  const named = page.amounts.find(
    ({ money, score, isNamedOtherwise, isForSeveral }) =>
      score > 0 && (isNamedOtherwise || isForSeveral) && isSameAmount(money, price),
  );
  if (named === undefined) return offer;
  if (!isAfterRate(page, named.at) && !isBelowMeasure(page, named)) return offer;
  return { ...offer, price: null, listPrice: null, isUnsure: true };
}

/** Returns the facts that a page shows around its heading. */
export function displayedFacts(page: VisiblePage): Displayed {
  const { part, amounts } = page;
  const labelled = labelledLines(part.lines);
  const shown = withoutDeposit(page, visibleOffer(part, amounts));
  const isInstead = shown.price !== null && isOfferedInstead(part, amounts, shown.price);
  const offer = isInstead ? { ...shown, price: null, listPrice: null } : shown;
  const isOutOfStock = isInstead || isShownOutOfStock(part);
  const canBuy = !isInstead && hasBuyButton(part.buttons);
  const { price, listPrice } = offer;
  const priceAt =
    price === null ? null : (amounts.find(({ money }) => isSameAmount(money, price))?.at ?? null);
  const isToOrder = isShownToOrder(part, priceAt);
  // When a page has a button and also "Availability: Out of stock", it is unclear which one counts.
  const isForSale = canBuy && !isCalledOutOfStock(part);
  const inStock = isOutOfStock || isToOrder ? false : isForSale ? true : null;
  const facts: Facts = {
    ...NO_FACTS,
    title: page.isNamed ? page.heading : null,
    brand: visibleBrand(page, labelled),
    gtin: visibleBarcode(labelled),
    ...visibleCodes(labelled),
    price: price === null ? null : { money: price, isWhole: false },
    listPrice,
    condition: visibleCondition(part, labelled),
    inStock,
    unavailable: inStock === null ? null : false,
  };
  const isSurelyOut = isToOrder || (isOutOfStock && isOutOfStockForSure(part, priceAt));
  return { page, offer, facts, hasBuyButton: canBuy, isOutOfStock, isSurelyOut };
}

/** Returns the page's amounts equal to the stated price, best first. */
function shownAmounts({ page }: Displayed, price: Money): readonly VisibleAmount[] {
  return page.amounts
    .filter(
      ({ money, score }) =>
        score > 0 && isSameAmount(money, price) && mayBeOneCurrency(money, price),
    )
    .toSorted((a, b) => b.score - a.score);
}

/** Whether the page shows the amount where a price may be. */
export function isShown(displayed: Displayed, price: Money): boolean {
  return shownAmounts(displayed, price).length > 0;
}

/** Returns every occurrence of the stated price on the page, including those labelled as something else. */
const placesOf = ({ page }: Displayed, price: Money): readonly VisibleAmount[] =>
  page.amounts.filter(({ money }) => isSameAmount(money, price) && mayBeOneCurrency(money, price));

/**
 * Whether the stated price is struck through in one place and shown as the price in another: the lower one next to it is for
 * subscribers, bulk buyers or code holders.
 */
function isPriceElsewhere(places: readonly VisibleAmount[]): boolean {
  return (
    places.some(({ isFormer }) => isFormer) &&
    places.some(({ isFormer, isRegular, score }) => !isFormer && !isRegular && score >= CONFIRMING)
  );
}

/**
 * Whether the page strikes the stated price through or calls it the former or regular one, with more than words for some buyers
 * ("Members save 15 %") before it; or has no words at all next to the lower one. A percentage alone may equally apply to
 * subscribers, card holders or used items.
 */
function isCalledFormer(
  { page }: Displayed,
  places: readonly VisibleAmount[],
  lower: Money,
): boolean {
  const former = places.filter(({ isFormer, isRegular }) => isFormer || isRegular);
  if (former.length === 0) return !isNamedAnywhere(page.part, page.amounts, lower);
  return former.some(({ score, label }) => score > 0 || !hasOtherWords(label));
}

/**
 * Returns the displayed price when the data has only the lowest of several and the page does not show that one, or when the
 * page marks the stated one as without tax and shows it with tax first.
 */
function shownInstead(displayed: Displayed, stated: StatedPrice): Money | null {
  const shown = displayed.offer.price;
  const { money, highestCents = 0 } = stated;
  if (shown === null || amountOf(shown) <= amountOf(money)) return null;
  if (!mayBeOneCurrency(shown, money)) return null;
  const places = shownAmounts(displayed, money);
  const highest = amountOf({ ...money, cents: highestCents });
  if (places.length === 0) return amountOf(shown) <= highest ? shown : null;
  const [gross] = shownAmounts(displayed, shown);
  return gross !== undefined && places.every((place) => isNetOf(place, gross)) ? shown : null;
}

/** The indications of a page's address and language about its prices. */
type PagePlace = {
  /** The currency that the address asks for. */
  readonly askedCurrency: string | null;
  readonly country: string | null;
};

/**
 * Returns the displayed price in place of the stated one: the one with tax, or the one in the currency that the address asks
 * for if the data only states another.
 */
function paidInstead(
  { page: { amounts }, offer: { price } }: Displayed,
  stated: StatedPrice,
  { askedCurrency, country }: PagePlace,
): Money | null {
  const { currency } = stated.money;
  const isAsked = askedCurrency !== null && currency !== null && currency !== askedCurrency;
  if (isAsked) return price?.currency === askedCurrency ? price : null;
  return withTaxOf(stated, { price, amounts }, country);
}

/** Returns the former price next to the stated one, if the page shows it. */
function listPriceBeside(displayed: Displayed, price: Money): Money | null {
  // A theme may show it twice, first as its "regular price": that occurrence does not indicate a former price.
  const shown = shownAmounts(displayed, price).find(({ isFormer }) => !isFormer);
  if (shown === undefined) return null;
  const { part, amounts } = displayed.page;
  const former = formerBeside(part, amounts, shown);
  return former === null ? null : inCurrency(former, price.currency);
}

/**
 * Corrects the data's facts by what the page shows: if the stated price is shown as the former one, the lower price next to it
 * counts (a displayed price beats a hidden one), unless the stated one is also shown as the price; a former price is added; "in
 * stock" in the data becomes out of stock if the page says so and has no buy button, and against JSON-LD only if the words
 * certainly mean the product and the JSON-LD is about nothing else.
 */
export function asDisplayed(
  weighed: WeighedFacts,
  displayed: Displayed,
  place: PagePlace,
): WeighedFacts {
  const { facts, remarks, priceFrom, stockFrom } = weighed;
  const price = facts.price?.money ?? null;
  const notes = [...remarks];
  let corrected = facts;
  let from = priceFrom;
  if (price !== null && priceFrom !== 'visible') {
    const { offer } = displayed;
    const instead =
      facts.price === null
        ? null
        : (shownInstead(displayed, facts.price) ?? paidInstead(displayed, facts.price, place));
    const places = placesOf(displayed, price);
    const isStruck =
      offer.price !== null &&
      offer.listPrice !== null &&
      isSameAmount(offer.listPrice, price) &&
      mayBeOneCurrency(offer.price, price) &&
      (facts.price === null || !isOfAnother(facts.price, offer.price));
    if (
      isStruck &&
      offer.price !== null &&
      isCalledFormer(displayed, places, offer.price) &&
      !isPriceElsewhere(places)
    ) {
      const money = withCurrencyOf(price, offer.price);
      corrected = { ...facts, price: { money, isWhole: false }, listPrice: price };
      from = 'visible';
      notes.push('price as shown: the page strikes through the stated one');
    } else if (instead !== null) {
      const money =
        instead.currency === place.askedCurrency ? instead : withCurrencyOf(price, instead);
      const listPrice = listPriceOf(money, [offer.listPrice]);
      corrected = { ...facts, price: { money, isWhole: false }, listPrice };
      from = 'visible';
      notes.push(
        'price as shown: the stated one is the lowest of several, without tax or not asked',
      );
    } else if (facts.listPrice === null || amountOf(facts.listPrice) <= amountOf(price)) {
      const listPrice = listPriceBeside(displayed, price);
      if (listPrice !== null) corrected = { ...facts, listPrice };
    }
  }
  // JSON-LD may cover more variants than the displayed one.
  const isOut =
    (displayed.isSurelyOut && !facts.isStockOfSeveral) ||
    (displayed.isOutOfStock && stockFrom !== 'JSON-LD');
  if (isOut && facts.inStock === true) {
    corrected = { ...corrected, inStock: false };
    notes.push('out of stock as shown');
  }
  const isCorrected = corrected.inStock !== facts.inStock;
  return {
    facts: corrected,
    remarks: notes,
    priceFrom: from,
    stockFrom: isCorrected ? 'visible' : stockFrom,
  };
}

/** Returns a displayed amount in the currency of the stated price, if that has one. */
function withCurrencyOf(price: Money, shown: Money): Money {
  return price.currency === null ? shown : (inCurrency(shown, price.currency) ?? shown);
}

/** Minimum score for an amount on the page to confirm a price stated only by a script. */
const CONFIRMING = 3;

/**
 * Returns the facts of a state. An amount that may be in a smaller unit only counts when the page shows it, as is or divided; a
 * tag manager's amount counts as is. The unit is a hundredth, as in many programs whatever the currency, or the currency's own.
 */
export function factsOfState(offer: StateOffer, { page: { amounts } }: Displayed): Facts {
  const { price, isMajor, brand } = offer;
  const likely = amounts.filter(({ score }) => score >= CONFIRMING);
  const isShown = likely.some(({ money }) => isSameAmount(money, price));
  const divided = isMajor || isShown ? undefined : likely.find(({ money }) => isPart(money, price));
  if (!isMajor && !isShown && divided === undefined) return NO_FACTS;
  const amount = divided?.money ?? price;
  const shown = amounts.find(({ money }) => isSameAmount(money, amount))?.money.currency ?? null;
  const money = inCurrency(amount, price.currency ?? shown);
  return money === null ? NO_FACTS : { ...NO_FACTS, price: { money, isWhole: false }, brand };
}

/** Whether a stated whole number, counted in hundredths or in the displayed amount's minor unit, is that amount. */
function isPart(shown: Money, stated: Money): boolean {
  const decimals = [2, decimalsOf(stated.currency ?? shown.currency)];
  return decimals.some((each) => amountOf(shown) === amountOf(stated) / 10 ** each);
}
