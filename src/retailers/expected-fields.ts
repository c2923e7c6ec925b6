// What answers of each kind normally state, in one table by page kind: what is missing of it, answer by answer, is
// the alarm of a reader that grew blind. Which reader reads an answer decides what is expected of it.

import type { FieldState } from '../listing/fill-rate.ts';
import type { Listing } from '../listing/listing.ts';
import type { Offer } from '../listing/offer.ts';
import type { PageVerdict } from '../listing/page.ts';
import type { RetailerAnswer } from '../listing/retailer-answer.ts';
import type { Review, ReviewPage } from '../listing/review.ts';
import type { SellerProfile } from '../listing/seller.ts';

/** What stands in the place of a field: null, it is missing; undefined, this one need not state it. */
type FieldLookup<T> = (value: T) => unknown;
type FieldTable<T> = Readonly<Record<string, FieldLookup<T>>>;

/** What belongs to a sale: something out of stock need not state it. */
const ofSale =
  <T extends { readonly inStock: boolean | null }>(look: FieldLookup<T>): FieldLookup<T> =>
  (value) =>
    look(value) ?? (value.inStock === false ? undefined : null);

const LISTING = {
  title: ({ title }) => title,
  price: ofSale(({ price }) => price),
  currency: ofSale(({ price }) => price?.currency),
  availability: ({ inStock }) => inStock,
  image: ({ imageUrl }) => imageUrl,
  brand: ({ brand }) => brand,
  gtin: ({ gtin }) => gtin,
  sku: ({ sku, itemId }) => sku ?? itemId,
  description: ({ description }) => description,
  categories: ({ categories }) => categories[0] ?? null,
  specs: ({ specs }) => specs[0] ?? null,
  asin: ({ asin }) => asin,
  item_id: ({ itemId }) => itemId,
  seller_name: ofSale(({ sellerName }) => sellerName),
  seller_id: ofSale(({ sellerId }) => sellerId),
  seller_type: ofSale(({ sellerType }) => sellerType),
  fulfillment: ofSale(({ fulfillment }) => fulfillment),
  review_count: ({ reviewCount }) => reviewCount,
  /** Whatever of it leads to its own page. */
  id: ({ itemId, asin, productId, sku, url }) => itemId ?? asin ?? productId ?? sku ?? url,
} satisfies FieldTable<Listing>;
type ListingField = keyof typeof LISTING;

/** In the order of their weight. */
const PRODUCT: readonly ListingField[] = [
  'title',
  'price',
  'currency',
  'availability',
  'image',
  'brand',
  'gtin',
  'sku',
  'description',
  'categories',
];
const HIT: readonly ListingField[] = ['id', 'title', 'price', 'image'];

const without = (fields: readonly ListingField[], ...left: readonly ListingField[]) =>
  fields.filter((field) => !left.includes(field));

/** Where a retailer's own page kind states more or less than others of its kind. */
const OWN: Readonly<Record<string, readonly ListingField[]>> = {
  'retailer_w product': [
    ...PRODUCT,
    'item_id',
    'seller_name',
    'seller_id',
    'seller_type',
    'fulfillment',
    'review_count',
    'specs',
  ],
  'retailer_a product': ['asin', 'price', 'availability', 'image', 'categories', 'specs'],
  'retailer_a api:creators_items': ['title', 'price'],
  // Sellers of single things state what they like.
  'retailer_e product': without(PRODUCT, 'sku', 'gtin', 'brand', 'description', 'categories'),
  // Neither endpoint says everything.
  'retailer_t api:redsky_pdp': without(PRODUCT, 'availability'),
  'retailer_t api:redsky_summary': ['title', 'price', 'currency', 'availability', 'sku'],
  // A catalog of products, not of offers.
  'retailer_a api:catalog_search': without(HIT, 'price'),
};

const OFFER: FieldTable<Offer> = {
  price: ofSale(({ price }) => price),
  condition: ({ condition }) => condition,
  seller_name: ({ sellerName }) => sellerName,
  seller_id: ({ sellerId, sellerIdHex }) => sellerId ?? sellerIdHex,
};

