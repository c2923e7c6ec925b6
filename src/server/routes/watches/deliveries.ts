// The routes of deliveries (D71): what was sent for a watch through its channels, and the way to send it again.

import { createRoute, z } from '@hono/zod-openapi';

import type { ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import {
  DeliveryAnswer,
  DeliveryList,
  presentDelivery,
} from '../../../answer/wire/watches/channels.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { ListQuery } from '../../../answer/wire/fields.ts';
import { answerFree } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api } from '../../context.ts';
import { DEFAULT_PAGE, placeOfCursor, readPage } from './list-page.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses, jsonResponse } from '../../document/responses.ts';
import { ONE_FAULTS } from '../route-faults.ts';

const PATH = '/v1/watches/{id}/deliveries';

const ofWatch = {
  id: z.string().openapi({
    param: { name: 'id', in: 'path' },
    description: 'Id of a watch.',
    example: 'wat_2mQ9xkz0',
  }),
};

export type DeliveryRouteParts = {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
  readonly manageChannels: ManageChannels;
};

export function addDeliveryRoutes(api: Api, parts: DeliveryRouteParts): void {
  addListRoute(api, parts);
  addReplayRoute(api, parts);
}

function addListRoute(api: Api, { requireKey, billing, manageChannels }: DeliveryRouteParts): void {
  const list = createRoute({
    method: 'get',
    path: PATH,
    operationId: 'listDeliveries',
    summary: 'Show what went out of a watch, and what came of it',
    description: 'Free. Newest first. Kept for `OPENSHELF_KEEP_CHANGES_DAYS`.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:read')] as const,
    request: { params: z.object(ofWatch), query: ListQuery },
    responses: {
      200: jsonResponse('The deliveries.', DeliveryList),
      ...faultResponses([...ONE_FAULTS, 'invalid_parameter']),
    },
  });
  api.openapi(list, (c) => {
    const { id } = c.req.valid('param');
    const { limit = DEFAULT_PAGE, cursor } = c.req.valid('query');
    return answerFree(c, billing, {
      route: 'GET /v1/watches/{id}/deliveries',
      body: async () => {
        const { organizationId } = callerOf(c);
        const { entries, next } = await readPage({
          limit,
          after: placeOfCursor(cursor, 'dlv'),
          read: (count, after) =>
            manageChannels.deliveriesOf(organizationId, id, { limit: count, after }),
          placeOf: ({ delivery }) => delivery,
          show: ({ delivery, title }) => presentDelivery(delivery, title),
        });
        return { deliveries: entries, next };
      },
    });
  });
}

function addReplayRoute(
  api: Api,
  { requireKey, billing, manageChannels }: DeliveryRouteParts,
): void {
  const replay = createRoute({
    method: 'post',
    path: `${PATH}/{delivery}/replay`,
    operationId: 'replayDelivery',
    summary: 'Send a notice once more',
    description:
      'Free. It goes out in its turn, delivered before or given up, with the id that it had: a receiver that has it already can tell.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: {
      params: z.object({
        ...ofWatch,
        delivery: z.string().openapi({
          param: { name: 'delivery', in: 'path' },
          description: 'Id of a delivery of the watch.',
          example: 'dlv_2mQ9xkz0',
        }),
      }),
      query: NoQuery,
    },
    responses: {
      200: jsonResponse('It waits to be sent.', DeliveryAnswer),
      ...faultResponses(ONE_FAULTS),
    },
  });
  api.openapi(replay, (c) => {
    const { id, delivery } = c.req.valid('param');
    return answerFree(c, billing, {
      route: 'POST /v1/watches/{id}/deliveries/{delivery}/replay',
      body: async () => {
        const again = await manageChannels.replay(callerOf(c).organizationId, id, delivery);
        return { delivery: presentDelivery(again.delivery, again.title) };
      },
    });
  });
}
