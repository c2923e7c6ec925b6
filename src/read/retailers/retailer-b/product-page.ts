// Converts retailer_b's product page to a listing: from the visible price box, JSON-LD, the streamed product and the page's
// metadata tag, each field from the best of them.

import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, PriceReadFrom, Spec } from '../../../base/listing/listing.ts';
import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import type { Money } from '../../../base/listing/money/minor-units.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { listAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, lineAt } from '../../page-data/json/json-values.ts';
import { absoluteUrl } from '../../page-data/page-address.ts';
import { specNamed, measuresIn } from '../../page-data/specifications.ts';
import { parseJson } from '../../page-data/json/bounded-json.ts';
import { readParsedPage } from '../generic/read-page.ts';
import { parsePage } from '../generic/parsed-page.ts';
import type { ParsedPage } from '../generic/parsed-page.ts';
import { inOtherLayout } from '../expected-fields.ts';
import { isForNow } from '../error-names.ts';
import { readObstacle, readStatus } from '../page-status.ts';
import { idsIn, isComboUrl, isOpenBoxUrl, isProductId, isSku, pageUrl } from './address-book.ts';
import { chosenOffer } from './offer-choice.ts';
import { seenFacts } from './product-elements.ts';
import type { SeenFacts } from './product-elements.ts';
import { streamedListing, streamedPage } from './streamed-product.ts';
import type { ProductNumbers } from './streamed-product.ts';
import { conditionWith } from './title-words.ts';

/** `analytics-metadata`: the page kind and its product numbers. */
type PageTag = {
  readonly kind: string;
  readonly sku: string | null;
  readonly productId: string | null;
  readonly brand: string | null;
  readonly categories: readonly string[];
};

function tagOf(html: HtmlPage): PageTag {
  const content = html.metas.find(({ key }) => key === 'analytics-metadata')?.content ?? '';
  const tag = content.startsWith('{') ? parseJson(content) : null;
  const sku = textAt(tag, 'product.skuId')?.trim() ?? '';
  const id = textAt(tag, 'product.bsin')?.trim().toUpperCase() ?? '';
  const crumbs = listAt(tag, 'page.breadcrumbs', 20).map((crumb) => lineAt(crumb, '', 200));
  return {
    kind: textAt(tag, 'page.type') ?? '',
    sku: isSku(sku) ? sku : null,
    productId: isProductId(id) ? id : null,
    brand: lineAt(tag, 'product.brand', 300),
    // The first breadcrumb is the shop.
    categories: crumbs.slice(1).filter((crumb) => crumb !== null),
  };
}

type ProductPageParts = {
  readonly parsed: ParsedPage;
  readonly tag: PageTag;
  readonly base: Listing;
  readonly streamed: Listing;
  readonly seen: SeenFacts;
  readonly itemId: string | null;
  readonly productId: string | null;
  readonly isOpenBox: boolean;
};

/** Returns the full-size image: addresses contain a size ("photo.jpg;maxHeight=400"). */
function fullImage(address: string | null, base: URL | null): string | null {
  const url = addressAt(address, '', base);
  return url === null ? null : url.replace(/;max(?:height|width)=.*$/i, '');
}

function priceFacts(
  parts: ProductPageParts,
): Pick<
  Listing,
  | 'price'
  | 'priceReadFrom'
  | 'listPrice'
  | 'secondaryOfferPrice'
  | 'inStock'
  | 'unavailable'
  | 'condition'
> {
  const { parsed, base, streamed, seen, isOpenBox, itemId } = parts;
  const chosen = chosenOffer(parsed.jsonLd, { sku: itemId, isOpenBox, context: parsed.context });
  const stated = chosen === null ? base.price : chosen.price;
  const { oldPrices } = seen;
  const prices: readonly (readonly [Money | null, PriceReadFrom | null])[] = [
    [seen.price, 'visible'],
    [stated, chosen === null ? base.priceReadFrom : 'json_ld'],
    [streamed.price, 'state'],
    [oldPrices.price, 'visible'],
  ];
  const [price, priceReadFrom] = prices.find(([each]) => each !== null) ?? [null, null];
  const oldList = oldPrices.price?.cents === price?.cents ? oldPrices.listPrice : null;
  const lists = [seen.listPrice, base.listPrice, streamed.listPrice, oldList];
  const stocks = [
    seen.inStock,
    chosen?.inStock ?? null,
    chosen === null ? base.inStock : null,
    streamed.inStock,
  ];
  const condition = chosen?.condition ?? base.condition ?? streamed.condition;
  return {
    price,
    priceReadFrom,
    listPrice: listPriceOf(price, lists),
    secondaryOfferPrice: seen.secondaryOfferPrice ?? chosen?.secondaryOfferPrice ?? null,
    inStock: stocks.find((stock) => stock !== null) ?? null,
    unavailable: seen.unavailable ?? base.unavailable ?? streamed.unavailable,
    condition: isOpenBox
      ? 'open_box'
      : conditionWith(condition, parts.seen.title ?? base.title ?? streamed.title),
  };
}

function ratingFacts({
  base,
  streamed,
  seen,
}: ProductPageParts): Pick<Listing, 'rating' | 'reviewCount'> {
  const source = [base, streamed, seen].find(
    ({ rating, reviewCount }) => rating !== null || reviewCount !== null,
  );
  return { rating: source?.rating ?? null, reviewCount: source?.reviewCount ?? null };
}

