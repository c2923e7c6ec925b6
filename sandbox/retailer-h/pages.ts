// retailer_h's pages: a product (JSON-LD and its Apollo cache), search results, the page for suspected bots, and the
// 404 page.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { accessDenied, retailerPage, searchListings } from '../simulated-retailer.ts';
import type { Market } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { dollars, escapeHtml, scriptJson } from '../markup.ts';
import { canonicalPath, productFields } from './product.ts';

function helmet(id: string, value: unknown): string {
  return `<script data-th="server" type="application/ld+json" id="thd-helmet__script--${id}">${scriptJson(value)}</script>`;
}

function cache(view: ListingView): string {
  const { market, atMs, listing } = view;
  const others = market
    .listings('retailer_h')
    .slice(0, 2)
    .filter((other) => other.id !== listing.id)
    .map((other) => [
      `base-catalog-${other.id}`,
      productFields(listingViewAt(market, other, atMs), 'cache'),
    ]);
  const state = {
    ...Object.fromEntries(others),
    [`base-catalog-${listing.id}`]: productFields(view, 'cache'),
    ROOT_QUERY: {
      [`product({"itemId":"${listing.id}"})`]: {
        type: 'id',
        id: `base-catalog-${listing.id}`,
        generated: false,
      },
    },
  };
  return `<script>window.__APOLLO_STATE__ = ${scriptJson(state)};</script>`;
}

export function productPage(view: ListingView): SimulatedAnswer {
  const { product } = view;
  const head = `<link rel="canonical" href="${view.origin}${canonicalPath(view)}">
<meta data-th="server" property="og:type" content="product">
<meta data-th="server" property="og:title" content="${escapeHtml(product.title)}">
<meta data-th="server" property="og:url" content="${view.origin}${canonicalPath(view)}">
<meta data-th="server" property="og:image" content="${view.images[0]}">
${helmet('productStructureData', structuredData(view))}
${helmet('breadcrumbStructureData', breadcrumbs(view))}`;
  const price =
    view.cents === null
      ? ''
      : view.currency === 'USD'
        ? dollars(view.cents)
        : `€${view.cents / 100}`;
  const was =
    view.wasCents === null
      ? ''
      : `<span class="u__strike"><span>${dollars(view.wasCents)}</span></span>`;
  const state = view.isEnded
    ? '<div class="discontinued">This item is discontinued</div>'
    : view.inStock
      ? '<button data-automation-id="atc">Add to Cart</button>'
      : '<div class="buybox__oos">Out of Stock Online</div>';
  const body = `<h1>${escapeHtml(product.title)}</h1>
<div data-fusion-component="price"><span class="price-format__main-price">${price}</span>${was}</div>
${state}
${cache(view)}`;
  return htmlAnswer(200, retailerPage(product.title, head, body));
}

function structuredData(view: ListingView): object {
  const { product, listing, totals } = view;
  const { height, width, length } = product.sides;
  const state = view.isEnded ? 'Discontinued' : view.inStock ? 'InStock' : 'OutOfStock';
  const gtin = listing.publishedGtin;
  return {
    '@context': 'https://schema.org/',
    '@type': 'Product',
    name: product.title,
    image: view.images,
    description: product.description,
    productID: listing.id,
    sku: `1009${String(product.index).padStart(6, '0')}`,
    ...(gtin === null ? {} : { gtin13: gtin.slice(1) }),
    model: product.model,
    depth: `${length} in`,
    height: `${height} in`,
    width: `${width} in`,
    weight: `${product.pounds} lb`,
    brand: { '@type': 'Brand', name: product.brand },
    ...(totals.average === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: String(totals.average),
            reviewCount: totals.count,
          },
        }),
    offers: {
      '@type': 'Offer',
      url: `${view.origin}${canonicalPath(view)}`,
      priceCurrency: view.currency,
      price: view.cents === null ? null : view.cents / 100,
      availability: `https://schema.org/${state}`,
      priceValidUntil: '1/2/2030',
      ...(view.wasCents === null
        ? {}
        : {
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              priceType: 'https://schema.org/StrikethroughPrice',
              price: view.wasCents / 100,
              priceCurrency: view.currency,
            },
          }),
      hasMerchantReturnPolicy: { '@type': 'MerchantReturnPolicy', merchantReturnDays: 90 },
    },
  };
}

function breadcrumbs({ product, origin }: ListingView): object {
  return {
    '@context': 'http://schema.org',
    '@type': 'WebPage',
    name: product.title,
    breadcrumb: {
      '@type': 'BreadcrumbList',
      itemListElement: ['Home', ...product.categories].map((name, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        item: { '@type': 'Thing', name, '@id': at === 0 ? origin : `${origin}/b/${at}` },
      })),
    },
  };
}

/** Returns a search page with the results in the page's cache and in visible cards. */
export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_h', query, 24);
  const views = found.map((listing) => listingViewAt(market, listing, atMs));
  const state = {
    ...Object.fromEntries(
      views.map((view) => [`base-catalog-${view.listing.id}`, productFields(view, 'cache')]),
    ),
    ROOT_QUERY: {
      [`searchModel({"keyword":${JSON.stringify(query)}})`]: {
        searchReport: { totalProducts: views.length, keyword: query },
        products: views.map(({ listing }) => ({ __ref: `base-catalog-${listing.id}` })),
      },
    },
  };
  const cards = views.map(
    (
      view,
    ) => `<div class="browse-search__pod" data-testid="product-pod" data-product-id="${view.listing.id}">
<a href="${canonicalPath(view)}"><span data-testid="attribute-product-label">${escapeHtml(view.product.title)}</span></a>
<div data-testid="price-simple">${view.cents === null ? '' : dollars(view.cents)}</div></div>`,
  );
  return htmlAnswer(
    200,
    retailerPage(
      query,
      '',
      `<h1>${views.length} results</h1>${cards.join('\n')}<script>window.__APOLLO_STATE__ = ${scriptJson(state)};</script>`,
    ),
  );
}

export function wallPage(status: 'usual' | 200): SimulatedAnswer {
  return accessDenied(status, '18.2f1402d1.1700000000.2');
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage('Page Not Found', '', '<h1>We could not find that page.</h1>'),
  );
}
