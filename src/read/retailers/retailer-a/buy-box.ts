// Reads the buy box of a retailer_a product page: the price for everyone, the seller, stock and delivery. Prices for
// members, subscribers, used copies and other sellers are next to it and do not count.

import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import type { Availability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import { decodeEntities } from '../../../base/listing/text/text.ts';
import { firstUnderstood } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { listAt, textAt } from '../../page-data/json/json-path.ts';
import { attributeOf, visibleText } from '../../page-data/html/page-elements.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { isBuyLabel } from '../../page-data/visible/lines/visible-buttons.ts';
import { deliveryOfText, readDelivery } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { readMerchant } from './merchant.ts';
import { isOf } from './page-parts.ts';
import type { BuyingOption, PageParts } from './page-parts.ts';
import { isInPieces, moneyIn, readPriceBlock } from './price-block.ts';

/** Parts with the price, most reliable first. They mark up their amounts; those in `TEXT_PLACES` do not. */
const BLOCK_PLACES = [
  'corePrice_feature_div',
  'corePrice_desktop',
  'apex_offerDisplay_desktop',
  'corePriceDisplay_desktop_feature_div',
  'corePriceDisplay_mobile_feature_div',
  'apex_desktop',
];
const TEXT_PLACES = [
  'price_inside_buybox',
  'newBuyBoxPrice',
  'priceblock_dealprice',
  'priceblock_saleprice',
  'priceblock_ourprice',
  'kindle-price',
  'tp_price_block_total_price_ww',
  'buyNewSection',
  'actualPriceValue',
  'format',
  // When no seller qualifies for the buy box, it shows the cheapest new offer.
  'unqualifiedBuyBox',
];
/** "Hardcover from $3.99" is the price of copies from other sellers; so is "Taschenbuch ab 3,99 €". */
const FROM =
  /\bfrom\b|(?:from|(?<!\p{L})(?:ab|à partir de|a partir de|desde|da|vanaf|från|od))(?=\s{0,2}(?:[^\d\p{L}]{0,4}(?:EUR\s?)?|R\$\s?)\d)|\d\s?より/iu;

/** Returns the price of one of these buying options. */
function priceOf(parts: PageParts, options: readonly BuyingOption[]): Money | null {
  for (const place of BLOCK_PLACES) {
    for (const part of parts.all(place)) {
      const price = isOf(part, options) ? readPriceBlock(part.inner).price : null;
      if (price !== null) return price;
    }
  }
  for (const place of TEXT_PLACES) {
    for (const part of parts.all(place)) {
      if (!isOf(part, options)) continue;
      const text = visibleText(parts.html, part.element, 120);
      if (place === 'format' && FROM.test(text ?? '')) continue;
      const marked = readPriceBlock(part.inner).price;
      const price = marked ?? (isInPieces(part.inner) ? null : moneyIn(text));
      if (price !== null) return price;
    }
  }
  return null;
}

/**
 * Returns the price of a buying option (`NEW`, `USED`) from the page's script data. Pages whose boxes are filled in by
 * script state it nowhere else; a visible price takes precedence.
 */
function scriptedPrice(parts: PageParts, option: string): Money | null {
  for (const part of parts.all('option prices')) {
    const groups = parseJson(decodeEntities(part.inner.slice(0, 20_000)));
    for (const group of typeof groups === 'object' && groups !== null
      ? Object.values(groups)
      : []) {
      const entry = listAt(group, '', 20).find(
        (each) => textAt(each, 'buyingOptionType')?.toUpperCase() === option,
      );
      const price = moneyIn(textAt(entry, 'displayPrice'));
      if (price !== null) return price;
    }
  }
  return null;
}

/**
 * Returns "List Price", "Typical price" or "Was". It may equal the price when only members pay less, and may appear alone when
 * the offers are on a separate page.
 */
function struckPrice(parts: PageParts, price: Money | null): Money | null {
  const fitting = (struck: Money | null): Money | null =>
    struck?.cents === price?.cents ? struck : namedListPriceOf(price, [struck]);
  for (const place of [...BLOCK_PLACES, 'price']) {
    for (const part of parts.all(place)) {
      if (!isOf(part, ['main', 'member'])) continue;
      const struck = fitting(readPriceBlock(part.inner).struck);
      if (struck !== null) return struck;
    }
  }
  return fitting(moneyIn(parts.text('listPrice', 120) ?? parts.text('digital-list-price', 120)));
}

/** Only the first sentence counts: "Currently unavailable. We don't know when ... back in stock." */
function availabilityOf(text: string, words: UnknownWords): Availability | null {
  const sentence = (/^.{1,110}?(?:[.!]\s|[.!]?$)/.exec(text.slice(0, 110))?.[0] ?? text).trim();
  if (/^(?:available from these sellers|erhältlich bei diesen anbietern)/i.test(sentence))
    return { inStock: true, unavailable: false };
  // Orderable today but in stock later means out of stock.
  if (/^in stock (?:on|soon)\b|^pre-?order\b/i.test(sentence)) {
    return { inStock: false, unavailable: false };
  }
  if (/^available (?:instantly|now|for download)|^in stock\b/i.test(sentence)) {
    return { inStock: true, unavailable: false };
  }
  return words.note(firstUnderstood([sentence, text.slice(0, 110)], readAvailability));
}

const BUTTONS = ['add-to-cart-button', 'buy-now-button', 'one-click-button'];
const BUY = /^(?:add to (?:shopping )?(?:cart|basket)|buy now(?: with 1-click)?)\b/i;

/** Returns the page's stock; if no line states it, a buy button means in stock. */
function stockOf(parts: PageParts): Availability | null {
  for (const place of ['availability', 'availabilityInsideBuyBox_feature_div']) {
    for (const part of parts.all(place)) {
      const text = isOf(part, ['main', 'renewed'])
        ? visibleText(parts.html, part.element, 300)
        : null;
      const said = text === null ? null : availabilityOf(text, parts.words);
      if (said !== null) return said;
    }
  }
  for (const place of ['outOfStock', 'outOfStockBuyBox_feature_div']) {
    const text = parts.text(place, 300);
    if (text !== null) {
      return availabilityOf(text, parts.words) ?? { inStock: false, unavailable: null };
    }
  }
  const labels = BUTTONS.flatMap((name) => parts.all(name))
    // A page that still requires a size selection has an inactive button.
    .filter(({ element }) => attributeOf(parts.html, element, 'disabled') === null)
    .flatMap(({ element }) =>
      ['value', 'title'].map((name) => attributeOf(parts.html, element, name) ?? ''),
    );
  const canBuy = labels.some((label) => BUY.test(label.trim()) || isBuyLabel(label));
  const sells = parts.all('buybox-see-all-buying-choices').length > 0;
  return canBuy || sells ? { inStock: true, unavailable: false } : null;
}

function deliveryOf(parts: PageParts, priceCents: number | null, nearMs: number): Delivery | null {
  for (const part of parts.all('delivery')) {
    if (!isOf(part, ['main', 'renewed'])) continue;
    const found = readDelivery(part.outer, { nearMs, priceCents });
    if (found !== null) return found;
  }
  for (const place of [
    'delivery',
    'delivery-message',
    'ddmDeliveryMessage',
    'deliveryBlockMessage',
  ]) {
    const found = deliveryOfText(parts.text(place, 300) ?? '', nearMs);
    if (found !== null) return found;
  }
  return null;
}

/** Reads the widget of other sellers: "New (3) from $8.99", "Renewed (2) from $599.66". */
function otherOffers(parts: PageParts): { count: number | null; lowest: Money | null } {
  for (const place of [
    'olpLinkWidget_feature_div',
    'olp_feature_div',
    'dynamic-aod-ingress-box',
    'aod-ingress-link',
  ]) {
    const text = parts.text(place, 300) ?? '';
    const [, count, amount] =
      /\((\d{1,4})\)\s+from\s+([^\s\d]{0,4}\s?\d[\d.,]{0,12})/i.exec(text) ?? [];
    if (count !== undefined) return { count: Number(count), lowest: moneyIn(amount ?? null) };
  }
  return { count: null, lowest: null };
}

function lower(a: Money | null, b: Money | null): Money | null {
  if (a === null || b === null) return a ?? b;
  return b.cents < a.cents ? b : a;
}

/**
 * Returns the lowest price in the widget of other sellers; null when it equals the box price, because the widget includes that
 * offer.
 */
function anotherPrice(lowest: Money | null, price: Money | null): Money | null {
  return lowest !== null && lowest.cents === price?.cents ? null : lowest;
}

type UsedOffer = {
  readonly price: Money | null;
  readonly condition: Condition | null;
  /** Whether the used copy has its own box instead of a row. */
  readonly hasBox: boolean;
};

/** Returns the used copy that the page offers, with the grade from its box. */
function usedOffer(parts: PageParts): UsedOffer {
  for (const place of ['usedOnlyBuybox', 'usedbuyBox', 'usedBuySection']) {
    for (const part of parts.all(place)) {
      const text = visibleText(parts.html, part.element, 400) ?? '';
      const grade = /\bused\s*[:-]\s*(like new|very good|good|acceptable)\b/i.exec(text)?.[1];
      const price =
        readPriceBlock(part.inner).price ?? moneyIn(/\$\s?[\d.,]+/.exec(text)?.[0] ?? null);
      const named = readCondition(grade === undefined ? 'Used' : `Used - ${grade}`);
      const condition = parts.words.note(named);
      if (price !== null) return { price, condition, hasBox: true };
    }
  }
  const price = priceOf(parts, ['used']) ?? scriptedPrice(parts, 'USED');
  return { price, condition: null, hasBox: false };
}

/** Whether the price row is the one for new goods. */
function isSoldNew(parts: PageParts): boolean {
  const isRow = BLOCK_PLACES.some((place) =>
    parts.all(place).some((part) => part.isNew && isOf(part, ['main'])),
  );
  return isRow || scriptedPrice(parts, 'NEW') !== null;
}

/** Reads the buy box. `isRenewed` is true when the title says that the whole listing is of renewed goods. */
export function readBuyBox(parts: PageParts, isRenewed: boolean, nearMs: number) {
  const stock = stockOf(parts);
  const isNew = isSoldNew(parts);
  const main =
    priceOf(parts, isRenewed ? ['main', 'renewed'] : ['main']) ?? scriptedPrice(parts, 'NEW');
  const used = usedOffer(parts);
  // Without a box for new goods, the general price is the used copy's.
  const sellsUsedOnly =
    used.hasBox && !isNew && (main === null || main.cents === used.price?.cents);
  const price = sellsUsedOnly ? used.price : main;
  const others = otherOffers(parts);
  const beside = lower(others.lowest, sellsUsedOnly ? null : used.price);
  const renewed = isRenewed ? null : priceOf(parts, ['renewed']);
  const seller = readMerchant(parts);
  const delivery = deliveryOf(parts, price?.cents ?? null, nearMs);
  const cost = delivery?.costCents ?? null;
  const date = delivery?.day ?? null;
  return {
    price,
    listPrice: struckPrice(parts, price),
    secondaryOfferPrice: anotherPrice(lower(beside, renewed), price),
    inStock: stock?.inStock ?? null,
    unavailable: stock?.unavailable ?? null,
    condition: sellsUsedOnly ? used.condition : isNew ? 'new' : null,
    sellerName: seller?.sellerName ?? null,
    sellerId: seller?.sellerId ?? null,
    sellerType: seller?.sellerType ?? null,
    offersCount: others.count,
    deliveryDate: date,
    fulfillment:
      delivery === null
        ? null
        : {
            shipping: { available: stock?.inStock ?? null, costCents: cost, date },
            delivery: null,
            pickup: null,
          },
  } satisfies Partial<Listing>;
}
