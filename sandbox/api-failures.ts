// The ways in which a simulated official API fails on request. One is switched on for an API until it is switched off, by a
// test or with POST /__failures/<api>/<kind> at any port of the sandbox.

import { htmlAnswer } from './answer.ts';
import type { SimulatedAnswer } from './answer.ts';
import { API_FAILURES, DOCUMENTED } from './api-errors.ts';
import type { ApiFailure, Documented, OfficialApi } from './api-errors.ts';
import type { Market, MarketListing } from './market/market.ts';
import { apiAnswer } from './request.ts';
import type { ShopRequest } from './request.ts';
import { SHOPS } from './world.ts';

/** The failures that are switched on. */
export type FailingApis = Map<OfficialApi, ApiFailure>;

export const OFFICIAL_APIS = Object.keys(DOCUMENTED) as readonly OfficialApi[];

/** The kinds that every API has, whatever it documents. */
const EVERYWHERE: ReadonlySet<ApiFailure> = new Set([
  'wrong_key',
  'unavailable',
  'html',
  'empty',
  'several',
  'redirected',
]);

const WITHOUT_TOKEN: ReadonlySet<OfficialApi> = new Set(['affiliate', 'products']);

/** Returns the kinds of failure of an API. */
export function failuresOf(api: OfficialApi): readonly ApiFailure[] {
  return (Object.keys(API_FAILURES) as readonly ApiFailure[]).filter(
    (kind) =>
      Object.hasOwn(DOCUMENTED[api], kind) ||
      EVERYWHERE.has(kind) ||
      (kind === 'token_redirected' && !WITHOUT_TOKEN.has(api)),
  );
}

function rowOf(api: OfficialApi, kind: ApiFailure): Documented | undefined {
  const rows: Partial<Record<ApiFailure, Documented>> = DOCUMENTED[api];
  return rows[kind];
}

/** Returns what an API answers to a token or a signature that is not valid any more, or never was. */
export function expiredAnswer(api: OfficialApi): SimulatedAnswer {
  const { status, body } = rowOf(api, 'expired_token') ?? { status: 401, body: {} };
  return apiAnswer(status, body);
}

/** Returns the answer to wrong credentials. */
export function wrongKeyAnswer(api: OfficialApi): SimulatedAnswer {
  const { status, body } = rowOf(api, 'wrong_key') ?? { status: 401, body: {} };
  return apiAnswer(status, body);
}

type Asked = { readonly api: OfficialApi; readonly part?: 'token' };

/** Returns the answer to a request if a failure is switched on that concerns it: of the API, or of its token address. */
export function failedAnswer(
  failing: FailingApis,
  { api, part }: Asked,
  request: ShopRequest,
): SimulatedAnswer | null {
  const kind = failing.get(api);
  if (kind === undefined) return null;
  const row = rowOf(api, kind);
  const isOfTokens = kind === 'token_redirected' || row?.part === 'token';
  if (isOfTokens !== (part === 'token')) {
    // Tokens issued before are refused too, so that a new one is requested.
    return isOfTokens ? expiredAnswer(api) : null;
  }
  if (row !== undefined) return apiAnswer(row.status, row.body, row.headers);
  switch (kind) {
    case 'redirected':
    case 'token_redirected':
      return elsewhere(request);
    case 'unavailable':
      return htmlAnswer(503, '<h1>503 Service Unavailable</h1>');
    case 'html':
      return htmlAnswer(200, '<html><body><h1>We will be back soon</h1></body></html>');
    default:
      return null;
  }
}

/** A redirect that repeats the whole address, as gateways send it; the other host is that of a simulated shop. */
function elsewhere({ url }: ShopRequest): SimulatedAnswer {
  const location = `${SHOPS[0].origin}${url.pathname}${url.search}`;
  return htmlAnswer(302, '', { location });
}

/** Returns what an API finds, changed by `empty` and `several`. The second product states the barcode of the first. */
export function foundBy(
  { failing, market }: { readonly failing: FailingApis; readonly market: Market },
  api: OfficialApi,
  found: readonly MarketListing[],
): readonly MarketListing[] {
  const kind = failing.get(api);
  if (kind === 'empty') return [];
  const [first] = found;
  if (kind !== 'several' || first === undefined) return found;
  const other = market
    .listings(first.slug)
    .find(({ product }) => product.isReliable && product !== first.product);
  return other === undefined ? found : [...found, { ...other, publishedGtin: first.publishedGtin }];
}

/** Answers `/__failures` with the failures, and `POST /__failures/<api>/<kind>` by switching one on (`none`: off). */
export function failureSwitch(failing: FailingApis, request: ShopRequest): SimulatedAnswer | null {
  const [, root, name, wanted] = request.url.pathname.split('/');
  if (root !== '__failures') return null;
  const api = OFFICIAL_APIS.find((each) => each === name);
  const kind = api === undefined ? undefined : failuresOf(api).find((each) => each === wanted);
  if (request.method === 'POST') {
    if (api === undefined || (kind === undefined && wanted !== 'none')) {
      return apiAnswer(404, { message: 'POST /__failures/<api>/<kind>, as GET /__failures lists' });
    }
    if (kind === undefined) failing.delete(api);
    else failing.set(api, kind);
  }
  const apis = OFFICIAL_APIS.map((each) => [
    each,
    { now: failing.get(each) ?? null, kinds: failuresOf(each) },
  ]);
  return apiAnswer(200, { apis: Object.fromEntries(apis) as object, kinds: API_FAILURES });
}
