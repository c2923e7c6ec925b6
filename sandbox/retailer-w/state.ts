// retailer_w's page state: the objects in __NEXT_DATA__.

import { hexId, isUpc } from '../market/codes.ts';
import { firstParty } from '../market/sellers.ts';
import type { MarketOffer } from '../market/offers.ts';
import { siblingsOf } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { dollars, money } from '../markup.ts';

const inches = (value: number): string => value.toFixed(2);

export function wpid(view: ListingView): string {
  return hexId(view.market.seed, ['wpid', view.product.index], 12).toUpperCase();
}

/** Returns `initialData.data` of a product page. */
export function productData(view: ListingView): Readonly<Record<string, unknown>> {
  return { product: productState(view), idml: idmlState(view), reviews: reviewsState(view, 1, 4) };
}

export function productState(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing, offers, buyBox } = view;
  const inStock = offers.filter((offer) => offer.inStock);
  const upc = view.barcode;
  return {
    __typename: 'Product',
    id: wpid(view),
    usItemId: listing.id,
    primaryUsItemId: siblingsOf(view)[0]?.id ?? listing.id,
    upc,
    name: product.title,
    brand: product.brand,
    brandUrl: null,
    model: product.model,
    manufacturerProductId: product.mpn,
    manufacturerName: product.brand,
    imageInfo: {
      thumbnailUrl: `${view.images[0]}?odnHeight=180&odnWidth=180&odnBg=FFFFFF`,
      allImages: view.images.map((url, at) => ({ id: `${listing.id}${at}`, url, zoomable: true })),
    },
    shortDescription: `<p>${product.description}</p>`,
    detailedDescription: null,
    type: product.categories[1],
    availabilityStatus: view.inStock ? 'IN_STOCK' : 'OUT_OF_STOCK',
    ...priceState(view),
    ...sellerState(view),
    orderLimit: buyBox?.orderLimit ?? null,
    orderMinLimit: 1,
    transactableOfferCount: inStock.length,
    additionalOfferCount: Math.max(0, inStock.length - 1),
    category: {
      categoryPathId: '0:1000:1001',
      path: product.categories.map((name, at) => ({ name, url: `/cp/${at}/100${at}` })),
    },
    averageRating: view.totals.average,
    numberOfReviews: view.totals.count,
    suppressReviews: false,
    conditionType: null,
    isPreowned: false,
    preownedCondition: null,
    conditionV2: { code: 1 },
    badges: badgesState(view),
    ...variantState(view),
  };
}

function priceState(view: ListingView): object {
  const { buyBox, offers } = view;
  const price = (cents: number | null): object | null =>
    cents === null
      ? null
      : { price: cents / 100, priceString: money(view, cents), currencyUnit: view.currency };
  const others = offers.filter(
    (offer) => offer !== buyBox && offer.inStock && offer.condition === 'new',
  );
  const second = others.length === 0 ? null : Math.min(...others.map((offer) => offer.cents));
  return {
    priceInfo: {
      currentPrice: price(view.cents),
      wasPrice: price(view.wasCents),
      listPrice: null,
      priceRange: null,
      unitPrice: null,
      isPriceReduced: view.wasCents !== null,
      shipPrice: null,
      priceDisplayCodes: {
        rollback: view.wasCents !== null ? true : null,
        reducedPrice: null,
        clearance: null,
        strikethrough: view.wasCents !== null ? true : null,
        submapType: null,
      },
      secondaryOfferBoost: second === null ? null : money(view, second),
    },
    secondaryOfferPrice: second === null ? null : { currentPrice: price(second) },
  };
}

/** Returns the lowest price of another new offer, in cents. */
export function secondCents(view: ListingView): number | null {
  const others = view.offers.filter(
    (offer) => offer !== view.buyBox && offer.inStock && offer.condition === 'new',
  );
  return others.length === 0 ? null : Math.min(...others.map((offer) => offer.cents));
}

/** Returns seller, fulfilment, shipping and returns, with the same names on the page and in the list of offers. */
export function offerTerms(offer: MarketOffer): Readonly<Record<string, unknown>> {
  const { seller, isFirstParty, isFulfilledByRetailer } = offer;
  return {
    offerId: offer.offerId,
    offerType: isFirstParty ? 'ONLINE_AND_STORE' : 'ONLINE_ONLY',
    sellerId: seller.id,
    catalogSellerId: seller.catalogId,
    sellerName: seller.name,
    sellerDisplayName: seller.name,
    sellerType: isFirstParty ? 'INTERNAL' : 'EXTERNAL',
    hasSellerBadge: isFirstParty ? null : seller.isPro,
    fulfillmentType: isFulfilledByRetailer ? 'FC' : 'MARKETPLACE',
    wfsEnabled: !isFirstParty && isFulfilledByRetailer,
    returnPolicy: {
      returnable: offer.isReturnable,
      freeReturns: offer.hasFreeReturns,
      returnWindow: { value: offer.returnDays, unitType: 'Day' },
    },
    // If out of stock, nothing is stated about shipping.
    shippingOption: !offer.inStock
      ? null
      : {
          availabilityStatus: 'AVAILABLE',
          slaTier: offer.isFulfilledByRetailer ? 'TWO_DAY' : 'STANDARD',
          deliveryDate: `${offer.deliveryDay}T20:00:00.000Z`,
          maxDeliveryDate: `${offer.maxDeliveryDay}T20:00:00.000Z`,
          shipMethod: 'STANDARD',
          shipPrice:
            offer.shippingCents === 0
              ? null
              : { price: offer.shippingCents / 100, priceString: dollars(offer.shippingCents) },
        },
  };
}

