// GET /v1/products/{id}/candidates: the candidates on a product page now, and why they were taken or not (D85, D93).

import { z } from 'zod';

import type { ReadPageCandidates } from '../../../answer/lookup/page-candidates.ts';
import { CandidatesBody, presentCandidates } from '../../../answer/wire/candidates.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import type { Metering } from '../../../data/metering/metering.ts';
import { enter, type LookupContext } from '../../call.ts';
import { identifierIn, PRODUCTS } from '../../path-text.ts';
import { free, route, type Route } from '../../route.ts';
import { ONE_FAULTS } from '../route-faults.ts';
import { productId } from './path-identifier.ts';

export type CandidateRouteParts = {
  readonly outside: () => Promise<{ readonly pageCandidates: ReadPageCandidates }>;
  readonly metering: Pick<Metering, 'takeCandidates'>;
  readonly lookupContext: LookupContext;
};

const candidates = route({
  method: 'get',
  path: `${PRODUCTS}{id}/candidates`,
  operationId: 'getProductCandidates',
  summary: 'List every amount, stock word and barcode on a product page',
  description:
    'Fetches the page now, at the pace of its host, and states for each candidate its place ' +
    'and the reason why it was taken or not. Nothing is stored. Requires an address or the ID ' +
    'of a retailer, because a barcode has no page. Pages of more than 5 MB are refused. At ' +
    'most 60 in any 60 seconds.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: z.object({ id: productId }), query: NoQuery },
  answer: { description: 'The text of the page and its candidates.', schema: CandidatesBody },
  faults: [
    ...ONE_FAULTS,
    'invalid_identifier',
    'url_not_allowed',
    'source_unusable',
    'upstream_unavailable',
  ],
  call:
    ({ outside, metering, lookupContext }: CandidateRouteParts) =>
    async ({ call, caller }) => {
      const { pageCandidates } = await outside();
      const key = pageCandidates.parse(identifierIn(call.asked.path));
      return free(async () => {
        await metering.takeCandidates(caller);
        enter(call, 'fetching');
        const { organizationId, scopes } = caller;
        const page = await pageCandidates.read(key, lookupContext(caller), organizationId);
        return presentCandidates(page, scopes.includes('rules:write'));
      });
    },
});

export const CANDIDATE_ROUTES: readonly Route<CandidateRouteParts>[] = [candidates];
