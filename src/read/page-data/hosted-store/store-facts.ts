// What the script of a hosted store, and its theme's copy of the product, add to the structured data of the page.

import { NO_FACTS } from '../facts.ts';
import type { Facts, PageContext, StatedPrice } from '../facts.ts';
import { isNode, listOf, plainNumber, valueOf } from '../schema-org/node.ts';
import { readStoreProduct } from './store-product.ts';
import type { StoreScript } from './store-script.ts';

function variantAsked(context: PageContext): string | null {
  return context.url?.searchParams.get('variant') ?? null;
}

/** The facts of the product: all of them from the copy in the theme, or only number and maker from the script. */
export function storeFacts(store: StoreScript | null, context: PageContext): Facts {
  const own = store?.themeProduct ?? store?.product ?? null;
  if (store === null || own === null) return NO_FACTS;
  const variant = variantAsked(context);
  const { facts } = readStoreProduct(own, { variant, base: context.url });
  const isTheme = store.themeProduct !== null;
  const isSingle = listOf(own, 'variants').length === 1;
  const isNamed = variant !== null && facts.variantId === variant;
  const money = isTheme ? (facts.price ?? null) : null;
  return {
    ...NO_FACTS,
    itemId: facts.itemId ?? null,
    variantId: isNamed ? variant : null,
    brand: facts.brand ?? null,
    title: isTheme ? (facts.title ?? null) : null,
    // The page's own script states no stock, so the variant whose price counts is unknown when there are several.
    sku: isTheme || isSingle || isNamed ? (facts.sku ?? null) : null,
    codes: facts.codes ?? [],
    gtin: isTheme ? (facts.gtin ?? null) : null,
    imageUrl: isTheme ? (facts.imageUrl ?? null) : null,
    inStock: isTheme ? (facts.inStock ?? null) : null,
    unavailable: isTheme ? (facts.unavailable ?? null) : null,
    price: money === null ? null : priced(money.cents, store),
  };
}

function priced(cents: number, store: StoreScript): StatedPrice {
  return { money: { cents, currency: store.activeCurrency }, isWhole: false };
}

/**
 * The price of the variant that the address names (`?variant=`), from the page's own script, which writes cents. Null
 * when the variant is not listed, or when amounts are converted to another currency than the script's.
 */
export function askedVariantPrice(
  store: StoreScript | null,
  context: PageContext,
): StatedPrice | null {
  const variant = variantAsked(context);
  if (store === null || variant === null) return null;
  if (store.product === null || store.activeCurrency === null || store.isConverted) return null;
  const listed = listOf(store.product, 'variants').filter(isNode);
  const asked = listed.find((one) => String(plainNumber(valueOf(one, 'id'))) === variant);
  const cents = asked === undefined ? null : valueOf(asked, 'price');
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents <= 0) return null;
  return priced(cents, store);
}
