// retailer_l's pages: the state of a product and of search results, the page for suspected bots, and the 404 page.
// There are three layouts of the price; each product has one of them.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { accessDenied, retailerPage, searchListings } from '../simulated-retailer.ts';
import type { Market, MarketListing } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { dollars, escapeHtml, scriptJson } from '../markup.ts';
import { apiAnswer } from '../request.ts';

const STORE = '1803';

export function productAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_l.page}/pd/${listing.id}`;
}

function path({ product, listing }: ListingView): string {
  return `/pd/${product.title.replaceAll(/[^A-Za-z0-9]+/g, '-')}/${listing.id}`;
}

function productOf(view: ListingView): Readonly<Record<string, unknown>> {
  const { product, listing, totals } = view;
  const { height, width, length } = product.sides;
  const specs: readonly (readonly [string, string])[] = [
    ['Brand', product.brand],
    ['Weight (lbs.)', String(product.pounds)],
    ['Height (Inches)', String(height)],
    ['Width (Inches)', String(width)],
    ['Length (Inches)', String(length)],
    ...(product.colour === null ? [] : ([['Color', product.colour]] as const)),
    ...(product.packCount === null
      ? []
      : ([['Package Quantity', String(product.packCount)]] as const)),
    ['CA Residents: Prop 65 Warning(s)', 'Yes'],
    ['UNSPSC', '30103600'],
  ];
  return {
    omniItemId: listing.id,
    ...(view.barcode === null ? {} : { barcode: view.barcode }),
    title: product.title,
    brand: product.brand,
    description: product.title,
    hazmatCode: product.hazmat === null ? 'N' : 'Y',
    imageUrls: [
      { key: 'baseUrl', value: view.images[0] },
      { key: 'sm', value: `${view.images[0]}?size=sm` },
      { key: 'xl', value: view.images[0] },
    ],
    isBuyable: view.isEnded ? 'N' : 'Y',
    isPublished: view.isEnded ? 'N' : 'Y',
    status: view.isEnded ? 'DISCONTINUED' : 'ACTIVE',
    itemNumber: String(700_000 + product.index),
    marketingBullets: product.features.map((value, at) => ({ key: String(at + 1), value })),
    maxPurQty: 0,
    modelId: product.model,
    pdURL: path(view),
    ...(totals.average === null
      ? {}
      : { rating: String(totals.average), reviewCount: String(totals.count) }),
    romanceCopy: product.description,
    specs: specs.map(([key, value], seq) => ({ key, value, seq })),
    type: 'NORMAL',
    weight: product.pounds.toFixed(2),
    isOOS: !view.inStock,
    categories: { '1000': product.categories[0], '1001': product.categories[1] },
  };
}

/** Returns the prices, newest layout first; a product's index determines its layout. */
function pricesOf(view: ListingView): object {
  const selling = view.cents === null ? null : view.cents / 100;
  const retail = (view.wasCents ?? view.cents ?? 0) / 100;
  const was = view.wasCents === null ? null : view.wasCents / 100;
  const layouts = [
    {
      mfePrice: {
        price: {
          currency: view.currency,
          additionalData: { sellingPrice: selling, retailPrice: retail },
        },
      },
    },
    {
      location: {
        storeNumber: STORE,
        zipcode: '19901',
        price: {
          pricingDataList: [{ finalPrice: selling, retailPrice: retail, basePrice: retail }],
        },
      },
    },
    {
      price: {
        itemPrice: selling,
        wasPrice: was,
        displayType: 'REGULAR',
        analyticsData: { sellingPrice: selling, retailPrice: retail },
        displayPrice: {
          dollar: String(Math.trunc(selling ?? 0)),
          cent: String((view.cents ?? 0) % 100).padStart(2, '0'),
        },
      },
    },
  ];
  // Only the newest layout can state another currency.
  return layouts[view.currency === 'USD' ? view.product.index % layouts.length : 0] ?? {};
}

function inventoryOf(view: ListingView): object {
  const quantity = view.inStock ? 14 : 0;
  const method = (fullMtdMsg: string, isAvlSts: boolean): object => ({
    fullMtdMsg,
    isAvlSts,
    availabilityStatus: isAvlSts ? 'Available' : 'Not Available',
    availableQuantity: isAvlSts ? quantity : 0,
  });
  return {
    requiredQuantity: 1,
    totalAvailableQty: quantity,
    analyticsData: {
      parcel: method('Parcel', view.inStock),
      pickup: method('Pickup', view.inStock && view.hasPickup),
      truck: method('Delivery', false),
    },
  };
}

function stateOf(view: ListingView): object {
  const { listing } = view;
  return {
    productId: listing.id,
    storeDetails: { id: STORE, zip: '19901' },
    productDetails: {
      [listing.id]: {
        product: productOf(view),
        location: { storeNumber: STORE, zipcode: '19901' },
        itemInventory: inventoryOf(view),
        ...pricesOf(view),
      },
    },
    // A carousel of other products, with their prices.
    recommendations: related(view),
  };
}

/** Returns the older JSON of a product in a store: only the state of its page. */
export function productDetail(view: ListingView): SimulatedAnswer {
  return apiAnswer(200, stateOf(view));
}

export function productPage(view: ListingView): SimulatedAnswer {
  const { product } = view;
  const quote =
    product.index % 2 === 0 ? `window['__PRELOADED_STATE__']` : 'window.__PRELOADED_STATE__';
  const body = `<h1>${escapeHtml(product.title)}</h1><p>Item #${700_000 + product.index} Model #${product.model}</p>
<div class="main-price">${view.cents === null ? '' : dollars(view.cents)}</div>
<script charset="UTF-8">${quote} = ${scriptJson(stateOf(view))}</script>`;
  const head = `<link rel="canonical" href="${view.origin}${path(view)}">`;
  return htmlAnswer(200, retailerPage(product.title, head, body));
}

function related({ market, atMs }: ListingView): readonly object[] {
  return market
    .listings('retailer_l')
    .slice(0, 2)
    .map((listing) => row(listingViewAt(market, listing, atMs)));
}

function row(view: ListingView): object {
  const selling = view.cents === null ? null : view.cents / 100;
  return {
    product: productOf(view),
    location: {
      price: { sellingPrice: selling, retailPrice: (view.wasCents ?? view.cents ?? 0) / 100 },
      itemInventory: {
        itemAvailList: [
          { fullMtdMsg: 'Parcel', isAvlSts: view.inStock, onhandQty: view.inStock ? 14 : 0 },
          { fullMtdMsg: 'Pickup', isAvlSts: view.inStock && view.hasPickup, onhandQty: 0 },
        ],
      },
    },
  };
}

export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_l', query, 24);
  const state = {
    searchTerm: query,
    itemCount: found.length,
    pagination: { pageCount: 1 },
    itemList: found.map((listing) => row(listingViewAt(market, listing, atMs))),
  };
  return htmlAnswer(
    200,
    retailerPage(
      query,
      '',
      `<script>window['__PRELOADED_STATE__'] = ${scriptJson(state)}</script>`,
    ),
  );
}

export function wallPage(status: 'usual' | 200): SimulatedAnswer {
  return accessDenied(status, '18.7f3c1002.1700000000.3');
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage('Page Not Found', '', '<h1>Sorry, this page is not here.</h1>'),
  );
}