function specsOf({ base, streamed, seen }: ProductPageParts): readonly Spec[] {
  return [streamed.specs, base.specs, seen.specs].find((specs) => specs.length > 0) ?? [];
}

function listingOf(parts: ProductPageParts, title: string): Listing {
  const { base, streamed, seen, tag, itemId, productId, parsed } = parts;
  const specs = specsOf(parts);
  const code = specNamed(specs, ['UPC']);
  const measures = measuresIn(specs);
  const image =
    [base.imageUrl, streamed.imageUrl, seen.imageUrl].find((each) => each !== null) ?? null;
  const tagged = parsed.html.metas.find(({ key }) => key === 'og:image')?.content ?? null;
  return {
    ...base,
    ...measures,
    ...priceFacts(parts),
    ...ratingFacts(parts),
    url: pageUrl(itemId, productId) ?? base.url,
    itemId,
    productId,
    sku: null,
    title,
    gtin: base.gtin ?? streamed.gtin ?? (code === null ? null : readGtin(code, 'upc')),
    brand: base.brand ?? streamed.brand ?? tag.brand ?? specNamed(specs, ['Brand']),
    model: base.model ?? streamed.model ?? seen.model ?? specNamed(specs, ['Model Number']),
    description: base.description ?? streamed.description,
    imageUrl: fullImage(image ?? tagged, absoluteUrl(parsed.page.url, null)),
    categories: base.categories.length > 0 ? base.categories : tag.categories,
    specs,
    weightLbs: measures.weightLbs ?? base.weightLbs,
    dimensions: measures.dimensions ?? base.dimensions,
    packCount: statedPackCount(specs, ['quantity']),
    sellerName: seen.sellerName ?? base.sellerName,
    sellerType: seen.sellerType,
    isBestSeller: seen.isBestSeller,
  };
}

/**
 * Returns the product's ids. Those stated by the page come first, because the page may show a product other than the one in
 * the requested address.
 */
function idsOf(parsed: ParsedPage, tag: PageTag, base: Listing): ProductNumbers {
  const canonical = idsIn(parsed.context.canonical?.href ?? null);
  const asked = idsIn(parsed.page.url);
  const sku = base.sku !== null && isSku(base.sku) ? base.sku : null;
  const itemId = tag.sku ?? sku ?? canonical.itemId ?? asked.itemId;
  const isAsked = asked.itemId === null || asked.itemId === itemId;
  return {
    itemId,
    productId: tag.productId ?? canonical.productId ?? (isAsked ? asked.productId : null),
  };
}

/** Titles of pages for products that are gone. "Sorry, something is not working" is not included. */
const GONE =
  /^(?:sorry|hmm+)[,.!\s](?=.{0,60}\b(?:product|item|page|sku)\b).{0,40}(?:isn['’]t|not|no longer|doesn['’]t)|no longer exists/i;

function otherVerdict(parsed: ParsedPage, page: Page): PageVerdict<never> {
  const obstacle = readObstacle(parsed.html, page);
  if (obstacle !== null) return obstacle;
  const names = [parsed.html.title, ...parsed.html.headings].filter((name) => name !== null);
  return names.some((name) => GONE.test(name) && !isForNow(name))
    ? { kind: 'not_found', why: 'a page that says the product is gone' }
    : { kind: 'unreadable', why: 'no product of this retailer on the page' };
}

function isOtherKind(kind: string): boolean {
  return kind !== '' && !/pdp/i.test(kind) && /plp|search|list|category|home/i.test(kind);
}

/** Reads a product page. */
export function readProductPage(page: Page, words: UnknownWords): PageVerdict<Listing> {
  const early = readStatus(page);
  if (early !== null) return early;
  if (isComboUrl(page.url)) return { kind: 'not_a_product', why: 'several products sold together' };
  const parsed = parsePage(page, words);
  const tag = tagOf(parsed.html);
  if (isOtherKind(tag.kind))
    return { kind: 'not_a_product', why: `a page of kind ${tag.kind.slice(0, 40)}` };
  const generic = readParsedPage(parsed);
  const base = generic.kind === 'read' ? generic.value : EMPTY_LISTING;
  const ids = idsOf(parsed, tag, base);
  const isOpenBox = isOpenBoxUrl(page.url);
  const wanted = { numbers: ids, address: page.url, isOpenBox, words };
  const found = streamedListing(streamedPage(parsed.html), wanted);
  const streamed = found ?? EMPTY_LISTING;
  const itemId = ids.itemId ?? streamed.itemId;
  const seen = seenFacts(parsed.html.html, itemId, words);
  const title = base.title ?? streamed.title ?? seen.title;
  const sku = itemId ?? seen.sku;
  const productId = ids.productId ?? (streamed.itemId === sku ? streamed.productId : null);
  if (title === null || (sku === null && productId === null)) return otherVerdict(parsed, page);
  const parts = { parsed, tag, base, streamed, seen, itemId: sku, productId, isOpenBox };
  const listing = listingOf(parts, title);
  const notes = { missing: [], remarks: generic.kind === 'read' ? generic.notes.remarks : [] };
  const read = { kind: 'read', value: listing, notes } as const;
  return found === null ? inOtherLayout(read) : read;
}
