// A marketplace seller's public profile, and the facts that a seller's own account shows about a listing. A fact is null if
// the page does not state it.

export const SELLER_STATUSES = ['ACTIVE', 'ONBOARDING_INACTIVE', 'INACTIVE', 'SUSPENDED'] as const;
type SellerStatus = (typeof SELLER_STATUSES)[number];

export type SellerProfile = {
  /** The 32-character id. */
  readonly sellerId: string | null;
  /** The public number used in addresses. */
  readonly catalogSellerId: string | null;
  readonly name: string | null;
  readonly rating: number | null;
  readonly ratingCount: number | null;
  readonly activeListings: number | null;
  readonly accountAgeDays: number | null;
  readonly status: SellerStatus | null;
  readonly sellerType: 'FIRST_PARTY' | 'EXTERNAL' | null;
  readonly proSeller: boolean | null;
  readonly profileUrl: string | null;
  readonly categories: readonly string[] | null;
  readonly location: {
    readonly city: string | null;
    readonly state: string | null;
    readonly postalCode: string | null;
    readonly country: string | null;
  } | null;
};

export const EMPTY_SELLER: SellerProfile = Object.freeze({
  sellerId: null,
  catalogSellerId: null,
  name: null,
  rating: null,
  ratingCount: null,
  activeListings: null,
  accountAgeDays: null,
  status: null,
  sellerType: null,
  proSeller: null,
  profileUrl: null,
  categories: null,
  location: null,
});

/**
 * Returns the status of a seller (D92). The statement of a source about the account comes first: a suspended one may still
 * have listings. `isOffering`: an offer of the seller was read today.
 */
export function sellerStatus(
  { status, activeListings }: Pick<SellerProfile, 'status' | 'activeListings'>,
  isOffering: boolean,
): SellerStatus | null {
  if (status !== null) return status;
  if (isOffering || (activeListings ?? 0) > 0) return 'ACTIVE';
  return activeListings === 0 ? 'INACTIVE' : null;
}

/** A retailer_w seller by one of its two ids (D32). */
export type SellerId =
  /** 32 characters, upper case. */
  | { readonly kind: 'hex'; readonly value: string }
  /** The public number. */
  | { readonly kind: 'catalog'; readonly value: string };

/** Reads either form in any letter case; null for every other length. */
export function readSellerId(text: string): SellerId | null {
  const id = text.trim();
  if (/^[0-9a-z]{32}$/i.test(id)) return { kind: 'hex', value: id.toUpperCase() };
  return /^\d{1,15}$/.test(id) ? { kind: 'catalog', value: id } : null;
}

/** Whether the retailer forbids selling the product, or restricts who may sell it. `reason` is in the retailer's words. */
export type Restriction = { readonly flag: boolean; readonly reason: string | null };

/** Whether the marketplace would store and ship the product for its seller. */
export type FulfillmentEligibility = { readonly enabled: boolean; readonly reason: string | null };

/** Data available with a seller's own credentials; each field is null if they do not provide it (D33). */
export type SellerContext = {
  readonly restriction: Restriction | null;
  readonly fulfillmentEligibility: FulfillmentEligibility | null;
};
