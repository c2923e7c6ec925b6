// The facts of a product at an instant, as plain JSON for tests and benchmarks: made from the world, never read from
// a page.

import { isoTimestamp } from '../../src/base/clock.ts';
import { chosenVariant, quoteAt } from './quote.ts';
import { addressOf, GRAMS_PER_POUND } from '../world.ts';
import type { Product, ShopKind, World } from '../world.ts';

/** Facts by name. `exposes` lists those that the shop's page states; no reader can find the others. */
type Truth = {
  readonly at: string;
  readonly kind: ShopKind;
  readonly url: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
  readonly exposes: readonly string[];
};

/** Stated by pages of every kind. A fact that is null in `facts` is not on the page either. */
const ALWAYS = [
  'title',
  'brand',
  'description',
  'price',
  'list_price',
  'currency',
  'in_stock',
  'gtin',
  'sku',
  'image',
];

const EXPOSED: Readonly<Record<ShopKind, readonly string[]>> = {
  hosted: [...ALWAYS, 'item_id', 'variant_id', 'weight_lbs'],
  json_ld: [
    ...ALWAYS,
    'mpn',
    'condition',
    'rating',
    'review_count',
    'weight_lbs',
    'height_in',
    'width_in',
    'length_in',
    'categories',
  ],
  open_graph: [...ALWAYS, 'condition'],
};

/** Returns the facts of the variant in `?variant=`; null: of the one that the address shows without it. */
export function truthOf(
  world: World,
  product: Product,
  askedVariant: string | null,
  atMs: number,
): Truth {
  const variant = chosenVariant(world, product, askedVariant, atMs);
  const quote = quoteAt(world, product, variant, atMs);
  const [heightIn, widthIn, lengthIn] = product.inches ?? [null, null, null];
  return {
    at: isoTimestamp(atMs),
    kind: product.shop.kind,
    url: addressOf(product, askedVariant === null ? undefined : variant),
    facts: {
      title: product.title,
      brand: product.brand,
      description: product.description,
      price: quote.priceCents / 100,
      list_price: quote.listPriceCents === null ? null : quote.listPriceCents / 100,
      currency: 'USD',
      in_stock: quote.inStock,
      condition: product.condition,
      gtin: variant.gtin14,
      sku: variant.sku,
      mpn: product.mpn,
      item_id: String(product.id),
      variant_id: String(variant.id),
      colour: variant.colour,
      image: product.imageUrls[0],
      weight_lbs: variant.grams / GRAMS_PER_POUND,
      height_in: heightIn,
      width_in: widthIn,
      length_in: lengthIn,
      rating: product.rating,
      review_count: product.reviewCount,
      categories: [product.category.name],
    },
    // An address without a colour does not determine the barcode.
    exposes: EXPOSED[product.shop.kind].filter(
      (name) => name !== 'gtin' || askedVariant !== null || product.variants.length === 1,
    ),
  };
}
