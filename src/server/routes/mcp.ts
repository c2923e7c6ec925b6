// /mcp: the tools of agents over streamable HTTP. Each tool calls the routes of this service with the key of its
// caller. Scopes, throttle, charges, ledger and admission therefore are those of the routes. No session is kept: any
// process answers any call (D74).

import type * as Protocol from '@modelcontextprotocol/server';
import type { Context } from 'hono';

import type { ToolParts } from '../../answer/agents/tools.ts';
import {
  createBudget,
  createKeyBudget,
  type Aside,
  type Budget,
} from '../../answer/agents/budget.ts';
import type { Send } from '../../answer/agents/shelf-over-http.ts';
import { shelfOverHttp } from '../../answer/agents/shelf-over-http.ts';
import type { Candidate, Reply, Shelf } from '../../answer/agents/shelf.ts';
import { FaultError } from '../../base/fault.ts';
import type { FindCandidates } from '../../answer/lookup/find-candidates.ts';
import type { Metering } from '../../data/metering/metering.ts';
import type { Api, HttpEnv, LookupContext } from '../context.ts';
import { enter } from './answer-route.ts';
import { callerOf, type RequireKey } from '../middleware.ts';
import { countRefused } from '../refused-call.ts';

const MCP_PATH = '/mcp';
/** Headers that a client in a browser sends beside the key, where its origin is allowed. */
export const MCP_HEADERS = [
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'X-Token-Budget',
];
/** The most that the key may spend in a month, as the agent's settings state it. */
const BUDGET_HEADER = 'X-Token-Budget';
const FIND_ROUTE = 'POST /mcp find';

export type McpRouteParts = {
  readonly requireKey: RequireKey;
  readonly metering: Pick<Metering, 'charge' | 'requireScope' | 'spentByKey'>;
  readonly findCandidates: FindCandidates;
  readonly lookupContext: LookupContext;
  readonly corsOrigins: readonly string[];
  readonly version: string;
  readonly newId: () => string;
};

export function addMcpRoute(api: Api, parts: McpRouteParts): void {
  const aside: Aside = new Map();
  api.post(MCP_PATH, parts.requireKey(null), async (c) => {
    checkOrigin(c, parts.corsOrigins);
    const budget = budgetOf(c, parts, aside);
    const message = await messageOf(c);
    const shelf = shelfOverHttp(sendFrom(api, c), findFrom(c, parts));
    const answer = await answered(c, { shelf, budget, version: parts.version }, message);
    // A call of a route is counted there.
    if (!c.get('isCounted') && isRefused(answer)) {
      c.set('isCounted', true);
      const { rateLimit } = await countRefused(parts.metering, callerOf(c), c.get('callId'));
      c.set('rateLimit', rateLimit);
    }
    return new Response(answer.text, answer);
  });
}

async function answered(
  c: Context<HttpEnv>,
  parts: ToolParts & { readonly version: string },
  message: object,
): Promise<WholeAnswer> {
  // Loaded with the first call, so that only a service with agents loads the protocol.
  const [protocol, { createMcpServer }, { answerToolCall, toolCallIn }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../answer/agents/mcp-server.ts'),
    import('../../answer/agents/tool-call.ts'),
  ]);
  const call = isPlain(c, protocol, message) ? toolCallIn(message) : null;
  if (call !== null) {
    const { message: told, isRefused: hasFailed } = await answerToolCall(parts, call);
    const headers = { 'Content-Type': 'application/json' };
    return { status: 200, headers, text: JSON.stringify(told), isRefused: hasFailed };
  }
  const handler = protocol.createMcpHandler(() => createMcpServer(parts), {
    // A stream of news would hold a connection for ever; /v1/changes has the news.
    maxSubscriptions: 0,
  });
  return await whole(await handler.fetch(c.req.raw, { parsedBody: message }));
}

/** Whether the message is one of a client that takes a plain answer, in a version of the protocol that has no more to check. */
function isPlain(c: Context<HttpEnv>, protocol: typeof Protocol, body: object): boolean {
  const accepted = c.req.header('accept') ?? '';
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream'))
    return false;
  if (!protocol.isJsonContentType(c.req.header('content-type') ?? null)) return false;
  const version = c.req.header('mcp-protocol-version');
  if (version !== undefined && !protocol.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    return false;
  const named = { protocolVersionHeader: version, mcpMethodHeader: c.req.header('mcp-method') };
  const asked = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  );
  return protocol.classifyInboundRequest({ httpMethod: 'POST', ...asked, body }).kind === 'legacy';
}

