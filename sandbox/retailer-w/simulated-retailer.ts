// retailer_w: the page or API of each address, and the facts that each answer states.

import type { SimulatedAnswer } from '../answer.ts';
import { pageOrTrouble, refusal, troubleAt } from '../simulated-retailer.ts';
import type { SimulatedRetailer, RetailerState } from '../simulated-retailer.ts';
import { PRICES, sharedFacts, truthFrom, without } from '../market/listing-truth.ts';
import type { ListingTruth } from '../market/listing-truth.ts';
import { dollarsOf, listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { apiAnswer, missingHeader } from '../request.ts';
import type { ShopRequest } from '../request.ts';
import { AFFILIATE_PATH, affiliateAnswer, catalogSearchAnswer, tokenAnswer } from './apis.ts';
import {
  gonePage,
  itemAddress,
  offersReply,
  productPage,
  reviewsPage,
  searchPage,
  sellerPage,
  wallPage,
} from './pages.ts';
import { secondCents } from './state.ts';

const OFFERS_PATH = '/orchestra/home/graphql/GetAllSellerOffers/';

const IDENTITY = ['item_id', 'title', 'brand', 'model', 'price', 'currency', 'in_stock', 'rating'];

const PAGE = [
  ...IDENTITY,
  'variant_id',
  'description',
  'specs',
  'unavailable',
  'can_ship',
  'can_pick_up',
  'gtin',
  'mpn',
  'image',
  'categories',
  'list_price',
  'secondary_offer_price',
  'condition',
  'review_count',
  'rating_distribution',
  'seller_name',
  'seller_id',
  'catalog_seller_id',
  'seller_type',
  'seller_rating',
  'seller_review_count',
  'offers_count',
  'delivery_date',
  'shipping_cost',
  'sold_tag',
  'is_best_seller',
  'pack_count',
  'weight_assembled_lbs',
  'dimensions_assembled',
];

const AFFILIATE = [
  ...IDENTITY,
  'gtin',
  'image',
  'categories',
  'list_price',
  'review_count',
  'seller_name',
];

function truth(view: ListingView): ListingTruth {
  const url = itemAddress(view.market, view.listing);
  const { buyBox, product, offers } = view;
  const seller = buyBox?.isFirstParty === false ? buyBox.seller : null;
  const shared = sharedFacts(view, url);
  const facts = {
    ...shared,
    specs: [`Brand: ${product.brand}`, `Manufacturer Part Number: ${product.mpn}`],
    // Without a seller, nothing is stated about delivery.
    can_ship: buyBox === null ? null : true,
    can_pick_up: buyBox === null ? null : view.hasPickup && buyBox.isFirstParty,
    weight_assembled_lbs: product.pounds,
    dimensions_assembled: shared['dimensions'] ?? null,
    secondary_offer_price: dollarsOf(secondCents(view)),
    seller_name: buyBox?.seller.name ?? null,
    seller_id: buyBox?.seller.id ?? null,
    catalog_seller_id: seller?.catalogId ?? null,
    seller_type: buyBox === null ? null : buyBox.isFirstParty ? '1p' : '3p',
    seller_rating: seller?.rating ?? null,
    seller_review_count: seller?.ratingCount ?? null,
    offers_count: offers.filter((offer) => offer.inStock).length,
    delivery_date: buyBox?.deliveryDay ?? null,
    shipping_cost: buyBox === null ? null : buyBox.shippingCents / 100,
  };
  const isPriced = view.currency === 'USD';
  return truthFrom(view, url, facts, {
    page: PAGE,
    'api:affiliate_item': isPriced ? AFFILIATE : without(AFFILIATE, PRICES),
  });
}

function pageAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { market } = state;
  const { pathname, searchParams } = request.url;
  if (pathname === '/search') return searchPage(market, searchParams.get('q') ?? '', request.atMs);
  const sellerNumber = /^\/(?:global\/)?seller\/(\d+)$/.exec(pathname)?.[1];
  if (sellerNumber !== undefined) {
    const seller = market.sellers('retailer_w').find((one) => one.catalogId === sellerNumber);
    return seller === undefined ? gonePage() : sellerPage(market, seller, request.atMs);
  }
  const [, item, reviewed] =
    /^\/(?:ip\/(?:[^/]+\/)?(\d+)|reviews\/product\/(\d+))$/.exec(pathname) ?? [];
  const id = item ?? reviewed;
  if (id === undefined) return null;
  const listing = market.find('retailer_w', id);
  if (listing === null) return gonePage();
  const view = listingViewAt(market, listing, request.atMs);
  const page = Number(searchParams.get('page') ?? 1);
  return pageOrTrouble(state, listing, request, {
    page: () => (reviewed === undefined ? productPage(view) : reviewsPage(view, page)),
    wall: wallPage,
    gone: gonePage,
  });
}

const OFFER_HEADERS = [
  'x-apollo-operation-name',
  'x-o-platform',
  'x-o-bu',
  'x-o-mart',
  'x-o-segment',
];

function offersAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const missing = missingHeader(request, OFFER_HEADERS);
  if (missing !== null) return apiAnswer(400, { errors: [{ message: `${missing} is required` }] });
  const text = request.url.searchParams.get('variables') ?? '';
  const id = /"itemId":"(\d+)"/.exec(text)?.[1] ?? '';
  const onlyNew = /"conditionCodes":\[1\]/.test(text);
  const listing = state.market.find('retailer_w', id);
  if (listing === null || troubleAt(listing) === 'gone') {
    return apiAnswer(200, { errors: [{ message: 'Item not found' }], data: { product: null } });
  }
  if (troubleAt(listing) === 'blocked') return wallPage('usual');
  if (troubleAt(listing) === 'wall_in_200') return wallPage(200);
  if (troubleAt(listing) === 'offers_unavailable') {
    return apiAnswer(
      503,
      { errors: [{ message: 'offers are momentarily unavailable' }] },
      { 'retry-after': '30' },
    );
  }
  return (
    refusal(state, listing, request) ??
    offersReply(listingViewAt(state.market, listing, request.atMs), onlyNew)
  );
}

export const simulatedRetailerW: SimulatedRetailer = {
  slug: 'retailer_w',
  address: itemAddress,
  truth,
  wall: () => wallPage('usual'),
  answer: (state, request) => {
    const { pathname } = request.url;
    if (pathname.startsWith(AFFILIATE_PATH)) return affiliateAnswer(state, request);
    if (pathname === '/v3/token') return tokenAnswer(state, request);
    // The real path contains the retailer's name; any name is accepted here.
    if (/^\/v3\/items\/[a-z]+\/search$/.test(pathname)) return catalogSearchAnswer(state, request);
    if (pathname.startsWith(OFFERS_PATH)) return offersAnswer(state, request);
    return pageAnswer(state, request);
  },
};
