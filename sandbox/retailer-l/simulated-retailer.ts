// retailer_l: the page of each address, and the facts that it states. It has no official API.

import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { sharedFacts, truthFrom, waysOf } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import type { ShopRequest } from '../request.ts';
import {
  gonePage,
  productAddress,
  productDetail,
  productPage,
  searchPage,
  wallPage,
} from './pages.ts';

const PAGE = [
  'item_id',
  'description',
  'specs',
  'can_ship',
  'can_pick_up',
  'gtin',
  'title',
  'brand',
  'model',
  'image',
  'price',
  'currency',
  'list_price',
  'in_stock',
  'unavailable',
  'rating',
  'review_count',
  'pack_count',
  'hazmat',
  'weight_lbs',
  'dimensions',
];

function truth(view: ListingView): ListingTruth {
  const url = productAddress(view.market, view.listing);
  const facts = {
    ...sharedFacts(view, url),
    ...waysOf(view),
    hazmat: view.product.hazmat !== null,
    specs: ['UNSPSC: 30103600', 'CA Residents: Prop 65 Warning(s): Yes'],
  };
  return truthFrom(view, url, facts, { page: PAGE });
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname, searchParams } = request.url;
  if (pathname === '/search') {
    return searchPage(market, searchParams.get('searchTerm') ?? '', request.atMs);
  }
  const [, detail, shown] =
    /^\/pd\/(?:(\d+)\/productdetail\/\d+\/Guest|(?:[^/]+\/)?(\d+))$/.exec(pathname) ?? [];
  const id = detail ?? shown;
  if (id === undefined) return null;
  const listing = market.find('retailer_l', id);
  if (listing === null) return gonePage();
  return pageOrTrouble(state, listing, request, {
    page: () => {
      const view = listingViewAt(market, listing, request.atMs);
      return detail === undefined ? productPage(view) : productDetail(view);
    },
    wall: wallPage,
    gone: gonePage,
  });
}

export const simulatedRetailerL: SimulatedRetailer = {
  slug: 'retailer_l',
  address: productAddress,
  truth,
  wall: () => wallPage('usual'),
  answer: pageAnswer,
};
