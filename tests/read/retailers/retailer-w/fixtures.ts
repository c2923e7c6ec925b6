// Invented states of retailer_w, small and complete: the shapes are the public ones, the values are not.

import {
  AFFILIATE_BASE,
  retailerWAddressBook,
} from '../../../../src/read/retailers/retailer-w/address-book.ts';
import { pageOf } from '../page-fixtures.ts';
import type { PageOptions } from '../page-fixtures.ts';
import type { Page } from '../../../../src/base/listing/page.ts';

export const HOST = `https://www.${retailerWAddressBook.hosts[0]}`;
export const ITEM_URL = `${HOST}/ip/100200300`;
export const HEX = '0123456789ABCDEF0123456789ABCDEF';
export const FIRST_PARTY_HEX = 'F55CDC31AB754BB68FE0B39041159D63';
const API_URL = `${AFFILIATE_BASE}/items/100200300`;

export const SPECS = [
  { name: 'Model', value: 'BM-12' },
  { name: 'Manufacturer Part Number', value: 'BM12-P' },
  { name: 'Multipack Quantity', value: '2' },
  { name: 'Assembled Product Weight', value: '12 oz' },
  { name: 'Shipping Weight', value: '1.25 lb' },
  { name: 'Assembled Product Dimensions (L x W x H)', value: '10.00 x 5.00 x 3.00 Inches' },
];

/** A marketplace seller's listing with everything the state can contain. */
export const PRODUCT = {
  id: '4ABCDEFGHIJK',
  usItemId: '100200300',
  upc: '036000291452',
  name: 'Blue Mug &amp; Saucer',
  brand: 'Acme',
  canonicalUrl: '/ip/Blue-Mug-Saucer/100200300',
  imageInfo: {
    thumbnailUrl: 'https://images.example/mug.jpeg?odnHeight=180&odnWidth=180&odnBg=FFFFFF',
    allImages: [{ url: 'https://images.example/mug.jpeg' }],
  },
  availabilityStatus: 'IN_STOCK',
  averageRating: 4.5,
  numberOfReviews: 120,
  priceInfo: {
    currentPrice: { price: 24.5, priceString: '$24.50', currencyUnit: 'USD' },
    wasPrice: { price: 29.99, priceString: '$29.99' },
    secondaryOfferBoost: '$26.00',
  },
  sellerId: HEX,
  catalogSellerId: 101000001,
  sellerName: 'Some Shop LLC',
  sellerDisplayName: 'Some Shop',
  sellerType: 'EXTERNAL',
  sellerAverageRating: 4.2,
  sellerReviewCount: 310,
  fulfillmentType: 'FC',
  wfsEnabled: true,
  transactableOfferCount: 4,
  additionalOfferCount: 3,
  shippingOption: {
    availabilityStatus: 'AVAILABLE',
    deliveryDate: '2026-11-23T20:00:00.000Z',
    shipPrice: null,
  },
  pickupOption: { availabilityStatus: 'NOT_AVAILABLE', storeId: '1' },
  badges: {
    flags: [
      { key: 'SOCIAL_PROOF_ATC_FLAG', text: "In 50+ people's carts" },
      { key: 'SOCIAL_PROOF_PURCHASES_FLAG', text: '500+ bought since yesterday' },
      { key: 'BESTSELLER', text: 'Best seller' },
    ],
  },
  category: { path: [{ name: 'Home' }, { name: 'Mugs' }] },
};

const REVIEWS = {
  averageOverallRating: 4.5,
  totalReviewCount: 120,
  ratingValueOneCount: 5,
  ratingValueTwoCount: 5,
  ratingValueThreeCount: 10,
  ratingValueFourCount: 10,
  ratingValueFiveCount: 90,
  customerReviews: [
    {
      reviewId: '1',
      rating: 5,
      reviewSubmissionTime: '2/15/2026',
      reviewTitle: 'Good',
      reviewText: 'Holds <b>tea</b>.',
      userNickname: 'Ann',
      badges: [{ id: 'VerifiedPurchaser' }],
    },
    { reviewId: '1', rating: 5, reviewSubmissionTime: '2/15/2026', badges: null },
    { reviewId: '2', rating: 2, reviewSubmissionTime: '13/40/2026', badges: null },
  ],
};

