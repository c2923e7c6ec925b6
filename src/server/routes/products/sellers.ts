// GET /v1/sellers/{seller_id}: the profile of a retailer_w marketplace seller (D32).

import { z } from 'zod';

import { mostItCanCost } from '../../../base/call-cost.ts';
import type { LookupSeller, SellerAnswer } from '../../../answer/lookup/lookup-seller.ts';
import { BilledHeaders, NoQuery } from '../../../answer/wire/query.ts';
import { presentSellerRecord, SellerRecord } from '../../../answer/wire/seller.ts';
import type { LookupContext } from '../../call.ts';
import { billed, route, type Route } from '../../route.ts';
import { ASKING_FAULTS } from '../route-faults.ts';
import { identifierIn } from '../../path-text.ts';

const price = { kind: 'seller' } as const;
const TOKENS = mostItCanCost(price);

const FAULTS = [...ASKING_FAULTS, 'first_party_seller'] as const;

const sellerId = z.string().meta({
  description:
    'The 32-character ID or the public number of a seller, as in `seller_id_hex` and `seller_id` of ' +
    '`offers`. Case-insensitive.',
  example: 'F2C5E1A09B7D4C3E8A6F0D1B2C3E4F50',
});

export type SellerRouteParts = {
  readonly outside: () => Promise<{ readonly lookupSeller: LookupSeller }>;
  readonly lookupContext: LookupContext;
};

const seller = route({
  method: 'get',
  path: '/v1/sellers/{seller_id}',
  operationId: 'getSeller',
  summary: 'Get the profile of a marketplace seller of retailer_w',
  description:
    'Only sellers seen in an offer or on a product page are known; a profile is fresh for seven ' +
    'days. The retailer itself has no profile and returns 404 `first_party_seller`.',
  scope: 'products:read',
  price,
  request: { params: z.object({ seller_id: sellerId }), query: NoQuery, headers: BilledHeaders },
  answer: { description: "The seller's profile.", schema: SellerRecord },
  faults: FAULTS,
  call:
    (parts: SellerRouteParts) =>
    async ({ call: { asked }, route, caller }) => {
      const { lookupSeller } = await parts.outside();
      const id = lookupSeller.parse(identifierIn(asked.path));
      const answer = ({ profile, fetchedAtMs }: SellerAnswer) => ({
        body: presentSellerRecord(profile, fetchedAtMs),
        tokens: TOKENS,
      });
      return billed({
        route,
        maxTokens: TOKENS,
        fromStore: async () => {
          const value = await lookupSeller.fromStore(id);
          return value === null ? null : answer(value);
        },
        make: async () => answer(await lookupSeller.fromShops(id, parts.lookupContext(caller))),
      });
    },
});

export const SELLER_ROUTES: readonly Route<SellerRouteParts>[] = [seller];
