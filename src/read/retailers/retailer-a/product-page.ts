// Converts a product page of retailer_a to a listing. There is no state object, so the visible page is read part by part
// (page-parts.ts). The ASIN actually served is read from the page, never taken from the address.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { readSoldTag } from '../../../base/listing/vocabularies/sold-tag.ts';
import { cleanText } from '../../../base/listing/text/text.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { decodeBody } from '../../page-data/html/charset.ts';
import { indexOfPattern, indexOfWord, wordToFind } from '../../page-data/html/find-word.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { pageElements, visibleText } from '../../page-data/html/page-elements.ts';
import { asinIn, isAsin, retailerAAddressBook } from './address-book.ts';
import { readBuyBox } from './buy-box.ts';
import { asOfCountry, otherCountryCurrency } from './other-countries.ts';
import { detail, detailRows, factsOfDetails, salesRanksOf } from './details.ts';
import type { DetailRows } from './details.ts';
import { pagePartsOf, VARIANT_ROW } from './page-parts.ts';
import type { PageParts } from './page-parts.ts';
import { isRenewedTitle, ratingOf, reviewCountOf, starCounts } from './ratings.ts';
import { obstacleIn, statusVerdict } from './walls.ts';
import { productAnswer } from '../expected-fields.ts';

const TITLE_LENGTH = 1000;
/** Title element of music download pages. */
const MUSIC_TITLE = 'dmusicProductTitle_feature_div';
const TITLES = ['productTitle', 'ebooksProductTitle', 'btAsinTitle', 'gc-asin-title', MUSIC_TITLE];

function titleOf(parts: PageParts): string | null {
  for (const name of TITLES) {
    const text = parts.text(name, TITLE_LENGTH) ?? parts.attribute(name, 'value');
    if (text !== null) return cleanText(text, TITLE_LENGTH) || null;
  }
  // The page for small screens has only the heading.
  const isHeading = parts.all('title').some(({ element }) => /^(?:h1|span)$/.test(element.name));
  return isHeading ? parts.text('title', TITLE_LENGTH) : null;
}

function canonicalAsin(parts: PageParts, base: string): string | null {
  const href = parts.attribute('canonical', 'href');
  const url = absoluteUrl(href, absoluteUrl(base, null));
  if (url === null) return null;
  const isAbroad = otherCountryCurrency(url.href) !== null;
  return isAbroad ? asinIn(url) : (retailerAAddressBook.reduce(url)?.value ?? null);
}

/**
 * Returns the ASINs stated on the page, the cart form's first. The canonical link comes last: it may be the parent of a
 * variant family.
 */
function servedAsins(parts: PageParts, base: string): readonly string[] {
  const named = [
    parts.attribute('ASIN', 'value'),
    parts.attribute('all-offers-display-params', 'data-asin'),
    parts.attribute('twister-plus-asin', 'value'),
    parts.attribute('averageCustomerReviews', 'data-asin'),
  ].map((asin) => (asin ?? '').trim().toUpperCase());
  const all = [...named, canonicalAsin(parts, base) ?? ''].filter(isAsin);
  return [...new Set(all)];
}

/** Returns the brand in the overview table: the second cell of its row. */
function brandRow(parts: PageParts): string | null {
  const [row] = parts.all('brand row');
  const html = row?.inner.slice(0, 5000) ?? '';
  const [, value] = pageElements(html, (tag) => (tag.name === 'td' ? 'cell' : null));
  return value === undefined ? null : visibleText(html, value, 200);
}

const BRAND_LABELS = [
  'brand',
  'brand name',
  'marke',
  'marca',
  'marque',
  'merk',
  'märke',
  'varumärke',
  'marka',
  'ブランド',
  'ブランド名',
  'العلامة التجارية',
];

