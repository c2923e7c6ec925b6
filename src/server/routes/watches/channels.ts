// The routes of channels (D71): made, listed, changed, tested and deleted by the organization whose own they are. All free.

import { createRoute, z } from '@hono/zod-openapi';

import type { FaultCode } from '../../../base/fault.ts';
import type { ManageChannels } from '../../../answer/lookup/watches/manage-channels.ts';
import {
  ChannelAnswer,
  ChannelDeleted,
  ChannelList,
  ChannelMade,
  ChannelPatchBody,
  ChannelTest,
  fieldsOf,
  NewChannelBody,
  presentChannel,
  presentReception,
} from '../../../answer/wire/watches/channels.ts';
import { BilledHeaders, IDEMPOTENCY_KEY, NoQuery } from '../../../answer/wire/query.ts';
import { answerFree, enter } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api } from '../../context.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses, jsonResponse } from '../../document/responses.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';

const PATH = '/v1/channels';
const BODY_FAULTS = [
  'invalid_parameter',
  'url_not_allowed',
  'secrets_key_missing',
  'upstream_unavailable',
  'body_too_large',
] as const satisfies readonly FaultCode[];

const byId = z.object({
  id: z.string().openapi({
    param: { name: 'id', in: 'path' },
    description: 'Id of a channel.',
    example: 'chn_2mQ9xkz0',
  }),
});

export type ChannelRouteParts = {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
  readonly manageChannels: ManageChannels;
};

export function addChannelRoutes(api: Api, parts: ChannelRouteParts): void {
  addMakingRoute(api, parts);
  addReadingRoutes(api, parts);
  addChangingRoutes(api, parts);
  addTestRoute(api, parts);
}

function addMakingRoute(
  api: Api,
  { requireKey, billing, manageChannels }: ChannelRouteParts,
): void {
  const create = createRoute({
    method: 'post',
    path: PATH,
    operationId: 'createChannel',
    summary: 'Make a channel that notices go out through',
    description:
      'Free. What it leads to is encrypted and never shown again. The `Idempotency-Key` of a call makes one channel, however ' +
      'often it is sent within a day; the answer is made anew, since a kept one would hold the secret.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: {
      query: NoQuery,
      headers: BilledHeaders,
      body: { required: true, content: { 'application/json': { schema: NewChannelBody } } },
    },
    responses: {
      200: jsonResponse('The channel.', ChannelMade),
      ...faultResponses([...READ_FAULTS, ...BODY_FAULTS, 'idempotency_conflict']),
    },
  });
  api.openapi(create, (c) => {
    const body = c.req.valid('json');
    const once = c.req.header(IDEMPOTENCY_KEY) ?? null;
    return answerFree(c, billing, {
      route: 'POST /v1/channels',
      body: async () => {
        const { kind, name = null } = body;
        const wanted = { kind, name, fields: fieldsOf(body) };
        const made = await manageChannels.add(callerOf(c).organizationId, wanted, once);
        return { channel: presentChannel(made.channel), signing_secret: made.signingSecret };
      },
    });
  });
}

function addReadingRoutes(
  api: Api,
  { requireKey, billing, manageChannels }: ChannelRouteParts,
): void {
  const list = createRoute({
    method: 'get',
    path: PATH,
    operationId: 'listChannels',
    summary: 'List the channels of the organization',
    description: 'Free. Newest first, with what the last attempt of each came to.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:read')] as const,
    request: { query: NoQuery },
    responses: { 200: jsonResponse('The channels.', ChannelList), ...faultResponses(READ_FAULTS) },
  });
  api.openapi(list, (c) =>
    answerFree(c, billing, {
      route: 'GET /v1/channels',
      body: async () => {
        const channels = await manageChannels.list(callerOf(c).organizationId);
        return { channels: channels.map(presentChannel) };
      },
    }),
  );

  const get = createRoute({
    method: 'get',
    path: `${PATH}/{id}`,
    operationId: 'getChannel',
    summary: 'Show a channel',
    description: 'Free.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:read')] as const,
    request: { params: byId, query: NoQuery },
    responses: { 200: jsonResponse('The channel.', ChannelAnswer), ...faultResponses(ONE_FAULTS) },
  });
  api.openapi(get, (c) => {
    const { id } = c.req.valid('param');
    return answerFree(c, billing, {
      route: 'GET /v1/channels/{id}',
      body: async () => {
        const channel = await manageChannels.find(callerOf(c).organizationId, id);
        return { channel: presentChannel(channel) };
      },
    });
  });
}

function addChangingRoutes(
  api: Api,
  { requireKey, billing, manageChannels }: ChannelRouteParts,
): void {
  const patch = createRoute({
    method: 'patch',
    path: `${PATH}/{id}`,
    operationId: 'changeChannel',
    summary: 'Change, pause or resume a channel',
    description:
      'Free. What the body does not name stays. To lead it elsewhere, send all fields of its kind; a webhook keeps its ' +
      'signing secret unless a new one is sent.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: {
      params: byId,
      query: NoQuery,
      body: { required: true, content: { 'application/json': { schema: ChannelPatchBody } } },
    },
    responses: {
      200: jsonResponse('The channel as it is now.', ChannelAnswer),
      ...faultResponses([...ONE_FAULTS, ...BODY_FAULTS]),
    },
  });
  api.openapi(patch, (c) => {
    const { id } = c.req.valid('param');
    const body = c.req.valid('json');
    return answerFree(c, billing, {
      route: 'PATCH /v1/channels/{id}',
      body: async () => {
        const channel = await manageChannels.change(callerOf(c).organizationId, id, {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.paused === undefined ? {} : { isPaused: body.paused }),
          fields: fieldsOf(body),
        });
        return { channel: presentChannel(channel) };
      },
    });
  });

  const remove = createRoute({
    method: 'delete',
    path: `${PATH}/{id}`,
    operationId: 'deleteChannel',
    summary: 'Delete a channel',
    description:
      'Free. Watches that were told through it keep their other channels; what waited for it is not sent.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: { params: byId, query: NoQuery },
    responses: {
      200: jsonResponse('It is deleted.', ChannelDeleted),
      ...faultResponses(ONE_FAULTS),
    },
  });
  api.openapi(remove, (c) => {
    const { id } = c.req.valid('param');
    return answerFree(c, billing, {
      route: 'DELETE /v1/channels/{id}',
      body: async () => {
        await manageChannels.remove(callerOf(c).organizationId, id);
        return { deleted: true as const, channel_id: id };
      },
    });
  });
}

function addTestRoute(api: Api, { requireKey, billing, manageChannels }: ChannelRouteParts): void {
  const test = createRoute({
    method: 'post',
    path: `${PATH}/{id}/test`,
    operationId: 'testChannel',
    summary: 'Send a test notice, and show what the receiver answered',
    description: 'Free, 100 a day. It is sent at once and once, to a paused channel too.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: { params: byId, query: NoQuery },
    responses: {
      200: jsonResponse('What came of it.', ChannelTest),
      ...faultResponses([...ONE_FAULTS, 'secrets_key_missing']),
    },
  });
  api.openapi(test, (c) => {
    const { id } = c.req.valid('param');
    return answerFree(c, billing, {
      route: 'POST /v1/channels/{id}/test',
      body: async () => {
        // A receiver may take its time, so that this is work that waits for others.
        enter(c, 'fetching');
        return presentReception(await manageChannels.test(callerOf(c).organizationId, id));
      },
    });
  });
}
