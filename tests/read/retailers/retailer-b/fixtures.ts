// Invented answers of retailer_b, one product in every shape: API, open-box API, pages of 2021 and 2026,
// streamed data, search pages.

import type { Page } from '../../../../src/base/listing/page.ts';
import { pageUrl, searchUrl } from '../../../../src/read/retailers/retailer-b/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';

export const SKU = '7000001';
export const PRODUCT_ID = 'JX00TEST01';
export const UPC = '099900000012';
const SKU_URL = pageUrl(SKU, null) ?? '';
/** `/product/<slug>/<product id>/sku/<sku>`. */
export const NEW_URL = `${pageUrl(null, PRODUCT_ID) ?? ''}/sku/${SKU}`;
export const OLD_URL = SKU_URL;
export const OPEN_BOX_URL = `${NEW_URL}/openbox?condition=excellent`;

/** Returns a JSON answer with any status. */
export function answer(body: unknown, status = 200): Page {
  return pageOf(typeof body === 'string' ? body : JSON.stringify(body), {
    url: 'https://api.example/answer',
    status,
    headers: { 'content-type': 'application/json' },
  });
}

export const product = (changes: object = {}) => ({
  sku: Number(SKU),
  upc: UPC,
  name: 'Acme - Quiet Speaker - Blue',
  manufacturer: 'Acme',
  modelNumber: 'QS-5',
  productId: null,
  active: true,
  new: false,
  regularPrice: 179.99,
  salePrice: 119,
  onlineAvailability: true,
  orderable: 'Available',
  inStorePickup: true,
  freeShipping: true,
  shippingCost: '',
  shippingWeight: 5.5,
  weight: '4.2 pounds',
  height: '9 inches',
  width: '3.5 inches',
  depth: '12 inches',
  customerReviewAverage: 4.6,
  customerReviewCount: 1234,
  condition: 'New',
  preowned: false,
  marketplace: null,
  categoryPath: [
    { id: 'cat00000', name: 'The Shop' },
    { id: 'a', name: 'Audio' },
    { id: 'b', name: 'Speakers' },
  ],
  image: 'https://pictures.example/speaker.jpg',
  longDescription: 'Plays quietly.',
  details: [{ name: 'Color', value: 'Blue' }],
  ...changes,
});

export const openBox = (changes: object = {}) => ({
  results: [
    {
      sku: SKU,
      names: { title: 'Acme - Quiet Speaker - Blue' },
      customerReviews: { averageScore: 4.6, count: 1234 },
      prices: { current: 119, regular: 119 },
      images: { standard: 'https://pictures.example/speaker.jpg' },
      offers: [
        {
          listingId: '3',
          condition: 'certified',
          prices: { current: 99.99, regular: 119 },
          onlineAvailability: true,
        },
        {
          listingId: '2',
          condition: 'excellent',
          prices: { current: 89.99, regular: 119 },
          onlineAvailability: false,
        },
      ],
      ...changes,
    },
  ],
});

/** JSON-LD of the page's own product, after stubs to which questions and reviews are attached. */
export function data(offers: unknown, more: object = {}): string {
  const name = 'Acme - Quiet Speaker - Blue';
  return (
    ld({ '@type': 'Review', itemReviewed: { '@type': 'Product', name }, reviewBody: 'good' }) +
    ld({ '@type': 'Product', name, sku: SKU, url: OLD_URL }) +
    ld({
      '@type': 'Product',
      name,
      sku: SKU,
      url: OLD_URL,
      gtin13: `0${UPC}`,
      model: 'QS-5',
      brand: { name: 'Acme' },
      image: 'https://pictures.example/speaker.jpg',
      aggregateRating: { ratingValue: '4.6', reviewCount: '1234' },
      offers,
      ...more,
    })
  );
}

export const OFFER = {
  '@type': 'Offer',
  price: '119.00',
  priceCurrency: 'USD',
  itemCondition: 'http://schema.org/NewCondition',
};

/** A button of 2021. */
export const button = (text: string, state: string, sku = SKU): string =>
  `<button class="btn add-to-cart-button" data-sku-id="${sku}" data-button-state="${state}">${text}</button>`;

export const oldPage = (head: string, body: string): Page =>
  pageOf(html(head, body, 'Acme - Quiet Speaker - Blue - The Shop'), { url: OLD_URL });

type PageParts = {
  readonly price?: string;
  readonly was?: string;
  readonly cart?: string;
  readonly seller?: string;
  readonly tag?: string;
  readonly rating?: string;
  readonly more?: string;
  readonly head?: string;
};

const TAG = {
  product: { skuId: SKU, bsin: PRODUCT_ID, price: '139.99', brand: 'Acme' },
  page: { type: 'browse,PDP', breadcrumbs: ['The Shop', 'Audio', 'Speakers'] },
};

