// Selects the variant that a page of retailer_t is about: a parent node has children, and the facts belong to the requested
// one.

import type { Listing } from '../../../base/listing/listing.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { at, hasObjectAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { filledGaps } from '../generic/filled-gaps.ts';
import { retailerTAddressBook } from './address-book.ts';
import { listingOfProduct, tcinOf } from './state-product.ts';

const CHILD_LIMIT = 500;

/** Returns the number in the address of a product page, or in its `preselect`. */
export function askedTcin(address: string): string | null {
  const url = URL.parse(address);
  return url === null ? null : (retailerTAddressBook.reduce(url)?.value ?? null);
}

/** Gives a child without its own title its parent's. */
function titled(node: unknown, title: string): unknown {
  if (textAt(node, 'item.product_description.title') !== null || !hasObjectAt(node)) return node;
  const item = at(node, 'item');
  const description = at(item, 'product_description');
  return {
    ...membersOf(node),
    item: { ...membersOf(item), product_description: { ...membersOf(description), title } },
  };
}

function membersOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/**
 * Returns the listing of a child, with missing texts taken from the parent. Price, barcode and stock belong to one variant
 * and are never taken from the parent.
 */
function childListing(node: unknown, parent: Listing, words: UnknownWords): Listing | null {
  const child = listingOfProduct(titled(node, parent.title ?? ''), words);
  if (child === null) return null;
  const { price, listPrice, gtin, inStock, unavailable, fulfillment, deliveryDate } = child;
  const own = { price, listPrice, gtin, inStock, unavailable, fulfillment, deliveryDate };
  return { ...filledGaps(child, parent), ...own, variantId: child.itemId };
}

/** Returns the stock of a parent: in stock when a variant is. */
function stockOfChildren(own: Listing, children: readonly Listing[]): boolean | null {
  if (own.inStock !== null) return own.inStock;
  const stocks = children.map(({ inStock }) => inStock);
  if (stocks.includes(true)) return true;
  return stocks.includes(false) ? false : null;
}

type Prices = Pick<Listing, 'price' | 'listPrice'>;

/** Returns the prices of a parent without a price of its own: the prices of its cheapest variant, as in a range. */
function pricesOfChildren(own: Listing, children: readonly Listing[]): Prices {
  if (own.price !== null || children.length === 0) return own;
  const cents = ({ price }: Listing): number => price?.cents ?? Number.POSITIVE_INFINITY;
  return children.reduce((low, child) => (cents(child) < cents(low) ? child : low));
}

/** Returns the listing of a parent when no variant is selected. */
function parentListing(own: Listing, nodes: readonly unknown[], words: UnknownWords): Listing {
  const children = nodes
    .map((node) => listingOfProduct(titled(node, own.title ?? ''), words))
    .filter((child) => child !== null);
  const { price, listPrice } = pricesOfChildren(own, children);
  return { ...own, price, listPrice, inStock: stockOfChildren(own, children) };
}

/**
 * Returns the requested listing: the node's or its child's. Null without a product, and when the answer is about another
 * number: a family without the requested variant has the prices of the others.
 */
export function servedListing(
  node: unknown,
  asked: string | null,
  words: UnknownWords,
): Listing | null {
  const own = listingOfProduct(node, words);
  if (own === null) return null;
  const children = listAt(node, 'children', CHILD_LIMIT);
  if (asked === null || asked === own.itemId) return parentListing(own, children, words);
  const child = children.find((each) => tcinOf(each) === asked);
  return child === undefined ? null : childListing(child, own, words);
}
