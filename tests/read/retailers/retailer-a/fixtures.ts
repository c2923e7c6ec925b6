// Invented pages and answers of retailer_a in the shape that the reference describes: parts by id, combined by each test as
// needed.

import {
  CREATORS_API,
  retailerAAddressBook,
} from '../../../../src/read/retailers/retailer-a/address-book.ts';
import type { Page } from '../../../../src/base/listing/page.ts';
import { pageOf } from '../page-fixtures.ts';

export const ASIN = 'B0ACME0001';
export const OTHER_ASIN = 'B0ACME0002';
export const CANDIDATE = { kind: 'asin', value: ASIN, retailer: 'retailer_a' } as const;
export const URL_OF_PAGE = retailerAAddressBook.productUrl(CANDIDATE) ?? '';
export const HOST = CREATORS_API.marketplace;
/** The retailer's name as a seller: its host. */
export const OWN_NAME = `A${retailerAAddressBook.hosts[0].slice(1)}`;

/** Returns an amount in the site's markup. */
export function amount(text: string, classes = '', attributes = ''): string {
  const [whole = '', fraction = '00'] = text.replace('$', '').split('.');
  return (
    `<span class="a-price ${classes}" ${attributes}><span class="a-offscreen">${text}</span>` +
    `<span aria-hidden="true"><span class="a-price-symbol">$</span><span class="a-price-whole">${whole}` +
    `<span class="a-price-decimal">.</span></span><span class="a-price-fraction">${fraction}</span></span></span>`
  );
}

export const PARTS = {
  canonical: `<link rel="canonical" href="https://${HOST}/Acme-Anvil/dp/${ASIN}">`,
  trail:
    '<div id="wayfinding-breadcrumbs_feature_div"><ul><li><a href="/a">Tools</a></li><li>›</li>' +
    '<li><a href="/b">Anvils &amp; Forges</a></li></ul></div>',
  image:
    '<img id="landingImage" src="https://pictures.example/s.jpg" data-old-hires="https://pictures.example/l.jpg">',
  title: '<h1 id="title"><span id="productTitle"> Acme Anvil, 10 lb &amp; Stand </span></h1>',
  byline: '<a id="bylineInfo" href="/stores/Acme">Visit the Acme Store</a>',
  reviews:
    `<div id="averageCustomerReviews" data-asin="${ASIN}"><span id="acrPopover" title="4.6 out of 5 stars">` +
    '<span>4.6</span></span><span id="acrCustomerReviewText">1,234 ratings</span></div>',
  sold: '<span id="social-proofing-faceout-title-tk_bought"><b>1K+ bought</b> in past month</span>',
  badge: '<div id="zeitgeistBadge_feature_div"></div>',
  price:
    `<div id="corePriceDisplay_desktop_feature_div">${amount('$24.50', 'priceToPay')}` +
    `<span class="basisPrice">List Price: ${amount('$29.99', 'a-text-price', 'data-a-strike="true"')}</span></div>`,
  buyBox:
    `<div id="corePrice_feature_div">${amount('$24.50')}</div>` +
    '<div id="mir-layout-DELIVERY_BLOCK-slot-PRIMARY_DELIVERY_MESSAGE_LARGE"><span data-csa-c-delivery-price="$5.99" ' +
    'data-csa-c-delivery-time="Tuesday, November 24" data-csa-c-delivery-condition="">$5.99 delivery</span></div>' +
    '<div id="availability"><span>In Stock</span></div>',
  merchant:
    '<div id="fulfillerInfoFeature_feature_div">Ships from Acme Outlet</div>' +
    '<div id="merchantInfoFeature_feature_div"><span>Sold by</span><span class="offer-display-feature-text-message">' +
    '<a id="sellerProfileTriggerId" href="/gp/help/seller/at-a-glance.html?ie=UTF8&amp;seller=A1ACMEOUTLET1&amp;asin=x">Acme Outlet</a></span></div>',
  cart:
    `<input type="hidden" id="ASIN" name="ASIN" value="${ASIN}">` +
    '<input type="hidden" name="merchantID" value="A1ACMEOUTLET1">' +
    '<input id="add-to-cart-button" type="submit" value="Add to Cart">',
  others:
    '<div id="olpLinkWidget_feature_div"><span>New &amp; Used (7) from </span><span>$19.00</span></div>',
  bullets: '<div id="feature-bullets"><ul><li>Rings clear</li><li>Made of steel</li></ul></div>',
  details:
    '<table id="productDetails_techSpec_section_1"><tr><th>Brand</th><td>\u200eAcme</td></tr>' +
    '<tr><th>Item model number</th><td>\u200eAN-10</td></tr><tr><th>Part Number</th><td>AN10-S</td></tr>' +
    '<tr><th>Item Weight</th><td>10 pounds</td></tr>' +
    '<tr><th>Item Dimensions LxWxH</th><td>12 x 4 x 6 inches</td></tr></table>' +
    '<div id="detailBullets_feature_div"><ul><li><span><b>Package Dimensions \u200f : \u200e</b> ' +
    '<span>14 x 6 x 8 inches; 11.5 Pounds</span></span></li><li><b>UPC :</b> 099900000012</li></ul></div>',
  histogram:
    '<table id="histogramTable"><tr><td>5 star</td><td>80%</td></tr><tr><td>4 star</td><td>10%</td></tr>' +
    '<tr><td>3 star</td><td>5%</td></tr><tr><td>2 star</td><td>2%</td></tr><tr><td>1 star</td><td>3%</td></tr></table>',
  carousel: `<div class="carousel">${amount('$1.99', 'priceToPay')} 3.1 out of 5 stars "UPC: 000000000000"</div>`,
} as const;

