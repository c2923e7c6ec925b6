// The fields that answers normally state, per page kind. Counting the missing ones shows when a reader no longer
// understands a retailer's pages.

import type { FieldState } from '../../base/listing/fill-rate.ts';
import type { Listing } from '../../base/listing/listing.ts';
import type { Offer } from '../../base/listing/offer.ts';
import type { PageVerdict } from '../../base/listing/page.ts';
import type { RetailerAnswer } from '../../base/listing/retailer-answer.ts';
import type { Review, ReviewPage } from '../../base/listing/review.ts';
import type { SellerProfile } from '../../base/listing/seller.ts';

/** Returns the value of a field: null when it is missing, undefined when this answer need not state it. */
type FieldLookup<T> = (value: T) => unknown;
type FieldTable<T> = Readonly<Record<string, FieldLookup<T>>>;

/** The listing properties that state a field. Any one of them is sufficient; a list must not be empty. */
const LISTING = {
  title: ['title'],
  price: ['price'],
  currency: ['price'],
  availability: ['inStock'],
  image: ['imageUrl'],
  brand: ['brand'],
  gtin: ['gtin'],
  sku: ['sku', 'itemId'],
  description: ['description'],
  categories: ['categories'],
  specs: ['specs'],
  asin: ['asin'],
  item_id: ['itemId'],
  seller_name: ['sellerName'],
  seller_id: ['sellerId'],
  seller_type: ['sellerType'],
  fulfillment: ['fulfillment'],
  review_count: ['reviewCount'],
  /** Anything that leads to its own page. */
  id: ['itemId', 'asin', 'productId', 'sku', 'url'],
} satisfies Readonly<Record<string, readonly (keyof Listing)[]>>;
type ListingField = keyof typeof LISTING;

/** Fields only needed for a sale: an out-of-stock listing need not state them. */
const OF_SALE: ReadonlySet<string> = new Set([
  'price',
  'currency',
  'seller_name',
  'seller_id',
  'seller_type',
  'fulfillment',
]);

/** Returns the value of a field: null when it is missing, undefined when this listing need not state it. */
function fieldOf(listing: Listing, field: ListingField): unknown {
  const names: readonly (keyof Listing)[] = LISTING[field];
  for (const name of names) {
    const value = field === 'currency' ? (listing.price?.currency ?? null) : listing[name];
    if (Array.isArray(value) ? value.length > 0 : value !== null) return value;
  }
  return listing.inStock === false && OF_SALE.has(field) ? undefined : null;
}

/** Most important first. */
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

/** Page kinds of a retailer that state more or fewer fields than usual. */
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
  // Private sellers may omit these fields.
  'retailer_e product': without(PRODUCT, 'sku', 'gtin', 'brand', 'description', 'categories'),
  // A catalog of products without offers.
  'retailer_a api:catalog_search': without(HIT, 'price'),
  'retailer_a api:catalog_item': without(HIT, 'price'),
};

const OFFER: FieldTable<Offer> = {
  price: ({ price, inStock }) => price ?? (inStock === false ? undefined : null),
  condition: ({ condition }) => condition,
  seller_name: ({ sellerName }) => sellerName,
  seller_id: ({ sellerId, sellerIdHex }) => sellerId ?? sellerIdHex,
};

/**
 * Fields that do not apply to a page kind. Open-box offers are the shop's own and have no other sellers; reviews of an API
 * have no ids.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'retailer_b api:open_box': ['total_offers', 'seller_name', 'seller_id'],
  'retailer_w api:affiliate_reviews': ['id'],
};

const REVIEW: FieldTable<Review> = {
  id: ({ id }) => id,
  day: ({ day }) => day,
  rating: ({ rating }) => rating,
};

const noneOf = (count: number | null) => (count === 0 ? undefined : null);

const REVIEWS: FieldTable<ReviewPage> = {
  total_reviews: ({ totalReviews }) => totalReviews,
  // Without reviews there is no average and no list.
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
 * Returns the fields that such an answer normally states, and whether each is missing; omits fields that this answer need
 * not state. `slug` is null for shops without their own reader. `pageKind` is the name of the reader.
 */