export const INITIAL = {
  data: {
    product: PRODUCT,
    idml: { longDescription: '<p>For tea.</p>', specifications: SPECS },
    reviews: REVIEWS,
  },
};

export const OFFERS = {
  data: {
    product: {
      transactableOfferCount: 3,
      allOffers: [
        {
          offerId: 'AAAA',
          availabilityStatus: 'IN_STOCK',
          fulfillmentType: 'FC',
          sellerId: HEX,
          catalogSellerId: 101000001,
          sellerName: 'Some Shop LLC',
          sellerDisplayName: 'Some Shop',
          sellerType: 'EXTERNAL',
          wfsEnabled: true,
          hasSellerBadge: true,
          orderLimit: 12,
          priceInfo: {
            currentPrice: { price: 24.5, priceString: '$24.50' },
            wasPrice: { price: 30 },
          },
          returnPolicy: {
            returnable: true,
            freeReturns: true,
            returnWindow: { value: 30, unitType: 'Day' },
          },
          shippingOption: {
            availabilityStatus: 'AVAILABLE',
            deliveryDate: '2026-11-23T20:00:00.000Z',
            maxDeliveryDate: '2026-11-25T20:00:00.000Z',
            shipPrice: null,
          },
        },
        {
          offerId: 'BBBB',
          availabilityStatus: 'OUT_OF_STOCK',
          fulfillmentType: 'MARKETPLACE',
          sellerId: 'ABCDEF0123456789ABCDEF0123456789',
          catalogSellerId: '102',
          sellerName: 'Other Shop',
          sellerType: 'EXTERNAL',
          wfsEnabled: false,
          conditionType: 'Restored',
          sellerAverageRating: 0,
          priceInfo: { currentPrice: { priceString: '$19.00' } },
          returnPolicy: { returnable: true, returnWindow: { value: 1, unitType: 'Month' } },
          shippingOption: { availabilityStatus: 'AVAILABLE', shipPrice: { price: 5.99 } },
        },
        {
          offerId: 'CCCC',
          availabilityStatus: 'IN_STOCK',
          sellerId: FIRST_PARTY_HEX,
          catalogSellerId: 0,
          sellerName: 'The retailer',
          sellerType: 'INTERNAL',
          priceInfo: { currentPrice: { price: 0 } },
        },
      ],
    },
  },
};

/** Search items with their price in each of the three shapes, and entries that are not hits. */
export const SEARCH = {
  searchResult: {
    aggregatedCount: 7,
    itemStacks: [
      {
        items: [
          { __typename: 'AdPlaceholder' },
          {
            __typename: 'Product',
            usItemId: '900',
            name: 'Advertised',
            isSponsoredFlag: true,
            priceInfo: { linePrice: '$1.00' },
          },
          {
            __typename: 'Product',
            usItemId: '100200301',
            name: 'Line price',
            price: 44,
            priceInfo: { linePrice: '$44.07', itemPrice: '$48.97', wasPrice: '$48.97' },
            availabilityStatusV2: { value: 'IN_STOCK' },
          },
          {
            __typename: 'Product',
            usItemId: '100200302',
            name: 'Current price',
            priceInfo: { currentPrice: { price: 19.95 } },
            rating: { averageRating: 4, numberOfReviews: 3 },
          },
          {
            __typename: 'Product',
            usItemId: '100200303',
            name: 'Price lines',
            price: 0,
            priceInfo: {
              priceDetails: {
                priceLines: [
                  { lineType: 'WAS_PRICE', values: [{ key: 'PRICE', value: '$30.00' }] },
                  { lineType: 'DISCOUNTED_PRICE', values: [{ key: 'PRICE', value: '$24.50' }] },
                ],
              },
            },
          },
          {
            __typename: 'Product',
            usItemId: '100200304',
            name: 'Options',
            price: 12,
            priceInfo: {
              priceDetails: {
                priceLines: [{ lineType: 'OPTIONS', values: [{ key: 'LOW_PRICE', value: 12.25 }] }],
              },
            },
          },
          { __typename: 'Product', usItemId: '100200305', name: 'Cut price', price: 44 },
        ],
      },
    ],
  },
};