export type Parts = Partial<Record<keyof typeof PARTS, string>> & { readonly extra?: string };

/** Returns a product page; a part given as an empty text is left out. */
export function productHtml(changes: Parts = {}): string {
  const parts: Readonly<Record<string, string>> = { ...PARTS, ...changes };
  const body = Object.values(parts).join('\n');
  return `<!doctype html><html lang="en-us"><head><title>Acme Anvil</title></head><body>${body}</body></html>`;
}

export function productPage(changes: Parts = {}): Page {
  return pageOf(productHtml(changes), { url: URL_OF_PAGE });
}

export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Page {
  return pageOf(JSON.stringify(value), {
    url: `${CREATORS_API.origin}/`,
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Returns a card of a result list. */
export function card(asin: string, title: string, inner: string, classes = ''): string {
  return (
    `<div data-asin="${asin}" data-component-type="s-search-result" class="s-result-item ${classes}">` +
    `<img class="s-image" src="https://pictures.example/${asin}.jpg"><h2 aria-label="${title}"><span>${title}</span></h2>${inner}</div>`
  );
}

export const SEARCH =
  '<div class="s-main-slot s-search-results">1-4 of 4 results for' +
  card(
    ASIN,
    'Acme Anvil, 10 lb',
    '<span class="a-icon-alt">4.6 out of 5 stars</span><a aria-label="1,234 ratings">(1.2K)</a>' +
      `<div data-cy="price-recipe">${amount('$24.50')} ${amount('$29.99', 'a-text-price', 'data-a-strike="true"')}</div>` +
      '<span>1K+ bought in past month</span>',
  ) +
  card(
    OTHER_ASIN,
    'Sponsored Ad - Bolt Anvil',
    `${amount('$9.99')}<span class="puis-sponsored-label-text">Sponsored</span>`,
  ) +
  card(
    'B0ACME0003',
    'Acme Anvil (Renewed)',
    `<div data-cy="secondary-offer-recipe">More Buying Choices ${amount('$17.00')}</div>`,
  ) +
  card('', 'A placeholder', '') +
  card(
    'B0ACME0004',
    'Bolt Hammer',
    `<a href="/sspa/click?x">ad</a>${amount('$3.00')}`,
    'AdHolder',
  ) +
  '</div>';

function offer(id: string, body: string): string {
  return `<div id="${id}" class="a-section">${body}</div>`;
}

export const OFFERS =
  '<div id="aod-container"><input id="aod-total-offer-count" type="hidden" value="2">' +
  offer(
    'aod-pinned-offer',
    `<div id="aod-offer-heading"><h5>New</h5></div><div id="aod-offer-price">${amount('$24.50')}</div>` +
      '<span data-csa-c-delivery-price="FREE" data-csa-c-delivery-time="Friday, November 27"></span>' +
      `<div id="aod-offer-shipsFrom"><span>Ships from</span><span>${OWN_NAME}</span></div>` +
      `<div id="aod-offer-soldBy"><span>Sold by</span><span>${OWN_NAME}</span></div>`,
  ) +
  '<div id="aod-offer-list">' +
  offer(
    'aod-offer',
    `<div id="aod-offer-heading"><h5>Used - Very Good</h5></div><div id="aod-offer-price">${amount('$19.00')}</div>` +
      '<span data-csa-c-delivery-price="$4.99" data-csa-c-delivery-time="December 1 - 4"></span>' +
      '<div id="aod-offer-shipsFrom"><span>Ships from</span><span>Bolt Trading</span></div>' +
      '<div id="aod-offer-soldBy"><a href="/gp/aag/main?seller=A2BOLTTRADING&amp;x=1">Bolt Trading</a></div>' +
      '<div id="aod-offer-seller-rating"><i class="a-icon-alt">4.5 out of 5 stars</i><span>(1,234 ratings)</span>' +
      '<span>95% positive over last 12 months</span></div><div>Only 3 left in stock - order soon.</div>' +
      '<input name="offeringID.1" value="abc%2Fdef">',
  ) +
  offer(
    'aod-offer',
    `<div id="aod-offer-heading">Refurbished</div>${amount('$21.00')}` +
      '<div id="aod-offer-shipsFrom">Ships from Amazon</div>' +
      '<div id="aod-offer-soldBy">Sold by <a href="?seller=A3ANVILWORLD">Anvil World</a></div>',
  ) +
  '</div></div>';

export const CREATORS_ITEM = {
  asin: ASIN,
  parentASIN: 'B0ACME0000',
  itemInfo: {
    title: { displayValue: 'Acme Anvil' },
    byLineInfo: { brand: { displayValue: 'Acme' }, manufacturer: { displayValue: 'Acme Works' } },
    externalIds: { upcs: { displayValues: ['099900000012'] } },
    features: { displayValues: ['Rings clear', 'Made of steel'] },
    productInfo: {
      itemDimensions: {
        height: { displayValue: 6, unit: 'inches' },
        width: { displayValue: 4, unit: 'inches' },
        length: { displayValue: 1, unit: 'feet' },
        weight: { displayValue: 10, unit: 'pounds' },
      },
    },
    manufactureInfo: {
      model: { displayValue: 'AN-10' },
      itemPartNumber: { displayValue: 'AN10-S' },
    },
  },
  images: { primary: { large: { url: 'https://pictures.example/l.jpg' } } },
  browseNodeInfo: {
    browseNodes: [{ displayName: 'Anvils', ancestor: { displayName: 'Tools' } }],
  },
  offersV2: {
    listings: [
      { isBuyBoxWinner: false, price: { money: { amount: 20, currency: 'USD' } } },
      {
        isBuyBoxWinner: true,
        price: {
          money: { amount: 24.5, currency: 'USD' },
          savingBasis: { money: { amount: 29.99 } },
        },
        merchantInfo: { name: 'Acme Outlet', id: 'A1ACMEOUTLET1' },
        availability: { type: 'IN_STOCK_SCARCE' },
        condition: { value: 'New' },
      },
    ],
  },
};

export const CATALOG = {
  numberOfResults: 1,
  items: [
    {
      asin: ASIN,
      attributes: { supplier_declared_dg_hz_regulation: [{ value: 'ghs' }] },
      identifiers: [
        {
          marketplaceId: 'ATVPDKIKX0DER',
          identifiers: [
            { identifierType: 'SKU', identifier: '012345678905' },
            { identifierType: 'UPC', identifier: '099900000012' },
          ],
        },
      ],
      dimensions: [
        {
          marketplaceId: 'ATVPDKIKX0DER',
          item: {
            height: { unit: 'inches', value: 6 },
            width: { unit: 'inches', value: 4 },
            length: { unit: 'inches', value: 12 },
            weight: { unit: 'pounds', value: 10 },
          },
          package: { weight: { unit: 'kilograms', value: 5 } },
        },
      ],
      images: [
        {
          marketplaceId: 'ATVPDKIKX0DER',
          images: [
            { variant: 'PT01', link: 'https://pictures.example/2.jpg' },
            { variant: 'MAIN', link: 'https://pictures.example/1.jpg' },
          ],
        },
      ],
      summaries: [
        {
          marketplaceId: 'ATVPDKIKX0DER',
          brand: 'Acme',
          itemName: 'Acme Anvil',
          modelNumber: 'AN-10',
          partNumber: 'AN10-S',
          packageQuantity: 2,
        },
      ],
      classifications: [
        {
          marketplaceId: 'ATVPDKIKX0DER',
          classifications: [{ displayName: 'Anvils', parent: { displayName: 'Tools' } }],
        },
      ],
    },
  ],
};

export const ITEM_OFFERS = {
  payload: {
    ASIN,
    status: 'Success',
    Summary: { TotalOfferCount: 12 },
    Offers: [
      {
        SellerId: 'A1ACMEOUTLET1',
        SubCondition: 'new',
        SellerFeedbackRating: { SellerPositiveFeedbackRating: 97, FeedbackCount: 812 },
        ShippingTime: { availabilityType: 'NOW' },
        ListingPrice: { CurrencyCode: 'USD', Amount: 24.5 },
        Shipping: { CurrencyCode: 'USD', Amount: 0 },
        IsFulfilledByAmazon: true,
        IsBuyBoxWinner: true,
      },
      { SubCondition: 'new' },
    ],
  },
};
