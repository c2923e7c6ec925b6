// Converts a product of retailer_h's gateway to a listing. GraphQL answers, search results and (with resolved references)
// page state contain the same object. Fields not requested by the query are null.

import { readGtin, readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { currencyOf } from '../../../base/listing/money/money.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import { at, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import {
  addressAt,
  countAt,
  lineAt,
  moneyAt,
  proseAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { measuresIn } from '../../page-data/specifications.ts';
import { RETAILER_H_ORIGIN, retailerHAddressBook } from './address-book.ts';
import { stockOf } from './gateway-stock.ts';

const SPEC_LIMIT = 200;
/** The US site states no currency next to a price; its host implies it (D26). */
const CURRENCY = 'USD';
/** The largest image size in pixels. */
const LARGEST_PICTURE = 1000;

/** Whether an object of an answer is a product. */
export function isGatewayProduct(value: unknown): boolean {
  return lineAt(value, 'identifiers.productLabel') !== null || hasObjectAt(value, 'pricing');
}

function itemIdOf(product: unknown): string | null {
  for (const path of ['itemId', 'identifiers.itemId']) {
    const id = textAt(product, path)?.trim() ?? '';
    if (/^\d{6,12}$/.test(id)) return id;
  }
  const url = addressAt(product, 'identifiers.canonicalUrl', RETAILER_H_ORIGIN);
  return url === null ? null : (retailerHAddressBook.reduce(new URL(url))?.value ?? null);
}

function gtinOf(product: unknown): Gtin14 | null {
  const ean = textAt(product, 'identifiers.upcGtin13') ?? '';
  const upc = textAt(product, 'identifiers.upc') ?? '';
  return readGtin(ean) ?? readGtinWithLostZero(upc, 'upc');
}

/**
 * Returns the image address: it contains `<SIZE>` in place of a number (`.../name_<SIZE>.jpg`), and the sizes are listed
 * next to it.
 */
function imageOf(product: unknown): string | null {
  const images = listAt(product, 'media.images', 100);
  const primary = images.find((image) => /^primary$/i.test(textAt(image, 'subType') ?? ''));
  const image = primary ?? images.find((each) => textAt(each, 'url') !== null);
  const sizes = listAt(image, 'sizes', 50).map(Number);
  const size = Math.max(0, ...sizes.filter((each) => each > 0 && each <= LARGEST_PICTURE));
  const url = textAt(image, 'url')?.replace('<SIZE>', String(size || LARGEST_PICTURE));
  return addressAt(url, '', RETAILER_H_ORIGIN);
}

function specsOf(product: unknown): readonly Spec[] {
  const specs = new Map<string, Spec>();
  const keep = (name: string | null, value: string | null): void => {
    if (name === null || value === null || specs.has(name) || specs.size >= SPEC_LIMIT) return;
    specs.set(name, { name, value });
  };
  for (const group of listAt(product, 'specificationGroup', 50)) {
    for (const entry of listAt(group, 'specifications')) {
      keep(lineAt(entry, 'specName', 200), lineAt(entry, 'specValue', 2000));
    }
  }
  for (const entry of listAt(product, 'details.descriptiveAttributes', 100)) {
    keep(lineAt(entry, 'name', 200), lineAt(entry, 'value', 2000));
  }
  return [...specs.values()];
}

function categoriesOf(product: unknown): readonly string[] {
  return listAt(product, 'taxonomy.breadCrumbs', 20)
    .map((crumb) => lineAt(crumb, 'label', 200))
    .filter((label) => label !== null)
    .filter((label) => !/^home$/i.test(label));
}

/** Returns false when the answer lists badges without it; null when it lists none. */
function isBestSeller(product: unknown): boolean | null {
  const badges = at(product, 'badges');
  if (!Array.isArray(badges)) return null;
  return listAt(badges, '', 50).some((badge) =>
    [textAt(badge, 'label'), textAt(badge, 'name')].some((text) =>
      /^best[- _]?seller$/i.test((text ?? '').trim()),
    ),
  );
}

function pricesOf(product: unknown): Pick<Listing, 'price' | 'listPrice'> {
  const named = textAt(product, 'pricing.currency')?.slice(0, 20);
  const currency = named === undefined ? CURRENCY : currencyOf(named, CURRENCY);
  const price = moneyAt(product, 'pricing.value', currency);
  return { price, listPrice: listPriceOf(price, [moneyAt(product, 'pricing.original', currency)]) };
}

/** Returns the listing of a gateway product, for which `isGatewayProduct` is true. */
export function gatewayListing(product: unknown): Listing {
  const itemId = itemIdOf(product);
  const specs = specsOf(product);
  const reviewCount = countAt(product, 'reviews.ratingsReviews.totalReviews');
  const rating = starsAt(product, 'reviews.ratingsReviews.averageRating');
  const url =
    itemId === null
      ? null
      : retailerHAddressBook.productUrl({
          kind: 'retailer_item',
          value: itemId,
          retailer: 'retailer_h',
        });
  return {
    ...EMPTY_LISTING,
    url,
    itemId,
    gtin: gtinOf(product),
    sku: lineAt(product, 'identifiers.storeSkuNumber', 200),
    model: lineAt(product, 'identifiers.modelNumber', 200),
    title: lineAt(product, 'identifiers.productLabel'),
    brand: lineAt(product, 'identifiers.brandName', 300),
    description: proseAt(product, 'details.description'),
    imageUrl: imageOf(product),
    categories: categoriesOf(product),
    specs,
    ...pricesOf(product),
    ...stockOf(product),
    rating: reviewCount === 0 ? null : rating,
    reviewCount,
    ...measuresIn(specs),
    packCount: statedPackCount(specs),
    isBestSeller: isBestSeller(product),
  };
}
