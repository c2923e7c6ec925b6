// retailer_t: product pages, the public JSON requested after them, and the facts that both state. No answer states a
// barcode, and the site's search does not find one.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import {
  pageOrTrouble,
  refusal,
  retailerPage,
  searchListings,
  troubleAt,
} from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { bothMeasures, sharedFacts, truthFrom, waysOf } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import type { MarketListing } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { scriptJson } from '../markup.ts';
import { apiAnswer } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { SANDBOX_ACCESS } from '../tokens.ts';
import { fulfillmentOf, itemOf, priceOf, productAddress, productOf } from './product.ts';

const API_PATH = '/redsky_aggregations/v1/web/';

const PRODUCT = [
  'item_id',
  'variant_id',
  'description',
  'title',
  'brand',
  'image',
  'categories',
  'price',
  'currency',
  'list_price',
  'rating',
  'review_count',
  'rating_distribution',
  'pack_count',
  'weight_assembled_lbs',
  'weight_package_lbs',
  'dimensions_assembled',
  'dimensions_package',
];

const SUMMARY = ['item_id', 'title', 'in_stock', 'delivery_date'];

function truth(view: ListingView): ListingTruth {
  const url = productAddress(view.market, view.listing);
  const facts = {
    ...sharedFacts(view, url),
    ...bothMeasures(view),
    ...waysOf(view),
    delivery_date: view.inStock ? view.deliveryDay : null,
  };
  // A page states the stock; the product's JSON does not, but a call about fulfilment does.
  return truthFrom(view, url, facts, {
    page: [...PRODUCT, 'in_stock', 'can_ship', 'can_pick_up', 'delivery_date'],
    'api:redsky_pdp': PRODUCT,
    'api:redsky_summary': SUMMARY,
  });
}

function productPage(view: ListingView): SimulatedAnswer {
  const queries = {
    __PRELOADED_QUERIES__: {
      queries: [
        [['@web/global', {}], { data: { title: 'Global Navigation' } }],
        [
          ['@web/domain-product/get-pdp-v1', { tcin: view.listing.id }],
          { data: { product: { ...productOf(view), fulfillment: fulfillmentOf(view) } } },
        ],
      ],
    },
  };
  const twice = JSON.stringify(JSON.stringify(queries)).replaceAll('<', '\\u003c');
  const config = scriptJson({ services: { redsky: { apiKey: SANDBOX_ACCESS.webKey } } });
  const body = `<script>Object.defineProperties(window, { '__CONFIG__': { configurable: false, value: ${config} },
'__TGT_DATA__': { configurable: false, enumerable: true, value: deepFreeze(JSON.parse(${twice})), writable: false } });</script>
<div id="root"></div>`;
  const head = `<link rel="canonical" href="${productAddress(view.market, view.listing)}">`;
  return htmlAnswer(200, retailerPage(view.product.title, head, body));
}

function wallPage(): SimulatedAnswer {
  return apiAnswer(403, { message: 'Access denied' });
}

function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage('Product not found', '', '<h1>This product is not here.</h1>'),
  );
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const inPath = /^\/p\/(?:[^/]+\/)?-\/A-(\d+)$/.exec(request.url.pathname)?.[1];
  if (inPath === undefined) return null;
  const listing = market.find('retailer_t', request.url.searchParams.get('preselect') ?? inPath);
  if (listing === null) return gonePage();
  return pageOrTrouble(state, listing, request, {
    page: () => productPage(listingViewAt(market, listing, request.atMs)),
    wall: wallPage,
    gone: gonePage,
  });
}

function apiAnswerOf(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const { market } = state;
  const query = request.url.searchParams;
  if (query.get('key') !== SANDBOX_ACCESS.webKey) return apiAnswer(403, { message: 'Forbidden' });
  const call = request.url.pathname.slice(API_PATH.length);
  if (call === 'plp_search_v2') {
    const word = query.get('keyword') ?? '';
    const found = /^[\d\s-]+$/.test(word) ? [] : searchListings(market, 'retailer_t', word, 24);
    return apiAnswer(200, { data: { search: searchResult(state, found, request.atMs) } });
  }
  const tcin = query.get('tcin') ?? (query.get('tcins') ?? '').split(',')[0] ?? '';
  const listing = market.find('retailer_t', tcin);
  const kind = listing === null ? 'gone' : troubleAt(listing);
  if (listing === null || kind === 'gone') {
    return apiAnswer(404, { errors: [{ message: `No product found with tcin ${tcin}` }] });
  }
  if (kind === 'blocked') return wallPage();
  const refused = refusal(state, listing, request);
  if (refused !== null) return refused;
  const view = listingViewAt(market, listing, request.atMs);
  switch (call) {
    case 'pdp_client_v1':
      return apiAnswer(200, { data: { product: productOf(view) } });
    case 'product_fulfillment_v1':
      return apiAnswer(200, { data: { product: { tcin, fulfillment: fulfillmentOf(view) } } });
    case 'product_summary_with_fulfillment_v1':
      return apiAnswer(200, { data: { product_summaries: [summaryOf(view)] } });
    default:
      return apiAnswer(404, { message: 'no such aggregation' });
  }
}

function summaryOf(view: ListingView): object {
  return {
    __typename: 'ProductSummary',
    tcin: view.listing.id,
    item: itemOf(view),
    fulfillment: fulfillmentOf(view),
  };
}

function searchResult(state: RetailerState, found: readonly MarketListing[], atMs: number): object {
  const products = found.map((listing) => {
    const view = listingViewAt(state.market, listing, atMs);
    return {
      __typename: 'ProductSummary',
      tcin: listing.id,
      original_tcin: listing.id,
      item: itemOf(view),
      price: priceOf(view),
      ratings_and_reviews: productOf(view)['ratings_and_reviews'],
    };
  });
  return {
    search_response: { typed_metadata: { total_results: products.length, count: 24, offset: 0 } },
    products,
  };
}

export const simulatedRetailerT: SimulatedRetailer = {
  slug: 'retailer_t',
  address: productAddress,
  truth,
  wall: wallPage,
  answer: (state, request) =>
    request.url.pathname.startsWith(API_PATH)
      ? apiAnswerOf(state, request)
      : pageAnswer(state, request),
};
