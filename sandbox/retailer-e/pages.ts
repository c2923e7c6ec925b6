// retailer_e's pages: a listing (JSON-LD and visible markup), search results, the page for suspected bots, and the
// 404 page.

import { htmlAnswer } from '../answer.ts';
import type { SimulatedAnswer } from '../answer.ts';
import { retailerPage, searchListings } from '../simulated-retailer.ts';
import { itemNumber } from '../market/codes.ts';
import type { ListingCondition, Market, MarketListing } from '../market/market.ts';
import { hasEnded, siblingsOf, listingViewAt } from '../market/listing-view.ts';
import type { ListingView } from '../market/listing-view.ts';
import { amount, dollars, escapeHtml, jsonLdBlock, scriptJson } from '../markup.ts';

export const CONDITIONS: Readonly<
  Record<ListingCondition, { id: string; name: string; schema: string }>
> = {
  new: { id: '1000', name: 'New', schema: 'NewCondition' },
  open_box: { id: '1500', name: 'Open box', schema: 'NewCondition' },
  refurbished: { id: '2020', name: 'Very Good - Refurbished', schema: 'RefurbishedCondition' },
  used_good: { id: '3000', name: 'Used', schema: 'UsedCondition' },
};

export function itemAddress(market: Market, listing: MarketListing): string {
  return `${market.origins.retailer_e.page}/itm/${listing.id}`;
}

/** Returns a listing, or one colour of a listing with several; the first one if the address specifies none. */
export function listingAt(
  market: Market,
  id: string,
  variation: string | null,
): MarketListing | null {
  const chosen = variation === null ? null : market.find('retailer_e', `${id}?var=${variation}`);
  return (
    chosen ??
    market.find('retailer_e', id) ??
    market.listings('retailer_e').find((one) => one.id.startsWith(`${id}?var=`)) ??
    null
  );
}

function money(view: ListingView, cents: number): string {
  return view.currency === 'USD' ? `US ${dollars(cents)}` : `EUR ${amount(cents)}`;
}

/** Returns the price and stock of every colour, in the script that renders the menus. */
function variationScript(view: ListingView): string {
  if (!view.listing.id.includes('?var=')) return '';
  const views = siblingsOf(view).map((one) => listingViewAt(view.market, one, view.atMs));
  const numberOf = (one: ListingView): string => one.listing.id.split('?var=')[1] ?? '';
  const value = (cents: number | null): object => ({
    price: { value: { value: (cents ?? 0) / 100, currency: view.currency } },
  });
  const model = {
    MSKU: {
      _type: 'MultiSkuViewModel',
      variationsMap: Object.fromEntries(
        views.map((one) => [
          numberOf(one),
          {
            binModel: value(one.cents),
            quantity: {
              outOfStock: !one.inStock,
              quantityInput: {
                validations: [{ _type: 'NumberValidation', maxValue: one.inStock ? 10 : 0 }],
              },
            },
          },
        ]),
      ),
      menuItemMap: Object.fromEntries(
        views.map((one, at) => [
          String(at),
          {
            valueName: one.product.colour,
            valueId: at,
            matchingVariationIds: [Number(numberOf(one))],
          },
        ]),
      ),
      selectMenus: [{ displayLabel: 'Color', menuItemValueIds: views.map((_, at) => at) }],
    },
  };
  return `<script>$model_raptor=${scriptJson(model)}</script>`;
}

export function itemPage(view: ListingView): SimulatedAnswer {
  const { product, listing } = view;
  const head = `<link rel="canonical" href="${view.origin}/itm/${itemNumber(listing.id)}">
<meta property="og:type" content="ebay-objects:item">
<meta property="og:title" content="${escapeHtml(product.title)}">
<meta property="og:image" content="${view.images[0]}">
${jsonLdBlock(structuredData(view))}`;
  const ended = view.isEnded
    ? '<div class="d-statusmessage"><span class="ux-textspans">This listing ended on Mon, Nov 2 at 9:14 AM.</span></div>'
    : '';
  const body = `<nav class="breadcrumbs"><ul>${product.categories.map((name) => `<li><a class="seo-breadcrumb-text" href="/b/x"><span>${escapeHtml(name)}</span></a></li>`).join('')}</ul></nav>
${ended}<div class="ux-image-carousel"><img src="${view.images[0]}" alt=""></div>
<h1 class="x-item-title__mainTitle"><span class="ux-textspans ux-textspans--BOLD">${escapeHtml(product.title)}</span></h1>
${sellerBlock(view)}
${view.isEnded ? '' : offerBlock(view)}
<div class="x-item-condition-text"><div class="ux-icon-text"><span class="ux-textspans">${CONDITIONS[listing.condition].name}</span></div></div>
${specifics(view)}
<iframe id="desc_ifr" title="Seller's description" src="/itmdesc/${itemNumber(listing.id)}"></iframe>
${variationScript(view)}
<div class="similar"><a href="/itm/100000000001">Another thing</a> <span class="price">US $5.55</span></div>`;
  return htmlAnswer(200, retailerPage(product.title, head, body));
}

