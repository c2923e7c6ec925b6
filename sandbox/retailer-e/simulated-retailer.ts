// retailer_e: the page or API of each address, and the facts that each answer states.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { sharedFacts, truthFrom, without } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import type { ShopRequest } from '../request.ts';
import { BROWSE_PATH, browseAnswer, TOKEN_PATH, tokenAnswer } from './browse-api.ts';
import { gonePage, itemAddress, itemPage, listingAt, searchPage, wallPage } from './pages.ts';

const PAGE = [
  'item_id',
  'variant_id',
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
  'unavailable',
  'condition',
  'seller_name',
  'seller_type',
  'seller_review_count',
  'specs',
  'shipping_cost',
  'delivery_date',
  'sold_tag',
  'weight_lbs',
  'dimensions',
];

const BROWSE = [...without(PAGE, ['sold_tag']), 'categories', 'pack_count', 'delivery_date'];

function truth(view: ListingView): ListingTruth {
  const url = itemAddress(view.market, view.listing);
  const { seller } = view.listing;
  const shared = sharedFacts(view, url);
  const facts = {
    ...shared,
    seller_name: seller?.id ?? null,
    seller_type: '3p',
    seller_review_count: seller?.ratingCount ?? null,
    specs: [`Brand: ${view.product.brand}`, `MPN: ${view.product.mpn}`],
    delivery_date: view.deliveryDay,
    shipping_cost: view.shippingCents / 100,
  };
  return truthFrom(view, url, facts, { page: PAGE, 'api:browse_item': BROWSE });
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname, searchParams } = request.url;
  if (pathname === '/sch/i.html') {
    return searchPage(market, searchParams.get('_nkw') ?? '', request.atMs);
  }
  // A short link, at any host.
  const short = /^\/m\/(\d+)$/.exec(pathname)?.[1];
  if (short !== undefined) {
    return htmlAnswer(301, '', { location: `${market.origins.retailer_e.page}/itm/${short}` });
  }
  const id = /^\/itm\/(?:[^/]+\/)?(\d+)$/.exec(pathname)?.[1];
  if (id === undefined) return null;
  const variation = searchParams.get('var');
  const listing = listingAt(market, id, variation);
  if (listing === null) return gonePage();
  return pageOrTrouble(state, listing, request, {
    page: () => itemPage(listingViewAt(market, listing, request.atMs)),
    wall: wallPage,
    gone: gonePage,
  });
}

export const simulatedRetailerE: SimulatedRetailer = {
  slug: 'retailer_e',
  address: itemAddress,
  truth,
  wall: () => wallPage('usual'),
  answer: (state, request) => {
    const { pathname } = request.url;
    if (pathname === TOKEN_PATH) return tokenAnswer(state, request);
    if (pathname.startsWith(BROWSE_PATH)) return browseAnswer(state, request);
    return pageAnswer(state, request);
  },
};
