// retailer_b: the page or API of each address, and the facts that each answer states.

import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { bothMeasures, PRICES, sharedFacts, truthFrom, without } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import type { ShopRequest } from '../request.ts';
import { gonePage, productAddress, productPage, searchPage, wallPage } from './pages.ts';
import { productsAnswer } from './products-api.ts';

const PAGE = [
  'item_id',
  'description',
  'specs',
  'product_id',
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
  'condition',
  'rating',
  'review_count',
  'weight_lbs',
  'weight_package_lbs',
  'dimensions',
];

const API = [
  ...without(PAGE, ['title', 'specs', 'unavailable', 'weight_lbs', 'dimensions']),
  'categories',
  'sales_rank',
  'weight_assembled_lbs',
  'dimensions_assembled',
];

function truth(view: ListingView): ListingTruth {
  const url = productAddress(view.market, view.listing);
  const [department] = view.salesRanks;
  const facts = {
    ...sharedFacts(view, url),
    ...bothMeasures(view),
    // The page has a "Product Weight", which may be either, and a "Shipping Weight", which therefore takes precedence.
    weight_lbs: view.product.packagePounds,
    specs: [`Model Number: ${view.product.model}`],
    // The API does not state the category of the rank.
    sales_rank: department === undefined ? null : [{ category: null, rank: department.rank }],
  };
  const isPriced = view.currency === 'USD';
  return truthFrom(view, url, facts, {
    page: PAGE,
    'api:products': isPriced ? API : without(API, PRICES),
  });
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname, searchParams } = request.url;
  if (pathname === '/site/searchpage.jsp') {
    return searchPage(market, searchParams.get('st') ?? '', request.atMs);
  }
  const [, sku, productId, skuOfProduct] =
    /^\/(?:site\/(?:[^/]+\/)?(\d+)\.p|product\/[^/]+\/([A-Z0-9]{10})(?:\/sku\/(\d+))?(?:\/openbox)?)$/.exec(
      pathname,
    ) ?? [];
  const id = skuOfProduct ?? sku ?? productId;
  if (id === undefined) return null;
  const listing = market.find('retailer_b', id);
  if (listing === null) return gonePage();
  return pageOrTrouble(state, listing, request, {
    page: () => productPage(listingViewAt(market, listing, request.atMs)),
    wall: wallPage,
    gone: gonePage,
  });
}

export const simulatedRetailerB: SimulatedRetailer = {
  slug: 'retailer_b',
  address: productAddress,
  truth,
  wall: () => wallPage('usual'),
  answer: (state, request) => productsAnswer(state, request) ?? pageAnswer(state, request),
};
