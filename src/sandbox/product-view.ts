// What a page shape is given to render: a product at one instant, with everything computed. The three
// shapes differ in how they publish it, not in what they know.

import { quoteAt } from './quote.ts';
import type { Quote } from './quote.ts';
import type { Product, Variant, World } from './world.ts';

export type ProductView = {
  readonly product: Product;
  /** The variant shown first: asked for, or chosen by the shop. */
  readonly variant: Variant;
  readonly quoteOf: (variant: Variant) => Quote;
  /** `USD`, except at the address that shows what happens with another currency. */
  readonly currency: 'USD' | 'EUR';
  /** The shop says that the listing has ended and will not come back. */
  readonly isEnded: boolean;
};

/** A view of a product as the shop sells it at an instant. */
export function viewAt(
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
