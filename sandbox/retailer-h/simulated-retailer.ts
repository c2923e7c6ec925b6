// retailer_h: the page or API of each address, and the facts that each answer states.

import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { sharedFacts, truthFrom, waysOf, without } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import type { ShopRequest } from '../request.ts';
import { GATEWAY_PATH, gatewayAnswer } from './gateway.ts';
import { gonePage, productPage, searchPage, wallPage } from './pages.ts';
import { productAddress } from './product.ts';

const PAGE = [
  'item_id',
  'description',
  'specs',
  'can_ship',
  'can_pick_up',
  'pack_count',
  'delivery_date',
  'shipping_cost',
  'gtin',
  'title',
  'brand',
  'model',
  'image',
  'categories',
  'price',
  'currency',
  'list_price',
  'in_stock',
  'unavailable',
  'rating',
  'review_count',
  'is_best_seller',
  'weight_lbs',
  'dimensions',
];

const GATEWAY = without(PAGE, ['currency']);

function truth(view: ListingView): ListingTruth {
  const url = productAddress(view.market, view.listing);
  const facts = {
    ...sharedFacts(view, url),
    ...waysOf(view),
    specs: [`Product Weight (lb.): ${view.product.pounds} lb`, 'Returnable: 90-Day'],
    delivery_date: view.inStock ? view.deliveryDay : null,
    shipping_cost: view.shippingCents / 100,
  };
  return truthFrom(view, url, facts, { page: PAGE, 'api:graphql_product': GATEWAY });
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname } = request.url;
  const searched = /^\/s\/([^/]+)$/.exec(pathname)?.[1];
  if (searched !== undefined) {
    return searchPage(market, decodeURIComponent(searched), request.atMs);
  }
  const id = /^\/p\/(?:[^/]+\/)?(\d+)$/.exec(pathname)?.[1];
  if (id === undefined) return null;
  const listing = market.find('retailer_h', id);
  if (listing === null) return gonePage();
  return pageOrTrouble(state, listing, request, {
    page: () => productPage(listingViewAt(market, listing, request.atMs)),
    wall: wallPage,
    gone: gonePage,
  });
}

export const simulatedRetailerH: SimulatedRetailer = {
  slug: 'retailer_h',
  address: productAddress,
  truth,
  wall: () => wallPage('usual'),
  answer: (state, request) =>
    request.url.pathname === GATEWAY_PATH
      ? gatewayAnswer(state, request)
      : pageAnswer(state, request),
};
