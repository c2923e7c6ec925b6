// Converts a product in retailer_w's state to a listing with every field in the state. Search items have fewer facts and a
// separate function.

import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { readGtin, readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import { firstUnderstood } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
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
  proseAt,
  specsAt,
  starCounts,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { dimensionsInSpecs, specNamed, measuresIn } from '../../page-data/specifications.ts';
import { settledCondition } from '../../titles/title-condition.ts';
import { retailerWAddressBook } from './address-book.ts';
import type { PageState } from './page-state.ts';
import { badgeFacts } from './state-badges.ts';
import { deliveryDateOf, fulfillmentOf } from './state-fulfillment.ts';
import { offersOnPage } from './state-offers.ts';
import { pricesOf, searchPrices, secondaryPrice } from './state-prices.ts';
import { sellerOf } from './state-seller.ts';

type StateProduct = {
  readonly product: unknown;
  readonly idml: unknown;
  readonly reviews: unknown;
  readonly currency: string | null;
  /** The address the page was served from. */
  readonly url: string;
  readonly words: UnknownWords;
};

/** Returns the item id in an address or path of this retailer; null for any other. */
export function itemIdOfUrl(address: string | null, base: string): string | null {
  if (address === null || !URL.canParse(address, base)) return null;
  return retailerWAddressBook.reduce(new URL(address, base))?.value ?? null;
}

/** Returns the item id in the state, otherwise in its canonical address. */
function itemIdOf(node: unknown, url: string): string | null {
  const own = textAt(node, 'usItemId')?.trim() ?? '';
  if (/^[A-Z0-9]{1,20}$/i.test(own)) return own;
  return itemIdOfUrl(textAt(node, 'canonicalUrl'), url);
}

/** Returns the canonical page on the retailer's own host; on other hosts, the address in the state. */
function pageUrlOf(itemId: string | null, node: unknown, page: UrlContext): string | null {
  if (page.currency === null) {
    const base = URL.canParse(page.url) ? new URL(page.url) : null;
    return addressAt(node, 'canonicalUrl', base) ?? page.fallback;
  }
  const identifier = { kind: 'item_id', value: itemId ?? '', retailer: 'retailer_w' } as const;
  return retailerWAddressBook.productUrl(identifier) ?? page.fallback;
}

/** The page of a node: `currency` is null on hosts other than this retailer's. */
type UrlContext = {
  readonly url: string;
  readonly currency: string | null;
  readonly fallback: string | null;
};

/** Returns the full-size image: the query of its address only selects a smaller one. */
export function imageAt(node: unknown, path: string): string | null {
  const address = addressAt(node, path);
  if (address === null) return null;
  const url = new URL(address);
  for (const name of ['odnHeight', 'odnWidth', 'odnBg', 'odnDynImageQuality']) {
    url.searchParams.delete(name);
  }
  return url.href;
}

function gtinOf(product: unknown, specs: readonly Spec[]): Gtin14 | null {
  const upc = textAt(product, 'upc');
  if (upc !== null) return readGtinWithLostZero(upc.slice(0, 100), 'upc');
  const isbn = specNamed(specs, ['ISBN-13', 'ISBN']);
  if (isbn !== null) return readGtin(isbn, 'isbn');
  const code = specNamed(specs, ['UPC', 'GTIN', 'EAN']);
  return code === null ? null : readGtin(code);
}

/** Returns the condition from the stated type, else the pre-owned grade, else the specification, else the code. */
function conditionOf(
  product: unknown,
  specs: readonly Spec[],
  words: UnknownWords,
): Condition | null {
  const named =
    firstLineAt(product, ['conditionType', 'conditionV2.name', 'conditionV2.displayName']) ?? '';
  const known = named === '' ? null : words.note(readCondition(named));
  if (known !== null) return known;
  const isUsed = boolAt(product, 'isPreowned');
  if (isUsed === true) {
    const grade = lineAt(product, 'preownedCondition', 100) ?? '';
    const graded = firstUnderstood([`Pre-Owned: ${grade}`, grade], readCondition);
    return words.note(graded) ?? 'used_good';
  }
  const spec = specNamed(specs, ['Condition', 'Item Condition']);
  const specified = spec === null ? null : words.note(readCondition(spec));
  if (specified !== null) return specified;
  return numberAt(product, 'conditionV2.code') === 1 || isUsed === false ? 'new' : null;
}

/** Returns the number of all sellers: as stated, otherwise the other sellers plus the page's. */
function offersCountOf(product: unknown): number | null {
  const all = countAt(product, 'transactableOfferCount');
  if (all !== null) return all;
  const others = countAt(product, 'additionalOfferCount');
  return others === null ? null : others + (textAt(product, 'sellerId') === null ? 0 : 1);
}

export function distributionOf(reviews: unknown): Record<string, number> | null {
  const names = ['One', 'Two', 'Three', 'Four', 'Five'];
  return starCounts(names.map((name) => countAt(reviews, `ratingValue${name}Count`)));
}

function ratingFacts(product: unknown, reviews: unknown) {
  const reviewCount = countAt(product, 'numberOfReviews') ?? countAt(reviews, 'totalReviewCount');
  const rating = starsAt(product, 'averageRating') ?? starsAt(reviews, 'averageOverallRating');
  return {
    rating: reviewCount === 0 ? null : rating,
    reviewCount,
    ratingDistribution: reviewCount === 0 ? null : distributionOf(reviews),
  };
}

/** Returns the stock from the first field that states it; a pre-order is out of stock. */
function availabilityOf(product: unknown, paths: readonly string[], words: UnknownWords) {
  const texts = paths.map((path) => textAt(product, path)).filter((text) => text !== null);
  const read = words.note(firstUnderstood(texts, readAvailability));
  const isLater = boolAt(product, 'preOrder.isPreOrder') === true && read?.inStock === true;
  return {
    inStock: isLater ? false : (read?.inStock ?? null),
    unavailable: read?.unavailable ?? null,
  };
}

/** Paths of the stock of a search item, newest layout first. */
const ITEM_STOCK = [
  'availabilityStatusV2.value',
  'availabilityStatus',
  'availabilityStatusV2.display',
  'availabilityStatusDisplayValue',
];

function hasVariants(product: unknown): boolean {
  if (hasObjectAt(product, 'variantsMap')) return true;
  if (listAt(product, 'variants', 1).length > 0) return true;
  // A single value is not a choice.
  return listAt(product, 'variantCriteria', 20).some(
    (criterion) => listAt(criterion, 'variantList', 2).length > 1,
  );
}

/** Returns the dimensions: the sides are in one specification, otherwise in one each. */
function measuresOf(specs: readonly Spec[]) {
  const sides = measuresIn(specs);
  const whole = dimensionsInSpecs(specs);
  return {
    ...sides,
    dimensions: whole.dimensions ?? sides.dimensions,
    dimensionsAssembled: whole.dimensionsAssembled ?? sides.dimensionsAssembled,
    dimensionsPackage: whole.dimensionsPackage ?? sides.dimensionsPackage,
  };
}

function textFacts({ product, idml }: StateProduct, specs: readonly Spec[]) {
  return {
    title: lineAt(product, 'name'),
    brand: lineAt(product, 'brand', 300) ?? specNamed(specs, ['Brand']),
    model: lineAt(product, 'model', 200) ?? specNamed(specs, ['Model', 'Model Number']),
    mpn:
      lineAt(product, 'manufacturerProductId', 200) ??
      specNamed(specs, ['Manufacturer Part Number']),
    description:
      proseAt(idml, 'longDescription') ??
      proseAt(idml, 'shortDescription') ??
      proseAt(product, 'detailedDescription') ??
      proseAt(product, 'shortDescription'),
  };
}

function categoriesOf(product: unknown): readonly string[] {
  return listAt(product, 'category.path', 20).flatMap((step) => lineAt(step, 'name', 200) ?? []);
}

/** Returns the listing of a product in a page's state. */
export function listingOfState(state: StateProduct): Listing {
  const { product, idml, reviews, currency, words } = state;
  const listed = specsAt(idml, 'specifications');
  const specs = listed.length > 0 ? listed : specsAt(idml, 'productHighlights');
  const seller = sellerOf(product);
  const fulfillment = fulfillmentOf(product, words);
  // The page's address is the last resort for the item id.
  const itemId = itemIdOf(product, state.url) ?? itemIdOfUrl(state.url, state.url);
  const text = textFacts(state, specs);
  const sale = {
    ...pricesOf(at(product, 'priceInfo'), currency),
    ...availabilityOf(product, ['availabilityStatus'], words),
    secondaryOfferPrice: secondaryPrice(product, currency),
    condition: settledCondition(conditionOf(product, specs, words), text.title),
  };
  return {
    ...EMPTY_LISTING,
    ...text,
    ...measuresOf(specs),
    ...sale,
    ...ratingFacts(product, reviews),
    ...badgeFacts(product),
    url: pageUrlOf(itemId, product, { url: state.url, currency, fallback: state.url }),
    itemId,
    gtin: gtinOf(product, specs),
    imageUrl:
      imageAt(product, 'imageInfo.thumbnailUrl') ?? imageAt(product, 'imageInfo.allImages.0.url'),
    categories: categoriesOf(product),
    specs,
    sellerName: seller.name,
    sellerId: seller.hexId,
    sellerType: seller.type,
    catalogSellerId: seller.catalogId,
    sellerRating: seller.rating,
    sellerReviewCount: seller.reviewCount,
    offersCount: offersCountOf(product),
    offers: offersOnPage(product, sale, { currency, words }),
    fulfillment,
    deliveryDate: deliveryDateOf(fulfillment),
    packCount: statedPackCount(specs),
    // Each variant has its own item id and page.
    variantId: hasVariants(product) ? itemId : null,
  };
}

/** Returns the listing of an item on a search page, with few facts. */
export function listingOfItem(item: unknown, { page, currency, words }: PageState): Listing {
  const { url } = page;
  const seller = sellerOf(item);
  const itemId = itemIdOf(item, url);
  const title = lineAt(item, 'name');
  const reviewCount = countAt(item, 'numberOfReviews') ?? countAt(item, 'rating.numberOfReviews');
  const rating = starsAt(item, 'averageRating') ?? starsAt(item, 'rating.averageRating');
  const stock = availabilityOf(item, ITEM_STOCK, words);
  const condition = settledCondition(conditionOf(item, [], words), title);
  const fulfillment = fulfillmentOf(item, words);
  return {
    ...EMPTY_LISTING,
    ...searchPrices(item, currency),
    ...badgeFacts(item),
    ...stock,
    url: pageUrlOf(itemId, item, { url, currency, fallback: null }),
    itemId,
    title,
    brand: lineAt(item, 'brand', 300),
    gtin: gtinOf(item, []),
    description: proseAt(item, 'shortDescription'),
    imageUrl: imageAt(item, 'imageInfo.thumbnailUrl') ?? imageAt(item, 'image'),
    categories: categoriesOf(item),
    rating: reviewCount === 0 ? null : rating,
    reviewCount,
    condition,
    sellerName: seller.name,
    sellerId: seller.hexId,
    sellerType: seller.type,
    catalogSellerId: seller.catalogId,
    fulfillment,
    deliveryDate: deliveryDateOf(fulfillment),
  };
}
