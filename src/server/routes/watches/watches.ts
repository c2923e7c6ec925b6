// The routes of watches (D70): an organization creates, lists, changes, tests and deletes its own. All are free.

import { z } from 'zod';

import { mostItCanCost, tokensInWords } from '../../../base/call-cost.ts';
import { FaultError, type FaultCode } from '../../../base/fault.ts';
import type { LookNow } from '../../../answer/indexer/look-now.ts';
import type { ManageWatches } from '../../../answer/lookup/watches/manage-watches.ts';
import { BilledHeaders, NoQuery } from '../../../answer/wire/query.ts';
import { presentNotice } from '../../../answer/wire/watches/present-notice.ts';
import {
  changedOf,
  NewWatchBody,
  presentWatch,
  wantedOf,
  watchTag,
  WatchAnswer,
  WatchDeleted,
  WatchList,
  WatchPatchBody,
  WatchTest,
  WatchWithNotices,
} from '../../../answer/wire/watches/watches.ts';
import { ListQuery } from '../../../answer/wire/fields.ts';
import { DEFAULT_PAGE, placeOfCursor, readPage } from './list-page.ts';
import { idempotencyKeyOf, type LookupContext } from '../../call.ts';
import { billed, free, route, type Route } from '../../route.ts';
import { BILLED_FAULTS, ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';

const PATH = '/v1/watches';
const BODY_FAULTS = [
  'invalid_parameter',
  'retailer_mismatch',
  'body_too_large',
  'encoding_not_accepted',
  'source_unusable',
] as const satisfies readonly FaultCode[];
const NEW_FAULTS = [
  ...READ_FAULTS,
  ...BODY_FAULTS,
  'invalid_identifier',
  'url_not_allowed',
  'idempotency_conflict',
] as const satisfies readonly FaultCode[];

const watchId = z.string().meta({
  description: 'The ID of a watch.',
  example: 'wat_2mQ9xkz0',
});

const byId = z.object({ id: watchId });

const WatchListQuery = ListQuery.extend({
  tag: watchTag.optional().meta({ description: 'Returns only watches with this tag.' }),
});

export type WatchRouteParts = {
  readonly manageWatches: ManageWatches;
  readonly lookNow: LookNow;
  readonly lookupContext: LookupContext;
  /** The currency of watches that are made without one. */
  readonly usualCurrency: string;
};

const create = route({
  method: 'post',
  path: PATH,
  operationId: 'createWatch',
  summary: 'Watch a product or pages',
  description:
    'The first check is made at once, then one after every `interval`. You are notified once per ' +
    'crossing of a threshold. A watch that asks for the same as an existing one is not created again.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  priceInWords:
    'Free. A check that reads something costs the organization ' +
    `${tokensInWords({ kind: 'watchedRead' })} for each listing, and nothing if the listing has just ` +
    'been read for someone else.',
  request: {
    query: NoQuery,
    headers: BilledHeaders,
    body: { type: 'application/json', schema: NewWatchBody },
  },
  answer: { description: 'The watch.', schema: WatchAnswer },
  faults: NEW_FAULTS,
  call:
    ({ manageWatches, usualCurrency }: WatchRouteParts) =>
    ({ call, route: name, caller: { organizationId, keyId }, body }) => {
      if ((body.identifier === undefined) === (body.addresses === undefined)) {
        throw new FaultError({
          code: 'invalid_parameter',
          parameter: 'identifier',
          detail: 'Send either "identifier" or "addresses" to specify what to watch.',
        });
      }
      const once = idempotencyKeyOf(call.asked);
      return billed({
        route: name,
        maxTokens: 0,
        requestBody: JSON.stringify(body),
        make: async () => {
          const wanted = wantedOf(body, usualCurrency);
          const watch = await manageWatches.add({ organizationId, keyId }, wanted, once);
          const told = watch.isExisting ? { existing: true as const } : {};
          return { body: { watch: presentWatch(watch), ...told }, tokens: 0 };
        },
      });
    },
});

const list = route({
  method: 'get',
  path: PATH,
  operationId: 'listWatches',
  summary: 'List the watches of the organization',
  description: 'Returns the watches, newest first, each with its current state.',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { query: WatchListQuery },
  answer: { description: 'The watches.', schema: WatchList },
  faults: [...READ_FAULTS, 'invalid_parameter'],
  call:
    ({ manageWatches }: WatchRouteParts) =>
    ({ caller: { organizationId }, query }) =>
      free(async () => {
        const { limit = DEFAULT_PAGE, cursor, tag } = query;
        const { entries, next } = await readPage({
          limit,
          after: placeOfCursor(cursor, 'wat'),
          read: (count, after) => manageWatches.list(organizationId, count, after, tag),
          placeOf: (watch) => watch,
          show: presentWatch,
        });
        return { watches: entries, next };
      }),
});

const get = route({
  method: 'get',
  path: `${PATH}/{id}`,
  operationId: 'getWatch',
  summary: 'Get a watch with its newest notifications',
  scope: 'products:read',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The watch.', schema: WatchWithNotices },
  faults: ONE_FAULTS,
  call:
    ({ manageWatches }: WatchRouteParts) =>
    ({ caller: { organizationId }, params: { id } }) =>
      free(async () => ({
        watch: presentWatch(await manageWatches.find(organizationId, id)),
        notices: (await manageWatches.noticesOf(organizationId, id)).map(presentNotice),
      })),
});

const patch = route({
  method: 'patch',
  path: `${PATH}/{id}`,
  operationId: 'changeWatch',
  summary: 'Change, pause or resume a watch',
  description: 'Fields omitted from the body are left unchanged; `null` removes a condition.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: {
    params: byId,
    query: NoQuery,
    body: { type: 'application/json', schema: WatchPatchBody },
  },
  answer: { description: 'The updated watch.', schema: WatchAnswer },
  faults: [...ONE_FAULTS, ...BODY_FAULTS],
  call:
    ({ manageWatches }: WatchRouteParts) =>
    ({ caller, params: { id }, body }) =>
      free(async () => {
        const watch = await manageWatches.change(caller.organizationId, id, changedOf(body));
        return { watch: presentWatch(watch) };
      }),
});

