// Parses a product request into its options and lookup keys, as far as `retailer=` allows them. Throws the fault of a
// request that can never be answered. Reads and fetches nothing.

import type { AddOns } from '../../../base/call-cost.ts';
import { FaultError, URL_NOT_ALLOWED } from '../../../base/fault.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import { isKnownSlug, KNOWN_SLUGS, type Slug } from '../../../base/retailer.ts';
import {
  listingKeyOf,
  type ListingKey,
  type RetailerListingKey,
} from '../../collect/listing-key.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { lensOf, type Lens } from '../../../base/listing/lens.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { IdentifierMatch } from '../../../rules/product/cell.ts';
import { ALIASES, slugNamed } from '../../../read/retailers/addresses/aliases.ts';
import { parseAllowedInput, type Input, type IsAllowedUrl } from './parse-input.ts';

export type ProductRequest = {
  /** The identifier as sent, decoded once. */
  readonly text: string;
  readonly format?: string | undefined;
  readonly retailer?: string | undefined;
  /** Whether to fetch from `retailer` now; it is then required (D18). */
  readonly forceRefresh: boolean;
  /** Data requested in addition to the base record. */
  readonly addOns?: AddOns;
  /** Which cells are shown (D34); `confirmed` by default. */
  readonly identifierMatch?: IdentifierMatch;
  /** The currency of the answer as requested, or `native`; the installation's if absent (D87). */
  readonly currency?: string | undefined;
  /** The installation's currency; dollars if absent. */
  readonly usualCurrency?: string;
  /** Whether only the anchor matters, so that no other retailer is asked in the background. */
  readonly anchorOnly?: boolean;
  /** Whose call it is: background fetches for the call take this organization's turn (D37). */
  readonly organizationId?: string | undefined;
  /** Whether the organization has facts of its own, which then lie over the common ones. */
  readonly hasOwnFacts?: boolean;
};

/** How one meaning of the identifier is looked up. */
export type LookupKey = { readonly identifier: Identifier } & (
  | { readonly by: 'listing'; readonly listing: ListingKey }
  | { readonly by: 'barcode'; readonly gtin: Gtin14 }
  /**
   * One retailer's id, sent with the name of another retailer: its listing's barcode is looked up at the named one (D18).
   */
  | { readonly by: 'barcode_of_listing'; readonly listing: RetailerListingKey }
);

export type ParsedLookup = {
  /** The keys in the order in which they are tried; at least one. */
  readonly keys: readonly LookupKey[];
  /** Only this retailer fills the record (D18). */
  readonly retailer: string | null;
  /** Whether the identifier itself was sent, not a page address. */
  readonly isBare: boolean;
  /** Whether nothing older than the call is used (D18, D19). */
  readonly isForced: boolean;
  readonly addOns: AddOns;
  readonly identifierMatch: IdentifierMatch;
  readonly lens: Lens;
  readonly anchorOnly: boolean;
  readonly organizationId: string | null;
  /** The organization, if it has facts of its own. */
  readonly own: string | null;
};

export function parseLookup(isAllowedUrl: IsAllowedUrl, request: ProductRequest): ParsedLookup {
  checkForced(request);
  return lookupOf(parseAllowedInput(isAllowedUrl, request.text, request.format), request);
}

/** Returns the lookup of an already parsed identifier. */
export function lookupOf(
  input: Input,
  request: Omit<ProductRequest, 'text' | 'format'>,
): ParsedLookup {
  const { addOns = {} } = request;
  const retailer = request.retailer === undefined ? null : slugNamed(request.retailer);
  const identifiers = allowedBy(retailer, input);
  const isForced = request.forceRefresh || addOns.includeForceRefresh === true;
  const [first] = identifiers;
  if (isForced && !input.fromUrl && first?.kind === 'retailer_b_product_id') throw bareOnly(first);
  return {
    keys: identifiers.map((identifier) => lookupKey(identifier, retailer)),
    retailer,
    isForced,
    isBare: !input.fromUrl,
    addOns,
    identifierMatch: request.identifierMatch ?? 'confirmed',
    lens: lensOf(request.currency, request.usualCurrency),
    anchorOnly: request.anchorOnly === true,
    organizationId: request.organizationId ?? null,
    own: request.hasOwnFacts === true ? (request.organizationId ?? null) : null,
  };
}

