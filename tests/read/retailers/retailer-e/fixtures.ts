// Invented answers of retailer_e, one product in every shape: API item, search hits, pages of both layouts.

import type { Page } from '../../../../src/base/listing/page.ts';
import { itemUrl, searchUrl } from '../../../../src/read/retailers/retailer-e/address-book.ts';
import { html, ld, pageOf } from '../page-fixtures.ts';

export const ITEM = '200000000001';
export const URL_OF_ITEM = itemUrl(ITEM, null) ?? '';
export const UPC = '099900000012';

/** Returns a JSON answer with any status. */
export function answer(body: unknown, status = 200): Page {
  return pageOf(typeof body === 'string' ? body : JSON.stringify(body), {
    url: 'https://api.example/answer',
    status,
    headers: { 'content-type': 'application/json' },
  });
}

const usd = (value: string) => ({ value, currency: 'USD' });

export const item = (changes: object = {}) => ({
  itemId: `v1|${ITEM}|0`,
  legacyItemId: ITEM,
  title: 'Acme Quiet Drill &amp; Driver',
  price: usd('119.00'),
  marketingPrice: { originalPrice: usd('179.50') },
  condition: 'New',
  conditionId: '1000',
  brand: 'Acme',
  mpn: 'QD-5-A',
  gtin: UPC,
  categoryPath: 'Tools|Power Tools|Drills',
  image: { imageUrl: 'https://pictures.example/drill.jpg' },
  description: '<p>Drills quietly.</p>',
  seller: { username: 'drill-depot', feedbackPercentage: '98.0', feedbackScore: 1234 },
  buyingOptions: ['FIXED_PRICE', 'BEST_OFFER'],
  lotSize: 0,
  localizedAspects: [
    { name: 'Model', value: 'QD-5' },
    { name: 'Item Weight', value: '4.95 lb' },
  ],
  estimatedAvailabilities: [
    { estimatedAvailabilityStatus: 'IN_STOCK', estimatedAvailableQuantity: 7 },
  ],
  shippingOptions: [
    { shippingCost: usd('15.00'), minEstimatedDeliveryDate: '2026-11-23T08:00:00.000Z' },
    {
      shippingCost: usd('0.00'),
      minEstimatedDeliveryDate: '2026-11-25T08:00:00.000Z',
      maxEstimatedDeliveryDate: '2026-11-28T08:00:00.000Z',
    },
  ],
  returnTerms: {
    returnsAccepted: true,
    returnPeriod: { value: 30, unit: 'CALENDAR_DAY' },
    returnShippingCostPayer: 'SELLER',
  },
  primaryProductReviewRating: {
    averageRating: '4.5',
    reviewCount: 2,
    ratingHistograms: [
      { rating: '5', count: 1 },
      { rating: '4', count: 1 },
    ],
  },
  ...changes,
});

export const error = (errorId: number) => ({
  errors: [{ errorId, domain: 'API', category: 'REQUEST', message: 'no' }],
});

export type PageParts = {
  readonly price?: string;
  readonly buyBox?: string;
  readonly status?: string;
  readonly quantity?: string;
  readonly condition?: string;
  readonly specifics?: Readonly<Record<string, string>>;
  readonly data?: string;
  readonly script?: string;
  readonly shipping?: string;
  readonly returns?: string;
};

const row = (label: string, value: string, kind = ''): string =>
  `<dl class="ux-labels-values ${kind}"><dt class="ux-labels-values__labels"><div><span>${label}:</span></div></dt>` +
  `<dd class="ux-labels-values__values"><div><span>${value}</span></div></dd></dl>`;

/** The layout of 2026. */
export function itemBody(parts: PageParts = {}): string {
  const specifics = Object.entries(parts.specifics ?? { Brand: 'Acme', MPN: 'QD-5-A', UPC })
    .map(([name, value]) => row(name, value))
    .join('');
  const price = parts.price ?? 'US $119.00/ea';
  const buyBox =
    parts.buyBox ??
    `<div class="x-bin-price"><div class="x-price-primary"><span class="ux-textspans">${price}</span></div></div>` +
      '<div class="x-additional-info"><span class="ux-textspans ux-textspans--STRIKETHROUGH">US $179.50</span></div>' +
      '<div class="x-bin-action"><a>Buy It Now</a></div>';
  return html(
    `<link rel="canonical" href="${URL_OF_ITEM}"><meta property="og:image" content="https://pictures.example/drill.jpg">${parts.data ?? ''}`,
    `<div class="d-statusmessage">${parts.status ?? ''}</div>
    <h1 class="x-item-title__mainTitle"><span class="ux-textspans">Acme Quiet Drill &amp; Driver</span></h1>
    <div class="x-sellercard-atf"><div class="x-sellercard-atf__info__about-seller" title="x">
      <a href="/str/drill-depot"><span class="ux-textspans">Drill Depot</span></a></div>
      <ul><li><a href="#feedback"><span>(1,234)</span></a></li><li><span>98% positive</span></li></ul></div>
    <div class="x-item-condition-text"><span class="clipped">New</span><span aria-hidden="true">${parts.condition ?? 'New'}</span></div>
    <div class="x-quantity__availability"><span>${parts.quantity ?? 'More than 10 available'}</span><span>1,234 sold</span></div>
    ${buyBox}
    ${row('Shipping', parts.shipping ?? 'US $12.50 Ground. <a>See details</a>', 'ux-labels-values--shipping')}
    ${row('Delivery', 'Estimated between <b>Wed, Nov 25</b> and <b>Sat, Nov 28</b>', 'ux-labels-values--deliverto')}
    ${row('Returns', parts.returns ?? '30 days returns. Seller pays for return shipping', 'ux-labels-values--returns')}
    <div class="ux-layout-section--features">${specifics}</div>
    <script>${parts.script ?? ''}</script>`,
    'Acme Quiet Drill &amp; Driver | A Market',
  );
}

