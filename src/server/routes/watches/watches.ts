// The routes of watches (D70): an organization makes, lists, changes, tests and deletes its own. All are free.

import { createRoute, z } from '@hono/zod-openapi';

import type { FaultCode } from '../../../base/fault.ts';
import { FaultError } from '../../../base/fault.ts';
import type { ManageWatches } from '../../../answer/lookup/watches/manage-watches.ts';
import { BilledHeaders, IDEMPOTENCY_KEY, NoQuery } from '../../../answer/wire/query.ts';
import { presentNotice } from '../../../answer/wire/watches/present-notice.ts';
import {
  changedOf,
  NewWatchBody,
  presentWatch,
  wantedOf,
  WatchAnswer,
  WatchDeleted,
  WatchList,
  WatchPatchBody,
  WatchTest,
  WatchWithNotices,
} from '../../../answer/wire/watches/watches.ts';
import { ListQuery } from '../../../answer/wire/fields.ts';
import { answerBilled, answerFree } from '../answer-route.ts';
import type { BillingParts } from '../../bill.ts';
import type { Api } from '../../context.ts';
import { DEFAULT_PAGE, placeOfCursor, readPage } from './list-page.ts';
import { callerOf, type RequireKey } from '../../middleware.ts';
import { faultResponses, jsonResponse } from '../../document/responses.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';

const PATH = '/v1/watches';
const BODY_FAULTS = [
  'invalid_parameter',
  'retailer_mismatch',
  'body_too_large',
] as const satisfies readonly FaultCode[];
const NEW_FAULTS = [
  ...READ_FAULTS,
  ...BODY_FAULTS,
  'invalid_identifier',
  'url_not_allowed',
  'idempotency_conflict',
] as const satisfies readonly FaultCode[];

const watchId = z.string().openapi({
  param: { name: 'id', in: 'path' },
  description: 'Id of a watch.',
  example: 'wat_2mQ9xkz0',
});

const byId = z.object({ id: watchId });

export type WatchRouteParts = {
  readonly requireKey: RequireKey;
  readonly billing: BillingParts;
  readonly manageWatches: ManageWatches;
};

export function addWatchRoutes(api: Api, parts: WatchRouteParts): void {
  addMakingRoutes(api, parts);
  addReadingRoutes(api, parts);
  addChangingRoutes(api, parts);
  addTestRoute(api, parts);
}

function addMakingRoutes(api: Api, { requireKey, billing, manageWatches }: WatchRouteParts): void {
  const create = createRoute({
    method: 'post',
    path: PATH,
    operationId: 'createWatch',
    summary: 'Watch a product or pages',
    description:
      'Free. The first check is made at once, then one each `interval`; a check that reads something costs the ' +
      'organization 1 token for each listing, and nothing where somebody else has just read it. Told is a crossing, once.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: {
      query: NoQuery,
      headers: BilledHeaders,
      body: { required: true, content: { 'application/json': { schema: NewWatchBody } } },
    },
    responses: { 200: jsonResponse('The watch.', WatchAnswer), ...faultResponses(NEW_FAULTS) },
  });
  api.openapi(create, (c) => {
    const body = c.req.valid('json');
    if ((body.identifier === undefined) === (body.addresses === undefined)) {
      throw new FaultError({
        code: 'invalid_parameter',
        parameter: 'identifier',
        detail: 'Send either "identifier" or "addresses": what is to be watched.',
      });
    }
    const { organizationId, keyId } = callerOf(c);
    const once = c.req.header(IDEMPOTENCY_KEY) ?? null;
    return answerBilled(c, billing, {
      route: 'POST /v1/watches',
      maxTokens: 0,
      requestBody: JSON.stringify(body),
      make: async () => {
        const watch = await manageWatches.add({ organizationId, keyId }, wantedOf(body), once);
        return { body: { watch: presentWatch(watch) }, tokens: 0 };
      },
    });
  });
}

