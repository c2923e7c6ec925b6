// Decides which facts of a listing may be returned now, if several sources or an organization state it (D81, D84). Pure.

import { HOUR_MS } from '../../base/clock.ts';
import { EMPTY_LISTING, type Listing } from '../../base/listing/listing.ts';
import type { Limits, StoredListing } from '../../base/listing/stored-listing.ts';
import type { Terms, TermsInForce } from './profiles.ts';

/** One source's or organization's row of a listing. `rowId` is where its observations stand. */
type Layer<T extends StoredListing = StoredListing> = {
  readonly rowId: string;
  readonly stored: T;
};

type Viewing = {
  readonly terms: TermsInForce;
  readonly nowMs: number;
  /** The reading organization; null if it has no facts of its own. */
  readonly organizationId: string | null;
};

/**
 * The listing as it may be given: the newest row that may be given whole, else the newest of which something may be. Another
 * organization's row, which the operator's trust lets through, counts only where there is no other. Null without a row.
 */
export function shownLayer<T extends StoredListing>(
  layers: readonly Layer<T>[],
  viewing: Viewing,
): T | null {
  const judged = layers
    .map((layer) => ({ ...layer, limits: termLimitsOf(layer.stored, viewing) }))
    .toSorted(
      (a, b) =>
        b.stored.fetchedAtMs - a.stored.fetchedAtMs || standing(b.stored) - standing(a.stored),
    );
  const isForeign = ({ owner }: StoredListing): boolean =>
    owner !== undefined && owner.organizationId !== viewing.organizationId;
  const own = judged.filter(({ stored }) => !isForeign(stored));
  const rows = own.length > 0 ? own : judged;
  const best =
    rows.find(({ limits }) => limits === null || limits.withheld === 'nothing') ??
    rows.find(({ limits }) => limits?.withheld === 'sale') ??
    rows[0];
  if (best === undefined) return null;
  const { stored, limits } = best;
  return {
    ...stored,
    listing: given(withPicture(stored, viewing.terms), limits),
    ...(limits === null ? {} : { limits }),
    ...(isForeign(stored) ? { isForeign: true as const } : {}),
    series: [stored.id, ...seriesIn(judged).filter((rowId) => rowId !== stored.id)],
  };
}

/**
 * The order of the rows from one reading: an organization's row comes first (D85), unless the common row has since turned
 * out to be gone or moved.
 */
function standing({ owner, moved, listing }: StoredListing): number {
  const isGone = moved !== undefined || listing.unavailable === true;
  return (isGone ? 2 : 0) + (owner === undefined ? 0 : 1);
}

/** The rows from which a common history may be made. Rows that an organization brought form a series of their own. */
function seriesIn(
  layers: readonly (Layer & { readonly limits: Limits | null })[],
): readonly string[] {
  return layers.flatMap(({ rowId, stored, limits }) =>
    stored.owner === undefined && hasSeries(limits) ? [rowId] : [],
  );
}

/** Checks whether a history may be made of a row with these limits. */
export function hasSeries(limits: Limits | null): boolean {
  return limits === null || (limits.history && limits.withheld !== 'facts');
}

/** The effect of the source's terms on a row now; null without terms. */
export function termLimitsOf(
  {
    origin,
    fetchedAtMs,
  }: { readonly origin?: { readonly source: string }; readonly fetchedAtMs: number },
  { terms, nowMs }: Pick<Viewing, 'terms' | 'nowMs'>,
): Limits | null {
  const inForce = origin === undefined ? null : terms(origin.source);
  if (origin === undefined || inForce === null) return null;
  const { identityHours, history, alerts, merge, notice } = inForce;
  const saleEndsMs = endOf(fetchedAtMs, saleHours(inForce));
  const factsEndMs = endOf(fetchedAtMs, identityHours);
  const withheld = nowMs >= factsEndMs ? 'facts' : nowMs >= saleEndsMs ? 'sale' : 'nothing';
  const endsAtMs =
    withheld === 'nothing' ? saleEndsMs : withheld === 'sale' ? factsEndMs : Infinity;
  return {
    source: origin.source,
    withheld,
    history,
    alerts,
    isApart: merge === 'isolated',
    notice,
    endsAtMs: Number.isFinite(endsAtMs) ? endsAtMs : null,
  };
}

