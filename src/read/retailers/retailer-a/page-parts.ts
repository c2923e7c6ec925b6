// Finds the parts of a retailer_a product page by id in one pass, each with the buying option it belongs to. The rest of
// the page (carousels, ads, other products) is not read.

import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { hasWord, wordToFind } from '../../page-data/html/find-word.ts';
import {
  attributeOf,
  hasClass,
  innerHtml,
  pageElements,
} from '../../page-data/html/page-elements.ts';
import { visibleText } from '../../page-data/html/page-elements.ts';
import type { PageElement } from '../../page-data/html/page-elements.ts';
import type { MarkupScanner } from '../../page-data/html/markup.ts';

/** A buying option. Only `main` is the price for everyone. */
export type BuyingOption = 'main' | 'member' | 'used' | 'renewed' | 'subscription' | 'other';

type PagePart = {
  readonly element: PageElement;
  readonly option: BuyingOption;
  /** Whether the page marks it as the option for new goods. */
  readonly isNew: boolean;
  /** The content as written. */
  readonly inner: string;
  /** The content including the part's own tags. */
  readonly outer: string;
};

export type PageParts = {
  readonly html: string;
  readonly words: UnknownWords;
  /** The parts of that name in page order, at most six. */
  readonly all: (name: string) => readonly PagePart[];
  /** Returns the visible text of the first part that has any. */
  readonly text: (name: string, max?: number) => string | null;
  /** An attribute of the first part where it is not blank. */
  readonly attribute: (name: string, attribute: string) => string | null;
};

const IDS = new Set(
  [
    'productTitle ebooksProductTitle btAsinTitle gc-asin-title title bylineInfo dmusicProductTitle_feature_div',
    'ASIN averageCustomerReviews all-offers-display-params twister-plus-asin',
    'corePrice_feature_div corePriceDisplay_desktop_feature_div apex_offerDisplay_desktop',
    'corePriceDisplay_mobile_feature_div corePrice_desktop apex_desktop price_inside_buybox',
    'newBuyBoxPrice priceblock_dealprice priceblock_saleprice priceblock_ourprice kindle-price',
    'buyNewSection actualPriceValue tp_price_block_total_price_ww usedbuyBox',
    'price listPrice print-list-price digital-list-price usedBuySection usedOnlyBuybox usedPrice',
    'availability availabilityInsideBuyBox_feature_div outOfStock outOfStockBuyBox_feature_div',
    'add-to-cart-button buy-now-button one-click-button buybox-see-all-buying-choices',
    'sellerProfileTriggerId merchantInfoFeature_feature_div merchant-info merchantInfo merchantID',
    'tabular-buybox delivery-message ddmDeliveryMessage deliveryBlockMessage',
    'olpLinkWidget_feature_div olp_feature_div dynamic-aod-ingress-box aod-ingress-link',
    'acrPopover acrCustomerReviewText histogramTable zeitgeistBadge_feature_div',
    'social-proofing-faceout-title-tk_bought wayfinding-breadcrumbs_feature_div',
    'landingImage imgBlkFront ebooksImgBlkFront main-image feature-bullets productDescription',
    'productOverview_feature_div detailBullets_feature_div detail-bullets',
    'productFactsDesktop_feature_div bookDescription_feature_div',
    'brand detail_bullets_id prodDetails unqualifiedBuyBox SalesRank',
  ]
    .join(' ')
    .split(' '),
);

const BRAND_ROW = new Set(['po-brand']);
const DETAIL_TABLE = new Set(['prodDetTable']);
const DETAIL_TABLE_ID = /^(?:productDetails|technicalSpecifications)_/;
/** Formats of a book; the selected one is the page's. */
const SWATCH = 'tmm-grid-swatch-';
const SWATCH_CLASS = new Set(['swatchElement']);
const SWATCH_WORD = wordToFind('swatchElement');
const SELECTED = new Set(['selected']);
/** Rows of the price table of books before 2019, which have classes instead of ids. */
const PRICE_ROWS: readonly (readonly [string, ReadonlySet<string>])[] = [
  ['kindle-price', new Set(['kindle-price'])],
  ['digital-list-price', new Set(['digital-list-price'])],
];
/** Prices by buying option, in the page's script data. */
const OPTION_PRICES = 'twister-plus-buying-options-price-data';
const DELIVERY_SLOT = 'mir-layout-DELIVERY_BLOCK-slot-';
/** Rows for choosing a variant. */
export const VARIANT_ROW = 'inline-twister-row-';
/** Rows of the box for choosing a buying option. */
const ROW = 'row';
const ROW_ID = 'AccordionRow';

const PARTS_KEPT = 6;
/** Number of characters of a part searched for its buying option. */
const OPTION_LENGTH = 1500;

