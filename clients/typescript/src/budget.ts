// A budget of tokens on the client's side: what calls in progress can cost at most counts as spent until they are answered.

import { TokenBudgetSpent } from './errors.ts';

export type TokenBudget = {
  /** Tokens that were charged, or may have been where an answer was lost: never less than the service says. */
  readonly spent: number;
  /** What may still be spent; `Infinity` without a budget. */
  readonly left: number;
};

export type Reserve = (most: number) => (spent: number) => void;

export function createBudget(limit: number): {
  readonly budget: TokenBudget;
  readonly reserve: Reserve;
} {
  let spent = 0;
  let reserved = 0;
  const budget = {
    get spent() {
      return spent;
    },
    get left() {
      return Math.max(0, limit - spent - reserved);
    },
  };
  const reserve: Reserve = (most) => {
    if (most > budget.left) throw new TokenBudgetSpent(budget.left, most);
    reserved += most;
    let isSettled = false;
    return (consumed) => {
      if (isSettled) return;
      isSettled = true;
      reserved -= most;
      spent += consumed;
    };
  };
  return { budget, reserve };
}

const ADD_ONS: Readonly<Record<string, number>> = {
  include_cross_retailer: 2,
  include_seller_context: 3,
  include_offers_history: 5,
  include_price_series: 10,
  include_force_refresh: 3,
};
const OFFERS = ['include_offers', 'include_offers_reviews'];

/** The most a lookup with these parameters can cost. */
export function mostOfLookup(parameters: Readonly<Record<string, unknown>>): number {
  const isOn = (name: string) => /^(?:true|1)$/i.test(String(parameters[name]));
  const addOns = Object.entries(ADD_ONS).map(([name, tokens]) => (isOn(name) ? tokens : 0));
  return 1 + (OFFERS.some(isOn) ? 5 : 0) + addOns.reduce((sum, tokens) => sum + tokens, 0);
}

const PRICES: readonly (readonly [RegExp, number])[] = [
  [/^\/v1\/products\/[^/]+\/history$/, 2],
  [/^\/v1\/products\/[^/]+\/reviews$/, 3],
  [/^\/v1\/products\/[^/]+\/compare$/, 3],
  [/^\/v1\/products\/[^/]+\/picture$/, 0],
  [/^\/v1\/sellers\/[^/]+$/, 2],
];

/** The most that a call can cost. A batch is priced by its lines. */
export function mostOfCall(method: string, url: URL): number {
  const path = url.pathname.slice(Math.max(0, url.pathname.indexOf('/v1')));
  const query = Object.fromEntries(url.searchParams);
  if (path === '/v1/products/batch') return 0;
  if (method === 'POST' && /^\/v1\/products\/[^/]+\/refresh$/.test(path)) {
    return mostOfLookup({ include_offers_reviews: true, ...query, include_force_refresh: true });
  }
  if (method === 'POST' && path === '/v1/pages') return 1;
  if (method === 'POST' && /^\/v1\/watches\/[^/]+\/look$/.test(path)) return 1;
  const price = PRICES.find(([pattern]) => pattern.test(path));
  if (price !== undefined) return price[1];
  return /^\/v1\/products(?:\/[^/]+)?$/.test(path) ? mostOfLookup(query) : 0;
}