/** Nothing of a sale outlives the product that it is of. */
export function saleHours({ priceHours, identityHours }: Terms): number | null {
  if (priceHours === null || identityHours === null) return priceHours ?? identityHours;
  return Math.min(priceHours, identityHours);
}

function endOf(fetchedAtMs: number, hours: number | null): number {
  return hours === null ? Infinity : fetchedAtMs + hours * HOUR_MS;
}

/**
 * What terms may withhold: first what belongs to the sale rather than the product, then the other facts. Identifiers stay. Every
 * field has a row, so that none is given longer than the terms allow because it was forgotten here.
 */
const KINDS = {
  url: 'identifier',
  itemId: 'identifier',
  asin: 'identifier',
  productId: 'identifier',
  gtin: 'identifier',
  sku: 'fact',
  mpn: 'fact',
  codes: 'fact',
  model: 'fact',
  title: 'fact',
  brand: 'fact',
  description: 'fact',
  imageUrl: 'fact',
  categories: 'fact',
  specs: 'fact',
  price: 'sale',
  priceReadFrom: 'sale',
  otherPrice: 'sale',
  listPrice: 'sale',
  instalmentTotal: 'sale',
  secondaryOfferPrice: 'sale',
  inStock: 'sale',
  unavailable: 'fact',
  condition: 'fact',
  rating: 'fact',
  reviewCount: 'fact',
  ratingDistribution: 'fact',
  sellerName: 'sale',
  sellerId: 'sale',
  sellerType: 'sale',
  catalogSellerId: 'sale',
  sellerRating: 'sale',
  sellerReviewCount: 'sale',
  offersCount: 'sale',
  offers: 'sale',
  deliveryDate: 'sale',
  fulfillment: 'sale',
  weightLbs: 'fact',
  weightAssembledLbs: 'fact',
  weightPackageLbs: 'fact',
  dimensions: 'fact',
  dimensionsAssembled: 'fact',
  dimensionsPackage: 'fact',
  soldTag: 'sale',
  isBestSeller: 'fact',
  salesRank: 'fact',
  packCount: 'fact',
  hazmat: 'fact',
  variantId: 'identifier',
} as const satisfies Record<keyof Listing, 'sale' | 'fact' | 'identifier'>;

const fieldsOfKind = (kind: (typeof KINDS)[keyof Listing]): readonly (keyof Listing)[] =>
  (Object.keys(KINDS) as (keyof Listing)[]).filter((field) => KINDS[field] === kind);

const SALE = fieldsOfKind('sale');
const IDENTIFIERS = fieldsOfKind('identifier');

function given(listing: Listing, limits: Limits | null): Listing {
  if (limits === null || limits.withheld === 'nothing') return listing;
  return limits.withheld === 'sale'
    ? withoutSale(listing)
    : { ...EMPTY_LISTING, ...only(listing, IDENTIFIERS) };
}

/** Returns the listing without its picture if not even a link to it may be given. */
function withPicture({ listing, origin }: StoredListing, terms: TermsInForce): Listing {
  const inForce = origin === undefined ? null : terms(origin.source);
  return inForce?.pictures === 'none' ? { ...listing, imageUrl: null } : listing;
}

/** Returns a listing without price, stock and everything else about the sale. */
export function withoutSale(listing: Listing): Listing {
  return { ...listing, ...only(EMPTY_LISTING, SALE) };
}

function only(listing: Listing, fields: readonly (keyof Listing)[]): Partial<Listing> {
  return Object.fromEntries(fields.map((field) => [field, listing[field]]));
}
