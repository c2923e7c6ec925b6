// Imports a user's own price history into the store. It decides which listing a row belongs to, then writes rows in batches,
// each in one transaction. It fetches nothing and reads no files.

import { spreadsheetRemark } from '../../../base/identifiers/code-remarks.ts';
import { readGtinWithLostZero, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { isKnownSlug, isSlug, type KnownSlug, type Slug } from '../../../base/retailer.ts';
import { bookOf } from '../../../read/retailers/addresses/address-books.ts';
import { slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import { numberedSlug } from '../../../read/retailers/addresses/shop-slug.ts';
import { writeChanges } from '../../../data/answers/answer-writes.ts';
import {
  barcodeKey,
  insertImported,
  type ImportedEntry,
  type StoredEntry,
  type ImportOutcome,
} from '../../../data/history/imported-history.ts';
import type { Store } from '../../../data/store.ts';
import type { TakenDownHosts } from '../../collect/coordination/taken-down-hosts.ts';
import { slugOf } from '../../collect/slug-of.ts';
import { parseInput } from '../steps/parse-input.ts';
import { listingKeyOf, type ShopListingKey } from '../../collect/listing-key.ts';
import type { GivenEntry } from '../../../rules/history/given-entry.ts';

type ResolvedEntry =
  | { readonly ok: true; readonly entry: ImportedEntry }
  | { readonly ok: false; readonly why: string };

export type HistoryImport = {
  /** Returns the row's listing, or why there is none. Registers a shop's slug when its domain is new here (D10). */
  resolve(given: GivenEntry): Promise<ResolvedEntry>;
  /** Inserts a batch, all or nothing. */
  insert(entries: readonly ImportedEntry[]): Promise<readonly ImportOutcome[]>;
};

/** `hosts` lists taken-down hosts, whose data is not stored again even if a file contains it. */
export function createHistoryImport(
  store: Store,
  hosts: ImportParts['hosts'],
  nowMs: number,
): HistoryImport {
  // A file has few shops and many rows: each domain is looked up once.
  const slugs = new Map<string, string>();
  return {
    async resolve(stated) {
      await hosts.refresh();
      // D63: an alias of one of the seven, which cannot be a shop's name.
      const retailer = stated.retailer === null ? null : slugNamed(stated.retailer);
      const given = { ...stated, retailer };
      if (retailer !== null && (!isSlug(retailer) || retailer === 'all')) {
        return bad(`retailer "${retailer.slice(0, 40)}" is not a slug (2 to 30 of a-z and 0-9)`);
      }
      const gtin = given.gtin === null ? null : readGtinWithLostZero(given.gtin);
      if (given.gtin !== null && gtin === null) {
        const damage = spreadsheetRemark(given.gtin).trim().replace(/\.$/, '');
        return bad(`gtin ${damage || `"${given.gtin.slice(0, 40)}" is not a product's barcode`}`);
      }
      const resolved = await listingOf({ store, hosts, nowMs, slugs }, given, gtin);
      if (!resolved.ok) return resolved;
      const { observedAtMs, price, inStock } = given;
      return { ok: true, entry: { ...resolved.value, gtin, observedAtMs, price, inStock } };
    },
    insert: (entries) => insertImported(store.sql, entries),
  };
}

type EntryListing = { readonly retailer: Slug; readonly key: string; readonly url: string };
type ResolvedListing =
  | { readonly ok: true; readonly value: EntryListing }
  | { readonly ok: false; readonly why: string };

const bad = (why: string): { readonly ok: false; readonly why: string } => ({ ok: false, why });

type ImportParts = {
  readonly store: Store;
  readonly hosts: Pick<TakenDownHosts, 'isTakenDown' | 'isRetailerTakenDown' | 'refresh'>;
  readonly nowMs: number;
  readonly slugs: Map<string, string>;
};

/**
 * Returns a row's listing. The most specific field decides: the retailer's own identifier, then the address, then the
 * barcode.
 */
async function listingOf(
  parts: ImportParts,
  given: GivenEntry,
  gtin: Gtin14 | null,
): Promise<ResolvedListing> {
  const { retailer, retailerId, url } = given;
  if (retailer !== null && isKnownSlug(retailer) && parts.hosts.isRetailerTakenDown(retailer)) {
    return bad(`${retailer} was taken down`);
  }
  if (retailerId !== null && retailer !== null && isKnownSlug(retailer)) {
    return ownListing(retailer, retailerId);
  }
  if (url !== null) return urlListing(parts, url, retailer);
  if (retailerId !== null) {
    const why = retailer === null ? 'has a retailer_id and no retailer' : noIdsOf(retailer);
    return bad(why);
  }
  if (gtin === null) return bad('has no retailer_id, url or gtin');
  if (retailer === null)
    return bad('has a gtin and no retailer: add the retailer whose price it is');
  return { ok: true, value: { retailer, key: barcodeKey(gtin), url: '' } };
}

const noIdsOf = (retailer: string): string =>
  `${retailer} is not a known retailer, so its retailer_id cannot be resolved: add the url`;

function ownListing(retailer: KnownSlug, text: string): ResolvedListing {
  const identifier = ownIdentifier(retailer, text);
  const url = bookOf(retailer).productUrl(identifier);
  if (url === null)
    return bad(`retailer_id "${text.slice(0, 40)}" is not an identifier of ${retailer}`);
  return { ok: true, value: { retailer, key: identifier.value, url } };
}

function ownIdentifier(retailer: KnownSlug, text: string): Identifier {
  switch (retailer) {
    case 'retailer_w':
      return { kind: 'item_id', value: text, retailer };
    case 'retailer_a':
      return { kind: 'asin', value: text.toUpperCase(), retailer };
    case 'retailer_b': {
      const isSku = /^\d+$/.test(text);
      const kind = isSku ? 'retailer_b_sku' : 'retailer_b_product_id';
      return { kind, value: text.toUpperCase(), retailer };
    }
    case 'retailer_e':
    case 'retailer_h':
    case 'retailer_l':
    case 'retailer_t':
      return { kind: 'retailer_item', value: text, retailer };
  }
}

async function urlListing(
  parts: ImportParts,
  text: string,
  retailer: Slug | null,
): Promise<ResolvedListing> {
  const parsed = parseInput(text);
  // The page of the address, and not the barcode that a Digital Link names: barcodes have a column of their own.
  const page = parsed.ok && parsed.fromUrl ? parsed.identifiers.at(-1) : undefined;
  const listing = page === undefined ? null : listingKeyOf(page);
  if (listing === null) return bad(`url "${text.slice(0, 80)}" is not the address of a page`);
  const { hostname } = new URL(listing.url);
  if (parts.hosts.isTakenDown(hostname)) return bad(`${hostname} was taken down`);
  if (listing.kind === 'retailer') {
    const { retailer: owner, key, url } = listing;
    if (retailer !== null && retailer !== owner) return bad(`the url belongs to ${owner}`);
    return { ok: true, value: { retailer: owner, key, url } };
  }
  const owned = await ownedSlug(parts, listing);
  if (retailer !== null && retailer !== owned && !mayBeCalled(listing, retailer)) {
    return bad(`the url belongs to ${owned ?? listing.shop.slug}`);
  }
  const slug = owned ?? (await registerSlug(parts, listing, retailer));
  return { ok: true, value: { retailer: slug, key: listing.key, url: listing.url } };
}

async function ownedSlug(
  { store, slugs }: ImportParts,
  { shop }: ShopListingKey,
): Promise<Slug | null> {
  const slug = slugs.get(shop.domain) ?? (await store.shops.findShopByDomain(shop.domain))?.slug;
  if (slug === undefined) return null;
  slugs.set(shop.domain, slug);
  return slug;
}

/**
 * Registers a slug for a domain that is new here. It is the file's slug if that is free, so that a file from another
 * installation keeps its slugs. Else it is the first free one (D10).
 */
async function registerSlug(
  parts: ImportParts,
  listing: ShopListingKey,
  named: Slug | null,
): Promise<Slug> {
  const { store, nowMs, slugs } = parts;
  const { domain } = listing.shop;
  for (let round = 0; round < 3; round += 1) {
    const isFree = named !== null && (await store.shops.findShopBySlug(named)) === null;
    const slug = isFree ? named : await slugOf(store, listing);
    // This fails only if another process has registered the slug or the domain meanwhile: then look again.
    const written = await writeChanges(store.sql, [
      { kind: 'shop', shop: { slug, domain }, atMs: nowMs },
    ]);
    if (!written.done) continue;
    slugs.set(domain, slug);
    return slug;
  }
  throw new Error(`no slug could be registered for ${domain}`);
}

/**
 * Checks whether a shop may have the slug (D10): the label of its domain, the label with the suffix, or one of these with a
 * number.
 */
function mayBeCalled({ shop }: ShopListingKey, slug: Slug): boolean {
  if (slug === shop.slug || slug === shop.otherSlug) return true;
  const count = Number(/[1-9]\d{0,3}$/.exec(slug)?.[0] ?? 0);
  return count > 1 && slug === numberedSlug(shop, count);
}

/** Returns a stored entry as a file would state it: the inverse of `resolve`. */
export function givenOf(stored: StoredEntry): GivenEntry {
  const { retailer, key, gtin, observedAtMs, price, inStock } = stored;
  const isUrl = /^https?:\/\//.test(key);
  const isBarcode = gtin !== null && key === barcodeKey(gtin);
  return {
    retailer,
    retailerId: isUrl || isBarcode ? null : key,
    url: isUrl ? key : null,
    gtin,
    observedAtMs,
    price,
    inStock,
  };
}
