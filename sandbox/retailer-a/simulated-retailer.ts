// retailer_a: the page or API of each address, and the facts that each answer states.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble, refusal, troubleAt } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { bothMeasures, sharedFacts, truthFrom, without } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import type { Market, MarketListing } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import type { ShopRequest } from '../request.ts';
import { creatorsAnswer, tokenAnswer } from './apis.ts';
import { gonePage, offersFragment, searchPage, wallPage } from './lists.ts';
import { productPage } from './product-page.ts';
import { sellingAnswer } from './selling-api.ts';

const PAGE = [
  'asin',
  'variant_id',
  'description',
  'unavailable',
  'gtin',
  'title',
  'brand',
  'model',
  'mpn',
  'image',
  'categories',
  'price',
  'currency',
  'list_price',
  'in_stock',
  'rating',
  'review_count',
  'seller_name',
  'seller_id',
  'seller_type',
  'delivery_date',
  'shipping_cost',
  'sold_tag',
  'estimated_sales',
  'is_best_seller',
  'sales_rank',
  'pack_count',
  'hazmat',
  'weight_assembled_lbs',
  'weight_package_lbs',
  'dimensions_assembled',
  'dimensions_package',
];

const CREATORS = [
  'asin',
  'gtin',
  'title',
  'brand',
  'model',
  'mpn',
  'image',
  'price',
  'currency',
  'list_price',
  'in_stock',
  'condition',
  'seller_name',
  'sales_rank',
  'weight_lbs',
  'dimensions',
];

const CATALOG = [
  'asin',
  'gtin',
  'title',
  'brand',
  'model',
  'mpn',
  'image',
  'categories',
  'sales_rank',
  'pack_count',
  'weight_assembled_lbs',
  'weight_package_lbs',
  'dimensions_assembled',
  'dimensions_package',
];

function address(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_a.page}/dp/${listing.id}`;
}

function truth(view: ListingView): ListingTruth {
  const url = address(view.market, view.listing);
  const { buyBox, product } = view;
  const facts = {
    ...sharedFacts(view, url),
    ...bothMeasures(view),
    condition: buyBox === null ? null : 'new',
    seller_name: buyBox?.seller.name ?? null,
    // The page names the retailer itself without a link, so without an id.
    seller_id: buyBox === null || buyBox.isFirstParty ? null : buyBox.seller.id,
    seller_type: buyBox === null ? null : buyBox.isFirstParty ? '1p' : '3p',
    delivery_date: buyBox?.deliveryDay ?? null,
    shipping_cost: buyBox === null ? null : buyBox.shippingCents / 100,
    hazmat: product.hazmat === 'battery' ? true : null,
  };
  return truthFrom(view, url, facts, {
    page: PAGE,
    // Without an offer the Creators API does not state stock.
    'api:creators_items': buyBox === null ? without(CREATORS, ['in_stock']) : CREATORS,
    'api:catalog_search': CATALOG,
  });
}

const PRODUCT =
  /^(?:\/[^/]+)?\/(?:dp|gp\/product|gp\/aw\/d|exec\/obidos\/ASIN|o\/ASIN|gp\/offer-listing|dp\/product)\/([A-Z0-9]{10})(?:\/|$)/;

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname, searchParams } = request.url;
  if (pathname === '/s') return searchPage(market, searchParams.get('k') ?? '', request.atMs);
  if (pathname.startsWith('/gp/product/ajax')) return offersAnswer(state, request);
  // A short link, at any host.
  const short = /^\/d\/([A-Z0-9]{10})$/.exec(pathname)?.[1];
  if (short !== undefined) {
    return htmlAnswer(301, '', { location: `${market.origins.retailer_a.page}/dp/${short}` });
  }
  const asin = PRODUCT.exec(pathname)?.[1];
  if (asin === undefined) return null;
  const listing = market.find('retailer_a', asin);
  if (listing === null) return gonePage();
  const view = listingViewAt(market, served(market, listing), request.atMs);
  return pageOrTrouble(state, listing, request, {
    page: () => productPage(view),
    wall: (status) => wallPage(market, status),
    gone: gonePage,
  });
}

/** Returns the listing that the page shows; for a substituted one that of the first reliable product. */
function served(market: Market, listing: MarketListing): MarketListing {
  if (troubleAt(listing) !== 'substituted') return listing;
  return market.listings('retailer_a').find((one) => one.product.isReliable) ?? listing;
}

function offersAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const { market } = state;
  const query = request.url.searchParams;
  const listing = market.find('retailer_a', query.get('asin') ?? '');
  if (listing === null) return gonePage();
  if (troubleAt(listing) === 'offers_unavailable') {
    return htmlAnswer(503, '<h1>Service unavailable</h1>', { 'retry-after': '30' });
  }
  const view = listingViewAt(market, served(market, listing), request.atMs);
  const page = Math.max(1, Number(query.get('pageno') ?? 1) || 1);
  const onlyNew = decodeURIComponent(query.get('filters') ?? '').includes('"new":true');
  switch (troubleAt(listing)) {
    case 'blocked':
      return wallPage(market, 'usual');
    case 'wall_in_200':
      return wallPage(market, 200);
    case 'gone':
      return gonePage();
    default:
      return refusal(state, listing, request) ?? offersFragment(view, page, onlyNew);
  }
}

export const simulatedRetailerA: SimulatedRetailer = {
  slug: 'retailer_a',
  address,
  truth,
  wall: (market) => wallPage(market, 'usual'),
  answer: (state, request) => {
    const { pathname } = request.url;
    if (pathname === '/oauth2/token' || pathname === '/auth/o2/token') {
      return tokenAnswer(state, request);
    }
    if (pathname.startsWith('/catalog/v1/')) return creatorsAnswer(state, request);
    return sellingAnswer(state, request) ?? pageAnswer(state, request);
  },
};
