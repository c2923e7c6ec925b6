// Reads the product data pushed by inline scripts of retailer_b's page: several products, each in several pieces. All
// pieces of one SKU are read together as one product.

import { listPriceOf } from '../../../base/listing/money/list-price.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { Condition } from '../../../base/listing/offer.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing, Spec } from '../../../base/listing/listing.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { statedPackCount } from '../../titles/pack-count.ts';
import { wordToFind } from '../../page-data/html/find-word.ts';
import type { HtmlPage } from '../../page-data/html/html.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import {
  addressAt,
  countAt,
  firstLineAt,
  lineAt,
  moneyAt,
  proseAt,
  starsAt,
} from '../../page-data/json/json-values.ts';
import { pushedStates } from '../../page-data/json/script-state.ts';
import { specNamed, measuresIn } from '../../page-data/specifications.ts';
import { idsIn, isProductId, isSku } from './address-book.ts';

const STREAM = wordToFind('ApolloSSRDataTransport');
/** Maximum number of values visited in a page's stream. */
const STEP_LIMIT = 200_000;
const SPEC_LIMIT = 300;

type Piece = { readonly sku: string; readonly value: object };

type StreamedPage = {
  /** The pieces with a SKU, in stream order. */
  readonly pieces: readonly Piece[];
  /** `{type, pdpUrl}`: the pages of the same product as new, opened and refurbished. */
  readonly options: readonly unknown[];
};

/** Collects the pieces of the stream. */
export function streamedPage(page: HtmlPage): StreamedPage {
  const pieces: Piece[] = [];
  const options: unknown[] = [];
  const open: unknown[] = pushedStates(page, STREAM).toReversed();
  for (let steps = 0; open.length > 0 && steps < STEP_LIMIT; steps += 1) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const sku = textAt(value, 'skuId')?.trim() ?? '';
    if (isSku(sku)) pieces.push({ sku, value });
    if (textAt(value, 'pdpUrl') !== null && textAt(value, 'type') !== null) options.push(value);
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (let index = Math.min(inner.length, 5000) - 1; index >= 0; index -= 1) {
      if (typeof inner[index] === 'object') open.push(inner[index]);
    }
  }
  return { pieces, options };
}

/** The known numbers of the page's own product. */
export type ProductNumbers = { readonly itemId: string | null; readonly productId: string | null };

/** Returns the requested SKU, else the SKU of the requested product id, else the only SKU in the stream. */
function skuOf({ pieces }: StreamedPage, wanted: ProductNumbers): string | null {
  if (wanted.itemId !== null) return wanted.itemId;
  const idOf = ({ value }: Piece): string | null => textAt(value, 'bsin')?.toUpperCase() ?? null;
  const byId = pieces.find((piece) => idOf(piece) === wanted.productId && idOf(piece) !== null);
  if (byId !== undefined) return byId.sku;
  const named = new Set(
    pieces.filter(({ value }) => lineAt(value, 'name.short') !== null).map(({ sku }) => sku),
  );
  const isOther = wanted.productId !== null && pieces.some((piece) => idOf(piece) !== null);
  return named.size === 1 && !isOther ? ([...named][0] ?? null) : null;
}

/** Returns the first value present in any piece. */
function first<T>(pieces: readonly object[], read: (piece: object) => T | null): T | null {
  for (const piece of pieces) {
    const value = read(piece);
    if (value !== null) return value;
  }
  return null;
}

function specsOf(pieces: readonly object[]): readonly Spec[] {
  const specs = new Map<string, Spec>();
  for (const piece of pieces) {
    for (const group of listAt(piece, 'specificationGroups', 100)) {
      for (const entry of listAt(group, 'specifications', 100)) {
        const name = lineAt(entry, 'displayName', 200);
        const value = lineAt(entry, 'value', 2000);
        if (name === null || value === null || specs.has(name)) continue;
        if (/^not provided$/i.test(value) || specs.size >= SPEC_LIMIT) continue;
        specs.set(name, { name, value });
      }
    }
  }
  return [...specs.values()];
}

function brandOf(piece: object): string | null {
  return firstLineAt(piece, ['brand', 'brand.name', 'brand.brand', 'manufacturer.name']);
}

/** Returns the stock from the state of the buy button; null for an unknown state. */
function stockOf(piece: object, words: UnknownWords): boolean | null {
  const word = firstLineAt(piece, [
    'buttonState',
    'buttonState.buttonState',
    'buttonStates.0.buttonState',
    'fulfillmentOptions.buttonStates.0.buttonState',
  ]);
  return word === null ? null : (words.note(readAvailability(word))?.inStock ?? null);
}

