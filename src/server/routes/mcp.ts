// /mcp: the agents' tools over streamable HTTP. Each tool calls this service's routes with its caller's key. Scopes,
// throttle, charges, ledger and admission are therefore the same as for the routes. No session is kept: any process answers
// any call (D74).

import type * as Protocol from '@modelcontextprotocol/server';

import type { ToolParts } from '../../answer/agents/tool-answer.ts';
import {
  createBudget,
  createKeyBudget,
  type Aside,
  type Budget,
} from '../../answer/agents/budget.ts';
import type { Send } from '../../answer/agents/shelf-over-http.ts';
import {
  notCall,
  notJson,
  notMessage,
  plainMessage,
} from '../../answer/agents/protocol-message.ts';
import { shelfOverHttp } from '../../answer/agents/shelf-over-http.ts';
import type { Candidate, Reply, Shelf } from '../../answer/agents/shelf.ts';
import { FaultError } from '../../base/fault.ts';
import type { FindCandidates } from '../../answer/lookup/find-candidates.ts';
import type { Metering } from '../../data/metering/metering.ts';
import { mediaFor } from '../accepted-media.ts';
import type { Answer, Headers } from '../answer.ts';
import { addressOf } from '../asked.ts';
import { callerOf, enter, type Call, type LookupContext, type SentBody } from '../call.ts';
import type { Pipeline } from '../pipeline.ts';
import { countRefused } from '../refused-call.ts';
import type { RouteRow } from '../route.ts';
import { isStream, wholeOf } from '../send.ts';

/** The key's maximum spending in a month, as stated in the agent's settings. */
const BUDGET_HEADER = 'X-Token-Budget';
const FIND_ROUTE = 'POST /mcp find';

export type McpRouteParts = {
  readonly metering: Pick<Metering, 'charge' | 'requireScope' | 'spentByKey'>;
  readonly outside: () => Promise<{ readonly findCandidates: FindCandidates }>;
  readonly lookupContext: LookupContext;
  readonly corsOrigins: readonly string[];
  readonly version: string;
  readonly newId: () => string;
  /** Answers a tool's call like a client's own. */
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
        const shelf = shelfOverHttp(sendFrom(call, parts.answer), findFrom(call, parts));
        const answer = await answered(call, { shelf, budget, version: parts.version }, text);
        // A call of a route is counted by that route.
        if (!call.isCounted && isRefused(answer)) {
          call.isCounted = true;
          const { rateLimit } = await countRefused(parts.metering, callerOf(call), call.callId);
          call.rateLimit = rateLimit;
        }
        return inMedia(answer, call);
      };
    },
  },
];

async function answered(
  call: Call,
  parts: ToolParts & { readonly version: string },
  text: string,
): Promise<WholeAnswer> {
  const read = messageIn(text);
  if ('wrong' in read) return wrong(400, read.wrong);
  const { message } = read;
  // Loaded with the first call, so that only a service with agents loads the protocol.
  const [protocol, { createMcpServer }, { answerToolCall, toolCallIn }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../answer/agents/mcp-server.ts'),
    import('../../answer/agents/tool-call.ts'),
  ]);
  const tool = isPlain(call, protocol, message) ? toolCallIn(message) : null;
  if (tool !== null) {
    const { message: told, isRefused: hasFailed } = await answerToolCall(parts, tool);
    return { status: 200, headers: {}, text: JSON.stringify(told), isRefused: hasFailed };
  }
  if (!isMessage(protocol, message)) return wrong(400, notMessage('The body', message));
  const wrongCall = notCall(message);
  if (wrongCall !== null) return wrong(200, wrongCall);
  const handler = protocol.createMcpHandler(() => createMcpServer(parts), {
    // A notification stream would occupy a connection forever; /v1/changes has the changes.
    maxSubscriptions: 0,
  });
  const { method, path, headers: sent } = call.asked;
  // The package insists on a client that names both forms. Here each client gets the one that it accepts.
  const headers =
    mediaOf(call) === null ? [...sent] : [...sent, ['accept', MEDIA.join(', ')] as const];
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: Object.fromEntries(headers),
  });
  return await whole(await handler.fetch(request, { parsedBody: message }));
}

