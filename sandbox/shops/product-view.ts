// A shop's product at one instant, with everything that its page states. The three kinds of shops publish the same
// facts in different ways.

import { quoteAt } from './quote.ts';
import type { Quote } from './quote.ts';
import type { Product, Variant, World } from '../world.ts';

export type ProductView = {
  readonly product: Product;
  /** The variant that the page shows first: the one in the address, or the shop's default. */
  readonly variant: Variant;
  readonly quoteOf: (variant: Variant) => Quote;
  /** `EUR` only at the `trouble-foreign_currency` address. */
  readonly currency: 'USD' | 'EUR';
  /** The shop states that the product is discontinued. */
  readonly isEnded: boolean;
};

/** Returns a view of a product as the shop sells it at an instant. */
export function productViewAt(
  world: World,
  product: Product,
  variant: Variant,
  atMs: number,
): ProductView {
  return {
    product,
    variant,
    quoteOf: (one) => quoteAt(world, product, one, atMs),
    currency: 'USD',
    isEnded: false,
  };
}
