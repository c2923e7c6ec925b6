// POST /v1/pages: a person hands in a page; DELETE /v1/pages: the data stored from one page, or from all, is deleted (D84,
// D93).

import { z } from 'zod';

import { BASE_TOKENS } from '../../../base/call-cost.ts';
import { FaultError } from '../../../base/fault.ts';
import type { HandIn } from '../../../answer/collect/hand-in.ts';
import type { OwnRecord } from '../../../answer/lookup/lookup-product.ts';
import {
  PageBody,
  PageDeleted,
  PageRecord,
  PagesDeleted,
  presentHandedIn,
  rowIdOfPage,
} from '../../../answer/wire/handed-in.ts';
import { BilledHeaders, NoQuery } from '../../../answer/wire/query.ts';
import { digestOf } from '../../../data/made-id.ts';
import type { Metering } from '../../../data/metering/metering.ts';
import { enterAgain } from '../../bodies.ts';
import { idempotencyKeyOf, type Call, type LookupContext } from '../../call.ts';
import { bodyOf } from '../../parsed-call.ts';
import { billed, free, route, type Route } from '../../route.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';
import { htmlOf, takePageTurns, textOfPage } from './page-body.ts';

const PATH = '/v1/pages';

export type PageRouteParts = {
  readonly metering: Pick<Metering, 'takePage'>;
  readonly outside: () => Promise<{
    readonly handIn: HandIn;
    /**
     * Deletes the organization's row with this id, or all its rows if `id` is null. Returns the number of deleted rows.
     */
    readonly deleteHandedIn: (organizationId: string, rowId: string | null) => Promise<number>;
  }>;
  readonly ownRecord: OwnRecord;
  readonly lookupContext: LookupContext;
};

const post = route({
  method: 'post',
  path: PATH,
  operationId: 'handInPage',
  summary: 'Hand in a product page that you see',
  description:
    'Reads the page and stores the product facts that it states for your organization; the ' +
    'page itself is not stored, and nothing that it names is fetched. Carts, checkouts, orders ' +
    'and accounts are refused. At most 60 pages in any 60 seconds.',
  scope: 'pages:submit',
  price: { kind: 'page' },
  request: {
    query: NoQuery,
    headers: BilledHeaders,
    body: { type: 'application/json', schema: PageBody },
  },
  takes: 'stream',
  answer: {
    description: 'The record as your organization now sees it, and the facts read from the page.',
    schema: PageRecord,
  },
  faults: [
    ...READ_FAULTS,
    'invalid_parameter',
    'url_not_allowed',
    'body_too_large',
    'encoding_not_accepted',
    'page_not_accepted',
    'idempotency_conflict',
    'quota_exceeded',
  ],
  call: ({ metering, outside, ownRecord, lookupContext }: PageRouteParts) => {
    const takeTurn = takePageTurns();
    return async ({ call, caller, route: name }) => {
      // A page that is waiting or still arriving does not count as work yet.
      call.share.work?.ends();
      const endTurn = await takeTurn(caller.organizationId);
      const over = () => {
        endTurn();
        call.share.work?.ends();
      };
      try {
        await metering.takePage(caller);
        const { page, digest, hasCells } = await sentPage(call);
        await enterAgain(call.share);
        const { organizationId, scopes } = caller;
        const owner = { organizationId, isShared: scopes.includes('pages:share') };
        const make = async () => {
          const { handIn } = await outside();
          const handedIn = await handIn({ ...page, owner }, lookupContext(caller));
          const addOns = { includeCrossRetailer: hasCells };
          const product = await ownRecord(handedIn.identifier, organizationId, addOns);
          if (product === null) throw new Error('a page that was handed in is not stored');
          return { body: presentHandedIn(product, handedIn), tokens: BASE_TOKENS.page };
        };
        const maxTokens = BASE_TOKENS.page;
        return billed({ route: name, maxTokens, requestBody: digest, make }, over);
      } catch (error) {
        over();
        throw error;
      }
    };
  },
});

/**
 * Reads the request, and a digest by which an Idempotency-Key recognizes it. FaultError body_too_large, invalid_parameter.
 */
async function sentPage({ asked }: Call) {
  const text = await textOfPage({ asked });
  const sent = bodyOf(asked, PageBody, text) as z.infer<typeof PageBody>;
  const html = htmlOf(sent.html);
  const { url, captured_at: captured, candidates = false, cross_retailer: hasCells = false } = sent;
  if (candidates && idempotencyKeyOf(asked) !== null) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'candidates',
      detail:
        'Do not send an Idempotency-Key with `candidates`: the answer would be stored, and the ' +
        'text of a page never is.',
    });
  }
  const capturedAtMs = captured === undefined ? null : Date.parse(captured);
  const asks = [url, captured ?? null, ...(hasCells ? [hasCells] : [])];
  const digest = digestOf(`${JSON.stringify(asks)}${sent.html}`);
  const page = { url, html, contentType: null, capturedAtMs, withCandidates: candidates };
  return { page, digest, hasCells };
}

const removeOne = route({
  method: 'delete',
  path: `${PATH}/{id}`,
  operationId: 'deletePage',
  summary: 'Delete the data stored from a page',
  description:
    'Its listing and its price history are deleted. Notifications stay until they expire.',
  scope: 'pages:submit',
  price: { kind: 'free' },
  request: {
    params: z.object({
      id: z.string().meta({
        description: 'The `id` with which the page was answered.',
        example: 'pag_Zr3vXl5Qm0Wn8sT2yKc1bA',
      }),
    }),
    query: NoQuery,
  },
  answer: { description: 'The data stored from the page is deleted.', schema: PageDeleted },
  faults: ONE_FAULTS,
  call:
    ({ outside }: PageRouteParts) =>
    ({ caller, params: { id } }) =>
      free(async () => {
        const { deleteHandedIn } = await outside();
        const rowId = rowIdOfPage(id);
        const deleted = rowId === null ? 0 : await deleteHandedIn(caller.organizationId, rowId);
        if (deleted > 0) return { deleted: true as const, id };
        throw new FaultError({
          code: 'not_found',
          detail: `No data is stored from a page "${id.slice(0, 64)}" that this organization handed in.`,
        });
      }),
});

const removeAll = route({
  method: 'delete',
  path: PATH,
  operationId: 'deletePages',
  summary: 'Delete the data stored from all pages that the organization handed in',
  scope: 'pages:submit',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: {
    description: 'The number of pages whose stored data was deleted.',
    schema: PagesDeleted,
  },
  faults: READ_FAULTS,
  call:
    ({ outside }: PageRouteParts) =>
    ({ caller }) =>
      free(async () => ({
        deleted: await (await outside()).deleteHandedIn(caller.organizationId, null),
      })),
});

export const PAGE_ROUTES: readonly Route<PageRouteParts>[] = [post, removeAll, removeOne];
