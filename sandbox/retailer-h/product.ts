// retailer_h's product as its GraphQL gateway answers it and as its page caches it.

import { isUpc, printedCode } from '../market/codes.ts';
import type { Market, MarketListing } from '../market/market.ts';
import type { ListingView } from '../market/listing-view.ts';

const STORE = '121';

export function productAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_h.page}/p/${listing.id}`;
}

export function canonicalPath({ product, listing }: ListingView): string {
  return `/p/${product.title.replaceAll(/[^A-Za-z0-9]+/g, '-')}/${listing.id}`;
}

/** Names a field whose arguments contain the store: as in a reply (`plain`), or as in a page's cache. */
function keyed(name: string, form: 'plain' | 'cache', key: string): string {
  return form === 'plain' ? name : `${name}(${key})`;
}

export function productFields(
  view: ListingView,
  form: 'plain' | 'cache',
): Readonly<Record<string, unknown>> {
  const { product, listing, totals } = view;
  return {
    __typename: 'BaseProduct',
    itemId: listing.id,
    dataSources: 'catalog',
    identifiers: identifiersOf(view),
    [keyed('pricing', form, `{"storeId":"${STORE}"}`)]: pricingOf(view),
    availabilityType: {
      type: 'Shared',
      discontinued: view.isEnded,
      status: !view.isEnded,
      buyable: !view.isEnded,
    },
    [keyed('fulfillment', form, `{"storeId":"${STORE}","zipCode":"30339"}`)]: fulfillmentOf(view),
    media: {
      images: view.images.map((url, at) => ({
        url: url.replace('_1000', '_<SIZE>'),
        sizes: ['100', '400', '1000'],
        type: 'IMAGE',
        subType: at === 0 ? 'PRIMARY' : 'ADDITIONAL',
      })),
    },
    reviews: {
      ratingsReviews:
        totals.average === null
          ? null
          : { averageRating: totals.average.toFixed(3), totalReviews: String(totals.count) },
    },
    details: {
      description: product.description,
      highlights: product.features,
      descriptiveAttributes: product.features.map((value, at) => ({ name: `Bullet${at}`, value })),
    },
    specificationGroup: specificationsOf(view),
    taxonomy: {
      breadCrumbs: [
        { label: 'Home', url: '/' },
        ...product.categories.map((label, at) => ({ label, url: `/b/${at}` })),
      ],
    },
    info: { hidePrice: false, quantityLimit: 10, returnable: '90-Day', productDepartment: '21' },
    badges: view.isBestSeller ? [{ name: 'best seller', label: 'Best Seller' }] : [],
  };
}

function identifiersOf({ product, listing }: ListingView): object {
  const gtin = listing.publishedGtin;
  return {
    itemId: listing.id,
    productLabel: product.title,
    brandName: product.brand,
    canonicalUrl: `/p/${listing.id}`,
    modelNumber: product.model,
    upc: gtin !== null && isUpc(gtin) ? printedCode(gtin) : null,
    upcGtin13: gtin === null ? null : gtin.slice(1),
    storeSkuNumber: `1009${String(product.index).padStart(6, '0')}`,
    parentId: null,
    productType: 'MERCHANDISE',
    isSuperSku: false,
  };
}

function pricingOf(view: ListingView): object {
  return {
    value: view.cents === null ? null : view.cents / 100,
    original: view.wasCents === null ? null : view.wasCents / 100,
    message: null,
    specialBuy: null,
    unitOfMeasure: 'each',
    alternate: { bulk: null, unit: null },
    mapAboveOriginalPrice: null,
    promotion: null,
    clearance: null,
    ...(view.currency === 'USD' ? {} : { currency: view.currency }),
  };
}

function fulfillmentOf(view: ListingView): object {
  const shelf = view.hasPickup && view.inStock;
  const inventory = (isInStock: boolean): object => ({
    isInStock,
    isOutOfStock: !isInStock,
    isLimitedQuantity: false,
    quantity: isInStock ? 12 : 0,
  });
  return {
    backordered: false,
    fulfillmentOptions: [
      {
        type: 'pickup',
        fulfillable: shelf,
        services: [
          {
            type: 'bopis',
            locations: [
              {
                isAnchor: true,
                locationId: STORE,
                storeName: 'Dover',
                inventory: inventory(shelf),
              },
            ],
          },
        ],
      },
      {
        type: 'delivery',
        fulfillable: view.inStock,
        services: [
          {
            type: 'sth',
            deliveryTimeline: 'DAY',
            deliveryDates: { startDate: view.deliveryDay, endDate: view.deliveryDay },
            hasFreeShipping: view.shippingCents === 0,
            totalCharge: view.shippingCents / 100,
            locations: [
              { isAnchor: false, locationId: '8119', inventory: inventory(view.inStock) },
            ],
          },
        ],
      },
    ],
  };
}

function specificationsOf({ product }: ListingView): readonly object[] {
  const spec = (specName: string, specValue: string): object => ({ specName, specValue });
  const { height, width, length } = product.sides;
  return [
    {
      specTitle: 'Dimensions',
      specifications: [
        spec('Product Height (in.)', `${height} in`),
        spec('Product Width (in.)', `${width} in`),
        spec('Product Depth (in.)', `${length} in`),
      ],
    },
    {
      specTitle: 'Details',
      specifications: [
        spec('Product Weight (lb.)', `${product.pounds} lb`),
        ...(product.colour === null ? [] : [spec('Color Family', product.colour)]),
        ...(product.packCount === null
          ? []
          : [spec('Package Quantity', String(product.packCount))]),
        spec('Returnable', '90-Day'),
      ],
    },
  ];
}
