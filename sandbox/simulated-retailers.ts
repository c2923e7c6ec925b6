// The seven simulated retailers, and the answers of their origins.

import type { KnownSlug } from '../src/base/retailer.ts';
import { htmlAnswer } from './answer.ts';
import type { SimulatedAnswer } from './answer.ts';
import type { SimulatedRetailer, RetailerState, Disturbance } from './simulated-retailer.ts';
import { retailerPage } from './simulated-retailer.ts';
import { simulatedRetailerA } from './retailer-a/simulated-retailer.ts';
import { simulatedRetailerB } from './retailer-b/simulated-retailer.ts';
import { simulatedRetailerE } from './retailer-e/simulated-retailer.ts';
import { simulatedRetailerH } from './retailer-h/simulated-retailer.ts';
import { simulatedRetailerL } from './retailer-l/simulated-retailer.ts';
import { simulatedRetailerT } from './retailer-t/simulated-retailer.ts';
import { simulatedRetailerW } from './retailer-w/simulated-retailer.ts';
import type { ShopRequest } from './request.ts';

export const SIMULATED_RETAILERS: Readonly<Record<KnownSlug, SimulatedRetailer>> = {
  retailer_w: simulatedRetailerW,
  retailer_a: simulatedRetailerA,
  retailer_e: simulatedRetailerE,
  retailer_l: simulatedRetailerL,
  retailer_t: simulatedRetailerT,
  retailer_b: simulatedRetailerB,
  retailer_h: simulatedRetailerH,
};

const ROBOTS = 'User-agent: *\nDisallow: /cart\nDisallow: /checkout\n';

const ROBOTS_CLOSED = 'User-agent: *\nDisallow: /\n';

/** Answers for a retailer: pages and APIs have different paths, so each of its origins answers for all of them. */
export function retailerAnswer(
  slug: KnownSlug,
  state: RetailerState,
  request: ShopRequest,
): SimulatedAnswer {
  const disturbance = state.disturbed.get(slug);
  if (disturbance !== undefined && disturbance !== 'disallowed') {
    return disturbedAnswer(slug, state, disturbance);
  }
  if (request.url.pathname === '/robots.txt') {
    const body = disturbance === 'disallowed' ? ROBOTS_CLOSED : ROBOTS;
    return { kind: 'page', status: 200, type: 'text/plain; charset=utf-8', body };
  }
  if (state.isApisOnly && request.url.origin === new URL(state.market.origins[slug].page).origin) {
    return SIMULATED_RETAILERS[slug].wall(state.market);
  }
  const answer = SIMULATED_RETAILERS[slug].answer(state, request);
  if (answer !== null) return answer;
  return htmlAnswer(404, retailerPage('Page not found', '', '<h1>404</h1>'));
}

function disturbedAnswer(
  slug: KnownSlug,
  state: RetailerState,
  kind: Exclude<Disturbance, 'disallowed'>,
): SimulatedAnswer {
  switch (kind) {
    case 'blocked':
      return SIMULATED_RETAILERS[slug].wall(state.market);
    case 'broken':
      return htmlAnswer(500, '<h1>Something went wrong on our side</h1>');
    case 'slow':
      return { kind: 'stalled', head: '<!doctype html>\n' };
    case 'down':
      return { kind: 'reset' };
  }
}
