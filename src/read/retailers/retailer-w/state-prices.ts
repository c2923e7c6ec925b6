// Reads the prices in retailer_w's state: `priceInfo` of a product, and the three shapes of a search item.

import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import { amountOf, type Money } from '../../../base/listing/money/minor-units.ts';
import { readValue } from '../../../base/listing/money/money.ts';
import { moneyAt } from '../../page-data/json/json-values.ts';
import { at, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';

type StatePrices = {
  readonly price: Money | null;
  /** The list price, otherwise the struck-through price; there is no MSRP field. */
  readonly listPrice: Money | null;
};

function firstMoney(
  node: unknown,
  paths: readonly string[],
  currency: string | null,
): Money | null {
  for (const path of paths) {
    const money = moneyAt(node, path, currency);
    if (money !== null) return money;
  }
  return null;
}

/** Returns the prices in the `priceInfo` of a product or an offer. */
export function pricesOf(info: unknown, currency: string | null): StatePrices {
  const price =
    moneyAt(info, 'currentPrice', currency) ??
    // A variant group without a selection has a range, of which the lowest counts.
    moneyAt(info, 'priceRange.minPrice', textAt(info, 'priceRange.currencyUnit') ?? currency);
  const list = moneyAt(info, 'listPrice', currency);
  const was = moneyAt(info, 'wasPrice', currency);
  return { price, listPrice: namedListPriceOf(price, [list, was]) };
}

/** Returns the price of the best other offer: an object, a string, or the boost line. */
export function secondaryPrice(product: unknown, currency: string | null): Money | null {
  const paths = [
    'secondaryOfferPrice.currentPrice',
    'secondaryOfferPrice',
    'priceInfo.secondaryOfferBoost',
  ];
  return firstMoney(product, paths, currency);
}

/** Returns the amounts in the newest shape: `priceDetails.priceLines[]` with a `lineType` and keyed values. */
function lineAmounts(item: unknown, types: RegExp, currency: string | null): readonly Money[] {
  return listAt(item, 'priceInfo.priceDetails.priceLines', 20)
    .filter((line) => types.test(textAt(line, 'lineType') ?? ''))
    .flatMap((line) => listAt(line, 'values', 20))
    .filter((value) => /^(?:PRICE|LOW_PRICE)$/.test(textAt(value, 'key') ?? ''))
    .flatMap((value) => moneyAt(value, 'value', currency) ?? []);
}

function lowest(amounts: readonly Money[]): Money | null {
  return amounts.reduce<Money | null>(
    (low, money) => (low === null || amountOf(money) < amountOf(low) ? money : low),
    null,
  );
}

/**
 * Returns the plain `price` of a search item. It may be 0 or truncated to whole dollars, so it only counts with cents.
 */
function barePrice(item: unknown, currency: string | null): Money | null {
  const bare = numberAt(item, 'price');
  return bare === null || Number.isInteger(bare) ? null : readValue(bare, currency);
}

/** Returns the prices of an item on a search page. */
export function searchPrices(item: unknown, currency: string | null): StatePrices {
  const info = at(item, 'priceInfo');
  const price =
    moneyAt(info, 'currentPrice', currency) ??
    lowest(lineAmounts(item, /^(?:CURRENT|DISCOUNTED)_PRICE$/, currency)) ??
    firstMoney(info, ['linePrice', 'itemPrice'], currency) ??
    lowest(lineAmounts(item, /^OPTIONS/, currency)) ??
    firstMoney(info, ['priceRange.minPrice', 'minPriceForVariant', 'minPrice'], currency) ??
    barePrice(item, currency);
  const before =
    firstMoney(info, ['listPrice', 'wasPrice'], currency) ??
    lowest(lineAmounts(item, /^(?:WAS|LIST|STRIKETHROUGH)_PRICE$/, currency));
  return { price, listPrice: namedListPriceOf(price, [before]) };
}