const wrong = (status: number, message: object): WholeAnswer => ({
  status,
  headers: {},
  text: JSON.stringify(message),
  isRefused: true,
});

function isMessage({ parseJSONRPCMessage }: typeof Protocol, message: object): boolean {
  try {
    parseJSONRPCMessage(message);
    return true;
  } catch {
    return false;
  }
}

/** The forms of an answer, in our order of preference. */
const MEDIA = ['application/json', 'text/event-stream'] as const;
const mediaOf = ({ asked: { headers } }: Call) => mediaFor(headers.get('accept'), MEDIA);

/** Returns the answer in the form that its client accepts: a JSON object, or one event. Refusals are JSON. */
function inMedia({ status, headers, text }: WholeAnswer, call: Call): Answer {
  if (text === null || text === '') return { status, headers, body: text };
  const media = status < 400 ? (mediaOf(call) ?? MEDIA[0]) : MEDIA[0];
  const message = messageTextIn(text);
  const body = media === MEDIA[0] ? message : `event: message\ndata: ${message}\n\n`;
  return { status, headers: { ...headers, 'content-type': media }, body };
}

/** Checks whether the message is in a protocol version that requires no further checks. */
function isPlain(call: Call, protocol: typeof Protocol, body: object): boolean {
  const { headers } = call.asked;
  if (mediaOf(call) === null) return false;
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
 * Waits for the whole answer. A stream would be returned before its tool starts, and the call would count as over: 40 calls
 * waited for shops where 4 may.
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
  /** Absent if the text must be read to find out. */
  readonly isRefused?: boolean;
};

/** The message of an event stream follows `data:`. */
const messageTextIn = (text: string): string => /^data: (.*)$/m.exec(text)?.[1] ?? text;

/** Checks whether the MCP server refused the message itself, as for an unknown tool or a wrong argument. */
function isRefused({ status, text, isRefused: isKnown }: WholeAnswer): boolean {
  if (isKnown !== undefined) return isKnown;
  if (status >= 400) return true;
  if (text === null || text === '') return false;
  const message = JSON.parse(messageTextIn(text)) as ProtocolMessage;
  return message.error !== undefined || message.result?.isError === true;
}

type ProtocolMessage = {
  readonly error?: object;
  readonly result?: { readonly isError?: boolean };
};

/**
 * Refuses a page of an origin that is not allowed: it could call the tools through the browser of somebody who may.
 * Programs that host agents are not browsers and send no origin.
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
      `${BUDGET_HEADER} limits the tokens that the key may spend this month through /mcp and elsewhere: a ` +
      'whole number such as 500.',
  });
}

/**
 * Returns the call's one message, or the answer to a body that is not one. A list of messages is refused: it would be many
 * calls admitted as one.
 */
function messageIn(text: string): { readonly message: object } | { readonly wrong: object } {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return { wrong: notJson('The body') };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { wrong: notMessage('The body', message) };
  }
  return { message: plainMessage(message) };
}

/** Sends a call through the pipeline, with this call's key and share of work. */
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

/** Returns a body that has arrived completely. */
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

/** Sends words to this installation's search engine. That costs no tokens and counts against the throttle. */
function findFrom(call: Call, parts: McpRouteParts): Shelf['find'] {
  const caller = callerOf(call);
  return async (words): Promise<Reply<{ readonly candidates: readonly Candidate[] }>> => {
    try {
      parts.metering.requireScope(caller, 'products:read');
      enter(call, 'fetching');
      const charge = { requestId: parts.newId(), route: FIND_ROUTE, tokens: 0 };
      call.isCounted = true;
      const { remaining } = await parts.metering.charge(caller, charge);
      const { findCandidates } = await parts.outside();
      const candidates = await findCandidates(words, parts.lookupContext(caller));
      return { ok: true, body: { candidates, tokens_consumed: 0, tokens_remaining: remaining } };
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return { ok: false, refusal: error.fault };
    }
  };
}