function offerBlock(view: ListingView): string {
  const { cents, wasCents } = view;
  const was =
    wasCents === null
      ? ''
      : `<div class="x-additional-info"><span class="ux-textspans">Was </span><span class="ux-textspans ux-textspans--STRIKETHROUGH">${money(view, wasCents)}</span></div>`;
  const quantity = view.inStock ? 'More than 10 available' : 'Out of stock';
  const sold =
    view.soldTag === null
      ? ''
      : `<span class="ux-textspans ux-textspans--BOLD">${view.soldTag}</span>`;
  const row = (name: string, label: string, value: string): string =>
    `<div class="ux-labels-values ux-labels-values--${name}"><div class="ux-labels-values__labels-content"><span class="ux-textspans">${label}:</span></div><div class="ux-labels-values__values-content"><span class="ux-textspans ux-textspans--BOLD">${value}</span></div></div>`;
  const shipping = view.shippingCents === 0 ? 'Free' : `US ${dollars(view.shippingCents)}`;
  return `<div class="x-price-section"><div class="x-price-primary"><span class="ux-textspans">${cents === null ? '' : money(view, cents)}</span></div>${was}</div>
<div class="x-quantity__availability"><span class="ux-textspans ux-textspans--SECONDARY">${quantity}</span>${sold}</div>
${row('shipping', 'Shipping', `${shipping} Standard Shipping`)}
${row('deliverto', 'Delivery', `Estimated by ${shortDay(view.deliveryDay)}`)}
${row('returns', 'Returns', '30 days returns. Seller pays for return shipping.')}`;
}

/** `Tue, Nov 24`. */
function shortDay(day: string): string {
  const text = new Date(`${day}T00:00:00Z`).toUTCString();
  const [weekday = '', date = '', month = ''] = text.split(' ');
  return `${weekday} ${month} ${Number(date)}`;
}

function sellerBlock({ listing }: ListingView): string {
  const { seller } = listing;
  if (seller === null) return '';
  return `<div class="x-sellercard-atf__info__about-seller" title="${escapeHtml(seller.name)}"><a href="/usr/${seller.id}"><span class="ux-textspans ux-textspans--BOLD">${seller.id}</span></a><a href="/fdbk/feedback_profile/${seller.id}"><span class="ux-textspans">(${seller.ratingCount})</span></a></div>
<ul class="x-sellercard-atf__data-item-wrapper"><li><span class="ux-textspans">${seller.positivePercent}% positive</span></li></ul>`;
}

/** Returns the item specifics: label and value, as sellers fill them in. */
export function aspectsOf(view: ListingView): readonly (readonly [string, string])[] {
  const { product, listing, barcode } = view;
  const gtin = listing.publishedGtin;
  const label =
    gtin === null
      ? 'UPC'
      : gtin.startsWith('0978')
        ? 'ISBN'
        : gtin.startsWith('00')
          ? 'UPC'
          : 'EAN';
  return [
    ['Brand', product.brand],
    ['MPN', product.mpn],
    ['Model', product.model],
    [label, barcode ?? 'Does not apply'],
    ...(product.colour === null ? [] : ([['Color', product.colour]] as const)),
    ['Item Weight', `${product.pounds} lb`],
    ['Item Height', `${product.sides.height} in`],
    ['Item Width', `${product.sides.width} in`],
    ['Item Length', `${product.sides.length} in`],
  ];
}