/** A shop's own returned goods have no other sellers. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'retailer_b api:open_box': ['total_offers', 'seller_name', 'seller_id'],
};

const REVIEW: FieldTable<Review> = {
  id: ({ id }) => id,
  day: ({ day }) => day,
  rating: ({ rating }) => rating,
};

const noneOf = (count: number | null) => (count === 0 ? undefined : null);

const REVIEWS: FieldTable<ReviewPage> = {
  total_reviews: ({ totalReviews }) => totalReviews,
  // Nothing to be rated by, nothing to be listed.
  average_rating: ({ averageRating, totalReviews }) => averageRating ?? noneOf(totalReviews),
  rating_distribution: ({ ratingDistribution, totalReviews }) =>
    ratingDistribution ?? noneOf(totalReviews),
  reviews: ({ reviews, totalReviews }) => reviews[0] ?? noneOf(totalReviews),
};

const SELLER: FieldTable<SellerProfile> = {
  seller_name: ({ name }) => name,
  seller_id: ({ sellerId }) => sellerId,
  rating: ({ rating, ratingCount }) => rating ?? noneOf(ratingCount),
  rating_count: ({ ratingCount }) => ratingCount,
};

/**
 * What such an answer normally states, and whether it is there; a field that this one need not state is left
 * out. `slug` null: any shop. `pageKind` is the reader's name.
 */
export function fieldStates(
  reading: RetailerAnswer,
  slug: string | null,
  pageKind: string,
): readonly FieldState[] {
  switch (reading.kind) {
    case 'product':
      return statesOf([reading.listing], tableOf(slug, pageKind, PRODUCT));
    case 'search':
      return [
        ...statesOf([reading], { hits: ({ hits }) => hits[0] ?? null }),
        ...statesOf(reading.hits, tableOf(slug, pageKind, HIT)),
      ];
    case 'offers': {
      const { offers, totalOffers } = reading.offers;
      const leftOut = LEFT_OUT[`${slug} ${pageKind}`] ?? [];
      return [
        ...statesOf([offers], { offers: ([first]) => first ?? null }),
        ...statesOf([totalOffers], { total_offers: (total) => total }),
        ...statesOf(offers, OFFER),
      ].filter(({ field }) => !leftOut.includes(field));
    }
    case 'reviews':
      return [
        ...statesOf([reading.reviews], REVIEWS),
        ...statesOf(reading.reviews.reviews, REVIEW),
      ];
    case 'seller':
      return statesOf([reading.seller], SELLER);
    // They are their one fact: without it there is no reading.
    case 'restriction':
    case 'fulfillment_eligibility':
      return [];
  }
}

/**
 * Missing on a product page that was read by what all shops have in common: the layout that the retailer's own reader
 * knows is not there, nor what that reader alone finds.
 */
export const OWN_LAYOUT = 'own_layout';

/** A reading of such a page. */
export function inOtherLayout<T>(verdict: PageVerdict<T>): PageVerdict<T> {
  if (verdict.kind !== 'read') return verdict;
  const missing = [OWN_LAYOUT, ...verdict.notes.missing];
  return { ...verdict, notes: { ...verdict.notes, missing } };
}

/** Names of the expected fields that are missing, in the table's order. */
export function missedFields(
  reading: RetailerAnswer,
  slug: string | null,
  pageKind: string,
): readonly string[] {
  return fieldStates(reading, slug, pageKind)
    .filter(({ isMissing }) => isMissing)
    .map(({ field }) => field);
}

/** As `missedFields`, of one product. */
export function missingFields(
  listing: Listing,
  slug: string | null = null,
  pageKind = 'product',
): readonly string[] {
  return missedFields({ kind: 'product', listing }, slug, pageKind);
}

function tableOf(
  slug: string | null,
  pageKind: string,
  usual: readonly ListingField[],
): FieldTable<Listing> {
  const fields = (slug === null ? undefined : OWN[`${slug} ${pageKind}`]) ?? usual;
  return Object.fromEntries(fields.map((field) => [field, LISTING[field]]));
}

/** A redesign takes a field from all entries of a list; a few that lack it are the entries' own. */
function statesOf<T>(values: readonly T[], table: FieldTable<T>): readonly FieldState[] {
  return Object.entries(table).flatMap(([field, look]) => {
    const found = values.map(look).filter((value) => value !== undefined);
    const missing = found.filter((value) => value === null).length;
    return found.length === 0 ? [] : [{ field, isMissing: missing > found.length / 2 }];
  });
}
