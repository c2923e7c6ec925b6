// The routes of channels (D71): created, listed, changed, tested and deleted by the organization that owns them. All free.

import { z } from 'zod';

import type { FaultCode } from '../../../base/fault.ts';
import type { ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import {
  ChannelAnswer,
  ChannelDeleted,
  ChannelList,
  ChannelMade,
  ChannelPatchBody,
  ChannelTest,
  ConfirmChannelBody,
  fieldsOf,
  NewChannelBody,
  presentChannel,
  presentDeliveryResult,
} from '../../../answer/wire/watches/channels.ts';
import { BilledHeaders, NoQuery } from '../../../answer/wire/query.ts';
import { enter, idempotencyKeyOf } from '../../call.ts';
import { free, route, type Route } from '../../route.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';

const PATH = '/v1/channels';
const BODY_FAULTS = [
  'invalid_parameter',
  'url_not_allowed',
  'secrets_key_missing',
  'upstream_unavailable',
  'body_too_large',
  'encoding_not_accepted',
] as const satisfies readonly FaultCode[];

const byId = z.object({
  id: z.string().meta({
    description: 'The ID of a channel, which is its `channel_id` in responses.',
    example: 'chn_2mQ9xkz0',
  }),
});

export type ChannelRouteParts = { readonly manageChannels: ManageChannels };

const create = route({
  method: 'post',
  path: PATH,
  operationId: 'createChannel',
  summary: 'Create a channel through which notifications are sent',
  description:
    'The target of the channel is encrypted and never shown again. An `Idempotency-Key` creates one ' +
    'channel, however often it is sent within a day; the response is built again, since a stored one ' +
    'would contain the secret. An email channel is `unconfirmed` until its receiver agrees: a message ' +
    'with a code, and with a link if the installation has a public address, is sent at once.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: {
    query: NoQuery,
    headers: BilledHeaders,
    body: { type: 'application/json', schema: NewChannelBody },
  },
  answer: { description: 'The channel.', schema: ChannelMade },
  faults: [...READ_FAULTS, ...BODY_FAULTS, 'idempotency_conflict'],
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ call, caller, body }) => {
      const once = idempotencyKeyOf(call.asked);
      return free(async () => {
        // A mail server may be slow.
        if (body.kind === 'email') enter(call, 'fetching');
        const { kind, name = null } = body;
        const wanted = { kind, name, schedule: body.schedule ?? null, fields: fieldsOf(body) };
        const made = await manageChannels.add(caller.organizationId, wanted, once);
        const { signingSecret: signing_secret, feedUrl: feed_url } = made;
        return { channel: presentChannel(made.channel), signing_secret, feed_url };
      });
    },
});

const list = route({
  method: 'get',
  path: PATH,
  operationId: 'listChannels',
  summary: 'List the channels of the organization',
  description: 'Returns the channels, newest first, each with the outcome of its last attempt.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The channels.', schema: ChannelList },
  faults: READ_FAULTS,
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ caller }) =>
      free(async () => {
        const channels = await manageChannels.list(caller.organizationId);
        return { channels: channels.map(presentChannel), kinds: [...manageChannels.kinds] };
      }),
});

const get = route({
  method: 'get',
  path: `${PATH}/{id}`,
  operationId: 'getChannel',
  summary: 'Get a channel',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The channel.', schema: ChannelAnswer },
  faults: ONE_FAULTS,
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ caller, params: { id } }) =>
      free(async () => {
        const channel = await manageChannels.find(caller.organizationId, id);
        return { channel: presentChannel(channel) };
      }),
});

const patch = route({
  method: 'patch',
  path: `${PATH}/{id}`,
  operationId: 'changeChannel',
  summary: 'Change, pause or resume a channel',
  description:
    'Fields omitted from the body are left unchanged. To change its target, send all fields of its kind; a webhook keeps its ' +
    'signing secret unless a new one is sent.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: {
    params: byId,
    query: NoQuery,
    body: { type: 'application/json', schema: ChannelPatchBody },
  },
  answer: { description: 'The updated channel.', schema: ChannelAnswer },
  faults: [...ONE_FAULTS, ...BODY_FAULTS],
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ call, caller, params: { id }, body }) =>
      free(async () => {
        if (body.to !== undefined) enter(call, 'fetching');
        const channel = await manageChannels.change(caller.organizationId, id, {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.paused === undefined ? {} : { isPaused: body.paused }),
          ...(body.schedule === undefined ? {} : { schedule: body.schedule }),
          fields: fieldsOf(body),
        });
        return { channel: presentChannel(channel) };
      }),
});

const remove = route({
  method: 'delete',
  path: `${PATH}/{id}`,
  operationId: 'deleteChannel',
  summary: 'Delete a channel',
  description:
    'Watches that used the channel keep their other channels; deliveries waiting for it are not sent.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The channel is deleted.', schema: ChannelDeleted },
  faults: ONE_FAULTS,
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ caller, params: { id } }) =>
      free(async () => {
        await manageChannels.remove(caller.organizationId, id);
        return { deleted: true as const, channel_id: id };
      }),
});

const test = route({
  method: 'post',
  path: `${PATH}/{id}/test`,
  operationId: 'testChannel',
  summary: "Send a test notification and show the receiver's response",
  description:
    'An organization can send at most 100 tests and replays per day, counting each channel. The test ' +
    'is sent immediately and only once, even to a paused channel. An `unconfirmed` email channel is sent ' +
    'the request to confirm it instead.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The outcome of the test.', schema: ChannelTest },
  faults: [...ONE_FAULTS, 'secrets_key_missing'],
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ call, caller, params: { id } }) =>
      free(async () => {
        // A receiver may be slow, so this counts as work that waits for others.
        enter(call, 'fetching');
        return presentDeliveryResult(await manageChannels.test(caller.organizationId, id));
      }),
});

const confirm = route({
  method: 'post',
  path: `${PATH}/{id}/confirm`,
  operationId: 'confirmChannel',
  summary: 'Confirm an email channel',
  description:
    'Until the owner of an email address confirms it, by the link in the confirmation request or by this code, ' +
    'nothing else is sent to the address. Has no effect on a confirmed channel.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: {
    params: byId,
    query: NoQuery,
    body: { type: 'application/json', schema: ConfirmChannelBody },
  },
  answer: { description: 'The confirmed channel.', schema: ChannelAnswer },
  faults: [...ONE_FAULTS, 'invalid_parameter', 'body_too_large', 'secrets_key_missing'],
  call:
    ({ manageChannels }: ChannelRouteParts) =>
    ({ caller, params: { id }, body: { code } }) =>
      free(async () => {
        const channel = await manageChannels.confirm(caller.organizationId, id, code);
        return { channel: presentChannel(channel) };
      }),
});

export const CHANNEL_ROUTES: readonly Route<ChannelRouteParts>[] = [
  create,
  list,
  get,
  patch,
  remove,
  test,
  confirm,
];