function sellerState(view: ListingView): object {
  const { buyBox, market } = view;
  if (buyBox === null) {
    const self = firstParty('retailer_w', market.origins.retailer_w.page);
    return {
      sellerId: null,
      sellerName: null,
      sellerType: null,
      storeName: self.name,
      shippingOption: null,
    };
  }
  const { seller, isFirstParty } = buyBox;
  return {
    ...offerTerms(buyBox),
    sellerAverageRating: isFirstParty ? null : (seller.rating ?? 0),
    sellerReviewCount: isFirstParty ? null : seller.ratingCount,
    sellerStoreFrontURL: isFirstParty ? null : `/seller/${seller.catalogId}`,
    wfsProviderName: null,
    pickupOption: {
      slaTier: null,
      availabilityStatus: view.hasPickup && isFirstParty ? 'AVAILABLE' : 'NOT_AVAILABLE',
      storeId: '1001',
      storeName: 'Dover Store',
    },
  };
}

function badgesState({ soldTag, isBestSeller, buyBox }: ListingView): object {
  const flag = (key: string, text: string): object => ({
    __typename: 'BaseBadge',
    key,
    text,
    type: 'LABEL',
    id: key,
  });
  const left = buyBox?.quantityLeft ?? null;
  return {
    flags: [
      ...(isBestSeller ? [flag('BESTSELLER', 'Best seller')] : []),
      ...(soldTag === null
        ? [flag('SOCIAL_PROOF_ATC_FLAG', "In 50+ people's carts")]
        : [flag('SOCIAL_PROOF_PURCHASES_FLAG', soldTag)]),
    ],
    tags: [],
    groups:
      left === null
        ? []
        : [{ name: 'urgency', members: [{ key: 'LOW_INVENTORY', value: `Only ${left} left` }] }],
  };
}

function variantState(view: ListingView): object {
  const siblings = siblingsOf(view);
  if (siblings.length < 2) return { variantCriteria: [], variantsMap: {}, variants: [] };
  const value = (colour: string | null): string => `actual_color-${(colour ?? '').toLowerCase()}`;
  return {
    variantCriteria: [
      {
        id: 'actual_color',
        name: 'Actual Color',
        type: 'SWATCH',
        variantList: siblings.map(({ product, id }) => ({
          id: value(product.colour),
          name: product.colour,
          availabilityStatus: 'IN_STOCK',
          products: [id],
          selected: id === view.listing.id,
        })),
      },
    ],
    variantsMap: Object.fromEntries(
      siblings.map(({ id, product }) => [
        id,
        {
          usItemId: id,
          variants: [value(product.colour)],
          priceInfo: { currentPrice: { price: 1 } },
        },
      ]),
    ),
    variants: [],
  };
}

function idmlState({ product, barcode, listing }: ListingView): object {
  const { height, width, length } = product.sides;
  const bullets = product.features.map((text) => `<li>${text}</li>`).join('');
  const spec = (name: string, value: string): object => ({
    __typename: 'IdmlNameValue',
    name,
    value,
  });
  return {
    shortDescription: product.description,
    longDescription: `<p>${product.description}</p><ul>${bullets}</ul>`,
    productHighlights: [{ name: 'Brand', value: product.brand }],
    specifications: [
      spec('Brand', product.brand),
      spec('Model', product.model),
      spec('Manufacturer Part Number', product.mpn),
      ...(product.colour === null ? [] : [spec('Color', product.colour)]),
      ...(product.packCount === null
        ? []
        : [spec('Multipack Quantity', String(product.packCount))]),
      ...(product.isBook && barcode !== null && !isUpc(listing.product.gtin14)
        ? [spec('ISBN-13', barcode)]
        : []),
      spec('Condition', 'New'),
      spec('Assembled Product Weight', `${product.pounds} lb`),
      spec(
        'Assembled Product Dimensions (L x W x H)',
        `${inches(length)} x ${inches(width)} x ${inches(height)} Inches`,
      ),
    ],
  };
}

/** Returns the totals and one page of reviews, newest first. */
export function reviewsState(view: ListingView, page: number, size: number): object {
  const { totals, reviews } = view;
  const stars = (number: string): number => totals.distribution[number] ?? 0;
  return {
    averageOverallRating: totals.average ?? 0,
    roundedAverageOverallRating: totals.average ?? 0,
    totalReviewCount: totals.count,
    reviewsWithTextCount: totals.count,
    ratingValueOneCount: stars('1'),
    ratingValueTwoCount: stars('2'),
    ratingValueThreeCount: stars('3'),
    ratingValueFourCount: stars('4'),
    ratingValueFiveCount: stars('5'),
    pagination: { total: totals.count, pages: [] },
    customerReviews: reviews.slice((page - 1) * size, page * size).map((review) => ({
      reviewId: review.id,
      rating: review.stars,
      reviewSubmissionTime: monthDayYear(review.day),
      reviewTitle: review.title,
      reviewText: review.text,
      userNickname: review.author,
      positiveFeedback: 0,
      negativeFeedback: 0,
      badges: review.isVerified ? [{ id: 'VerifiedPurchaser', badgeType: 'Custom' }] : [],
      syndicationSource: null,
      sellerName: null,
    })),
  };
}

/** Formats the day of a review as the pages print it: `2/15/2023`. */
function monthDayYear(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${month}/${date}/${year}`;
}