export function fieldStates(
  answer: RetailerAnswer,
  slug: string | null,
  pageKind: string,
): readonly FieldState[] {
  switch (answer.kind) {
    case 'product':
      return statesOf([answer.listing], tableOf(slug, pageKind, PRODUCT));
    case 'search':
      return [
        ...statesOf([answer], { hits: ({ hits }) => hits[0] ?? null }),
        ...statesOf(answer.hits, tableOf(slug, pageKind, HIT)),
      ];
    case 'offers': {
      const { offers, totalOffers } = answer.offers;
      return applicable(slug, pageKind, [
        ...statesOf([offers], { offers: ([first]) => first ?? null }),
        ...statesOf([totalOffers], { total_offers: (total) => total }),
        ...statesOf(offers, OFFER),
      ]);
    }
    case 'reviews':
      return applicable(slug, pageKind, [
        ...statesOf([answer.reviews], REVIEWS),
        ...statesOf(answer.reviews.reviews, REVIEW),
      ]);
    case 'seller':
      return statesOf([answer.seller], SELLER);
    // These answers consist of a single fact, without which no answer is read at all.
    case 'restriction':
    case 'fulfillment_eligibility':
      return [];
  }
}

function applicable(
  slug: string | null,
  pageKind: string,
  states: readonly FieldState[],
): readonly FieldState[] {
  const leftOut = LEFT_OUT[`${slug} ${pageKind}`] ?? [];
  return states.filter(({ field }) => !leftOut.includes(field));
}

/** Returns the verdict for a product. The registry records the missing fields, for all readers. */
export function productAnswer(
  listing: Listing,
  remarks: readonly string[] = [],
): PageVerdict<RetailerAnswer> {
  return { kind: 'read', value: { kind: 'product', listing }, notes: { missing: [], remarks } };
}

/** Converts a verdict on a listing to one on an answer. */
export function asProductAnswer(verdict: PageVerdict<Listing>): PageVerdict<RetailerAnswer> {
  if (verdict.kind !== 'read') return verdict;
  return { ...verdict, value: { kind: 'product', listing: verdict.value } };
}

/**
 * Recorded as missing on a product page that only the generic reader could read: the layout known to the retailer's own
 * reader is absent.
 */
export const OWN_LAYOUT = 'own_layout';

/** Adds `OWN_LAYOUT` to the missing fields of a verdict. */
export function inOtherLayout<T>(verdict: PageVerdict<T>): PageVerdict<T> {
  if (verdict.kind !== 'read') return verdict;
  const missing = [OWN_LAYOUT, ...verdict.notes.missing];
  return { ...verdict, notes: { ...verdict.notes, missing } };
}

/** Returns the names of the missing expected fields, in table order. */
export function missedFields(
  answer: RetailerAnswer,
  slug: string | null,
  pageKind: string,
): readonly string[] {
  return fieldStates(answer, slug, pageKind)
    .filter(({ isMissing }) => isMissing)
    .map(({ field }) => field);
}

/** `missedFields` for a listing combined from several pages or sources. */
export function missingFields(listing: Listing): readonly string[] {
  return missedFields({ kind: 'product', listing }, null, 'product');
}

function tableOf(
  slug: string | null,
  pageKind: string,
  usual: readonly ListingField[],
): FieldTable<Listing> {
  const fields = (slug === null ? undefined : OWN[`${slug} ${pageKind}`]) ?? usual;
  return Object.fromEntries(
    fields.map((field) => [field, (listing: Listing) => fieldOf(listing, field)]),
  );
}

/** A list field is missing when more than half of the entries lack it: a redesign affects all entries. */
function statesOf<T>(values: readonly T[], table: FieldTable<T>): readonly FieldState[] {
  const states: FieldState[] = [];
  for (const [field, look] of Object.entries(table)) {
    let found = 0;
    let missing = 0;
    for (const one of values) {
      const value = look(one);
      if (value !== undefined) found += 1;
      if (value === null) missing += 1;
    }
    if (found > 0) states.push({ field, isMissing: missing > found / 2 });
  }
  return states;
}