/** "Visit the X Store", "Brand: X", as written in the retailer's countries. */
const BYLINES: readonly RegExp[] = [
  /^visit the (.+) store$/i,
  /^besuche(?:n sie)? den (.+?)[- ]store$/i,
  /^visiter la boutique (?:de )?(.+)$/i,
  /^visita(?:r)? la tienda (?:de )?(.+)$/i,
  /^visita lo store (?:di )?(.+)$/i,
  /^visite a loja (?:da |do |de )?(.+)$/i,
  /^bezoek de (.+?)[- ]store$/i,
  /^besök (.+?)[- ](?:store|butiken)$/i,
  /^odwiedź sklep (.+)$/i,
  /^(.+?) (?:store|mağazası)['’]?n?[ıi]? ziyaret edin$/i,
  /^(.+?)のストアを表示$/,
  /^(?:brand|marke|marque|marca|merk|märke|varumärke|marka|ブランド)\s*[:：]\s*(.+)$/i,
];
const IS_STORE_LINK = /^(?:visit|besuche|bezoek|besök|odwiedź)|(?:ziyaret edin|を表示)$/i;

function bylineBrand(line: string): string | null {
  for (const pattern of BYLINES) {
    const name = pattern.exec(line)?.[1]?.trim();
    if (name !== undefined && name !== '') return name;
  }
  return null;
}

/**
 * Returns the brand from the details, otherwise from "Visit the X Store" or "Brand: X". The author of a book is not a
 * brand.
 */
function brandOf(parts: PageParts, rows: DetailRows): string | null {
  const stated = detail(rows, ...BRAND_LABELS) ?? brandRow(parts);
  if (stated !== null) return stated;
  // Music has a label instead of a maker, and its byline is the artist.
  if (parts.all(MUSIC_TITLE).length > 0) return detail(rows, 'label', 'manufacturer');
  const line = parts.text('bylineInfo', 300) ?? '';
  const named = bylineBrand(line);
  // Older pages link the plain name; an author line contains links but is not one itself.
  const bare = parts.all('bylineInfo')[0]?.element.name === 'a' && !IS_STORE_LINK.test(line);
  const older = parts.all('brand')[0]?.element.name === 'a' ? parts.text('brand', 200) : null;
  const name = named ?? (bare && line !== '' ? line : older);
  // The store for renewed goods is not the brand.
  return name === null || /\brenewed$/i.test(name) ? null : name;
}

const IMAGES = ['landingImage', 'imgBlkFront', 'ebooksImgBlkFront', 'main-image'];

function imageOf(parts: PageParts, base: string): string | null {
  for (const name of IMAGES) {
    const sized = /https:[^"'&\s\\]{1,500}/.exec(
      parts.attribute(name, 'data-a-dynamic-image') ?? '',
    );
    const stated = [
      parts.attribute(name, 'data-old-hires'),
      parts.attribute(name, 'src'),
      sized?.[0] ?? null,
    ];
    for (const address of stated) {
      const url = absoluteUrl(cleanText(address ?? '', 2000), absoluteUrl(base, null));
      if (url !== null) return url.href;
    }
  }
  return scriptImage(parts.html);
}

const GALLERY = wordToFind('colorImages');
const GALLERY_KEY = /['"]colorImages['"]\s{0,4}:/y;

/** Returns the first gallery image in the page's script data. */
function scriptImage(html: string): string | null {
  const at = indexOfPattern(html, GALLERY, GALLERY_KEY, 1);
  if (at < 0) return null;
  const gallery = html.slice(at, at + 3000);
  const found = /"(?:hiRes|large)"\s{0,4}:\s{0,4}"(https:[^"\\\s]{1,500})"/.exec(gallery)?.[1];
  return absoluteUrl(found ?? null, null)?.href ?? null;
}

/** Returns the texts of the breadcrumb links. */
function categoriesOf(parts: PageParts): readonly string[] {
  const [trail] = parts.all('wayfinding-breadcrumbs_feature_div');
  if (trail === undefined) return [];
  const html = trail.inner.slice(0, 40_000);
  return pageElements(html, (tag) => (tag.name === 'a' ? 'link' : null))
    .slice(0, 12)
    .map((link) => visibleText(html, link, 120))
    .filter((text) => text !== null && !/^(?:‹|back to results)/i.test(text))
    .filter((text) => text !== null);
}

