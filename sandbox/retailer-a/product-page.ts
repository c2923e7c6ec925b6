// retailer_a's product page: plain HTML with the ids and classes of the real one.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { retailerPage } from '../simulated-retailer.ts';
import { printedCode } from '../market/codes.ts';
import { siblingsOf } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { dollars, escapeHtml, scriptJson, money } from '../markup.ts';

/** Left-to-right mark; the page puts it around labels and values of the details. */
const MARK = '\u200e';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `Tuesday, November 24`. */
function longDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return `${WEEKDAYS[date.getUTCDay()]}, ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}`;
}

/** Returns a listing's address; the canonical one has words of the title before it. */
function canonical({ origin, listing, product }: ListingView): string {
  const words = product.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `${origin}/${words}/dp/${listing.id}`;
}

export function priceBlock(view: ListingView, cents: number): string {
  const text = money(view, cents);
  const [whole = '', fraction = ''] = text.slice(1).split('.');
  return `<span class="a-price aok-align-center" data-a-size="xl" data-a-color="base"><span class="a-offscreen">${text}</span><span aria-hidden="true"><span class="a-price-symbol">${text.charAt(0)}</span><span class="a-price-whole">${whole}<span class="a-price-decimal">.</span></span><span class="a-price-fraction">${fraction}</span></span></span>`;
}

export function deliveryBlock(shippingCents: number, day: string): string {
  const price = shippingCents === 0 ? 'FREE' : dollars(shippingCents);
  return `<div id="mir-layout-DELIVERY_BLOCK"><div id="mir-layout-DELIVERY_BLOCK-slot-PRIMARY_DELIVERY_MESSAGE_LARGE"><span data-csa-c-content-id="DEXUnifiedCXPDM" data-csa-c-delivery-price="${price}" data-csa-c-delivery-time="${longDay(day)}">${price} delivery <span class="a-text-bold">${longDay(day)}</span>.</span></div></div>`;
}

export function productPage(view: ListingView): SimulatedAnswer {
  const { product, listing, totals } = view;
  const head = `<link rel="canonical" href="${canonical(view)}">
<meta name="title" content="${escapeHtml(product.title)}">`;
  const rating =
    totals.average === null
      ? ''
      : `<div id="averageCustomerReviews" data-asin="${listing.id}">
<span id="acrPopover" class="reviewCountTextLinkedHistogram" title="${totals.average} out of 5 stars"><a><span class="a-icon-alt">${totals.average} out of 5 stars</span></a></span>
<a id="acrCustomerReviewLink"><span id="acrCustomerReviewText">${totals.count} ratings</span></a></div>`;
  const sold =
    view.soldTag === null
      ? ''
      : `<div id="socialProofingAsinFaceout_feature_div"><span id="social-proofing-faceout-title-tk_bought"><span class="a-text-bold">${view.soldTag.split(' ')[0]} bought</span> in past month</span></div>`;
  const best = view.isBestSeller
    ? '<div id="zeitgeistBadge_feature_div"><div class="badge-wrapper"><i class="a-icon a-icon-addon p13n-best-seller-badge">#1 Best Seller</i></div></div>'
    : '';
  const crumbs = product.categories
    .map(
      (name) =>
        `<li><span class="a-list-item"><a class="a-link-normal" href="/b?node=1">${escapeHtml(name)}</a></span></li>`,
    )
    .join('<li class="a-breadcrumb-divider">›</li>');
  const body = `<div id="nav"><a href="/">Home</a></div>
<div id="dp" class="en_US"><div id="wayfinding-breadcrumbs_feature_div"><ul>${crumbs}</ul></div>
<div id="centerCol"><div id="titleSection"><h1 id="title"><span id="productTitle" class="a-size-large"> ${escapeHtml(product.title)} </span></h1></div>
<a id="bylineInfo" href="/stores/x">Visit the ${escapeHtml(product.brand)} Store</a>
${rating}${best}${sold}
${corePrice(view)}
<table class="a-normal"><tr class="po-brand"><td><span class="a-text-bold">Brand</span></td><td><span class="a-size-base po-break-word">${escapeHtml(product.brand)}</span></td></tr></table>
<div id="feature-bullets"><ul>${product.features.map((text) => `<li><span class="a-list-item"> ${escapeHtml(text)} </span></li>`).join('')}</ul></div></div>
<div id="rightCol">${buyBox(view)}</div>
<div id="imageBlock"><img id="landingImage" alt="${escapeHtml(product.title)}" src="${view.images[0]}" data-old-hires="${view.images[0]}"></div>
<script>P.when('A').register("ImageBlockATF", function(A){ var data = { 'colorImages': { 'initial': ${scriptJson(view.images.map((url) => ({ hiRes: url, large: url, variant: 'MAIN' })))}}, 'colorToAsin': {'initial': {}} }; return data; });</script>
${variations(view)}
<div id="productDescription"><p><span>${escapeHtml(product.description)}</span></p></div>
${details(view)}
${histogram(view)}
<div id="similarities"><div class="a-carousel-card"><a href="/dp/B0SIMILAR0">Something similar</a><span class="a-price"><span class="a-offscreen">$3.33</span></span></div></div></div>`;
  return htmlAnswer(200, retailerPage(`${product.title} : ${product.categories[0]}`, head, body));
}

