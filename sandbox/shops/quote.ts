// Price and stock of a variant at one instant: a function of the seed and the hour, so that a price is constant within the
// hour and changes over hours, days and weeks.

import { DAY_MS, HOUR_MS } from '../../src/base/clock.ts';
import { chance, chanceBetween } from '../chance.ts';
import { shelfCents } from '../market/price.ts';
import type { Product, Variant, World } from '../world.ts';

export type Quote = {
  readonly priceCents: number;
  /** The regular price during a sale; null otherwise. */
  readonly listPriceCents: number | null;
  readonly inStock: boolean;
};

const WEEK_MS = 7 * DAY_MS;

/** Returns the price and stock of a variant at an instant (milliseconds since 1970). */
export function quoteAt(world: World, product: Product, variant: Variant, atMs: number): Quote {
  const { seed } = world;
  const [hour, day, week] = [HOUR_MS, DAY_MS, WEEK_MS].map((ms) => Math.floor(atMs / ms));
  // The regular level drifts by up to 8 % from week to week.
  const level = 0.92 + 0.16 * chance(seed, ['level', variant.id, week ?? 0]);
  const regularCents = shelfCents(variant.regularCents * level);
  // One product in three is repriced by up to 2 % every hour, as marketplaces do.
  const lively = chance(seed, ['lively', product.id]) < 1 / 3;
  const wobble = lively ? 0.98 + 0.04 * chance(seed, ['hour', variant.id, hour ?? 0]) : 1;
  const onSale = chance(seed, ['sale', product.id, day ?? 0]) < 0.2;
  const percentOff = onSale ? chanceBetween(seed, ['off', product.id, day ?? 0], 10, 30) : 0;
  const soldOut =
    product.stock === 'never' ||
    (product.stock === 'varies' && chance(seed, ['stock', variant.id, day ?? 0]) < 0.06);
  return {
    priceCents: shelfCents(regularCents * wobble * (1 - percentOff / 100)),
    listPriceCents: onSale ? regularCents : null,
    inStock: !soldOut,
  };
}

/** Returns the variant that a page shows: the one in its address, otherwise the cheapest in stock, otherwise the cheapest. */
export function chosenVariant(
  world: World,
  product: Product,
  variantId: string | null,
  atMs: number,
): Variant {
  const { variants } = product;
  const asked = variants.find((variant) => String(variant.id) === variantId);
  if (asked !== undefined) return asked;
  const [first] = variants
    .map((variant) => ({ variant, quote: quoteAt(world, product, variant, atMs) }))
    .toSorted(
      (one, other) =>
        Number(other.quote.inStock) - Number(one.quote.inStock) ||
        one.quote.priceCents - other.quote.priceCents ||
        (one.variant.sku < other.variant.sku ? -1 : 1),
    );
  return first?.variant ?? variants[0];
}
