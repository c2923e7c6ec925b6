// retailer_t: product pages, and the facts that they state. No page states a barcode, and the site's search does not find
// one.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble, retailerPage } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { bothMeasures, sharedFacts, truthFrom, waysOf } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { apiAnswer } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { fulfillmentOf, productAddress, productOf } from './product.ts';

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
  'in_stock',
  'can_ship',
  'can_pick_up',
  'delivery_date',
];

function truth(view: ListingView): ListingTruth {
  const url = productAddress(view.market, view.listing);
  const facts = {
    ...sharedFacts(view, url),
    ...bothMeasures(view),
    ...waysOf(view),
    delivery_date: view.inStock ? view.deliveryDay : null,
  };
  return truthFrom(view, url, facts, { page: PRODUCT });
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
  const body = `<script>Object.defineProperties(window, { '__CONFIG__': { configurable: false, value: {} },
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

export const simulatedRetailerT: SimulatedRetailer = {
  slug: 'retailer_t',
  address: productAddress,
  truth,
  wall: wallPage,
  answer: pageAnswer,
};
