// Which variant an answer of retailer_t is about: a parent carries its children, and the one that was asked
// for is what the facts belong to.

import { at, hasObjectAt, listAt } from '../../extract/json-path.ts';
import { EMPTY_LISTING } from '../../domain/listing.ts';
import type { Listing } from '../../domain/listing.ts';
import { retailerTAddressBook } from './address-book.ts';
import { listingOfProduct, tcinOf } from './redsky-product.ts';

const CHILD_LIMIT = 500;

/** The number in an address: a product page's, with its `preselect`, or an endpoint's `tcin`. */
export function askedTcin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const found = retailerTAddressBook.reduce(url)?.value ?? url.searchParams.get('tcin');
  return found !== null && /^\d{6,12}$/.test(found) ? found : null;
}

/** What belongs to one variant and to no other: never taken over from the parent. */
function ownOfChild(child: Listing): Partial<Listing> {
  const { price, listPrice, gtin, inStock, unavailable, fulfillment, deliveryDate } = child;
  return { price, listPrice, gtin, inStock, unavailable, fulfillment, deliveryDate };
}

/** A child with the parent's texts where it has none of its own. */
function childListing(node: unknown, parent: Listing): Listing {
  // A child may lack a title of its own: the parent's then stands for both.
  const titled = { item: { product_description: { title: parent.title } } };
  const full = listingOfProduct(node) ?? listingOfProduct(withTitle(node, titled)) ?? EMPTY_LISTING;
  const filled: Record<string, unknown> = { ...parent };
  for (const [name, value] of Object.entries(full)) {
    const isGap = value === null || (Array.isArray(value) && value.length === 0);
    if (!isGap) filled[name] = value;
  }
  return { ...(filled as Listing), ...ownOfChild(full), variantId: full.itemId };
}

function withTitle(node: unknown, titled: object): unknown {
  const item = at(node, 'item');
  const own = hasObjectAt(item) ? (item as object) : {};
  return {
    ...(hasObjectAt(node) ? (node as object) : {}),
    item: { ...own, ...(at(titled, 'item') as object) },
  };
}

/** The listing that was asked for: the node's own, or that of its child. Null: no product in it. */
export function servedListing(node: unknown, asked: string | null): Listing | null {
  const own = listingOfProduct(node);
  if (own === null) return null;
  const children = listAt(node, 'children', CHILD_LIMIT);
  if (asked === null || asked === own.itemId) return { ...own, ...variantsOf(own, children) };
  const child = children.find((each) => tcinOf(each) === asked);
  return child === undefined ? own : childListing(child, own);
}

/** A parent can be bought when one of its variants can. */
function variantsOf(own: Listing, children: readonly unknown[]): Partial<Listing> {
  if (own.inStock !== null || children.length === 0) return {};
  const stocks = children.map((child) => listingOfProduct(child)?.inStock ?? null);
  const known = stocks.filter((stock) => stock !== null);
  return known.length === 0 ? {} : { inStock: known.includes(true) };
}
