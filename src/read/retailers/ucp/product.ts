// Reads a product in a UCP catalogue. It is translated to the product object of a hosted store, so that its variant is
// chosen by the same rules as everywhere else (store-product.ts).

import { EMPTY_LISTING, type Listing } from '../../../base/listing/listing.ts';
import { currencyCodeOf } from '../../../base/listing/money/currencies.ts';
import { decimalText } from '../../../base/listing/money/minor-units.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import { readGtin } from '../../../base/identifiers/gtin.ts';
import { readAvailability } from '../../../base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../base/listing/vocabularies/condition.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { readStoreProduct } from '../../page-data/hosted-store/store-product.ts';
import { at, boolAt, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, countAt, lineAt } from '../../page-data/json/json-values.ts';
import type { SchemaNode } from '../../page-data/schema-org/node.ts';
import { askedIn, NOTHING_ASKED } from '../../page-data/variants/asked-address.ts';

const MOST_VARIANTS = 250;
const MOST_OPTIONS = 3;

/** Returns the number in a store platform's identifier, `gid://shopify/Product/1`; other identifiers as they are. */
function numberIn(id: string | null): string | null {
  return /^gid:\/\/[^/]+\/[A-Za-z]+\/(\d+)(?:\?.*)?$/.exec(id ?? '')?.[1] ?? id;
}

/**
 * Returns an amount, stated in the minor unit of its currency, in decimals (D87); null for zero, which means that there is
 * none.
 */
function amountAt(value: unknown, path: string): { text: string; currency: string } | null {
  const cents = at(value, `${path}.amount`);
  const currency = currencyCodeOf(textAt(value, `${path}.currency`) ?? '');
  if (currency === null || typeof cents !== 'number' || !Number.isSafeInteger(cents)) return null;
  return cents > 0 ? { text: decimalText({ cents, currency }), currency } : null;
}

/** Returns the only barcode of a variant; null if it states several different ones. */
function barcodeOf(variant: unknown): string | null {
  const codes = listAt(variant, 'barcodes', 20).map((each) => textAt(each, 'value') ?? '');
  const read = new Set(codes.map((code) => readGtin(code)).filter((code) => code !== null));
  return read.size === 1 ? ([...read][0] ?? null) : null;
}

type Stock = Pick<Listing, 'inStock' | 'unavailable'>;

/** A status is more precise than `available`, which is also true for products that can only be ordered. */
function stockOf(variant: unknown, words: UnknownWords): Stock {
  const available = boolAt(variant, 'availability.available');
  const status = lineAt(variant, 'availability.status', 60);
  const stated = status === null ? null : words.note(readAvailability(status));
  if (stated !== null && available !== false) return stated;
  const isGone = available === false && stated?.unavailable === true;
  return { inStock: available, unavailable: available === null ? null : isGone };
}

/** Returns the product as a hosted store would state it. */
function asStoreProduct(
  product: unknown,
  variants: readonly unknown[],
  words: UnknownWords,
): SchemaNode {
  const names = listAt(variants[0], 'options', MOST_OPTIONS).map((each) => lineAt(each, 'name'));
  return {
    id: numberIn(textAt(product, 'id')),
    title: textAt(product, 'title'),
    vendor: textAt(product, 'brand'),
    body_html: textAt(product, 'description.html') ?? textAt(product, 'description.plain') ?? '',
    product_type: null,
    image: addressAt(product, 'media.0.url'),
    options: names,
    variants: variants.map((variant) => {
      const price = amountAt(variant, 'price');
      const list = amountAt(variant, 'list_price');
      const values = names.map((name) =>
        listAt(variant, 'options', MOST_OPTIONS).find((each) => lineAt(each, 'name') === name),
      );
      const options = values.map((each, index) => [`option${index + 1}`, lineAt(each, 'label')]);
      return {
        id: numberIn(textAt(variant, 'id')),
        sku: textAt(variant, 'sku'),
        title: textAt(variant, 'title'),
        barcode: barcodeOf(variant),
        price: price?.text ?? null,
        price_currency: price?.currency ?? null,
        compare_at_price: list !== null && list.currency === price?.currency ? list.text : null,
        available: stockOf(variant, words).inStock,
        featured_image: addressAt(variant, 'media.0.url'),
        ...(Object.fromEntries(options) as Record<string, string | null>),
      };
    }),
  };
}

