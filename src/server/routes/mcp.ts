// /mcp: the tools of agents over streamable HTTP. Each tool calls the routes of this service with the key of its
// caller. Scopes, throttle, charges, ledger and admission therefore are those of the routes. No session is kept: any
// process answers any call (D74).

import type * as Protocol from '@modelcontextprotocol/server';

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
import type { Headers } from '../answer.ts';
import { addressOf } from '../asked.ts';
import { callerOf, enter, type Call, type LookupContext, type SentBody } from '../call.ts';
import type { Pipeline } from '../pipeline.ts';
import { countRefused } from '../refused-call.ts';
import type { RouteRow } from '../route.ts';
import { isStream, wholeOf } from '../send.ts';

/** The most that the key may spend in a month, as the agent's settings state it. */
const BUDGET_HEADER = 'X-Token-Budget';
const FIND_ROUTE = 'POST /mcp find';

export type McpRouteParts = {
  readonly metering: Pick<Metering, 'charge' | 'requireScope' | 'spentByKey'>;
  readonly findCandidates: FindCandidates;
  readonly lookupContext: LookupContext;
  readonly corsOrigins: readonly string[];
  readonly version: string;
  readonly newId: () => string;
  /** Answers a call of a tool as a client's own. */
  readonly answer: Pipeline['answer'];
};

export const MCP_ROWS: readonly RouteRow<McpRouteParts>[] = [
  {
    method: 'post',
    path: '/mcp',
    scope: 'any key',
    request: null,
    takes: 'text',
    call: (parts) => {
      const aside: Aside = new Map();
      return async ({ call, text }) => {
        checkOrigin(call, parts.corsOrigins);
        const budget = budgetOf(call, parts, aside);
        const message = messageIn(text);
        const shelf = shelfOverHttp(sendFrom(call, parts.answer), findFrom(call, parts));
        const answer = await answered(call, { shelf, budget, version: parts.version }, message);
        // A call of a route is counted there.
        if (!call.isCounted && isRefused(answer)) {
          call.isCounted = true;
          const { rateLimit } = await countRefused(parts.metering, callerOf(call), call.callId);
          call.rateLimit = rateLimit;
        }
        const { status, headers, text: body } = answer;
        return { status, headers, body };
      };
    },
  },
];

async function answered(
  call: Call,
  parts: ToolParts & { readonly version: string },
  message: object,
): Promise<WholeAnswer> {
  // Loaded with the first call, so that only a service with agents loads the protocol.
  const [protocol, { createMcpServer }, { answerToolCall, toolCallIn }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../answer/agents/mcp-server.ts'),
    import('../../answer/agents/tool-call.ts'),
  ]);
  const tool = isPlain(call, protocol, message) ? toolCallIn(message) : null;
  if (tool !== null) {
    const { message: told, isRefused: hasFailed } = await answerToolCall(parts, tool);
    const headers = { 'content-type': 'application/json' };
    return { status: 200, headers, text: JSON.stringify(told), isRefused: hasFailed };
  }
  const handler = protocol.createMcpHandler(() => createMcpServer(parts), {
    // A stream of news would hold a connection for ever; /v1/changes has the news.
    maxSubscriptions: 0,
  });
  const { method, path, headers } = call.asked;
  const request = new Request(`http://localhost${path}`, { method, headers: [...headers] });
  return await whole(await handler.fetch(request, { parsedBody: message }));
}

/** Whether the message is one of a client that takes a plain answer, in a version of the protocol that has no more to check. */
function isPlain({ asked: { headers } }: Call, protocol: typeof Protocol, body: object): boolean {
  const accepted = headers.get('accept') ?? '';
  if (!accepted.includes('application/json') || !accepted.includes('text/event-stream'))
    return false;
  if (!protocol.isJsonContentType(headers.get('content-type') ?? null)) return false;
  const version = headers.get('mcp-protocol-version');
  if (version !== undefined && !protocol.SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    return false;
  const named = { protocolVersionHeader: version, mcpMethodHeader: headers.get('mcp-method') };
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
  const text = response.body === null ? null : await response.text();
  // The listener decides whether the connection is kept.
  headers.delete('connection');
  return { status, headers: Object.fromEntries(headers), text };
}

type WholeAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string | null;
  /** Absent where the text has to be read for it. */
  readonly isRefused?: boolean;
};

/**
 * Whether the server of the protocol refused the message itself, as for an unknown tool or a wrong argument. The message of an
 * event stream stands after `data:`.
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
function checkOrigin({ asked }: Call, allowed: readonly string[]): void {
  const origin = asked.headers.get('origin');
  if (origin === undefined || allowed.includes(origin)) return;
  throw new FaultError({
    code: 'insufficient_scope',
    detail:
      'Pages of this origin may not call /mcp. The operator can allow it with OPENSHELF_CORS_ORIGINS.',
  });
}

function budgetOf(call: Call, { metering }: McpRouteParts, aside: Aside): Budget {
  const text = call.asked.headers.get(BUDGET_HEADER.toLowerCase());
  if (text === undefined) return createBudget(null);
  if (/^\d{1,9}$/.test(text)) {
    const caller = callerOf(call);
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
function messageIn(text: string): object {
  let message: unknown = null;
  try {
    message = JSON.parse(text);
  } catch {
    // What is no JSON is no message either.
  }
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'body',
    detail:
      'The body is not a JSON-RPC message. Send one JSON object; lists of messages are not taken.',
  });
}

/** Sends a call through the pipeline, with the key and the share of work of this call. */
function sendFrom(call: Call, answer: Pipeline['answer']): Send {
  const authorization = call.asked.headers.get('authorization') ?? '';
  return async ({ method, path: target, body }) => {
    const address = addressOf(target, 'localhost');
    if (address === null) throw new Error(`a tool asks for ${target}`);
    // The route that is called counts its call, answered or refused.
    call.isCounted = true;
    const headers = new Map([['authorization', authorization]]);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const sent = body === undefined ? null : sentText(body);
    const asked = { method, ...address, target, headers, body: sent, peer: null };
    const { answer: given } = await answer(asked, call.share);
    const { bytes, text } = wholeOf(isStream(given.body) ? null : given.body);
    const retryAfter = given.headers['retry-after'] ?? null;
    return { status: given.status, retryAfter, text: bytes.toString() + text };
  };
}

/** A body that is there as a whole. */
function sentText(text: string): SentBody {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    invite: () => undefined,
    expect: () => Promise.resolve({ kind: 'whole' }),
    [Symbol.asyncIterator]: async function* () {
      yield bytes;
    },
  };
}

/** Sends words to the search engine of this installation. That costs no tokens and counts against the throttle. */
function findFrom(call: Call, parts: McpRouteParts): Shelf['find'] {
  const caller = callerOf(call);
  return async (words): Promise<Reply<{ readonly candidates: readonly Candidate[] }>> => {
    try {
      parts.metering.requireScope(caller, 'products:read');
      enter(call, 'fetching');
      const charge = { requestId: parts.newId(), route: FIND_ROUTE, tokens: 0 };
      call.isCounted = true;
      const { remaining } = await parts.metering.charge(caller, charge);
      const candidates = await parts.findCandidates(words, parts.lookupContext(caller));
      return { ok: true, body: { candidates, tokens_consumed: 0, tokens_remaining: remaining } };
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return { ok: false, refusal: error.fault };
    }
  };
}