/**
 * Waits for the whole answer. A stream would be there before its tool begins, and the call would count as over: 40
 * calls waited for shops where 4 may.
 */
async function whole(response: Response): Promise<WholeAnswer> {
  const { status, headers } = response;
  return { status, headers, text: response.body === null ? null : await response.text() };
}

type WholeAnswer = {
  readonly status: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
  readonly text: string | null;
  /** Absent where the text has to be read for it. */
  readonly isRefused?: boolean;
};

/**
 * Whether the server of the protocol refused the message itself, as for an unknown tool or a wrong argument. The message of an
 * event stream stands behind `data:`.
 */
function isRefused({ status, text, isRefused: isKnown }: WholeAnswer): boolean {
  if (isKnown !== undefined) return isKnown;
  if (status >= 400) return true;
  if (text === null || text === '') return false;
  const message = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as ProtocolMessage;
  return message.error !== undefined || message.result?.isError === true;
}

type ProtocolMessage = {
  readonly error?: object;
  readonly result?: { readonly isError?: boolean };
};

/**
 * Refuses a page of an origin that is not allowed: it could call the tools through the browser of somebody who may.
 * Programs that host agents are no browsers and send no origin.
 */
function checkOrigin(c: Context<HttpEnv>, allowed: readonly string[]): void {
  const origin = c.req.header('origin');
  if (origin === undefined || allowed.includes(origin)) return;
  throw new FaultError({
    code: 'insufficient_scope',
    detail:
      'Pages of this origin may not call /mcp. The operator can allow it with OPENSHELF_CORS_ORIGINS.',
  });
}

function budgetOf(c: Context<HttpEnv>, { metering }: McpRouteParts, aside: Aside): Budget {
  const text = c.req.header(BUDGET_HEADER);
  if (text === undefined) return createBudget(null);
  if (/^\d{1,9}$/.test(text)) {
    const caller = callerOf(c);
    return createKeyBudget(Number(text), caller.keyId, aside, () => metering.spentByKey(caller));
  }
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: BUDGET_HEADER,
    detail:
      `${BUDGET_HEADER} is the most tokens that the key may spend this month through /mcp and elsewhere: a whole number ` +
      'such as 500.',
  });
}

/** The one message of the call. A list of messages is refused: it would be many calls in the room of one. */
async function messageOf(c: Context<HttpEnv>): Promise<object> {
  const message: unknown = await c.req.json().catch(() => null);
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'body',
    detail:
      'The body is no JSON-RPC message. Send one JSON object; lists of messages are not taken.',
  });
}

/** Sends a call to the routes of this service, with the key and the share of work of this call. */
function sendFrom(api: Api, c: Context<HttpEnv>): Send {
  const authorization = c.req.header('authorization') ?? '';
  const { origin } = new URL(c.req.raw.url);
  return async ({ method, path, body }) => {
    // The route that is called counts its call, answered or refused.
    c.set('isCounted', true);
    return await api.fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
        signal: c.req.raw.signal,
      }),
      { work: c.env.work ?? null, refused: null },
    );
  };
}

/** Sends words to the search engine of this installation. That costs no tokens and counts against the throttle. */
function findFrom(c: Context<HttpEnv>, parts: McpRouteParts): Shelf['find'] {
  const caller = callerOf(c);
  return async (words): Promise<Reply<{ readonly candidates: readonly Candidate[] }>> => {
    try {
      parts.metering.requireScope(caller, 'products:read');
      enter(c, 'fetching');
      const call = { requestId: parts.newId(), route: FIND_ROUTE, tokens: 0 };
      c.set('isCounted', true);
      const { remaining } = await parts.metering.charge(caller, call);
      const candidates = await parts.findCandidates(words, parts.lookupContext(caller));
      return { ok: true, body: { candidates, tokens_consumed: 0, tokens_remaining: remaining } };
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return { ok: false, refusal: error.fault };
    }
  };
}