export const itemPage = (parts: PageParts = {}, url = URL_OF_ITEM): Page =>
  pageOf(itemBody(parts), { url });

/** JSON-LD as item pages carry it. */
export const data = (offers: object): string =>
  ld({
    '@type': 'Product',
    name: 'Acme Quiet Drill & Driver',
    offers: { '@type': 'Offer', url: URL_OF_ITEM, ...offers },
  });

/** The layout of 2020. */
export function oldBody({ panel = '', price = '' } = {}): string {
  const shown =
    price ||
    '<span id="prcIsum" itemprop="price" content="1.99">GBP 1.99</span>' +
      '<span itemprop="availability" content="https://schema.org/InStock"></span>' +
      '<span itemprop="priceCurrency" content="GBP"></span>' +
      '<div>Approximately <span id="convbinPrice">US $2.66</span></div>';
  return html(
    `<link rel="canonical" href="${URL_OF_ITEM}">`,
    `<div id="msgPanel"><span>${panel}</span></div>
    <div itemscope itemtype="https://schema.org/Product">
    <img id="icImg" itemprop="image" src="https://pictures.example/wound.jpg">
    <h1 id="itemTitle" itemprop="name"><span class="g-hdn">Details about &nbsp;</span>Paper Wound Kit</h1>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
    <div id="vi-itm-cond" itemprop="itemCondition">New with tags</div>
    <span id="qtySubTxt"><span>2 lots available (5 items per lot)</span></span>${shown}</div>
    <span class="mbg-nw">paper-shop</span><span class="mbg-l"> (<a>8116</a>)</span>
    <div id="si-fb">99.5% Positive feedback</div>
    <div class="itemAttr"><table><tr><td class="attrLabels"> MPN: </td><td><h2>PW-1</h2></td>
    <td class="attrLabels">UPC:</td><td><span>Does not apply</span></td></tr></table></div></div>`,
    'Paper Wound Kit | A Market',
  );
}

export const oldPage = (parts: { panel?: string; price?: string } = {}): Page =>
  pageOf(oldBody(parts), { url: URL_OF_ITEM });

type CardParts = {
  readonly id?: string;
  readonly title?: string;
  readonly price?: string;
  readonly rest?: string;
  readonly subtitle?: string;
};

const CARD = {
  id: ITEM,
  title: 'Acme Quiet Drill',
  price: '$119.00',
  rest: '',
  subtitle: 'New (Other)',
};

export function oldCard(parts: CardParts = {}): string {
  const { id, title, price, rest, subtitle } = { ...CARD, ...parts };
  return `<li class="s-item s-item__pl"><a class="s-item__link" href="${itemUrl(id, null) ?? `/itm/${id}`}?hash=x">
    <div class="s-item__title"><span>${title}</span></div><span class="clipped">Opens in a new window or tab</span></a>
    <div class="s-item__subtitle">${subtitle}</div><img src="https://pictures.example/${id}.jpg">
    <span class="s-item__price">${price}</span>${rest}</li>`;
}

export function newCard(parts: CardParts = {}): string {
  const { id, title, price, rest, subtitle } = { ...CARD, ...parts };
  return `<li class="s-card s-card--vertical"><a class="s-card__link" href="${itemUrl(id, null) ?? `/itm/${id}`}">
    <div class="s-card__title"><span>New Listing</span><span>${title}</span><span class="clipped">Opens in a new window or tab</span></div></a>
    <div class="s-card__subtitle">${subtitle}</div><span class="s-card__price">${price}</span>${rest}</li>`;
}

export function searchBody(cards: readonly string[], count = '1,200+ results for drill'): string {
  return html(
    '',
    `<h1 class="srp-controls__count-heading">${count}</h1><ul>${cards.join('\n')}</ul>`,
  );
}

export const searchPage = (cards: readonly string[], count?: string): Page =>
  pageOf(searchBody(cards, count), { url: searchUrl('drill') });

/** A script with the prices of two variants. */
export const MSKU =
  'x({"variationsMap":{"77":{"binModel":{"price":{"value":{"value":99.5,"currency":"USD"}}},"quantity":{"outOfStock":false}},' +
  '"78":{"binModel":{"price":{"value":{"value":89,"currency":"USD"}}},"quantity":{"outOfStock":true}}}})';
export const IN_STOCK = { price: '5.00', priceCurrency: 'USD', availability: 'InStock' };