function lookupKey(identifier: Identifier, retailer: string | null): LookupKey {
  if ('gtin14' in identifier) return { identifier, by: 'barcode', gtin: identifier.gtin14 };
  const listing = listingKeyOf(identifier);
  // The address's host cannot be a shop's.
  if (listing === null) throw new FaultError(URL_NOT_ALLOWED);
  const isForeign =
    retailer !== null &&
    identifier.kind !== 'url' &&
    listing.kind === 'retailer' &&
    listing.retailer !== retailer;
  return isForeign
    ? { identifier, by: 'barcode_of_listing', listing }
    : { identifier, by: 'listing', listing };
}

function checkForced({ forceRefresh, retailer, addOns }: ProductRequest): void {
  if (!forceRefresh) return;
  if (addOns?.includeForceRefresh === true) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'include_force_refresh',
      detail:
        'force_refresh and include_force_refresh both fetch now: send only one of them. force_refresh with ' +
        'retailer=<slug> costs no extra tokens.',
    });
  }
  if (retailer === undefined) {
    throw new FaultError({
      code: 'force_refresh_requires_retailer',
      parameter: 'force_refresh',
      detail: 'force_refresh=true requires retailer=<slug>: it fetches from one retailer.',
    });
  }
}

/** Returns the identifiers that `retailer=<slug>` allows (D13, D46); all of them without it. */
function allowedBy(retailer: string | null, input: Input): readonly Identifier[] {
  const { identifiers, fromUrl } = input;
  const [first, page] = identifiers;
  if (retailer === null || first === undefined || first.kind === 'url') return identifiers;
  // A Digital Link (D75): its page belongs to one shop; its barcode may be sold by every other.
  if (fromUrl && 'gtin14' in first && page !== undefined) {
    return isPageOf(page, retailer) ? [page] : [first];
  }
  if (fromUrl && 'retailer' in first && first.retailer === retailer) return identifiers;
  if (first.kind === 'retailer_b_product_id' && !fromUrl) throw bareOnly(first);
  return isKnownSlug(retailer)
    ? atKnownRetailer(retailer, input)
    : atOtherShop(retailer, identifiers);
}

/** Another shop's pages are fetched by address, or found by barcode if a search engine is configured (D46). */
function atOtherShop(retailer: string, identifiers: readonly Identifier[]): readonly Identifier[] {
  const barcodes = identifiers.filter((each) => 'gtin14' in each);
  if (barcodes.length === 0) throw needsUrl(retailer);
  return barcodes;
}

function atKnownRetailer(retailer: string, { identifiers, fromUrl }: Input): readonly Identifier[] {
  const sku = identifiers.find((each) => each.kind === 'retailer_b_sku');
  if (retailer === 'retailer_b' && sku !== undefined) throw bareOnly(sku);
  const left = identifiers.filter(
    (each) =>
      !isRetailerB(each) && (!fromUrl || !('retailer' in each) || each.retailer === retailer),
  );
  if (left.length > 0) return left;
  throw new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    allowed: identifiers.flatMap((each) => ('retailer' in each ? [each.retailer] : [])),
    detail: `This address does not belong to ${retailer}. Leave out retailer=.`,
  });
}

function isPageOf(page: Identifier, retailer: string): boolean {
  const listing = listingKeyOf(page);
  return listing?.kind === 'shop' && listing.shop.slug === retailer;
}

/** D46: a shop that is not a known retailer has no barcode search of its own. */
export function needsUrl(retailer: Slug): FaultError {
  const near = nearestName(retailer, [...KNOWN_SLUGS, ...ALIASES]);
  const meant = near === null ? '' : ` Did you mean "${near}"?`;
  return new FaultError({
    code: 'retailer_mismatch',
    parameter: 'retailer',
    detail: `"${retailer}" cannot be searched by identifier.${meant} Send the URL of a product page of that shop.`,
  });
}

/**
 * Checks whether it is one of retailer_b's own identifiers, which are looked up bare and never with a forced fetch (D13).
 */
export function isRetailerB({ kind }: Identifier): boolean {
  return kind === 'retailer_b_sku' || kind === 'retailer_b_product_id';
}

/**
 * Returns the fault of a retailer_b identifier with a forced fetch or `retailer=`. Its detail shows which requests work
 * (D13).
 */
export function bareOnly(identifier: Identifier): FaultError {
  const url = listingKeyOf(identifier)?.url ?? null;
  const id = url === null ? '{address of the product page}' : encodeURIComponent(url);
  return new FaultError({
    code: 'bare_identifier_required',
    parameter: 'retailer',
    detail:
      `"${identifier.value}" is an identifier of retailer_b and cannot be sent with retailer= or a forced fetch. To use ` +
      `those, send the address of its product page: /v1/products/${id}?retailer=retailer_b&force_refresh=true`,
  });
}
