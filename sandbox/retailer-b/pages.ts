// retailer_b's pages: a product with the data events that newer pages stream and with JSON-LD, search results, the
// page for suspected bots, and the 404 page.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { accessDenied, retailerPage, searchListings } from '../simulated-retailer.ts';
import { productIdOf } from '../market/codes.ts';
import type { Market, MarketListing } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { amount, escapeHtml, jsonLdBlock, scriptJson, money } from '../markup.ts';

export function productAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_b.page}/site/-/${listing.id}.p`;
}

/** Formats one streamed event; unknown values are the literal `undefined`. */
function streamed(data: unknown): string {
  const event = scriptJson({ events: [{ type: 'next', value: { data } }] });
  const loose = event.replaceAll('"@undefined"', 'undefined');
  return `<script>(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push(${loose})</script>`;
}

export function productPage(view: ListingView): SimulatedAnswer {
  const { product, market, listing } = view;
  const head = `<link rel="canonical" href="${view.origin}/product/${slugOf(view)}/${productIdOf(product.index)}">
${jsonLdBlock(structuredData(view))}`;
  const was =
    view.wasCents === null ? '' : `<span class="was">Was ${money(view, view.wasCents)}</span>`;
  const price = view.cents === null ? '' : money(view, view.cents);
  const body = `<h1>${escapeHtml(product.title)}</h1>
<div data-testid="price-block-customer-price"><span>${price}</span></div>${was}
<button data-button-state="${buttonState(view)}">${view.inStock ? 'Add to cart' : 'Sold out'}</button>
${streamed({ productBySkuId: productEvent(view) })}
${streamed({ productBySkuId: priceEvent(view) })}
${streamed({ recommendations: related(market, view.atMs) })}
<p>SKU: ${listing.id}</p>`;
  return htmlAnswer(200, retailerPage(product.title, head, body));
}

function slugOf({ product }: ListingView): string {
  return product.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function buttonState(view: ListingView): string {
  return view.isEnded ? 'NOT_AVAILABLE' : view.inStock ? 'ADD_TO_CART' : 'SOLD_OUT';
}

function specificationsOf(view: ListingView): readonly (readonly [string, string])[] {
  const { product, barcode, listing } = view;
  const { height, width, length } = product.sides;
  const { packagePounds } = product;
  return [
    ['Product Name', product.name],
    ['Brand', product.brand],
    ['Model Number', product.model],
    ...(product.colour === null ? [] : ([['Color', product.colour]] as const)),
    ['Product Weight', `${product.pounds} pounds`],
    ['Product Height', `${height} inches`],
    ['Product Width', `${width} inches`],
    ['Product Depth', `${length} inches`],
    ['Shipping Weight', `${packagePounds} pounds`],
    ...(barcode === null ? [] : ([['UPC', barcode]] as const)),
    ...(listing.condition === 'refurbished' ? ([['Condition', 'Refurbished']] as const) : []),
  ];
}

function productEvent(view: ListingView): object {
  const { product, listing, totals } = view;
  return {
    __typename: 'Product',
    skuId: listing.id,
    bsin: productIdOf(product.index),
    name: { __typename: 'ProductName', short: product.title },
    description: { long: product.description, short: '@undefined' },
    brand: product.brand,
    manufacturer: { modelNumber: product.model },
    primaryImage: { piscesHref: view.images[0] },
    reviewInfo:
      totals.average === null
        ? { averageRating: null, reviewCount: 0 }
        : { averageRating: totals.average, reviewCount: totals.count },
    features: product.features.map((description) => ({ description })),
    specificationGroups: [
      {
        name: 'General',
        specifications: specificationsOf(view).map(([displayName, value]) => ({
          displayName,
          value,
          definition: '@undefined',
        })),
      },
    ],
    whatItIs: [product.categories[1]],
    buyingOptions: [{ type: 'New', pdpUrl: `/product/-/${productIdOf(product.index)}` }],
    openBoxCondition: null,
  };
}

function priceEvent(view: ListingView): object {
  const regular = view.wasCents ?? view.cents;
  return {
    __typename: 'Product',
    skuId: view.listing.id,
    price: {
      customerPrice: view.cents === null ? '@undefined' : view.cents / 100,
      regularPrice: regular === null ? '@undefined' : regular / 100,
      currency: view.currency,
    },
    fulfillmentOptions: { buttonStates: [{ buttonState: buttonState(view) }] },
  };
}

/** Returns prices of other products in the same stream. */
function related(market: Market, atMs: number): readonly object[] {
  return market
    .listings('retailer_b')
    .slice(0, 2)
    .map((listing) => {
      const view = listingViewAt(market, listing, atMs);
      return {
        skuId: listing.id,
        name: { short: view.product.title },
        price: { customerPrice: 3.33 },
      };
    });
}

function structuredData(view: ListingView): object {
  const { product, listing, totals, barcode } = view;
  const state = view.isEnded ? 'Discontinued' : view.inStock ? 'InStock' : 'SoldOut';
  const condition = listing.condition === 'refurbished' ? 'RefurbishedCondition' : 'NewCondition';
  return {
    '@context': 'http://schema.org/',
    '@type': 'Product',
    name: product.title,
    image: view.images[0],
    url: productAddress(view.market, listing),
    description: product.description,
    sku: listing.id,
    ...(barcode === null ? {} : { gtin13: barcode.padStart(13, '0') }),
    model: product.model,
    brand: { '@type': 'Brand', name: product.brand },
    ...(totals.average === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: totals.average,
            reviewCount: totals.count,
          },
        }),
    offers: {
      '@type': 'Offer',
      price: view.cents === null ? undefined : amount(view.cents),
      priceCurrency: view.currency,
      availability: `http://schema.org/${state}`,
      itemCondition: `http://schema.org/${condition}`,
      seller: { '@type': 'Organization', name: 'The retailer' },
    },
  };
}