/** What a visitor saw in 2026, with a carousel of other products before and after it. */
export function seenBody(parts: PageParts = {}): string {
  const carousel =
    '<div data-testid="price-block-customer-price"><span>$9.99</span></div>' +
    '<button data-testid="carousel-add-to-cart-7000009">Add to cart</button>';
  const tag = parts.tag ?? JSON.stringify(TAG);
  return html(
    `<meta name="analytics-metadata" content='${tag}'>${parts.head ?? ''}`,
    `${carousel}<div data-component-name="Badge"><span>Best Selling</span></div>
    <div data-component-name="ProductHeader"><h1>Acme - Quiet Speaker - Blue</h1>
    <div><div>Model: <!-- -->QS-5</div><div>SKU: <!-- -->${SKU}</div></div></div>
    <div data-component-name="ReviewStatsContextualized"><p>${parts.rating ?? 'Rating 4.6 out of 5 stars with 1,234 reviews'}</p></div>
    ${parts.seller ?? '<div data-testid="seller-details-first-party-sold-by-banner-container"><span>Sold by</span><span>The Shop</span></div>'}
    <div data-component-name="MediaGallery"><img src="https://pictures.example/speaker.jpg;maxHeight=427;maxWidth=640"></div>
    <div data-component-name="LargePrice"><div data-testid="price-block-customer-price"><span class="sr-only">${parts.price ?? '$119.00'}</span><span>${parts.price ?? '$119.00'}</span></div>
    <div data-testid="price-block-regular-price-message-text">${parts.was ?? 'Comp. Value: $139.99'}</div></div>
    <div data-component-name="AddToCart">${parts.cart ?? `<button data-testid="pdp-add-to-cart-${SKU}"><span>Add to cart</span></button>`}</div>
    <span data-testid="mbo-value-proposition-body">$89.99 - $99.99</span>
    <ul id="key-specs-list"><li><div><div>Brand</div><div>Acme</div></div><div><div>Model Number</div><div>QS-5</div></div></li></ul>
    ${parts.more ?? ''}${carousel}`,
    'Acme Quiet Speaker Blue - The Shop',
  );
}

export const seenPage = (parts: PageParts = {}, url = NEW_URL): Page =>
  pageOf(seenBody(parts), { url });

/** The product as the page streams it. */
export const streamed = (changes: object = {}) => ({
  skuId: SKU,
  bsin: PRODUCT_ID,
  name: { short: 'Acme - Quiet Speaker - Blue' },
  description: { long: 'Plays quietly.' },
  primaryImage: { piscesHref: 'https://pictures.example/speaker.jpg' },
  reviewInfo: { averageRating: 4.6, reviewCount: 1234 },
  openBoxCondition: null,
  specificationGroups: [
    {
      name: 'General',
      specifications: [
        { displayName: 'Brand', value: 'Acme' },
        { displayName: 'Model Number', value: 'QS-5' },
        { displayName: 'UPC', value: UPC },
      ],
    },
    {
      name: 'Dimensions',
      specifications: [
        { displayName: 'Product Height', value: '9 inches' },
        { displayName: 'Product Width', value: '3.5 inches' },
        { displayName: 'Product Depth', value: '12 inches' },
        { displayName: 'Product Weight', value: '4.2 pounds' },
        { displayName: 'Voltage', value: 'Not provided' },
      ],
    },
  ],
  ...changes,
});

/** Scripts that push streamed data; `extra` is appended in script form. */
export function stream(parts: readonly unknown[], extra = ''): string {
  return parts
    .map((data) => {
      const text = JSON.stringify({ events: [{ type: 'next', value: { data } }] }).slice(0, -1);
      return `<script>(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push(${text}${extra}})</script>`;
    })
    .join('');
}

export const streamedPage = (parts: readonly unknown[], url = NEW_URL, extra = ''): Page =>
  pageOf(html('', stream(parts, extra), 'Acme'), { url });

type EntryParts = { readonly sku?: string; readonly title?: string; readonly body?: string };

/** A hit of 2026. */
export function entry({
  sku = SKU,
  title = 'Acme - Quiet Speaker - Blue',
  body,
}: EntryParts = {}): string {
  const url = `${pageUrl(null, PRODUCT_ID) ?? ''}/sku/${sku}`;
  const inner =
    body ??
    `<a class="product-list-item-link" href="${url}"><h3 class="product-title">${title}</h3></a>
    <p>Rating 4.6 out of 5 stars with 1,234 reviews</p><img src="https://pictures.example/${sku}.jpg">
    <div data-testid="price-block-customer-price"><span>$119.00</span><span>$119.00</span></div>
    <div data-testid="price-block-regular-price-message-text">Was $139.99</div>`;
  return `<li class="product-list-item grid-view" data-product-id="${sku}">${inner}</li>`;
}

/** A hit of 2021. */
export const oldEntry = (sku = SKU): string =>
  `<li class="sku-item" data-sku-id="${sku}"><h4 class="sku-title"><a href="${pageUrl(sku, null) ?? ''}?skuId=${sku}">Acme - Quiet Speaker</a></h4>
  <div class="priceView-hero-price priceView-customer-price"><span>$119.00</span></div></li>`;

export const ADVERTISEMENT =
  '<li class="slContainer" data-testid="sponsored-listing"><div class="product-list-item" data-product-id="7000008"><h3 class="product-title">Ad</h3></div></li>';

const LIST_TAG = JSON.stringify({ page: { type: 'search,plp', listCount: 834 } });

export const searchBody = (entries: readonly string[], tag = LIST_TAG): string =>
  html(
    `<meta name="analytics-metadata" content='${tag}'>`,
    `<ul>${entries.join('\n')}</ul>`,
    'speaker - The Shop',
  );

export const searchPage = (entries: readonly string[], tag?: string): Page =>
  pageOf(searchBody(entries, tag), { url: searchUrl('speaker') });

/** The streamed state of another product. */
export const OTHER = streamed({ skuId: '7000009', bsin: 'JX00TEST09', name: { short: 'A cable' } });

/** JSON-LD with the open-box copy before the new one. */
export const OPENED = {
  '@type': 'AggregateOffer',
  offers: [
    {
      ...OFFER,
      price: '89.99',
      itemCondition: 'https://schema.org/UsedCondition',
      availability: 'InStock',
    },
    { ...OFFER, availability: 'OutOfStock' },
  ],
};
