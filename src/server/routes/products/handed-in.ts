// POST /v1/pages: a person hands in a page; DELETE /v1/pages: what is kept of one page, or of all, is deleted (D84, D93).

import { z } from 'zod';

import { BASE_TOKENS } from '../../../base/call-cost.ts';
import { FaultError } from '../../../base/fault.ts';
import type { HandIn } from '../../../answer/collect/hand-in.ts';
import type { OwnRecord } from '../../../answer/lookup/lookup-product.ts';
import {
  MAX_HTML_MB,
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
import { decodedBody, wholeBody } from '../../decoded-body.ts';
import { createFairTurns } from '../../listen/fair-turns.ts';
import { bodyOf } from '../../parsed-call.ts';
import { billed, free, route, type Route } from '../../route.ts';
import { ONE_FAULTS, READ_FAULTS } from '../route-faults.ts';

const PATH = '/v1/pages';
const MIB = 1_048_576;
const MAX_HTML = MAX_HTML_MB * MIB;
/** JSON may write a character of two bytes with six. */
const MAX_BODY = 3 * MAX_HTML + 65_536;
const TOO_LARGE = `The page has more than ${MAX_HTML_MB} MB of HTML.`;

/** Pages that arrive and are read at once, so that they do not fill the memory; and those of one organization. */
const TURNS = { inAll: 8, ofOne: 2 };

export type PageRouteParts = {
  readonly metering: Pick<Metering, 'takePage'>;
  readonly handIn: HandIn;
  /** Deletes the organization's row with this id, or all with null; returns how many there were. */
  readonly deleteHandedIn: (organizationId: string, rowId: string | null) => Promise<number>;
  readonly ownRecord: OwnRecord;
  readonly lookupContext: LookupContext;
};

const post = route({
  method: 'post',
  path: PATH,
  operationId: 'handInPage',
  summary: 'Hand in a product page that you see',
  description:
    'Reads the page and keeps what it says of the product for your organization; the page itself is not ' +
    'kept, and nothing that it names is fetched. Carts, checkouts, orders and accounts are refused. At ' +
    'most 60 pages in any 60 seconds.',
  scope: 'pages:submit',
  price: { kind: 'page' },
  request: {
    query: NoQuery,
    headers: BilledHeaders,
    body: { type: 'application/json', schema: PageBody },
  },
  takes: 'stream',
  answer: {
    description: 'The record as your organization now sees it, and what was read from the page.',
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
  call: ({ metering, handIn, ownRecord, lookupContext }: PageRouteParts) => {
    const takeTurn = createFairTurns(TURNS);
    return async ({ call, caller, route: name }) => {
      // A page that waits or arrives is no work yet.
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

/** Reads what was sent, and a digest by which an Idempotency-Key recognizes it. FaultError body_too_large, invalid_parameter. */
async function sentPage({ asked }: Call) {
  const bytes = await wholeBody(decodedBody(asked, MAX_BODY), MAX_BODY, TOO_LARGE);
  const sent = bodyOf(asked, PageBody, new TextDecoder().decode(bytes)) as z.infer<typeof PageBody>;
  const html = Buffer.from(sent.html);
  if (html.byteLength > MAX_HTML) {
    throw new FaultError({ code: 'body_too_large', parameter: 'html', detail: TOO_LARGE });
  }
  const { url, captured_at: captured, candidates = false, cross_retailer: hasCells = false } = sent;
  if (candidates && idempotencyKeyOf(asked) !== null) {
    throw new FaultError({
      code: 'invalid_parameter',
      parameter: 'candidates',
      detail:
        'Send no Idempotency-Key with `candidates`: the answer would be kept, and the text of a page never is.',
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
  summary: 'Delete what is kept of a page',
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
  answer: { description: 'What was kept of the page is deleted.', schema: PageDeleted },
  faults: ONE_FAULTS,
  call:
    ({ deleteHandedIn }: PageRouteParts) =>
    ({ caller, params: { id } }) =>
      free(async () => {
        const rowId = rowIdOfPage(id);
        const deleted = rowId === null ? 0 : await deleteHandedIn(caller.organizationId, rowId);
        if (deleted > 0) return { deleted: true as const, id };
        throw new FaultError({
          code: 'not_found',
          detail: `Nothing is kept of a page "${id.slice(0, 64)}" that this organization handed in.`,
        });
      }),
});

const removeAll = route({
  method: 'delete',
  path: PATH,
  operationId: 'deletePages',
  summary: 'Delete what is kept of all pages that the organization handed in',
  scope: 'pages:submit',
  price: { kind: 'free' },
  request: { query: NoQuery },
  answer: { description: 'The pages of which nothing is kept any more.', schema: PagesDeleted },
  faults: READ_FAULTS,
  call:
    ({ deleteHandedIn }: PageRouteParts) =>
    ({ caller }) =>
      free(async () => ({
        deleted: await deleteHandedIn(caller.organizationId, null),
      })),
});

export const PAGE_ROUTES: readonly Route<PageRouteParts>[] = [post, removeAll, removeOne];
