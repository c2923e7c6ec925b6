// Every origin of the simulation and its answers: shops, retailers, search engines. Each of them also answers questions
// about the facts behind the pages, below /__truth/, and switches failures of official APIs, below /__failures.

import { KNOWN_SLUGS } from '../src/base/retailer.ts';
import { htmlAnswer } from './answer.ts';
import type { SimulatedAnswer } from './answer.ts';
import { failureSwitch } from './api-failures.ts';
import type { FailingApis } from './api-failures.ts';
import type { RetailerState } from './simulated-retailer.ts';
import { SIMULATED_RETAILERS, retailerAnswer } from './simulated-retailers.ts';
import { marketTruth } from './market/market-truth.ts';
import { originsOf } from './origins.ts';
import type { OriginsOfRetailers } from './origins.ts';
import { apiAnswer } from './request.ts';
import type { ShopRequest } from './request.ts';
import { shopAnswer } from './shops/shop-answer.ts';
import { inYen, ucpAnswer, type UcpTrap } from './shops/ucp-catalog.ts';
import { searchProviderAnswer } from './search-provider.ts';
import { SHOPS } from './world.ts';
import type { World } from './world.ts';

export type Site = {
  readonly origin: string;
  readonly answer: (request: ShopRequest) => SimulatedAnswer;
};

type SimulatedWorld = {
  readonly world: World;
  readonly retailers: OriginsOfRetailers;
  readonly search: Readonly<Record<string, string>>;
  readonly failing: FailingApis;
  /** What is wrong with the catalogue of the hosted store. */
  readonly traps: ReadonlyMap<'ucp', UcpTrap>;
  /** Only the retailers: neither shops nor search engines. */
  readonly isApisOnly: boolean;
  /** Created at the first request that needs it. */
  readonly state: () => RetailerState;
};

export function sitesOf(simulated: SimulatedWorld): readonly Site[] {
  const { world, retailers, search, state, failing, isApisOnly, traps } = simulated;
  const trap = () => traps.get('ucp') ?? null;
  const shops = world.shops.map((shop): Site => {
    const pages = readOnly((request) =>
      shopAnswer(world, shop, request.url.pathname + request.url.search, request.atMs),
    );
    const catalogue = (request: ShopRequest) =>
      shop.kind === 'hosted'
        ? ucpAnswer({ world, shop, trap: trap(), atMs: request.atMs }, request)
        : null;
    const answer = (request: ShopRequest) => catalogue(request) ?? pages(request);
    return {
      origin: shop.origin,
      answer: (request) => (trap() === 'yen' ? inYen(answer(request)) : answer(request)),
    };
  });
  const atRetailers = KNOWN_SLUGS.flatMap((slug) =>
    originsOf(retailers[slug], isApisOnly).map((origin): Site => ({
      origin,
      answer: (request) => retailerAnswer(slug, state(), request),
    })),
  );
  const engines = Object.values(search).map((address): Site => ({
    origin: new URL(address).origin,
    answer: readOnly(
      (request) =>
        searchProviderAnswer(state().market, SIMULATED_RETAILERS, request) ??
        htmlAnswer(404, '<h1>404</h1>'),
    ),
  }));
  const sites = isApisOnly ? atRetailers : [...shops, ...atRetailers, ...engines];
  return sites.map((site) => ({
    origin: site.origin,
    answer: (request) =>
      truthAnswer(simulated, request) ?? failureSwitch(failing, request) ?? site.answer(request),
  }));
}

function readOnly(
  answer: (request: ShopRequest) => SimulatedAnswer,
): (request: ShopRequest) => SimulatedAnswer {
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

/** Answers /__truth/ paths; `at=<milliseconds>` requests another instant. Null: any other path. */
function truthAnswer(
  { world, state }: SimulatedWorld,
  request: ShopRequest,
): SimulatedAnswer | null {
  const { url, atMs } = request;
  if (!url.pathname.startsWith('/__truth/')) return null;
  const given = Number(url.searchParams.get('at') ?? atMs);
  const at = Number.isSafeInteger(given) ? given : atMs;
  const address = url.searchParams.get('url') ?? '';
  const { market } = state();
  const isRetailers = KNOWN_SLUGS.some((slug) =>
    address.startsWith(`${market.origins[slug].page}/`),
  );
  const question =
    isRetailers && url.pathname === '/__truth/product'
      ? new URL(`/__truth/listing${url.search}`, url)
      : url;
  const facts = marketTruth(market, SIMULATED_RETAILERS, question, at);
  // Each shop answers for all three.
  if (facts === undefined) return shopAnswer(world, SHOPS[0], url.pathname + url.search, at);
  return apiAnswer(facts === null ? 404 : 200, facts);
}