function specifics(view: ListingView): string {
  const condition = CONDITIONS[view.listing.condition].name;
  const rows = [['Condition', condition] as const, ...aspectsOf(view)].map(
    ([label, value]) =>
      `<dl class="ux-labels-values ux-labels-values--inline"><dt class="ux-labels-values__labels"><div class="ux-labels-values__labels-content"><div><span class="ux-textspans">${label}</span></div></div></dt><dd class="ux-labels-values__values"><div class="ux-labels-values__values-content"><div><span class="ux-textspans">${escapeHtml(value)}</span></div></div></dd></dl>`,
  );
  return `<div class="ux-layout-section-evo"><div class="ux-layout-section ux-layout-section--features">${rows.join('\n')}</div></div>`;
}

function structuredData(view: ListingView): object {
  const { product, listing, market, barcode } = view;
  const state = view.isEnded ? 'Discontinued' : view.inStock ? 'InStock' : 'OutOfStock';
  // Every second listing repeats its barcode here; the item specifics always have it.
  const repeats = barcode !== null && product.index % 2 === 0;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.title,
    image: view.images,
    brand: { '@type': 'Brand', name: product.brand },
    mpn: product.mpn,
    ...(repeats ? { gtin13: barcode.padStart(13, '0') } : {}),
    offers: {
      '@type': 'Offer',
      url: itemAddress(market, listing),
      price: view.cents === null || view.isEnded ? undefined : amount(view.cents),
      priceCurrency: view.currency,
      availability: `https://schema.org/${state}`,
      itemCondition: `https://schema.org/${CONDITIONS[listing.condition].schema}`,
      shippingDetails: {
        '@type': 'OfferShippingDetails',
        shippingRate: {
          '@type': 'MonetaryAmount',
          value: amount(view.shippingCents),
          currency: 'USD',
        },
      },
    },
  };
}

/** Returns result cards in the newer layout; the first is the placeholder with which every list begins. */
export function searchPage(market: Market, query: string, atMs: number): SimulatedAnswer {
  const found = searchListings(market, 'retailer_e', query, 60).filter(
    (listing) => !hasEnded(market, listing, atMs),
  );
  const cards = found.map((listing) => card(listingViewAt(market, listing, atMs)));
  const placeholder = `<li class="s-card"><a class="s-card__link" href="${market.origins.retailer_e.page}/itm/123456"><div class="s-card__title"><span>Shop on the site</span></div></a><span class="s-card__price">$20.00</span></li>`;
  const body = `<h1 class="srp-controls__count-heading"><span class="BOLD">${cards.length}</span> results</h1>
<ul class="srp-results srp-list">${placeholder}${cards.join('\n')}</ul>`;
  return htmlAnswer(200, retailerPage(query, '', body));
}

function card(view: ListingView): string {
  const { product, listing, market } = view;
  const address = itemAddress(market, listing);
  const link = `${address}${address.includes('?') ? '&amp;' : '?'}hash=item1`;
  const price =
    view.cents === null
      ? ''
      : view.currency === 'USD'
        ? dollars(view.cents)
        : money(view, view.cents);
  return `<li class="s-card s-card--horizontal" data-listingid="${itemNumber(listing.id)}"><a class="s-card__link" href="${link}"><img class="s-card__image" src="${view.images[0]}" alt=""></a>
<a class="s-card__link" href="${link}"><div role="heading" class="s-card__title"><span class="su-styled-text primary default">${escapeHtml(product.title)}</span></div></a>
<div class="s-card__subtitle"><span class="su-styled-text secondary default">${CONDITIONS[listing.condition].name === 'New' ? 'Brand New' : CONDITIONS[listing.condition].name}</span></div>
<span class="su-styled-text primary bold large-1 s-card__price">${price}</span></li>`;
}

export function wallPage(status: 'usual' | 200): SimulatedAnswer {
  return htmlAnswer(
    status === 200 ? 200 : 403,
    retailerPage(
      'Pardon Our Interruption...',
      '',
      '<h1>Pardon Our Interruption...</h1><p>As you were browsing something about your browser made us think you might be a bot.</p><form action="/splashui/captcha"></form>',
    ),
  );
}

export function gonePage(): SimulatedAnswer {
  return htmlAnswer(
    404,
    retailerPage('Error Page', '', '<p>We looked everywhere. Looks like this page is missing.</p>'),
  );
}