export const SELLER = {
  seller: {
    catalogSellerId: '101000001',
    sellerId: HEX,
    sellerName: 'Some Shop LLC',
    sellerDisplayName: 'Some Shop',
    sellerType: 'EXTERNAL',
    hasSellerBadge: true,
    city: 'Dover',
    state: 'DE',
    postalCode: '19901',
    countryCode: 'US',
    sellerReviews: { averageOverallRating: 4.4, totalReviewCount: 512 },
  },
  contentLayout: {
    modules: [
      { configs: { itemStacks: { itemStacks: [{ count: 40 }] } } },
      { configs: { itemStacks: { itemStacks: [{ count: 215 }] } } },
    ],
  },
};

export const AFFILIATE_ITEM = {
  itemId: 100200300,
  name: 'Blue Mug &#045; Large',
  msrp: 29.99,
  salePrice: 24.5,
  upc: '036000291452',
  categoryPath: 'Home/Kitchen/Mugs',
  longDescription: '&lt;ul&gt;&lt;li&gt;Holds tea&lt;/li&gt;&lt;/ul&gt;',
  brandName: 'Acme',
  largeImage: 'https://images.example/mug.jpeg?odnHeight=450&odnWidth=450&odnBg=FFFFFF',
  standardShipRate: 0,
  size: '12 oz',
  color: 'Blue',
  marketplace: true,
  sellerInfo: 'Some Shop',
  modelNumber: 'BM-12',
  customerRating: '4.5',
  numReviews: 120,
  bestMarketplacePrice: { price: 23, sellerInfo: 'Another Shop' },
  stock: 'Limited Supply',
  availableOnline: true,
  variants: [100200301],
};

/** A page with a state in today's form. */
export function stateBody(json: string): string {
  const text = json.replaceAll('<', '\\u003c');
  const state = `{"props":{"pageProps":{"initialData":${text}}},"page":"/ip/[...itemParams]"}`;
  return `<!doctype html><html><head><title>Blue Mug</title></head><body><script id="__NEXT_DATA__" type="application/json">${state}</script></body></html>`;
}

export function statePage(initial: unknown, options: PageOptions = {}): Page {
  return pageOf(stateBody(JSON.stringify(initial)), { url: ITEM_URL, ...options });
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Reviews as the affiliate API has them: numbers are strings, reviews have no id. */
export const AFFILIATE_REVIEWS = {
  itemId: 100200300,
  name: 'Blue Mug',
  salePrice: 24.5,
  reviews: [
    {
      overallRating: { label: 'Overall', rating: '5' },
      reviewer: 'Somebody',
      reviewText: 'Keeps tea &amp; coffee warm.',
      submissionTime: '2026-02-15T09:30:00',
      title: 'Good',
      upVotes: '3',
      downVotes: '0',
    },
    { overallRating: { rating: 2 }, reviewText: 'Chipped.', submissionTime: '2025-12-01' },
    { reviewer: 'Nobody' },
  ],
  reviewStatistics: {
    averageOverallRating: '4.2',
    overallRatingRange: '5',
    ratingDistributions: [
      { ratingValue: '5', count: '70' },
      { ratingValue: '1', count: '1,030' },
    ],
    totalReviewCount: '1,100',
  },
  nextPage: '/v2/reviews/100200300?page=2',
};

export function jsonPage(value: unknown, options: PageOptions = {}): Page {
  return pageOf(JSON.stringify(value), { url: API_URL, headers: JSON_TYPE, ...options });
}

export const MARKETPLACE_FOUND = {
  items: [
    {
      itemId: '100200300',
      title: 'Blue Mug',
      brand: 'Acme',
      description: 'A mug.',
      images: [{ url: 'https://images.example/mug.jpeg' }],
      price: { amount: '24.50', currency: 'USD' },
      customerRating: '4.5',
      isMarketPlaceItem: false,
    },
  ],
};