/**
 * Returns the name of the part that a tag opens; null for other tags. `hasSwatches` states whether the swatch class occurs
 * on the page.
 */
function nameOf(tag: MarkupScanner, hasSwatches: boolean): string | null {
  const id = tag.attribute('id');
  if (id !== null) {
    if (IDS.has(id)) return id;
    if (id.includes(ROW_ID)) return ROW;
    if (id.startsWith(DELIVERY_SLOT)) return deliverySlot(id.slice(DELIVERY_SLOT.length));
    if (id.startsWith(VARIANT_ROW)) return VARIANT_ROW;
  }
  const isSwatch = id?.startsWith(SWATCH) === true || (hasSwatches && hasClass(tag, SWATCH_CLASS));
  if (isSwatch && hasClass(tag, SELECTED)) return 'format';
  switch (tag.name) {
    case 'table':
      return DETAIL_TABLE_ID.test(id ?? '') || hasClass(tag, DETAIL_TABLE) ? 'details' : null;
    case 'input': {
      const name = tag.attribute('name');
      return name === 'ASIN' || name === 'merchantID' ? name : null;
    }
    case 'tr':
      if (hasClass(tag, BRAND_ROW)) return 'brand row';
      return PRICE_ROWS.find(([, classes]) => hasClass(tag, classes))?.[0] ?? null;
    case 'div':
      if (tag.attribute('tabular-attribute-name') === 'Sold by') return 'sold by';
      if (tag.attributeHas('class', OPTION_PRICES)) return 'option prices';
      return isBadge(tag) ? 'badge' : null;
    case 'span':
    case 'a':
    case 'i':
      return isBadge(tag) ? 'badge' : null;
    case 'link':
      return tag.attribute('rel') === 'canonical' ? 'canonical' : null;
    default:
      return null;
  }
}

function isBadge(tag: MarkupScanner): boolean {
  return tag.attributeHas('class', 'badge-wrapper');
}

function deliverySlot(slot: string): string | null {
  return slot.startsWith('PRIMARY_') || slot === 'DELIVERY_MESSAGE' ? 'delivery' : null;
}

const OPTIONS: readonly (readonly [BuyingOption, RegExp])[] = [
  ['member', /prime|member/i],
  ['used', /used/i],
  ['renewed', /renewed|refurbished/i],
  ['subscription', /sns|subscri/i],
  ['other', /trade-?in|PICKUP|(?:^|[\s_])rent|Rent|unlimited|installment/],
];

const NEW = /\bNEW\b|\bnew(?:Offer)?AccordionRow/;

/** Returns the buying option based on the names of the row, the part and the option. */
function optionOf(names: string): BuyingOption {
  return OPTIONS.find(([, pattern]) => pattern.test(names))?.[0] ?? 'main';
}

function isInside(element: PageElement, other: PageElement): boolean {
  return element.start >= other.from && element.start < other.to;
}

/** Finds the parts of a page. */
export function pagePartsOf(html: string, words: UnknownWords): PageParts {
  const byName = new Map<string, PageElement[]>();
  const hasSwatches = hasWord(html, SWATCH_WORD);
  for (const element of pageElements(html, (tag) => nameOf(tag, hasSwatches))) {
    const list = byName.get(element.key);
    if (list === undefined) byName.set(element.key, [element]);
    else if (list.length < (element.key === ROW || element.key === 'details' ? 40 : PARTS_KEPT)) {
      list.push(element);
    }
  }
  const rows = byName.get(ROW) ?? [];
  const partOf = (element: PageElement): PagePart => {
    const inner = innerHtml(html, element);
    const row = rows.findLast((each) => isInside(element, each));
    const names = [
      row === undefined ? '' : (attributeOf(html, row, 'id') ?? ''),
      attributeOf(html, element, 'data-csa-c-slot-id') ?? '',
      /data-csa-c-buying-option-type="([^"]{1,60})"/.exec(inner.slice(0, OPTION_LENGTH))?.[1] ?? '',
    ];
    const outer = html.slice(element.start, element.to);
    const named = names.join(' ');
    return { element, inner, outer, option: optionOf(named), isNew: NEW.test(named) };
  };
  const all = (name: string): readonly PagePart[] => (byName.get(name) ?? []).map(partOf);
  const first = (name: string, read: (element: PageElement) => string | null): string | null => {
    for (const element of byName.get(name) ?? []) {
      const value = read(element);
      if (value !== null && value.trim() !== '') return value;
    }
    return null;
  };
  return {
    html,
    words,
    all,
    text: (name, max = 500) => first(name, (element) => visibleText(html, element, max)),
    attribute: (name, attribute) => first(name, (element) => attributeOf(html, element, attribute)),
  };
}

export function isOf(part: PagePart, options: readonly BuyingOption[]): boolean {
  return options.includes(part.option);
}
