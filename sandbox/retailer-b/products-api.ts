// retailer_b's Products API: filters in brackets in the path, the API key in the query.

import type { SimulatedAnswer } from '../answer.ts';
import { failedAnswer, foundBy, wrongKeyAnswer } from '../api-failures.ts';
import { refusal, searchListings, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import { productIdOf } from '../market/codes.ts';
import type { MarketListing } from '../market/market.ts';
import { listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { apiAnswer } from '../request.ts';
import { escapeHtml } from '../markup.ts';
import type { ShopRequest } from '../request.ts';
import { SANDBOX_ACCESS } from '../tokens.ts';
import { productAddress } from './pages.ts';

const MOST_ROWS = 100;

/** Answers a request. Null: no address of this API. */
export function productsAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { pathname, searchParams } = request.url;
  const path = decodeURIComponent(pathname);
  const query = /^\/v1\/products(?:\((.*)\))?$/.exec(path);
  const single = /^\/v1\/products\/(\d+)\.json$/.exec(path)?.[1];
  const openBox = /^\/beta\/products\/(?:(\d+)\/openBox|openBox\(.*\))$/.exec(path);
  if (query === null && single === undefined && openBox === null) return null;
  const failed = failedAnswer(state.failing, { api: 'products' }, request);
  if (failed !== null) return failed;
  if (searchParams.get('apiKey') !== SANDBOX_ACCESS.apiKey) return wrongKeyAnswer('products');
  if (openBox !== null) return openBoxAnswer(state, request, openBox[1] ?? '');
  if (single !== undefined) {
    const isEmpty = state.failing.get('products') === 'empty';
    const listing = isEmpty ? null : state.market.find('retailer_b', single);
    if (listing === null || troubleAt(listing) === 'gone') {
      return apiAnswer(404, { error: { code: 404, message: "Couldn't find the product" } });
    }
    const refused = refusal(state, listing, request);
    return refused ?? apiAnswer(200, row(listingViewAt(state.market, listing, request.atMs)));
  }
  return listAnswer(state, request, query?.[1] ?? '');
}

function listAnswer(state: RetailerState, request: ShopRequest, filter: string): SimulatedAnswer {
  // Discontinued products are included only if the query requests them.
  const isAll = /(?:^|&)active=\*(?:&|$)/.test(filter);
  const found = matching(state, filter.replace(/&?active=\*/, ''));
  if (found === null) {
    return apiAnswer(400, {
      error: { code: 400, message: `Couldn't understand '/v1/products(${filter})'` },
    });
  }
  const isHidden = (listing: MarketListing): boolean =>
    troubleAt(listing) === 'gone' || (troubleAt(listing) === 'ended' && !isAll);
  const there = foundBy(state, 'products', found).filter((listing) => !isHidden(listing));
  const [only, second] = there;
  const refused = only !== undefined && second === undefined ? refusal(state, only, request) : null;
  if (refused !== null) return refused;
  const products = there
    .slice(0, MOST_ROWS)
    .map((listing) => row(listingViewAt(state.market, listing, request.atMs)))
    .map((whole) => shown(whole, request.url.searchParams.get('show')));
  const page = {
    from: products.length === 0 ? 0 : 1,
    to: products.length,
    currentPage: 1,
    total: products.length,
    totalPages: products.length === 0 ? 0 : 1,
    queryTime: '0.003',
    totalTime: '0.010',
    partial: false,
    canonicalUrl: `/v1/products(${filter})?show=all&format=json&apiKey=`,
  };
  // XML unless the query requests JSON.
  return request.url.searchParams.get('format') === 'json'
    ? apiAnswer(200, { ...page, products })
    : xmlAnswer(page, products);
}

function xmlAnswer(page: object, products: readonly object[]): SimulatedAnswer {
  const attributes = Object.entries(page).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const rows = products.map((product) => {
    const fields = Object.entries(product).map(([name, value]) =>
      value === null ? `<${name}/>` : `<${name}>${escaped(value)}</${name}>`,
    );
    return `<product>${fields.join('')}</product>`;
  });
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<products${attributes.join('')}>${rows.join('')}</products>\n`;
  return { kind: 'page', status: 200, type: 'application/xml; charset=utf-8', body };
}

function escaped(value: unknown): string {
  return escapeHtml(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Parses `sku=1`, `sku in(1,2)`, `upc=...`, `modelNumber=...`, `search=a&search=b`; null: none of these. */
function matching({ market }: RetailerState, filter: string): readonly MarketListing[] | null {
  const skus = /^sku(?:=| ?in ?\()([\d, ]+)\)?$/.exec(filter)?.[1];
  if (skus !== undefined) {
    return skus.split(',').flatMap((sku) => market.find('retailer_b', sku.trim()) ?? []);
  }
  const upc = /^upc=(\d+)$/.exec(filter)?.[1];
  if (upc !== undefined) {
    const product = market.productOf(upc.padStart(14, '0'));
    return product === null ? [] : market.listingsOf('retailer_b', product);
  }
  const model = /^modelNumber=(.+)$/.exec(filter)?.[1];
  if (model !== undefined) {
    return market.listings('retailer_b').filter(({ product }) => product.model === model);
  }
  const words = filter.split('&').map((part) => /^search=(.+)$/.exec(part)?.[1]);
  if (filter === '' || words.includes(undefined)) return null;
  return searchListings(market, 'retailer_b', words.join(' '), MOST_ROWS);
}

/** Returns the fields listed in `show` (`details.name` means `details`); all of them without it. */
function shown(whole: object, show: string | null): object {
  if (show === null || show === 'all') return whole;
  const names = new Set(show.split(',').map((name) => name.split('.')[0] ?? ''));
  return Object.fromEntries(Object.entries(whole).filter(([name]) => names.has(name)));
}

function row(view: ListingView): object {
  const { product, listing, totals, barcode } = view;
  const { height, width, length } = product.sides;
  // The API has no currency field, so it leaves out prices that are not in dollars.
  const isPriced = view.currency === 'USD' && view.cents !== null;
  const regular = view.wasCents ?? view.cents ?? 0;
  return {
    sku: Number(listing.id),
    productId: productIdOf(product.index),
    upc: barcode,
    name: `${product.brand} - ${product.title}`,
    type: 'HardGood',
    manufacturer: product.brand,
    modelNumber: product.model,
    regularPrice: isPriced ? regular / 100 : null,
    salePrice: isPriced ? (view.cents ?? 0) / 100 : null,
    onSale: view.wasCents !== null,
    priceRestriction: null,
    onlineAvailability: view.inStock,
    inStoreAvailability: view.hasPickup,
    inStorePickup: view.hasPickup,
    orderable: view.inStock ? 'Available' : 'SoldOut',
    freeShipping: view.shippingCents === 0,
    shippingCost: view.shippingCents === 0 ? '' : view.shippingCents / 100,
    shippingWeight: product.packagePounds,
    weight: `${product.pounds} pounds`,
    height: `${height} inches`,
    width: `${width} inches`,
    depth: `${length} inches`,
    customerReviewAverage: totals.average,
    customerReviewCount: totals.count === 0 ? null : totals.count,
    condition: listing.condition,
    preowned: false,
    color: product.colour,
    categoryPath: [
      { id: 'cat00000', name: 'The retailer' },
      ...product.categories.map((name, at) => ({ id: `cat0000${at + 1}`, name })),
    ],
    image: view.images[0],
    images: view.images.map((href) => ({ href, rel: 'Front_Standard' })),
    url: productAddress(view.market, listing),
    shortDescription: product.description,
    longDescription: product.description,
    features: product.features.map((feature) => ({ feature })),
    details: [{ name: 'Model Number', value: product.model }],
    bestSellingRank: view.salesRanks[0]?.rank ?? null,
    quantityLimit: 5,
    active: !view.isEnded,
    marketplace: false,
  };
}

function openBoxAnswer(state: RetailerState, request: ShopRequest, sku: string): SimulatedAnswer {
  const listing = state.market.find('retailer_b', sku);
  // Every fourth product has an open-box copy on sale.
  if (listing === null || listing.product.index % 4 !== 0) {
    return apiAnswer(200, { metadata: { resultSet: { count: 0 } }, results: [] });
  }
  const view = listingViewAt(state.market, listing, request.atMs);
  const current = Math.round((view.cents ?? 0) * 0.8) / 100;
  return apiAnswer(200, {
    metadata: { resultSet: { count: 1 } },
    results: [
      {
        sku: listing.id,
        names: { title: view.product.title },
        prices: {
          current: (view.cents ?? 0) / 100,
          regular: (view.wasCents ?? view.cents ?? 0) / 100,
        },
        offers: [{ condition: 'excellent', prices: { current, regular: (view.cents ?? 0) / 100 } }],
        images: { standard: view.images[0] },
        links: { web: productAddress(state.market, listing) },
        customerReviews: { averageScore: view.totals.average, count: view.totals.count },
      },
    ],
  });
}
