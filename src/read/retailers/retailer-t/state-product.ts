// Converts the product in the state of retailer_t's pages to a listing. Layouts have more or fewer of its fields. Prices
// are US dollars: the host serves no other country.

import { readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Dimensions, Listing, Spec } from '../../../base/listing/listing.ts';
import { namedListPriceOf } from '../../../base/listing/money/list-price.ts';
import { readLengthIn, readWeightLbs } from '../../../base/listing/measures/measure.ts';
import { currencyOf } from '../../../base/listing/money/money.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import { readSoldTag } from '../../../base/listing/vocabularies/sold-tag.ts';
import {
  at,
  boolAt,
  hasObjectAt,
  listAt,
  numberAt,
  textAt,
} from '../../page-data/json/json-path.ts';
import {
  addressAt,
  countAt,
  firstLineAt,
  lineAt,
  moneyAt,
  proseAt,
  starCounts,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { dimensionsInSpecs, specNamed, measuresIn } from '../../page-data/specifications.ts';
import { titleCondition } from '../../titles/title-condition.ts';
import { retailerTAddressBook } from './address-book.ts';
import { stockOf } from './state-stock.ts';

const CURRENCY = 'USD';
const BASE = new URL('https://host.invalid/');

/** Returns the number of a product; null for text that is not one. */
export function tcinOf(node: unknown): string | null {
  const tcin = textAt(node, 'tcin')?.trim() ?? '';
  return /^\d{6,12}$/.test(tcin) ? tcin : null;
}

/** Returns specifications in the form `<B>Weight:</B> 1.2 pounds`: the name in bold, then the value. */
function specsOf(item: unknown): readonly Spec[] {
  const specs = new Map<string, Spec>();
  for (const bullet of listAt(item, 'product_description.bullet_descriptions', 200)) {
    const line = lineAt(bullet, '', 2200) ?? '';
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    const value = line.slice(colon + 1).trim();
    if (name === '' || name.length > 200 || value === '' || specs.has(name)) continue;
    specs.set(name, { name, value });
  }
  return [...specs.values()];
}

function packageFacts(item: unknown) {
  const box = at(item, 'package_dimensions');
  const unit = textAt(box, 'dimension_unit_of_measure');
  const weight = numberAt(box, 'weight');
  const side = (name: string): number | null => {
    const value = numberAt(box, name);
    return value === null || unit === null ? null : readLengthIn(value, unit);
  };
  const sides: Dimensions = {
    heightIn: side('height'),
    widthIn: side('width'),
    lengthIn: side('depth') ?? side('length'),
  };
  const isKnown = Object.values(sides).some((value) => value !== null);
  const weightUnit = textAt(box, 'weight_unit_of_measure');
  return {
    weight: weight === null || weightUnit === null ? null : readWeightLbs(weight, weightUnit),
    sides: isKnown ? sides : null,
  };
}

/** The product's dimensions are in the bullets, the package's in `package_dimensions`. */
function measuresOf(item: unknown, specs: readonly Spec[]) {
  const own = measuresIn(specs);
  const whole = dimensionsInSpecs(specs);
  const parcel = packageFacts(item);
  const isSplit = parcel.weight !== null || parcel.sides !== null;
  const weight = own.weightAssembledLbs ?? own.weightLbs;
  const sides =
    whole.dimensionsAssembled ?? whole.dimensions ?? own.dimensionsAssembled ?? own.dimensions;
  return {
    // Without package dimensions, product and package are not distinguished.
    weightLbs: isSplit ? null : weight,
    weightAssembledLbs: isSplit ? weight : null,
    weightPackageLbs: parcel.weight ?? own.weightPackageLbs,
    dimensions: isSplit ? null : sides,
    dimensionsAssembled: isSplit ? sides : null,
    dimensionsPackage: parcel.sides ?? whole.dimensionsPackage ?? own.dimensionsPackage,
  };
}

/** Returns the currency by its sign; a bare `$` is the US dollar on this host. */
function currencyIn(block: unknown): string | null {
  const shown = textAt(block, 'formatted_current_price');
  return shown === null ? CURRENCY : (currencyOf(shown.slice(0, 60), CURRENCY) ?? CURRENCY);
}

/** Returns the prices of a node. A parent of variants has a range, of which the lowest counts. */
function pricesOf(node: unknown): Pick<Listing, 'price' | 'listPrice'> {
  const block = at(node, 'price');
  const currency = currencyIn(block);
  const moneys = (paths: readonly string[]): readonly Money[] =>
    paths.flatMap((path) => moneyAt(block, path, currency) ?? []);
  const [price = null] = moneys([
    'current_retail',
    'current_retail_min',
    'formatted_current_price',
  ]);
  const before = moneys(['reg_retail', 'reg_retail_min', 'formatted_comparison_price']);
  return { price, listPrice: namedListPriceOf(price, before) };
}

function categoriesOf(node: unknown): readonly string[] {
  const crumbs = listAt(node, 'category.breadcrumbs', 20)
    .filter((crumb) => textAt(crumb, 'category_id') !== 'root')
    .filter((crumb) => textAt(crumb, 'canonical_url') !== '/')
    .flatMap((crumb) => lineAt(crumb, 'name', 200) ?? []);
  const name = lineAt(node, 'category.name', 200);
  return crumbs.length > 0 || name === null ? crumbs : [name];
}

function ratingOf(node: unknown) {
  const statistics = at(node, 'ratings_and_reviews.statistics');
  const reviewCount = countAt(statistics, 'rating.count') ?? countAt(statistics, 'review_count');
  const distribution = at(statistics, 'rating.distribution');
  const stars = [1, 2, 3, 4, 5].map(
    (star) => countAt(distribution, `rating${star}`) ?? countAt(distribution, String(star)),
  );
  return {
    rating: reviewCount === 0 ? null : starsAt(statistics, 'rating.average'),
    reviewCount,
    ratingDistribution: reviewCount === 0 ? null : starCounts(stars),
  };
}

/** Returns the facts in the badges, which are in `desirability_cues` and `ornaments`. */
function cuesOf(node: unknown): Pick<Listing, 'soldTag' | 'isBestSeller'> {
  const isListed = Array.isArray(at(node, 'desirability_cues'));
  const cues = ['desirability_cues', 'ornaments'].flatMap((path) => listAt(node, path, 50));
  if (!isListed && cues.length === 0) return { soldTag: null, isBestSeller: null };
  const texts = cues.flatMap((cue) => lineAt(cue, 'display', 300) ?? []);
  const codes = cues.map((cue) => firstLineAt(cue, ['code', 'ornament']) ?? '');
  return {
    soldTag: texts.map(readSoldTag).find((tag) => tag !== null) ?? null,
    isBestSeller: codes.some((code) => /^best_?seller/i.test(code)),
  };
}

/**
 * Returns the seller. If `fulfillment` says that a partner sells, it is one of the vendors; otherwise it is the retailer
 * itself. Without that node it is unknown. The vendors of the retailer's own goods are their makers. `SA` says that a product
 * is standalone, not who sells it.
 */
function sellerOf(item: unknown): Pick<Listing, 'sellerName' | 'sellerType'> {
  const vendor = lineAt(item, 'product_vendors.0.vendor_name', 300);
  if (boolAt(item, 'fulfillment.is_marketplace') === true) {
    return { sellerName: vendor, sellerType: '3p' };
  }
  const node = at(item, 'fulfillment');
  const isStated = typeof node === 'object' && node !== null;
  return { sellerName: null, sellerType: isStated ? '1p' : null };
}

/** Returns the image; newer answers only state its name, with the folder of all images next to it. */
function imageOf(item: unknown): string | null {
  const places: readonly (readonly [folder: string, path: string])[] = [
    ['image_info.base_url', 'image_info.primary_image.url'],
    ['images.base_url', 'images.primary_image_url'],
    ['images.base_url', 'images.primary_image.url'],
  ];
  for (const [folder, path] of places) {
    const base = URL.parse(addressAt(item, `enrichment.${folder}`, BASE) ?? BASE.href) ?? BASE;
    const address = addressAt(item, `enrichment.${path}`, base);
    if (address !== null && !address.startsWith(BASE.href)) return address;
  }
  return null;
}

function urlOf(tcin: string | null): string | null {
  const identifier = { kind: 'retailer_item', value: tcin ?? '', retailer: 'retailer_t' } as const;
  return retailerTAddressBook.productUrl(identifier);
}

function descriptionOf(item: unknown): string | null {
  const text = proseAt(item, 'product_description.downstream_description');
  if (text !== null) return text;
  const bullets = listAt(item, 'product_description.soft_bullets.bullets', 50);
  return bullets.flatMap((bullet) => lineAt(bullet, '', 2000) ?? []).join(' ') || null;
}

/** Whether a node is a variant: it says so, or its number is among the variations to choose from. */
function isVariant(node: unknown, itemId: string): boolean {
  if (textAt(node, 'item.relationship_type_code') === 'VC') return true;
  const choices = listAt(node, 'variation_hierarchy', 200);
  return choices.length > 1 && choices.some((choice) => tcinOf(choice) === itemId);
}

/** Returns the listing of a product node; null without number or title. */
export function listingOfProduct(node: unknown, words: UnknownWords): Listing | null {
  const item = at(node, 'item');
  const title = lineAt(item, 'product_description.title');
  const itemId = tcinOf(node);
  if (title === null || itemId === null || !hasObjectAt(item)) return null;
  const specs = specsOf(item);
  const code = textAt(item, 'primary_barcode');
  return {
    ...EMPTY_LISTING,
    ...measuresOf(item, specs),
    ...pricesOf(node),
    ...ratingOf(node),
    ...cuesOf(node),
    ...sellerOf(item),
    ...stockOf(node, words),
    url: urlOf(itemId),
    itemId,
    title,
    brand: firstLineAt(item, ['primary_brand.name', 'product_brand.brand']),
    mpn: specNamed(specs, ['Manufacturer Part Number', 'MPN']),
    model: specNamed(specs, ['Model Number', 'Model']),
    gtin: code === null ? null : readGtinWithLostZero(code.slice(0, 100)),
    description: descriptionOf(item),
    imageUrl: imageOf(item),
    categories: categoriesOf(node),
    specs,
    condition: titleCondition(title),
    packCount: statedPackCount(specs),
    variantId: isVariant(node, itemId) ? itemId : null,
    hazmat: boolAt(item, 'environmental_segmentation.is_hazardous_material'),
  };
}