function corePrice(view: ListingView): string {
  if (view.cents === null) return '';
  const was =
    view.wasCents === null
      ? ''
      : `<span class="a-size-small aok-offscreen"></span><span class="basisPrice">List Price: <span class="a-price a-text-price" data-a-size="s" data-a-strike="true" data-a-color="secondary"><span class="a-offscreen">${money(view, view.wasCents)}</span><span aria-hidden="true">${money(view, view.wasCents)}</span></span></span>`;
  return `<div id="apex_desktop"><div id="corePriceDisplay_desktop_feature_div">
<span class="a-price priceToPay"><span class="a-offscreen">${money(view, view.cents)}</span></span>${was}</div></div>`;
}

function buyBox(view: ListingView): string {
  const { buyBox: offer } = view;
  if (offer === null || view.cents === null) {
    return `<div id="availability_feature_div"><div id="outOfStock"><div id="availability"><span class="a-color-price a-text-bold">Currently unavailable.</span><br>We don't know when or if this item will be back in stock.</div></div></div>`;
  }
  const { seller } = offer;
  const seen = offer.isFirstParty
    ? `<span class="a-size-small tabular-buybox-text-message">${seller.name}</span>`
    : `<a id="sellerProfileTriggerId" href="/gp/help/seller/at-a-glance.html?ie=UTF8&amp;seller=${seller.id}&amp;asin=${view.listing.id}">${escapeHtml(seller.name)}</a>`;
  const ships = offer.isFulfilledByRetailer ? shipperName(view) : escapeHtml(seller.name);
  const stock =
    offer.quantityLeft === null
      ? 'In Stock'
      : `Only ${offer.quantityLeft} left in stock - order soon.`;
  return `<div id="buybox"><form id="addToCart"><input type="hidden" id="ASIN" name="ASIN" value="${view.listing.id}">
<div id="corePrice_feature_div">${priceBlock(view, view.cents)}</div>
${deliveryBlock(offer.shippingCents, offer.deliveryDay)}
<div id="availability_feature_div"><div id="availability"><span class="a-size-medium a-color-success"> ${stock} </span></div></div>
<div id="fulfillerInfoFeature_feature_div"><div class="offer-display-feature-label"><span>Ships from</span></div><div class="offer-display-feature-text"><span class="a-size-small offer-display-feature-text-message">${ships}</span></div></div>
<div id="merchantInfoFeature_feature_div"><div class="offer-display-feature-label"><span>Sold by</span></div><div class="offer-display-feature-text"><div class="offer-display-feature-text-message">${seen}</div></div></div>
</form></div>`;
}

