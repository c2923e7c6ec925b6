// Every origin of the simulated world with what it answers: shops, retailers, search engines. The truth is
// told at all of them.

import { KNOWN_SLUGS } from '../core/retailer.ts';
import { htmlAnswer } from './answer.ts';
import type { Answer } from './answer.ts';
import type { RetailerState } from './simulated-retailer.ts';
import { SIMULATED_RETAILERS, retailerAnswer } from './simulated-retailers.ts';
import { marketTruth } from './market/market-truth.ts';
import { originsOf } from './origins.ts';
import type { Retailers } from './origins.ts';
import { apiAnswer } from './request.ts';
import type { ShopRequest } from './request.ts';
import { answerOf } from './routes.ts';
import { searchProviderAnswer } from './search-provider.ts';
import { SHOPS } from './world.ts';
import type { World } from './world.ts';

export type Place = {
  readonly origin: string;
  readonly answer: (request: ShopRequest) => Answer;
};

export type Plan = {
  readonly world: World;
  readonly retailers: Retailers;
  readonly search: Readonly<Record<string, string>>;
  /** Made at the first request that needs it. */
  readonly state: () => RetailerState;
};

export function placesOf(plan: Plan): readonly Place[] {
  const { world, retailers, search, state } = plan;
  const shops = world.shops.map((shop): Place => ({
    origin: shop.origin,
    answer: readOnly((request) =>
      answerOf(world, shop, request.url.pathname + request.url.search, request.atMs),
    ),
  }));
  const atRetailers = KNOWN_SLUGS.flatMap((slug) =>
    originsOf(retailers[slug]).map((origin): Place => ({
      origin,
      answer: (request) => retailerAnswer(slug, state(), request),
    })),
  );
  const engines = Object.values(search).map((address): Place => ({
    origin: new URL(address).origin,
    answer: readOnly(
      (request) =>
        searchProviderAnswer(state().market, SIMULATED_RETAILERS, request) ??
        htmlAnswer(404, '<h1>404</h1>'),
    ),
  }));
  return [...shops, ...atRetailers, ...engines].map((place) => ({
    origin: place.origin,
    answer: (request) => truthAnswer(plan, request) ?? place.answer(request),
  }));
}

function readOnly(answer: (request: ShopRequest) => Answer): (request: ShopRequest) => Answer {
  return (request) =>
    request.method === 'GET' || request.method === 'HEAD'
      ? answer(request)
      : {
          kind: 'page',
          status: 405,
          type: 'text/plain',
          body: '',
          headers: { allow: 'GET, HEAD' },
        };
}

/** `at=<milliseconds>` asks about another instant. Null: no question about the truth. */
function truthAnswer({ world, state }: Plan, request: ShopRequest): Answer | null {
  const { url, atMs } = request;
  if (!url.pathname.startsWith('/__truth/')) return null;
  const asked = Number(url.searchParams.get('at') ?? atMs);
  const at = Number.isSafeInteger(asked) ? asked : atMs;
  const address = url.searchParams.get('url') ?? '';
  const { market } = state();
  const isRetailers = KNOWN_SLUGS.some((slug) =>
    address.startsWith(`${market.origins[slug].page}/`),
  );
  const question =
    isRetailers && url.pathname === '/__truth/product'
      ? new URL(`/__truth/listing${url.search}`, url)
      : url;
  const told = marketTruth(market, SIMULATED_RETAILERS, question, at);
  // The shops tell about themselves, each of them about all three.
  if (told === undefined) return answerOf(world, SHOPS[0], url.pathname + url.search, at);
  return apiAnswer(told === null ? 404 : 200, told);
}
