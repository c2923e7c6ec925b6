// The seven known retailers and the facts about each. Host names and URL patterns are not here: they belong to each
// retailer's address book (D3).

export const KNOWN_SLUGS = [
  'retailer_w',
  'retailer_a',
  'retailer_e',
  'retailer_l',
  'retailer_t',
  'retailer_b',
  'retailer_h',
] as const;

export type KnownSlug = (typeof KNOWN_SLUGS)[number];

/** A known slug, or the label of any other shop (D2, D10). */
export type Slug = string;

export type IdentityMethod = 'catalog_key' | 'page_barcode';

type RetailerFacts = {
  /** Has third-party sellers; the others are first-party retailers (`seller_context` is null there). */
  readonly marketplace: boolean;
  /** Whether it stores and ships for its sellers, for a fee. Other marketplaces charge only the referral fee. */
  readonly fulfillmentProgram: boolean;
  /** How a listing of this retailer can be tied to a barcode (D35); null if it never can. */
  readonly identityMethod: IdentityMethod | null;
};

export const RETAILERS = {
  retailer_w: { marketplace: true, fulfillmentProgram: true, identityMethod: 'catalog_key' },
  retailer_a: { marketplace: true, fulfillmentProgram: true, identityMethod: null },
  retailer_e: { marketplace: true, fulfillmentProgram: false, identityMethod: 'catalog_key' },
  retailer_l: { marketplace: false, fulfillmentProgram: false, identityMethod: 'page_barcode' },
  retailer_t: { marketplace: false, fulfillmentProgram: false, identityMethod: null },
  retailer_b: { marketplace: false, fulfillmentProgram: false, identityMethod: 'page_barcode' },
  retailer_h: { marketplace: false, fulfillmentProgram: false, identityMethod: 'page_barcode' },
} as const satisfies Record<KnownSlug, RetailerFacts>;

export function isKnownSlug(slug: string): slug is KnownSlug {
  return Object.hasOwn(RETAILERS, slug);
}

/** Returns whether third parties also sell there and pay the retailer for it. */
export function isMarketplace(slug: Slug): slug is KnownSlug {
  return isKnownSlug(slug) && RETAILERS[slug].marketplace;
}

/** Returns whether sellers pay the retailer for storing and shipping: without that fee, a listing's fees are unknown. */
export function hasFulfillmentProgram(slug: Slug): boolean {
  return isKnownSlug(slug) && RETAILERS[slug].fulfillmentProgram;
}

/**
 * D2: returns whether the text is one of the seven as spelled, or for any other shop 2 to 30 lowercase letters and digits.
 */
export function isSlug(text: string): boolean {
  return isKnownSlug(text) || /^[a-z0-9]{2,30}$/.test(text);
}