/** Returns the retailer's name as shipper: the first label of its host name. */
export function shipperName({ origin }: ListingView): string {
  const label = new URL(origin).hostname.replace(/^www\./, '').split('.')[0] ?? '';
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function variations(view: ListingView): string {
  const siblings = siblingsOf(view);
  if (siblings.length < 2) return '';
  const values = Object.fromEntries(siblings.map(({ id, product }) => [id, [product.colour]]));
  const toAsin = Object.fromEntries(siblings.map(({ id }, at) => [String(at), id]));
  return `<script>P.register('twister-js-init-dpx-data', function() { var dataToReturn = { "currentAsin" : "${view.listing.id}", "dimensionToAsinMap" : ${scriptJson(toAsin)}, "dimensionValuesDisplayData" : ${scriptJson(values)}, "dimensions" : ["color_name"] }; return dataToReturn; });</script>`;
}

function details(view: ListingView): string {
  const { product, listing } = view;
  const { height, width, length } = product.sides;
  const box = product.packageSides;
  const rows: readonly (readonly [string, string])[] = [
    ['Product Dimensions', `${length}"L x ${width}"W x ${height}"H`],
    [
      'Package Dimensions',
      `${box.length} x ${box.width} x ${box.height} inches; ${product.packagePounds} Pounds`,
    ],
    ['Item Weight', `${product.pounds} pounds`],
    ['Manufacturer', product.brand],
    ['Brand', product.brand],
    ['ASIN', listing.id],
    ['Item model number', product.model],
    ['Manufacturer Part Number', product.mpn],
    ...(product.colour === null ? [] : ([['Color', product.colour]] as const)),
    ...(product.packCount === null
      ? []
      : ([['Item Package Quantity', String(product.packCount)]] as const)),
    ...(product.hazmat === 'battery'
      ? ([['Batteries', '1 Lithium Ion batteries required. (included)']] as const)
      : []),
    ...barcodeRow(view),
    ['Date First Available', firstAvailable(product.firstDay)],
  ];
  const cells = rows.map(
    ([name, value]) =>
      `<tr><th class="a-color-secondary a-size-base prodDetSectionEntry"> ${name} </th><td class="a-size-base prodDetAttrValue"> ${MARK}${escapeHtml(value)} </td></tr>`,
  );
  const all = [...cells, ...rankRow(view)].join('\n');
  return `<div id="prodDetails"><table id="productDetails_techSpec_section_1" class="a-keyvalue prodDetTable">${all}</table></div>`;
}

/** Returns the rank row: the widest category has a link to its hundred best, a narrower one is itself a link. */
function rankRow({ salesRanks }: ListingView): readonly string[] {
  const [department, ...narrower] = salesRanks;
  if (department === undefined) return [];
  const number = (rank: number): string => `#${rank.toLocaleString('en-US')}`;
  const name = escapeHtml(department.category);
  const items = [
    `${number(department.rank)} in ${name} (<a href="/gp/bestsellers/1">See Top 100 in ${name}</a>)`,
    ...narrower.map(
      ({ category, rank }) =>
        `${number(rank)} in <a href="/gp/bestsellers/1/2">${escapeHtml(category)}</a>`,
    ),
  ].map((text) => `<li><span class="a-list-item"><span>${text}</span></span></li>`);
  return [
    `<tr><th class="a-color-secondary a-size-base prodDetSectionEntry"> Best Sellers Rank </th><td><span><ul class="a-unordered-list a-nostyle a-vertical">${items.join('')}</ul></span></td></tr>`,
  ];
}

function barcodeRow({ listing, barcode }: ListingView): readonly (readonly [string, string])[] {
  if (barcode === null || listing.publishedGtin === null) return [];
  const code = printedCode(listing.publishedGtin);
  if (code.startsWith('978')) return [['ISBN-13', `${code.slice(0, 3)}-${code.slice(3)}`]];
  return code.length === 12 ? [['UPC', code]] : [['EAN', code]];
}

function firstAvailable(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${MONTHS[(month ?? 1) - 1]} ${date}, ${year}`;
}

/** Shows percentages of the reviews, not counts. */
function histogram({ totals }: ListingView): string {
  if (totals.count === 0) return '';
  const rows = ['5', '4', '3', '2', '1'].map((stars) => {
    const share = Math.round(((totals.distribution[stars] ?? 0) / totals.count) * 100);
    return `<tr><td>${stars} star</td><td class="a-text-right"><a>${share}%</a></td></tr>`;
  });
  return `<table id="histogramTable">${rows.join('')}</table>`;
}
