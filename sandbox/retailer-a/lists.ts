// retailer_a's other pages: search results, the list of all sellers, the pages for suspected bots, and the 404 page.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { retailerPage, searchListings } from '../simulated-retailer.ts';
import type { Market } from '../market/market.ts';
import type { MarketOffer } from '../market/offers.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { escapeHtml, money } from '../markup.ts';
import { deliveryBlock, priceBlock, shipperName } from './product-page.ts';

const OFFERS_A_PAGE = 10;

const HEADINGS = {
  new: 'New',
  used_like_new: 'Used - Like New',
  used_good: 'Used - Good',
  refurbished: 'Refurbished',
} as const;

/** Returns the fragment of "other sellers". `page` counts from 1; the first one contains the pinned offer. */
export function offersFragment(view: ListingView, page: number, onlyNew: boolean): SimulatedAnswer {
  const listed = view.offers.filter(
    (offer) => offer.inStock && (!onlyNew || offer.condition === 'new'),
  );
  const pinned = listed.find((offer) => offer.isBuyBox);
  const others = listed.filter((offer) => offer !== pinned);
  const shown = others.slice((page - 1) * OFFERS_A_PAGE, page * OFFERS_A_PAGE);
  const empty =
    listed.length === 0
      ? '<div id="aod-filter-no-offer-count-heading" class="aod-zero-offer-class">Currently, there are no sellers that can deliver this item.</div>'
      : '';
  const first =
    page === 1 && pinned !== undefined
      ? `<div id="aod-sticky-pinned-offer"></div><div id="aod-pinned-offer">${offerBlock(view, pinned)}</div>`
      : '';
  return htmlAnswer(
    200,
    `<div id="all-offers-display"><div id="all-offers-display-scroller">
<input type="hidden" id="aod-asin" value="${view.listing.id}">
<input type="hidden" id="aod-total-offer-count" value="${others.length}">${first}${empty}
<div id="aod-offer-list">${shown.map((offer) => `<div id="aod-offer">${offerBlock(view, offer)}</div>`).join('\n')}</div></div></div>`,
  );
}

function offerBlock(view: ListingView, offer: MarketOffer): string {
  const { seller } = offer;
  const soldBy = offer.isFirstParty
    ? `<span class="a-size-small a-color-base">${seller.name}</span>`
    : `<a class="a-size-small a-link-normal" href="/gp/aag/main?ie=UTF8&amp;seller=${seller.id}&amp;isAmazonFulfilled=${offer.isFulfilledByRetailer ? 1 : 0}">${escapeHtml(seller.name)}</a>`;
  const rating = offer.isFirstParty
    ? ''
    : `<div id="aod-offer-seller-rating"><i class="a-icon"></i><span id="seller-rating-count-{iter}"><span>(${seller.ratingCount.toLocaleString('en-US')} ratings)</span> ${seller.positivePercent}% positive over last 12 months</span></div>`;
  const left =
    offer.quantityLeft === null
      ? ''
      : `<div id="aod-offer-availability"><span class="a-color-price">Only ${offer.quantityLeft} left in stock - order soon.</span></div>`;
  return `<div id="aod-offer-heading"><h5> ${HEADINGS[offer.condition]} </h5></div>
<div id="aod-offer-price">${priceBlock(view, offer.cents)}</div>${deliveryBlock(offer.shippingCents, offer.deliveryDay)}${left}
<div id="aod-offer-shipsFrom"><div class="a-fixed-left-grid"><span class="a-size-small a-color-tertiary">Ships from</span><span class="a-size-small a-color-base">${offer.isFulfilledByRetailer ? shipperName(view) : escapeHtml(seller.name)}</span></div></div>
<div id="aod-offer-soldBy"><div class="a-fixed-left-grid"><span class="a-size-small a-color-tertiary">Sold by</span>${soldBy}${rating}</div></div>`;
}

export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_a', query, 24);
  const cards = found.map((listing) => card(listingViewAt(market, listing, atMs), false));
  const first = market.listings('retailer_a').find((listing) => listing.product.isReliable);
  const advert =
    first === undefined || cards.length === 0 ? '' : card(listingViewAt(market, first, atMs), true);
  const body = `<span data-component-type="s-result-info-bar"><h1>${cards.length} results for "${escapeHtml(query.slice(0, 80))}"</h1></span>
<div class="s-main-slot s-result-list">${advert}${cards.join('\n')}</div>`;
  return htmlAnswer(200, retailerPage(query, '', body));
}

function card(view: ListingView, isSponsored: boolean): string {
  const { listing, product, totals } = view;
  const href = isSponsored ? `/sspa/click?url=%2Fdp%2F${listing.id}` : `/dp/${listing.id}`;
  const label = isSponsored ? '<span class="puis-sponsored-label-text">Sponsored</span>' : '';
  const price =
    view.cents === null
      ? ''
      : `<a class="a-link-normal" href="${href}"><span class="a-price" data-a-color="base"><span class="a-offscreen">${money(view, view.cents)}</span></span></a>`;
  const was =
    view.cents === null || view.wasCents === null
      ? ''
      : `<span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">${money(view, view.wasCents)}</span></span>`;
  const stars =
    totals.average === null
      ? ''
      : `<i class="a-icon a-icon-star-small"><span class="a-icon-alt">${totals.average} out of 5 stars</span></i><span aria-label="${totals.count} ratings"><span class="a-size-base s-underline-text">${totals.count}</span></span>`;
  return `<div data-asin="${listing.id}" data-index="1" data-component-type="s-search-result" class="s-result-item s-asin">${label}
<img class="s-image" src="${view.images[0]}" alt="">
<div data-cy="title-recipe"><a class="a-link-normal s-line-clamp-2" href="${href}"><h2 aria-label="${escapeHtml(product.title)}"><span>${escapeHtml(product.title)}</span></h2></a></div>${stars}${price}${was}</div>`;
}

/** Returns the page for suspected bots: with letters to type, or with a button to press. */
export function wallPage(market: Market, status: 'usual' | 200): SimulatedAnswer {
  const host = new URL(market.origins.retailer_a.page).hostname.replace(/^www\./, '');
  if (status === 200) {
    return htmlAnswer(
      200,
      retailerPage(
        '',
        '',
        '<form action="/errors_page"><p>Click the button below to continue shopping</p><button>Continue shopping</button></form>',
      ),
    );
  }
  return htmlAnswer(
    503,
    `<!doctype html><html><head><title>Robot Check</title></head><body>
<!-- To discuss automated access to data please contact api-services-support@${host}. -->
<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot.</p>
<form method="get" action="/errors/validateCaptcha"><input type="text" name="field-keywords"></form></body></html>
`,
  );
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage(
      'Page Not Found',
      '',
      '<img alt="Sorry! We couldn\'t find that page. Try searching or go to the home page." src="/dog.jpg">',
    ),
  );
}
