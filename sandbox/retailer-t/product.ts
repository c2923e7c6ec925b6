// retailer_t's product in the state of its pages.

import type { Market, MarketListing } from '../market/market.ts';
import { siblingsOf } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { escapeHtml, money } from '../markup.ts';

export function productAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_t.page}/p/-/A-${listing.id}`;
}

/** Encodes HTML entities; apostrophes and quotes are numeric ones. */
function entities(text: string): string {
  return escapeHtml(text).replaceAll('&quot;', '&#34;').replaceAll("'", '&#39;');
}

function itemOf(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing } = view;
  const { height, width, length } = product.sides;
  const box = product.packageSides;
  return {
    relationship_type_code: 'SA',
    dpci: '080-08-0001',
    product_description: {
      title: entities(product.title),
      downstream_description: entities(product.description),
      soft_bullets: { title: 'highlights', bullets: product.features.map(entities) },
      bullet_descriptions: [
        `<B>Dimensions (Overall):</B> ${height} Inches (H) x ${width} Inches (W) x ${length} Inches (D)`,
        `<B>Weight:</B> ${product.pounds} pounds`,
        ...(product.packCount === null ? [] : [`<B>Package Quantity:</B> ${product.packCount}`]),
        ...(product.colour === null ? [] : [`<B>Color:</B> ${product.colour}`]),
      ],
    },
    package_dimensions: {
      height: box.height,
      width: box.width,
      depth: box.length,
      weight: product.packagePounds,
      dimension_unit_of_measure: 'INCH',
      weight_unit_of_measure: 'POUND',
    },
    primary_brand: { name: product.brand, linking_id: 'x', canonical_url: '/b/x' },
    enrichment: {
      buy_url: `${view.origin}/p/${product.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}/-/A-${listing.id}`,
      images: { primary_image_url: view.images[0], alternate_image_urls: [view.images[1]] },
    },
    fulfillment: { purchase_limit: 5 },
    mmbv_content: { street_date: product.firstDay },
    product_vendors: [],
  };
}

function priceOf(view: ListingView): object {
  const { cents, wasCents } = view;
  if (cents === null) return {};
  return {
    current_retail: cents / 100,
    reg_retail: (wasCents ?? cents) / 100,
    formatted_current_price: money(view, cents),
    formatted_current_price_type: wasCents === null ? 'reg' : 'sale',
    ...(wasCents === null ? {} : { save_dollar: (wasCents - cents) / 100 }),
    location_id: 3991,
  };
}

export function productOf(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing, totals } = view;
  const siblings = siblingsOf(view);
  const stars = totals.distribution;
  return {
    __typename: 'Product',
    tcin: listing.id,
    category: {
      name: product.categories[1],
      parent_category_id: 'x1',
      breadcrumbs: [
        { canonical_url: '/', category_id: 'root', name: 'home' },
        ...product.categories.map((name, at) => ({
          canonical_url: `/c/${at}`,
          category_id: `x${at}`,
          name,
        })),
      ],
    },
    ratings_and_reviews: {
      statistics: {
        rating:
          totals.average === null
            ? { average: 0, count: 0, distribution: {} }
            : {
                average: totals.average,
                count: totals.count,
                distribution: Object.fromEntries(
                  ['1', '2', '3', '4', '5'].map((star) => [`rating${star}`, stars[star] ?? 0]),
                ),
              },
        review_count: totals.count,
      },
    },
    item: itemOf(view),
    price: priceOf(view),
    ...(siblings.length < 2
      ? {}
      : {
          variation_hierarchy: siblings.map((one) => ({
            name: 'Color',
            value: one.product.colour,
            tcin: one.id,
          })),
        }),
  };
}

export function fulfillmentOf(view: ListingView): object {
  const { inStock, listing } = view;
  return {
    product_id: listing.id,
    is_out_of_stock_in_all_store_locations: !view.hasPickup,
    sold_out: !inStock,
    shipping_options: {
      availability_status: view.isEnded ? 'DISCONTINUED' : inStock ? 'IN_STOCK' : 'OUT_OF_STOCK',
      available_to_promise_quantity: inStock ? 30 : 0,
      services: inStock
        ? [
            {
              shipping_method_id: 'STANDARD',
              min_delivery_date: view.deliveryDay,
              max_delivery_date: view.deliveryDay,
            },
          ]
        : [],
    },
    store_options: [
      {
        location_id: '3991',
        location_available_to_promise_quantity: view.hasPickup && inStock ? 4 : 0,
        order_pickup: {
          availability_status: view.hasPickup && inStock ? 'IN_STOCK' : 'UNAVAILABLE',
        },
        in_store_only: { availability_status: 'NOT_SOLD_IN_STORE' },
      },
    ],
  };
}