/** Returns the currency of a piece, otherwise US dollars. */
function currencyOf(piece: object): string {
  const stated = textAt(piece, 'price.currency') ?? textAt(piece, 'price.currencyCode');
  return stated !== null && /^[A-Z]{3}$/.test(stated) ? stated : 'USD';
}

function pricesOf(pieces: readonly object[]): Pick<Listing, 'price' | 'listPrice'> {
  const price = first(pieces, (piece) => moneyAt(piece, 'price.customerPrice', currencyOf(piece)));
  const regular = first(pieces, (piece) => moneyAt(piece, 'price.regularPrice', currencyOf(piece)));
  return { price, listPrice: listPriceOf(price, [regular]) };
}

const OPENED = /^(?:excellent|good|satisfactory|fair|certified)$/i;

/** Returns the condition of the option with this page's address. */
function conditionOf({ options }: StreamedPage, page: WantedProduct): Condition | null {
  const here = pathOf(page.address);
  if (here === null) return null;
  const option = options.find((each) => pathOf(textAt(each, 'pdpUrl') ?? '') === here);
  const word = option === undefined ? null : lineAt(option, 'type', 60);
  if (word === null) return null;
  return OPENED.test(word) ? 'open_box' : page.words.note(readCondition(word));
}

function pathOf(address: string): string | null {
  return URL.parse(address)?.pathname.toLowerCase() ?? null;
}

/** Whether a piece is about an opened copy, which only belongs on the open-box page. */
function isOpened(piece: object): boolean {
  return ['openBoxCondition', 'price.openBoxCondition'].some((path) => {
    const grade = at(piece, path);
    return grade !== null && grade !== undefined && boolAt(piece, path) !== false;
  });
}

/** The page's product to find in the stream. */
type WantedProduct = {
  readonly numbers: ProductNumbers;
  readonly address: string;
  readonly isOpenBox: boolean;
  readonly words: UnknownWords;
};

/** Returns the page's own product from its stream; null when the stream does not have it. */
export function streamedListing(stream: StreamedPage, wanted: WantedProduct): Listing | null {
  const sku = skuOf(stream, wanted.numbers);
  const own = stream.pieces.filter((piece) => piece.sku === sku).map(({ value }) => value);
  const fitting = wanted.isOpenBox ? own : own.filter((piece) => !isOpened(piece));
  // Pieces about an opened copy may supply the name and the dimensions, but never the price of a new one.
  const pieces = fitting.length > 0 ? fitting : own;
  const title = first(pieces, (piece) => firstLineAt(piece, ['name.short', 'name.long', 'name']));
  if (sku === null || title === null) return null;
  const specs = specsOf(pieces);
  const code = specNamed(specs, ['UPC', 'GTIN', 'EAN']);
  const bsin = first(pieces, (piece) => textAt(piece, 'bsin'))?.toUpperCase() ?? '';
  const inStock = first(fitting, (piece) => stockOf(piece, wanted.words));
  return {
    ...EMPTY_LISTING,
    itemId: sku,
    productId: isProductId(bsin) ? bsin : idsIn(first(pieces, linkOf)).productId,
    title,
    gtin: code === null ? null : readGtin(code, 'upc'),
    brand: first(pieces, brandOf) ?? specNamed(specs, ['Brand']),
    model:
      first(pieces, (piece) => lineAt(piece, 'manufacturer.modelNumber', 200)) ??
      specNamed(specs, ['Model Number', 'Model']),
    description: first(
      pieces,
      (piece) => proseAt(piece, 'description.long') ?? proseAt(piece, 'description.short'),
    ),
    imageUrl: first(
      pieces,
      (piece) =>
        addressAt(piece, 'primaryImage.piscesHref') ?? addressAt(piece, 'primaryImage.href'),
    ),
    rating: first(pieces, (piece) => starsAt(piece, 'reviewInfo.averageRating')),
    reviewCount: first(pieces, (piece) => countAt(piece, 'reviewInfo.reviewCount')),
    ...pricesOf(fitting),
    inStock,
    unavailable: inStock === null ? null : false,
    condition: conditionOf(stream, wanted),
    specs,
    ...measuresIn(specs),
    packCount: statedPackCount(specs, ['quantity']),
  };
}

function linkOf(piece: object): string | null {
  return textAt(piece, 'url.pdp') ?? textAt(piece, 'pdpUrl');
}
