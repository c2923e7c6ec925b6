// Prices a call in tokens: the most it can cost (reserved first) and what it did cost (settled with the answer; D17). Pure.
// The service has its prices from this file alone; texts that mention one format it with `tokensInWords`. The TypeScript client has
// a copy, for its budget (clients/typescript/src/budget.ts); tests/clients/budget.test.ts compares them. CONTRIBUTING.md lists what
// a change of a price touches.

/** Tokens of each endpoint before add-ons (D14, D19, D47). */
export const BASE_TOKENS = {
  /** The same with `retailer=<slug>` and with `force_refresh`: neither changes the price (D18). */
  product: 1,
  refresh: 1,
  history: 2,
  reviews: 3,
  seller: 2,
  compare: 3,
  /** A page that is handed in (D93). */
  page: 1,
  /** A check of a watch at its owner's request (D93). */
  look: 1,
  /** A listing read for a watch check. */
  watchedRead: 1,
  /** `/v1/usage`, `/v1/retailers`, `/v1/rate-cards`, `/v1` (D14). */
  free: 0,
} as const;

/** Tokens per add-on. */
export const ADD_ON_TOKENS = {
  includeOffersReviews: 5,
  /** Charged once with the one above: both return live offers (D17). */
  includeOffers: 5,
  includeCrossRetailer: 2,
  includeSellerContext: 3,
  includeOffersHistory: 5,
  /** Charged only when the answer has at least one bar. */
  includePriceSeries: 10,
  /** `include_force_refresh=true` on the GET (D18); POST .../refresh always has it (D19). */
  includeForceRefresh: 3,
} as const;

export type AddOn = keyof typeof ADD_ON_TOKENS;

/** The requested add-ons; absent means false. */
export type AddOns = Readonly<Partial<Record<AddOn, boolean>>>;

/**
 * The parts of a call that determine its price. For `refresh` the caller passes the add-ons after defaults:
 * `includeOffersReviews` is true unless `include_offers_reviews=false` was sent (D19).
 */
export type PricedCall =
  | { readonly kind: 'product' | 'refresh'; readonly addOns: AddOns }
  | { readonly kind: Exclude<keyof typeof BASE_TOKENS, 'product' | 'refresh'> };

/** Returns the tokens to reserve: every add-on at its full price. */
export function mostItCanCost(call: PricedCall): number {
  return costOf(call, { barsHeld: true });
}

/** Formats the most that a call can cost, or a number of tokens: `1 token`, `9 tokens`. */
export function tokensInWords(price: PricedCall | number): string {
  const count = typeof price === 'number' ? price : mostItCanCost(price);
  return count === 1 ? '1 token' : `${count} tokens`;
}

/** Returns the tokens to settle. `barsHeld`: the answer has at least one price bar in its series. */
export function costOf(call: PricedCall, answer: { readonly barsHeld: boolean }): number {
  let tokens: number = BASE_TOKENS[call.kind];
  if (!('addOns' in call)) return tokens;
  for (const addOn of ADD_ONS) {
    if (isCharged(addOn, call, answer)) tokens += ADD_ON_TOKENS[addOn];
  }
  return tokens;
}

const ADD_ONS = Object.keys(ADD_ON_TOKENS) as readonly AddOn[];

function isCharged(
  addOn: AddOn,
  { kind, addOns }: Extract<PricedCall, { readonly addOns: AddOns }>,
  { barsHeld }: { readonly barsHeld: boolean },
): boolean {
  const isAsked = addOns[addOn] === true;
  switch (addOn) {
    case 'includeOffers':
      return isAsked && addOns.includeOffersReviews !== true;
    case 'includePriceSeries':
      return isAsked && barsHeld;
    case 'includeForceRefresh':
      return isAsked || kind === 'refresh';
    default:
      return isAsked;
  }
}
