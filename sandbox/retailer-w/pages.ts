// retailer_w's pages: product, reviews, search, seller, the list of offers at its GraphQL address, the page for
// suspected bots, and the 404 page.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { retailerPage, searchListings } from '../simulated-retailer.ts';
import type { Market, MarketListing } from '../market/market.ts';
import type { Seller } from '../market/sellers.ts';
import type { ListingView } from '../market/listing-view.ts';
import { listingViewAt } from '../market/listing-view.ts';
import { escapeHtml, scriptJson, money } from '../markup.ts';
import { apiAnswer } from '../request.ts';
import { offerTerms, productData, productState, reviewsState, wpid } from './state.ts';

export const REVIEWS_A_PAGE = 10;

function statePage(title: string, initialData: unknown, body = ''): string {
  const state = {
    props: { pageProps: { initialData, bootstrapData: { cv: {} } }, __N_SSP: true },
    page: '/page',
    buildId: 'sandbox',
  };
  return retailerPage(
    title,
    `<script id="__NEXT_DATA__" type="application/json">${scriptJson(state)}</script>`,
    body,
  );
}

export function productPage(view: ListingView): SimulatedAnswer {
  const { product } = view;
  // Related products, as on any page: a careless reader would take their prices.
  const related = {
    modules: [{ type: 'ItemCarousel', configs: { products: relatedItems(view) } }],
  };
  const body = `<h1 itemprop="name">${escapeHtml(product.title)}</h1>
<span itemprop="price">${view.cents === null ? '' : `Now ${money(view, view.cents)}`}</span>`;
  return htmlAnswer(
    200,
    statePage(product.title, { data: { ...productData(view), contentLayout: related } }, body),
  );
}

function relatedItems({ market, product, atMs }: ListingView): readonly object[] {
  return market
    .listings('retailer_w')
    .slice(product.index % 5, (product.index % 5) + 3)
    .map((listing) => searchItem(listingViewAt(market, listing, atMs), 0));
}

export function reviewsPage(view: ListingView, page: number): SimulatedAnswer {
  const { usItemId, name, brand } = productState(view);
  const data = {
    product: { usItemId, name, brand },
    reviews: reviewsState(view, page, REVIEWS_A_PAGE),
  };
  return htmlAnswer(200, statePage(`Reviews of ${view.product.title}`, { data }));
}

/** Returns a search result; results state their price in three ways, depending on the age of the template. */
function searchItem(view: ListingView, shape: number): object {
  const { product, listing, cents } = view;
  const text = cents === null ? '' : money(view, cents);
  const prices = [
    { priceInfo: { linePrice: text, itemPrice: text }, price: Math.trunc((cents ?? 0) / 100) },
    {
      priceInfo: {
        currentPrice:
          cents === null
            ? null
            : { price: cents / 100, priceString: text, currencyUnit: view.currency },
      },
      price: 0,
    },
    {
      priceInfo: {
        priceDetails: {
          priceLines: [
            {
              lineType: 'CURRENT_PRICE',
              values: cents === null ? [] : [{ key: 'PRICE', value: text }],
            },
          ],
        },
      },
      price: 0,
    },
  ];
  return {
    __typename: 'Product',
    id: wpid(view),
    usItemId: listing.id,
    name: product.title,
    brand: product.brand,
    type: 'REGULAR',
    canonicalUrl: `/ip/${listing.id}`,
    image: view.images[0],
    averageRating: view.totals.average,
    numberOfReviews: view.totals.count,
    availabilityStatusV2: { value: view.inStock ? 'IN_STOCK' : 'OUT_OF_STOCK', display: '' },
    sellerName: view.buyBox?.seller.name ?? null,
    isSponsoredFlag: false,
    ...prices[shape % prices.length],
  };
}

export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_w', query, 40);
  const items = found.map((listing, at) =>
    searchItem(listingViewAt(market, listing, atMs), at + listing.product.index),
  );
  const first = market.listings('retailer_w').find((listing) => listing.product.isReliable);
  const advert =
    first === undefined || items.length === 0
      ? []
      : [{ ...searchItem(listingViewAt(market, first, atMs), 0), isSponsoredFlag: true }];
  const searchResult = {
    title: query,
    count: items.length,
    itemStacks: [
      { items: [{ __typename: 'AdPlaceholder' }, ...advert, ...items], count: items.length },
    ],
    paginationV2: { maxPage: 1 },
  };
  return htmlAnswer(200, statePage(query, { searchResult }));
}

export function sellerPage(market: Market, seller: Seller, atMs: number): SimulatedAnswer {
  const listings = market.listings('retailer_w').slice(0, 3);
  const items = listings.map((listing) => searchItem(listingViewAt(market, listing, atMs), 1));
  const initialData = {
    seller: {
      catalogSellerId: seller.catalogId,
      sellerId: seller.id,
      sellerName: seller.name,
      sellerDisplayName: seller.name,
      sellerType: 'EXTERNAL',
      sellerEmail: null,
      sellerPhone: '3025550100',
      address1: '1 Sandbox Way',
      address2: null,
      city: seller.city,
      state: seller.state,
      postalCode: seller.postalCode,
      countryCode: 'US',
      hasSellerBadge: seller.isPro,
      sellerLogoURL: null,
      sellerReviews: {
        averageOverallRating: seller.rating ?? 0,
        totalReviewCount: seller.ratingCount,
      },
    },
    contentLayout: {
      modules: [
        {
          type: 'ItemStack',
          configs: { itemStacks: { itemStacks: [{ items, count: seller.activeListings }] } },
        },
      ],
    },
  };
  return htmlAnswer(200, statePage(seller.name, initialData));
}

/** Returns the reply of GetAllSellerOffers; only new offers if the request says so. */
export function offersReply(view: ListingView, onlyNew: boolean): SimulatedAnswer {
  const matching = view.offers.filter((offer) => !onlyNew || offer.condition === 'new');
  const allOffers = matching.map((offer) => ({
    __typename: 'ProductOffer',
    ...offerTerms(offer),
    availabilityStatus: offer.inStock ? 'IN_STOCK' : 'OUT_OF_STOCK',
    fulfillmentBadge: null,
    conditionType: {
      new: 'New',
      used_like_new: 'Pre-Owned: Like New',
      used_good: 'Pre-Owned: Good',
      refurbished: 'Restored',
    }[offer.condition],
    sellerAverageRating: offer.isFirstParty ? null : (offer.seller.rating ?? 0),
    sellerReviewCount: offer.isFirstParty ? null : offer.seller.ratingCount,
    orderLimit: offer.orderLimit,
    priceInfo: {
      currentPrice: {
        price: offer.cents / 100,
        priceString: money(view, offer.cents),
        currencyUnit: view.currency,
      },
      wasPrice:
        offer.wasCents === null
          ? null
          : { price: offer.wasCents / 100, priceString: money(view, offer.wasCents) },
    },
  }));
  return apiAnswer(200, { data: { product: { usItemId: view.listing.id, allOffers } } });
}

export function wallPage(status: 'usual' | 200): SimulatedAnswer {
  return htmlAnswer(
    status === 200 ? 200 : 412,
    retailerPage(
      'Robot or human?',
      '',
      `<div id="px-captcha"></div><h1>Robot or human?</h1>
<p>Activate and hold the button to confirm that you’re human. Thank You!</p>`,
    ),
  );
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    statePage(
      'Page not found',
      { data: { product: null } },
      '<h1>This page could not be found.</h1>',
    ),
  );
}

/** Returns the address of an item. */
export function itemAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_w.page}/ip/${listing.id}`;
}