function descriptionOf(parts: PageParts): string | null {
  const [bullets] = parts.all('feature-bullets');
  const html = bullets?.inner.slice(0, 60_000) ?? '';
  const points = pageElements(html, (tag) => (tag.name === 'li' ? 'point' : null))
    .slice(0, 30)
    .map((point) => visibleText(html, point, 1500))
    .filter((text) => text !== null && !/^this fits your\b|make sure this fits/i.test(text));
  const prose =
    parts.text('productDescription', 4000) ?? parts.text('bookDescription_feature_div', 4000);
  const whole = [...points, prose].filter((text) => text !== null);
  return cleanText(whole.join(' '), 8000) || null;
}

/** Returns null when the page has no place for the badge. */
function bestSellerOf(parts: PageParts): boolean | null {
  const places = [...parts.all('zeitgeistBadge_feature_div'), ...parts.all('badge')];
  if (places.length === 0) return null;
  return places.some((part) =>
    /#1 best seller/i.test(visibleText(parts.html, part.element, 300) ?? ''),
  );
}

const VARIANT_MAP = wordToFind('dimensionToAsinMap');

/** Whether the page has several variants. Its facts then belong to the variant that was served. */
function hasVariants({ html, all }: PageParts): boolean {
  if (all(VARIANT_ROW).length > 0) return true;
  const at = indexOfWord(html, VARIANT_MAP);
  return at >= 0 && /^[^{]{0,20}\{[^}]{1,200},/.test(html.slice(at + 18, at + 300));
}

function listingOf(parts: PageParts, page: Page, title: string): Listing {
  const rows = detailRows(parts);
  const isRenewed = isRenewedTitle(title);
  const [asin = null] = servedAsins(parts, page.url);
  const reviewCount = reviewCountOf(parts);
  const box = readBuyBox(parts, isRenewed, page.fetchedAtMs);
  const identifier = { kind: 'asin', value: asin ?? '', retailer: 'retailer_a' } as const;
  const tag = parts.text('social-proofing-faceout-title-tk_bought', 200);
  return {
    ...EMPTY_LISTING,
    ...factsOfDetails(rows, title, parts.words),
    ...box,
    url: retailerAAddressBook.productUrl(identifier) ?? absoluteUrl(page.url, null)?.href ?? null,
    asin,
    variantId: hasVariants(parts) ? asin : null,
    title,
    brand: brandOf(parts, rows),
    description: descriptionOf(parts),
    imageUrl: imageOf(parts, page.url),
    categories: categoriesOf(parts),
    // A "Renewed" title takes precedence: offers of such a listing say "New".
    condition: isRenewed ? 'refurbished' : box.condition,
    rating: ratingOf(parts),
    reviewCount,
    ratingDistribution: starCounts(parts, reviewCount),
    soldTag: tag === null ? null : readSoldTag(tag),
    isBestSeller: bestSellerOf(parts),
    salesRank: salesRanksOf(rows, parts),
  };
}

function remarksOf(parts: PageParts, listing: Listing, charset: string, base: string): string[] {
  const asins = servedAsins(parts, base);
  return [
    `charset ${charset}`,
    ...(asins.length > 1 ? [`the page names several ASINs: ${asins.join(', ')}`] : []),
    ...(listing.ratingDistribution === null ? [] : ['star counts from percentages and total']),
  ];
}

/** Returns the canonical address on the host that answered, otherwise the page's own address. */
function ownAddress(parts: PageParts, page: Page): string {
  const here = absoluteUrl(page.url, null);
  const canonical = absoluteUrl(parts.attribute('canonical', 'href'), here);
  const own = canonical?.hostname === here?.hostname ? canonical : here;
  return own?.href ?? page.url;
}

/** Reads a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const early = statusVerdict(page);
  if (early !== null) return early;
  const { text, charset } = decodeBody(page.body, page.headers['content-type']);
  if (/^[\s\ufeff]*[{[]/.test(text.slice(0, 200))) return { kind: 'unreadable', why: 'JSON' };
  const parts = pagePartsOf(text, words);
  const title = titleOf(parts);
  if (title === null || servedAsins(parts, page.url).length === 0) {
    return obstacleIn(text) ?? { kind: 'unreadable', why: 'not a product page of this retailer' };
  }
  const read = listingOf(parts, page, title);
  const currency = otherCountryCurrency(page.url);
  const listing = currency === null ? read : asOfCountry(read, currency, ownAddress(parts, page));
  return productAnswer(listing, remarksOf(parts, listing, charset, page.url));
}