/** Returns the path of the shop's own category; codes of a taxonomy mean nothing to a reader. */
function categoriesOf(product: unknown): readonly string[] {
  const own = listAt(product, 'categories', 20).find((each) =>
    [null, 'merchant'].includes(textAt(each, 'taxonomy')),
  );
  const path = lineAt(own, 'value', 500) ?? '';
  if (path === '' || /^gid:|^[\d-]+$/.test(path)) return [];
  return path.split(/\s*>\s*/).filter(Boolean);
}

function ratingOf(product: unknown): number | null {
  const value = numberAt(product, 'rating.value');
  const most = numberAt(product, 'rating.scale_max') ?? 5;
  if (value === null || value <= 0 || most <= 0 || value > most) return null;
  return Math.round((value / most) * 50) / 10;
}

/** Whether a product is the one at an address: it has the same address or the same handle. */
export function isProductAt(product: unknown, address: string): boolean {
  const asked = pathEnd(address);
  if (asked === null) return false;
  const url = textAt(product, 'url');
  const stated = url === null ? textAt(product, 'handle') : pathEnd(url);
  return stated !== null && stated.toLowerCase() === asked.toLowerCase();
}

/** Returns the last part of the path: the handle of a product at a shop. */
export function pathEnd(address: string): string | null {
  const last = URL.parse(address)
    ?.pathname.split('/')
    .findLast((part) => part !== '');
  return last?.replace(/\.(?:html?|php)$/i, '') ?? null;
}

/** The context of a reading: the address, and whether the product was requested by its identifier or a variant's. */
type Asked = { readonly page: Page; readonly address: string; readonly isOne: boolean };

/**
 * Reads a product. The answer to a request by identifier begins with the requested variant. Any other answer may list only
 * some of the variants, and then counts only if the address names one of them.
 */
export function readUcpProduct(
  product: unknown,
  { page, address, isOne }: Asked,
  words: UnknownWords,
): PageVerdict<Listing> {
  const url = URL.parse(address);
  const asked = url === null ? NOTHING_ASKED : askedIn(url, null, page.chosenBefore);
  const variants = listAt(product, 'variants', isOne ? 1 : MOST_VARIANTS);
  const node = asStoreProduct(product, variants, words);
  const { facts, chosen } = readStoreProduct(node, { asked, base: url });
  if ((facts.title ?? null) === null) {
    return { kind: 'unreadable', why: 'a product without a title' };
  }
  const isNamed = isOne || asked.options.some(({ value }) => value === facts.variantId);
  if (!isNamed && !isWhole(product, variants)) {
    return {
      kind: 'unreadable',
      why: 'only some of the variants, none of which the address names',
    };
  }
  const own = variants.find((each) => numberIn(textAt(each, 'id')) === facts.variantId);
  const word = lineAt(own, 'condition', 60);
  const listing: Listing = {
    ...EMPTY_LISTING,
    ...facts,
    url: addressAt(product, 'url') ?? address,
    unavailable: own === undefined ? null : stockOf(own, words).unavailable,
    condition: word === null ? null : words.note(readCondition(word)),
    sellerName: lineAt(own, 'seller.name', 300),
    categories: categoriesOf(product),
    rating: ratingOf(product),
    reviewCount: countAt(product, 'rating.count'),
  };
  const notes = { missing: [], remarks: ['product of a UCP catalogue'] };
  return { kind: 'read', value: listing, notes: chosen === null ? notes : { ...notes, chosen } };
}

/** Whether an answer lists all variants, judging by its options and its price range. */
function isWhole(product: unknown, listed: readonly unknown[]): boolean {
  const labels = new Set(
    listed.flatMap((variant) =>
      listAt(variant, 'options', 20).map((each) => lineAt(each, 'label') ?? ''),
    ),
  );
  const hasAll = listAt(product, 'options', 20).every((option) =>
    listAt(option, 'values').every((value) => labels.has(lineAt(value, 'label') ?? '')),
  );
  const amounts = listed.map((variant) => at(variant, 'price.amount'));
  const ends = ['min', 'max'].map((end) => at(product, `price_range.${end}.amount`));
  return hasAll && ends.every((amount) => amount === undefined || amounts.includes(amount));
}
