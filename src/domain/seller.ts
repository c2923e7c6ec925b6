// A marketplace seller's public profile (specification: seller profile). Null: the page does not say it.

export const SELLER_STATUSES = ['ACTIVE', 'ONBOARDING_INACTIVE', 'INACTIVE', 'SUSPENDED'] as const;
export type SellerStatus = (typeof SELLER_STATUSES)[number];

export type SellerProfile = {
  /** The 32-character id. */
  readonly sellerId: string | null;
  /** The public number in addresses. */
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