export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_b', query, 24);
  const rows = found.map((listing) => card(listingViewAt(market, listing, atMs)));
  if (rows.length === 0) {
    const nothing = '<div class="no-results-message">Sorry, no results were found.</div>';
    return htmlAnswer(200, retailerPage(query, '', nothing));
  }
  const body = `<span class="item-count">${rows.length} items</span>
<ul class="product-grid-view-container">${advert(market, atMs)}${rows.join('\n')}</ul>`;
  return htmlAnswer(200, retailerPage(query, '', body));
}

function card(view: ListingView): string {
  const { product, listing, totals } = view;
  const price = view.cents === null ? '' : money(view, view.cents);
  const rating =
    totals.average === null
      ? ''
      : `<p class="visually-hidden">Rating ${totals.average} out of 5 stars with ${totals.count} reviews</p>`;
  const href = `${view.origin}/product/${slugOf(view)}/${productIdOf(product.index)}/sku/${listing.id}`;
  const title = escapeHtml(product.title);
  return `<li class="product-list-item product-list-item-gridView" data-product-id="${listing.id}" data-testid="${listing.id}">
<a class="product-list-item-link" href="${href}"><h3 class="product-title" title="${title}">${title}</h3></a>
<div class="rnr-stats">${rating}</div>
<div data-testid="price-block"><div data-testid="price-block-customer-price">
<span class="sr-only">${price}</span><span aria-hidden="true">${price}</span></div></div>
<button data-button-state="${buttonState(view)}" data-sku-id="${listing.id}">Add to cart</button></li>`;
}

/** Returns an advertisement: the same markup in an element of another class. */
function advert(market: Market, atMs: number): string {
  const first = market.listings('retailer_b').find((listing) => listing.product.isReliable);
  if (first === undefined) return '';
  const inner = card(listingViewAt(market, first, atMs))
    .replace('<li ', '<div ')
    .replace('</li>', '</div>');
  return `<li class="slContainer" data-testid="sponsored-listing">${inner}<div class="sponsored">Sponsored</div></li>`;
}

export function wallPage(status: 'usual' | 200): SimulatedAnswer {
  return accessDenied(status, '18.5a0db0c5.1700000000.1');
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage(
      'Page Not Found',
      '',
      "<h1>We're sorry, something went wrong.</h1><p>This page is not here.</p>",
    ),
  );
}