const remove = route({
  method: 'delete',
  path: `${PATH}/{id}`,
  operationId: 'deleteWatch',
  summary: 'Delete a watch',
  description: 'Its notifications stay in the feed of changes until they expire.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The watch is deleted.', schema: WatchDeleted },
  faults: ONE_FAULTS,
  call:
    ({ manageWatches }: WatchRouteParts) =>
    ({ caller, params: { id } }) =>
      free(async () => {
        await manageWatches.remove(caller.organizationId, id);
        return { deleted: true as const, id };
      }),
});

const test = route({
  method: 'post',
  path: `${PATH}/{id}/test`,
  operationId: 'testWatch',
  summary: 'Send a test notification through the channels of a watch',
  description:
    'An organization can send at most 100 tests and replays per day, counting each channel. Nothing ' +
    'is fetched.',
  scope: 'products:refresh',
  price: { kind: 'free' },
  request: { params: byId, query: NoQuery },
  answer: { description: 'The watch and the test notification.', schema: WatchTest },
  faults: ONE_FAULTS,
  call:
    ({ manageWatches }: WatchRouteParts) =>
    ({ caller: { organizationId }, params: { id } }) =>
      free(async () => {
        const notice = await manageWatches.test(organizationId, id);
        const watch = await manageWatches.find(organizationId, id);
        return { watch: presentWatch(watch), notice: presentNotice(notice) };
      }),
});

const look = route({
  method: 'post',
  path: `${PATH}/{id}/look`,
  operationId: 'lookNow',
  summary: 'Check a watch now',
  description:
    'Fetches what the watch covers during the call, and notifies as any check does. Possible once in five minutes. ' +
    'If nothing can be read, the response is 503 and is not billed.',
  scope: 'products:refresh',
  price: { kind: 'look' },
  request: { params: byId, query: NoQuery, headers: BilledHeaders },
  answer: { description: 'The watch after the check.', schema: WatchAnswer },
  faults: [...BILLED_FAULTS, 'upstream_unavailable'],
  call:
    ({ lookNow, lookupContext }: WatchRouteParts) =>
    ({ route: name, caller, params: { id } }) =>
      billed({
        route: name,
        forced: true,
        maxTokens: mostItCanCost({ kind: 'look' }),
        make: async () => {
          const watch = await lookNow(caller.organizationId, id, lookupContext(caller));
          return { body: { watch: presentWatch(watch) }, tokens: mostItCanCost({ kind: 'look' }) };
        },
      }),
});

export const WATCH_ROUTES: readonly Route<WatchRouteParts>[] = [
  create,
  list,
  get,
  patch,
  remove,
  test,
  look,
];
