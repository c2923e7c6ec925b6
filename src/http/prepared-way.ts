// The way of a call whose answer is kept: before the framework, with the same admission, key check, limits, charge and headers.
// Whatever is not as plain as a kept answer needs, and every error, goes the ordinary way.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { SECOND_MS, type Clock } from '../core/clock.ts';
import type { RequestLog } from '../log.ts';
import { AnswerChanged, type Caller, type Charged, type Metering } from '../metering/metering.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import type { Work } from './admission.ts';
import type { Exchange } from './connection-book.ts';
import type { Refused } from './context.ts';
import { requestIdOf } from './middleware.ts';
import type { PreparedAnswer, PreparedAnswers } from './prepared-answers.ts';
import { gzipBytes, plainText } from './spliced-body.ts';

export type PreparedWayParts = {
  readonly prepared: PreparedAnswers;
  readonly metering: Pick<Metering, 'authenticate' | 'knownCaller' | 'charge'>;
  readonly metrics: Pick<ServiceMetrics, 'preparedAnswered'>;
  readonly requestLog: RequestLog;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
};

/** How the call ends: answered here, or to be answered by the framework, with what was found out about it. */
export type PreparedCall = {
  readonly exchange: Exchange;
  readonly work: Work;
  readonly answered: () => void;
  readonly otherwise: (refused: Refused | null) => void;
};

/** False: it is not for this way, and nothing was done. */
export type PreparedWay = (call: PreparedCall) => boolean;

const SCOPE = 'products:read';

export function createPreparedWay(parts: PreparedWayParts): PreparedWay {
  const { prepared } = parts;
  return (call) => {
    const { request } = call.exchange;
    if (request.method !== 'GET' || request.httpVersion !== '1.1') return false;
    const answer = prepared.find(request.url ?? '');
    if (answer === null) return false;
    const asked = askedFor(request);
    if (asked === null) return false;
    void answerPrepared(parts, call, { answer, asked, startedMs: parts.clock.now() });
    return true;
  };
}

/** What the headers of a request say, where they say nothing that this way does not know. */
type Asked = { readonly isGzip: boolean; readonly authorization: string | undefined };

type Answering = {
  readonly answer: PreparedAnswer;
  readonly asked: Asked;
  readonly startedMs: number;
};

/** Never rejects: each end of the call is one of the two that `call` has. */
async function answerPrepared(
  parts: PreparedWayParts,
  call: PreparedCall,
  { answer, asked, startedMs }: Answering,
): Promise<void> {
  const { prepared, metering } = parts;
  let caller = metering.knownCaller(asked.authorization);
  const isKnown = caller !== null;
  try {
    caller ??= await metering.authenticate(asked.authorization);
  } catch {
    call.otherwise(null);
    return;
  }
  const isRight = (isKnown || prepared.isOfNow(answer)) && caller.scopes.includes(SCOPE);
  if (!isRight || call.work.becomes('writing') !== true) {
    call.otherwise(null);
    return;
  }
  const { route, tokens, revisions } = answer;
  const requestId = parts.newId();
  let charged: Charged;
  try {
    charged = await metering.charge(caller, { requestId, route, tokens, revisions });
  } catch (error) {
    const isChanged = error instanceof AnswerChanged;
    if (isChanged) prepared.drop(answer);
    call.otherwise(isChanged ? null : { error });
    return;
  }
  const { request, response } = call.exchange;
  const named = requestIdOf(headerOf(request, 'x-request-id'), requestId);
  try {
    const body = bodyOf(prepared, { answer, isGzip: asked.isGzip, charged });
    send(response, { body, isGzip: asked.isGzip, charged, requestId: named });
  } catch (error) {
    // It was charged: the caller is told that the service failed, and the log why.
    call.otherwise({ error });
    return;
  }
  call.answered();
  note(parts, { answer, caller, startedMs, requestId: named, callId: requestId });
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

type Paid = {
  readonly answer: PreparedAnswer;
  readonly isGzip: boolean;
  readonly charged: Charged;
};

/** What is sent: bytes, or a text to be sent as `latin1`. */
function bodyOf(prepared: PreparedAnswers, { answer, isGzip, charged }: Paid): Buffer | string {
  const { consumed, remaining } = charged;
  const fields = `,"tokens_consumed":${consumed},"tokens_remaining":${remaining}}`;
  return isGzip ? gzipBytes(answer.body, fields) : plainText(prepared.headOf(answer), fields);
}

type Sending = Omit<Paid, 'answer'> & {
  readonly body: Buffer | string;
  readonly requestId: string;
};

/** The headers in the order of the ordinary way. */
function send(response: ServerResponse, { body, isGzip, charged, requestId }: Sending): void {
  const { rateLimit } = charged;
  response.writeHead(200, [
    'cache-control',
    'private, no-store',
    ...(isGzip ? ['content-encoding', 'gzip'] : []),
    'content-length',
    String(body.length),
    'content-type',
    'application/json',
    'ratelimit',
    rateLimit.state,
    'ratelimit-policy',
    rateLimit.policy,
    'vary',
    'Authorization, Accept-Encoding',
    'x-content-type-options',
    'nosniff',
    'x-request-id',
    requestId,
  ]);
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

type Answered = {
  readonly answer: PreparedAnswer;
  readonly caller: Caller;
  readonly startedMs: number;
  readonly requestId: string;
  readonly callId: string;
};

function note(
  { metrics, requestLog, clock }: PreparedWayParts,
  { answer, caller, startedMs, requestId, callId }: Answered,
): void {
  const ms = clock.now() - startedMs;
  const { route: name, tokens } = answer;
  const route = name.slice(name.indexOf(' ') + 1);
  metrics.preparedAnswered({ route: name, tokens, seconds: ms / SECOND_MS });
  const { organization } = caller;
  const answered = { route, method: 'GET', status: 200 };
  requestLog.answered({ ...answered, requestId, callId, tokens, ms, organization });
}

/**
 * Headers that change nothing of the answer, and those that are read here. `X-Forwarded-For` was counted before. Any other, and
 * any of them given twice, is for the framework: a body, a condition, an Idempotency-Key, an origin.
 */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'dnt',
  'forwarded',
  'host',
  'pragma',
  'priority',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/** Hosts of which every one can stand in an address: the framework refuses some of the others. */
const NAME = /^(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::[1-5]?\d{1,4})?$/i;
const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::[1-5]?\d{1,4})?$/;
const ENCODED_NAME = 'xn--';

function askedFor({ rawHeaders }: IncomingMessage): Asked | null {
  const found = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!KNOWN_HEADERS.has(name) || found.has(name)) return null;
    found.set(name, rawHeaders[at + 1] ?? '');
  }
  const host = found.get('host') ?? '';
  if (!IPV4.test(host) && !isPlainName(host)) return null;
  if (!/^(?:keep-alive|close)?$/i.test(found.get('connection') ?? '')) return null;
  const isGzip = takesGzip(found.get('accept-encoding'));
  return isGzip === null ? null : { isGzip, authorization: found.get('authorization') };
}

function isPlainName(host: string): boolean {
  return NAME.test(host) && !host.toLowerCase().includes(ENCODED_NAME);
}

/** Null: the framework says what is sent. */
function takesGzip(accepted: string | undefined): boolean | null {
  if (accepted === undefined || accepted === '') return false;
  const encodings = accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
  if (encodings.some((each) => !/^[a-z]+$/.test(each))) return null;
  if (encodings.includes('gzip')) return true;
  return encodings.includes('deflate') ? null : false;
}
