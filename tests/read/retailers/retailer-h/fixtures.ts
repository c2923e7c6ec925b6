// Invented answers of retailer_h in the shapes of its gateway, its state and its pages.

import type { Page } from '../../../../src/base/listing/page.ts';
import {
  RETAILER_H_ORIGIN,
  retailerHGatewayUrl,
} from '../../../../src/read/retailers/retailer-h/address-book.ts';
import { html, ld, metas, pageOf } from '../page-fixtures.ts';

export const ITEM = '300000017';
export const PRODUCT_URL = `${RETAILER_H_ORIGIN.href}p/Acme-Quiet-Drill-QD-5/${ITEM}`;
const PICTURE = 'https://pictures.example/acme-drill';

type Json = Readonly<Record<string, unknown>>;

/** A product as the gateway returns it, with some members changed. */
export function product(changes: Json = {}): Record<string, unknown> {
  return {
    itemId: ITEM,
    identifiers: {
      itemId: ITEM,
      productLabel: 'Quiet Drill &amp; Driver',
      brandName: 'Acme',
      canonicalUrl: `/p/Acme-Quiet-Drill-QD-5/${ITEM}`,
      modelNumber: 'QD-5',
      upc: '099900000012',
      upcGtin13: '0099900000012',
      storeSkuNumber: '1000000017',
    },
    pricing: { value: 119, original: 179.5, message: null },
    availabilityType: { type: 'Shared', discontinued: false, status: true, buyable: true },
    fulfillment: { backordered: false, fulfillmentOptions: [pickup(), parcel()] },
    media: {
      images: [
        { url: `${PICTURE}-b_<SIZE>.jpg`, sizes: ['100', '400'], subType: 'ALTERNATE' },
        { url: `${PICTURE}_<SIZE>.jpg`, sizes: ['65', '1000', '300', '2000'], subType: 'PRIMARY' },
      ],
    },
    reviews: { ratingsReviews: { averageRating: '4.6', totalReviews: '1234' } },
    badges: [{ name: 'best seller', label: 'best seller' }],
    details: {
      description: '<p>Drills quietly.</p>',
      descriptiveAttributes: [{ name: 'Returnable', value: '90-Day' }],
    },
    specificationGroup: [
      {
        specTitle: 'Dimensions',
        specifications: [
          { specName: 'Product Weight (lb.)', specValue: '4.95 lb' },
          { specName: 'Product Height (in.)', specValue: '9' },
          { specName: 'Product Width (in.)', specValue: '3.25' },
          { specName: 'Product Depth (in.)', specValue: '12' },
        ],
      },
    ],
    taxonomy: { breadCrumbs: [{ label: 'Home' }, { label: 'Tools' }, { label: 'Drills' }] },
    ...changes,
  };
}

export function pickup(changes: Json = {}): Json {
  const inventory = { isInStock: true, isOutOfStock: false, quantity: 7 };
  return {
    type: 'pickup',
    fulfillable: true,
    services: [{ type: 'bopis', totalCharge: null, locations: [{ isAnchor: true, inventory }] }],
    ...changes,
  };
}

export function parcel(changes: Json = {}): Json {
  return {
    type: 'delivery',
    fulfillable: true,
    services: [
      {
        type: 'sth',
        hasFreeShipping: false,
        totalCharge: 8.99,
        deliveryDates: { startDate: '2026-11-24', endDate: '2026-11-27' },
      },
    ],
    ...changes,
  };
}

/** An answer of the gateway. */
export function answer(value: unknown, status = 200): Page {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const headers = { 'content-type': 'application/json' };
  return pageOf(body, { url: retailerHGatewayUrl('productClientOnlyProduct'), status, headers });
}

