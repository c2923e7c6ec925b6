// Invented answers of retailer_l in the shapes that public descriptions give of its state.

import type { Page } from '../../../../src/base/listing/page.ts';
import { RETAILER_L_ORIGIN } from '../../../../src/read/retailers/retailer-l/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';

export const ITEM = '1000000017';
export const PRODUCT_URL = `${RETAILER_L_ORIGIN.href}pd/Acme-Cedar-Board/${ITEM}`;

type Json = Readonly<Record<string, unknown>>;

export function product(changes: Json = {}): Json {
  return {
    omniItemId: ITEM,
    barcode: '099900000012',
    title: ' Cedar Board &amp; Trim',
    description: 'Board',
    brand: 'Acme',
    modelId: 'CB-8',
    itemNumber: '58017',
    hazmatCode: 'N',
    weight: '8.53',
    imageUrls: [
      { key: 'sm', value: '/product/board-sm.jpg' },
      { key: 'xl', value: '/product/board-xl.jpg' },
    ],
    pdURL: `/pd/Acme-Cedar-Board/${ITEM}`,
    rating: '4.3243',
    reviewCount: '37',
    romanceCopy: '<b>Cedar</b> smells good.',
    marketingBullets: [{ key: '1', value: 'Resists decay' }],
    specs: [
      { key: 'Package Quantity', value: '6', seq: 1 },
      { key: 'Height (Inches)', value: '1.5', seq: 2 },
      { key: 'Width (Inches)', value: '3.5', seq: 3 },
      { key: 'Length (Feet)', value: '8', seq: 4 },
    ],
    isBuyable: 'Y',
    isPublished: 'Y',
    status: 'ACTIVE',
    ...changes,
  };
}

export function way(isAvlSts: boolean, availableQuantity = 0): Json {
  const availabilityStatus = isAvlSts ? 'Available' : 'Not Available';
  return { isAvlSts, availabilityStatus, availableQuantity };
}

export function inventory(parcel: boolean, pickup: boolean, truck: boolean): Json {
  const analyticsData = { parcel: way(parcel), pickup: way(pickup, 4), truck: way(truck) };
  return { analyticsData, totalAvailableQty: parcel || pickup || truck ? 4 : 0 };
}

export const PRICE_2020 = {
  itemPrice: 11.77,
  wasPrice: 14.5,
  displayPrice: { dollar: '11', cent: '77' },
  analyticsData: { sellingPrice: 11.77, retailPrice: 14.5 },
};

/** Returns the state around one entry. */
export function stateOf(entry: Json, more: Json = {}): Json {
  return {
    productId: ITEM,
    productDetails: { [ITEM]: entry },
    storeDetails: { storeNumber: '1803', zipCode: '30000' },
    ...more,
  };
}

export const ENTRY = {
  product: product(),
  itemInventory: inventory(true, true, false),
  price: PRICE_2020,
};

/** A page that assigns the state, with JSON-LD next to it where given. */
export function statePage(state: unknown, jsonLd?: unknown, url = PRODUCT_URL): Page {
  const script = `<script>window['__PRELOADED_STATE__'] = ${JSON.stringify(state)}</script>`;
  const head = jsonLd === undefined ? '' : ld(jsonLd);
  return pageOf(html(head, `<h1>Cedar Board</h1>${script}`, 'Cedar Board'), { url });
}

export function jsonAnswer(state: unknown): Page {
  const headers = { 'content-type': 'application/json' };
  const url = `${RETAILER_L_ORIGIN.href}pd/${ITEM}/productdetail/1803/Guest`;
  return pageOf(JSON.stringify(state), { url, headers });
}

/** Structured data of a page without a state. */
export const LD = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Cedar Board',
  sku: '58017',
  brand: 'Acme',
  offers: { '@type': 'Offer', price: 11.77, priceCurrency: 'USD', availability: 'InStock' },
};