function addReadingRoutes(api: Api, { requireKey, billing, manageWatches }: WatchRouteParts): void {
  const list = createRoute({
    method: 'get',
    path: PATH,
    operationId: 'listWatches',
    summary: 'List the watches of the organization',
    description: 'Free. Newest first, with what is known of each.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:read')] as const,
    request: { query: ListQuery },
    responses: {
      200: jsonResponse('The watches.', WatchList),
      ...faultResponses([...READ_FAULTS, 'invalid_parameter']),
    },
  });
  api.openapi(list, (c) => {
    const { limit = DEFAULT_PAGE, cursor } = c.req.valid('query');
    return answerFree(c, billing, {
      route: 'GET /v1/watches',
      body: async () => {
        const { organizationId } = callerOf(c);
        const { entries, next } = await readPage({
          limit,
          after: placeOfCursor(cursor, 'wat'),
          read: (count, after) => manageWatches.list(organizationId, count, after),
          placeOf: (watch) => watch,
          show: presentWatch,
        });
        return { watches: entries, next };
      },
    });
  });

  const get = createRoute({
    method: 'get',
    path: `${PATH}/{id}`,
    operationId: 'getWatch',
    summary: 'Show a watch with its newest notices',
    description: 'Free.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:read')] as const,
    request: { params: byId, query: NoQuery },
    responses: { 200: jsonResponse('The watch.', WatchWithNotices), ...faultResponses(ONE_FAULTS) },
  });
  api.openapi(get, (c) => {
    const { id } = c.req.valid('param');
    const { organizationId } = callerOf(c);
    return answerFree(c, billing, {
      route: 'GET /v1/watches/{id}',
      body: async () => ({
        watch: presentWatch(await manageWatches.find(organizationId, id)),
        notices: (await manageWatches.noticesOf(organizationId, id)).map(presentNotice),
      }),
    });
  });
}

function addChangingRoutes(
  api: Api,
  { requireKey, billing, manageWatches }: WatchRouteParts,
): void {
  const patch = createRoute({
    method: 'patch',
    path: `${PATH}/{id}`,
    operationId: 'changeWatch',
    summary: 'Change, pause or resume a watch',
    description: 'Free. What the body does not name stays; `null` takes a condition away.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: {
      params: byId,
      query: NoQuery,
      body: { required: true, content: { 'application/json': { schema: WatchPatchBody } } },
    },
    responses: {
      200: jsonResponse('The watch as it is now.', WatchAnswer),
      ...faultResponses([...ONE_FAULTS, ...BODY_FAULTS]),
    },
  });
  api.openapi(patch, (c) => {
    const { id } = c.req.valid('param');
    const body = c.req.valid('json');
    const { organizationId } = callerOf(c);
    return answerFree(c, billing, {
      route: 'PATCH /v1/watches/{id}',
      body: async () => {
        const watch = await manageWatches.change(organizationId, id, changedOf(body));
        return { watch: presentWatch(watch) };
      },
    });
  });

  const remove = createRoute({
    method: 'delete',
    path: `${PATH}/{id}`,
    operationId: 'deleteWatch',
    summary: 'Delete a watch',
    description: 'Free. What it told stays in the feed of changes until that is old.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: { params: byId, query: NoQuery },
    responses: { 200: jsonResponse('It is deleted.', WatchDeleted), ...faultResponses(ONE_FAULTS) },
  });
  api.openapi(remove, (c) => {
    const { id } = c.req.valid('param');
    return answerFree(c, billing, {
      route: 'DELETE /v1/watches/{id}',
      body: async () => {
        await manageWatches.remove(callerOf(c).organizationId, id);
        return { deleted: true as const, id };
      },
    });
  });
}

function addTestRoute(api: Api, { requireKey, billing, manageWatches }: WatchRouteParts): void {
  const test = createRoute({
    method: 'post',
    path: `${PATH}/{id}/test`,
    operationId: 'testWatch',
    summary: 'Tell a test notice through the channels of a watch',
    description: 'Free, 100 a day, each channel counted. Fetches nothing.',
    security: [{ bearer: [] }],
    middleware: [requireKey('products:refresh')] as const,
    request: { params: byId, query: NoQuery },
    responses: { 200: jsonResponse('What was told.', WatchTest), ...faultResponses(ONE_FAULTS) },
  });
  api.openapi(test, (c) => {
    const { id } = c.req.valid('param');
    const { organizationId } = callerOf(c);
    return answerFree(c, billing, {
      route: 'POST /v1/watches/{id}/test',
      body: async () => {
        const notice = await manageWatches.test(organizationId, id);
        const watch = await manageWatches.find(organizationId, id);
        return { watch: presentWatch(watch), notice: presentNotice(notice) };
      },
    });
  });
}