export const JSON_LD = {
  '@context': 'https://schema.org/',
  '@type': 'Product',
  name: 'Acme Quiet Drill QD-5',
  image: [`${PICTURE}_100.jpg`],
  description: 'Drills quietly.',
  productID: ITEM,
  sku: '1000000017',
  gtin13: '0099900000012',
  model: 'QD-5',
  depth: '12 in',
  height: '9 in',
  width: '3.25 in',
  weight: '4.95 lb',
  brand: { '@type': 'Brand', name: 'Acme' },
  aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.6', reviewCount: 1234 },
  offers: {
    '@type': 'Offer',
    url: PRODUCT_URL,
    priceCurrency: 'USD',
    price: 119,
    priceSpecification: {
      '@type': 'UnitPriceSpecification',
      priceType: 'https://schema.org/StrikethroughPrice',
      price: 179.5,
      priceCurrency: 'USD',
    },
  },
  review: [
    {
      '@type': 'Review',
      reviewRating: { '@type': 'Rating', ratingValue: 4, bestRating: '5' },
      author: { '@type': 'Person', name: 'Visitor' },
      headline: 'Quiet',
      reviewBody: 'Really\nquiet.',
    },
  ],
};

/** A tile of the page: heading, details, quantity, charge. */
export function tile(
  kind: 'pickupTile' | 'deliveryTile',
  [heading, details, quantity, charge]: readonly string[],
  inner = '',
): string {
  return (
    `<button type="button" data-testid="${kind}"><div data-testid="${inner}">` +
    `<div data-testid="tileHeading"><div>${heading}</div></div>` +
    `<div data-testid="ffm-details-row"><p><div>${details}</div></p>` +
    `<p><div data-testid="fulfillment-qty-row">${quantity}</div></p></div>` +
    `<p data-testid="card-messaging-bottom"><span data-delivery-fee="$0">${charge}</span></p>` +
    '</div></button>'
  );
}

export const NUMBERS =
  '<div data-component="product-info-bar:ProductInfoBar:v5.3.0">' +
  `<h2>Internet # <span>${ITEM}</span></h2><h2>Model # <span>QD-5</span></h2>` +
  '<h2>Store SKU # <span>1000000017</span></h2></div>';

export const CART =
  '<div data-component="add-to-cart:AddToCart:v4.12.3"><button>Add to Cart</button></div>';

export const PRICE =
  '<div data-component="price:Price:v6.35.0"><div>Limit 5 per order</div><div><span>$</span>' +
  '<span>119</span><span>.</span><span>00</span></div><div><span>Was&nbsp;</span>' +
  '<span>$179.50</span> Save $60.50 (34%)</div></div>';

export const OPEN_TILES =
  tile('pickupTile', ['Pickup', 'Tomorrow', '<span>10</span> in stock', 'FREE']) +
  tile(
    'deliveryTile',
    ['Delivery', 'Wed, Nov 25', '<span>2,342</span> available', 'FREE'],
    'sth-instock',
  );

/** Builds a product page from its parts. */
export function productPage(parts: {
  readonly jsonLd?: unknown;
  readonly state?: unknown;
  readonly body?: string;
  readonly url?: string;
}): Page {
  const url = parts.url ?? PRODUCT_URL;
  const tags = metas({ 'og:type': 'product', 'og:image': `${PICTURE}_1000.jpg`, 'og:url': url });
  const data = parts.jsonLd === undefined ? '' : ld(parts.jsonLd);
  const state =
    parts.state === undefined
      ? ''
      : `<script>window.__APOLLO_STATE__=${JSON.stringify(parts.state)};</script>`;
  const heading = '<h1>Quiet Drill</h1>';
  const head = `${tags}<link rel="canonical" href="${url}">${data}`;
  return pageOf(html(head, `${heading}${parts.body ?? ''}${state}`, 'Acme Quiet Drill'), { url });
}

/** The product as stored in a page's state: arguments in the names, references to other entries. */
export function stateOf(value: Json): Record<string, unknown> {
  const { pricing, reviews, fulfillment, ...rest } = value;
  return {
    [`base-catalog-${ITEM}`]: {
      ...rest,
      'pricing({"storeId":"0"})': { value: null, original: null },
      'pricing({"storeId":"121"})': pricing,
      'fulfillment({"storeId":"121","zipCode":"30000"})': fulfillment,
      reviews: { __ref: 'reviews-1' },
    },
    'reviews-1': reviews,
    'base-catalog-300000099': { itemId: '300000099', identifiers: { productLabel: 'Other' } },
    ROOT_QUERY: { [`product({"itemId":"${ITEM}"})`]: { __ref: `base-catalog-${ITEM}` } },
  };
}
