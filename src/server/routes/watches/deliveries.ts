// The routes of deliveries (D71): list the messages sent for a watch through its channels, and send one again.

import { z } from 'zod';

import type { ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import {
  DeliveryAnswer,
  DeliveryList,
  presentDelivery,
} from '../../../answer/wire/watches/channels.ts';
import { NoQuery } from '../../../answer/wire/query.ts';
import { ListQuery } from '../../../answer/wire/fields.ts';
import { DEFAULT_PAGE, placeOfCursor, readPage } from './list-page.ts';
import { free, route, type Route } from '../../route.ts';
import { ONE_FAULTS } from '../route-faults.ts';

const PATH = '/v1/watches/{id}/deliveries';

const ofWatch = {
  id: z.string().meta({
    description: 'The ID of a watch.',
    example: 'wat_2mQ9xkz0',
  }),
};

export type DeliveryRouteParts = { readonly manageChannels: ManageChannels };

const list = route({
  method: 'get',
  path: PATH,
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a watch and their results',
  description:
    'Returns the deliveries, newest first. They are stored for `OPENSHELF_KEEP_CHANGES_DAYS`.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: z.object(ofWatch), query: ListQuery },
  answer: { description: 'The deliveries.', schema: DeliveryList },
  faults: [...ONE_FAULTS, 'invalid_parameter'],
  call:
    ({ manageChannels }: DeliveryRouteParts) =>
    ({ caller: { organizationId }, params: { id }, query }) =>
      free(async () => {
        const { limit = DEFAULT_PAGE, cursor } = query;
        const { entries, next } = await readPage({
          limit,
          after: placeOfCursor(cursor, 'dlv'),
          read: (count, after) =>
            manageChannels.deliveriesOf(organizationId, id, { limit: count, after }),
          placeOf: ({ delivery }) => delivery,
          show: ({ delivery, title }) => presentDelivery(delivery, title),
        });
        return { deliveries: entries, next };
      }),
});

const replay = route({
  method: 'post',
  path: `${PATH}/{delivery}/replay`,
  operationId: 'replayDelivery',
  summary: 'Send a notification again',
  description:
    'The notification is queued, whether it was delivered or given up. It keeps its ID, so that a ' +
    'receiver that already has it can recognise it.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: {
    params: z.object({
      ...ofWatch,
      delivery: z.string().meta({
        description: 'The ID of a delivery of the watch.',
        example: 'dlv_2mQ9xkz0',
      }),
    }),
    query: NoQuery,
  },
  answer: { description: 'The delivery, which is waiting to be sent.', schema: DeliveryAnswer },
  faults: ONE_FAULTS,
  call:
    ({ manageChannels }: DeliveryRouteParts) =>
    ({ caller, params: { id, delivery } }) =>
      free(async () => {
        const again = await manageChannels.replay(caller.organizationId, id, delivery);
        return { delivery: presentDelivery(again.delivery, again.title) };
      }),
});

export const DELIVERY_ROUTES: readonly Route<DeliveryRouteParts>[] = [list, replay];
