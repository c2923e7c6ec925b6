// Invented pages of retailer_t: the shapes are the public ones, the values are not.

import { retailerTAddressBook } from '../../../../src/read/retailers/retailer-t/address-book.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import { pageOf } from '../page-fixtures.ts';
import type { PageOptions } from '../page-fixtures.ts';

export const HOST = `https://www.${retailerTAddressBook.hosts[0]}`;
export const PAGE_URL = `${HOST}/p/-/A-90000001`;

export const ITEM = {
  relationship_type_code: 'SA',
  fulfillment: { purchase_limit: 5 },
  product_description: {
    title: 'Power Bank &#38; Cable',
    downstream_description: 'Charges &quot;phones&quot;.',
    bullet_descriptions: [
      '<B>Dimensions (Overall):</B> 5 Inches (H) x 4 Inches (W) x 3 Inches (D)',
      '<B>Weight:</B> 1.2 Pounds',
      '<B>Package Quantity:</B> 24',
      '<B>Warranty:</B> See: the site',
      'no name at all',
    ],
  },
  primary_brand: { name: 'Acme' },
  primary_barcode: '036000291452',
  package_dimensions: {
    depth: 6.9,
    width: 4.9,
    height: 2.2,
    dimension_unit_of_measure: 'INCH',
    weight: 1.85,
    weight_unit_of_measure: 'POUND',
  },
  environmental_segmentation: { is_hazardous_material: false },
  enrichment: {
    buy_url: `${HOST}/p/power-bank/-/A-90000001`,
    image_info: { primary_image: { url: 'https://images.example/bank' } },
  },
};

export const PRODUCT = {
  tcin: '90000001',
  item: ITEM,
  price: { current_retail: 99.99, reg_retail: 109.99, formatted_current_price_type: 'sale' },
  category: {
    name: 'Chargers',
    breadcrumbs: [
      { category_id: 'root', canonical_url: '/', name: 'home' },
      { category_id: 'x1', canonical_url: '/c/x1', name: 'Electronics &amp; Tech' },
      { category_id: 'x2', canonical_url: '/c/x2', name: 'Chargers' },
    ],
  },
  ratings_and_reviews: {
    statistics: {
      rating: {
        average: 4.72,
        count: 365,
        distribution: { rating1: 12, rating2: 2, rating3: 11, rating4: 27, rating5: 313 },
      },
      review_count: 253,
    },
  },
  desirability_cues: [
    { code: 'bestseller', display: 'Bestseller' },
    { code: 'sold', display: '1k+ bought in last month' },
  ],
  free_shipping: { enabled: true },
};

export const FULFILLMENT = {
  sold_out: false,
  shipping_options: {
    availability_status: 'IN_STOCK',
    services: [{ min_delivery_date: '2026-11-26' }, { min_delivery_date: '2026-11-24' }],
  },
  store_options: [
    { order_pickup: { availability_status: 'UNAVAILABLE' } },
    { order_pickup: { availability_status: 'IN_STOCK', pickup_date: '2026-11-20' } },
  ],
};

/** A parent of two variants: one on sale with a barcode and an image of its own, one sold out. */
export const PARENT = {
  ...PRODUCT,
  item: { ...ITEM, relationship_type_code: 'VAP' },
  price: { current_retail_min: 20, current_retail_max: 30 },
  children: [
    {
      tcin: '90000011',
      price: { current_retail: 20, reg_retail: 25 },
      item: {
        primary_barcode: '4006381333931',
        enrichment: { image_info: { primary_image: { url: 'https://images.example/red' } } },
      },
      fulfillment: { shipping_options: { availability_status: 'IN_STOCK' } },
    },
    {
      tcin: '90000012',
      price: { current_retail: 30 },
      item: { product_description: { title: 'Power Bank - Blue' } },
      fulfillment: { shipping_options: { availability_status: 'OUT_OF_STOCK' } },
    },
  ],
};

/** The state as a script passes it on: JSON within a script string. */
function stateScript(json: string): string {
  const text = JSON.stringify(json).replaceAll('<', '\\u003c');
  return `<script>Object.defineProperties(window, {'__TGT_DATA__': { configurable: false, value: deepFreeze(JSON.parse(${text})) }});</script>`;
}

export function stateBody(json: string, head = ''): string {
  return `<!doctype html><html lang="en-US"><head><title>Power Bank</title>${head}</head><body>${stateScript(json)}</body></html>`;
}

/** The state of a page: navigation first, then its product. */
export function stateOf(product: unknown): unknown {
  return {
    __PRELOADED_QUERIES__: {
      queries: [
        [['navigation'], { data: { title: 'Global Navigation' } }],
        [['product', '90000001'], { data: { product } }],
      ],
    },
  };
}

export function pageWith(product: unknown, head = '', options: PageOptions = {}): Page {
  return pageOf(stateBody(JSON.stringify(stateOf(product)), head), { url: PAGE_URL, ...options });
}
