// Sits between a connection and the pipeline. A call is answered once it is admitted; a call that is not admitted is refused
// without any work. Health and metrics are always answered. Bodies that are still arriving are counted and limited, so that
// clients that start to send a body and then stall take nothing from others.

import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import { OVERLOADED } from '../../base/fault.ts';
import { describeError, type Log } from '../../base/log.ts';
import { addressOf, askedOf } from '../asked.ts';
import type { Asked, ExpectedBody, Share } from '../call.ts';
import { headLines, type WriteHead } from '../headers.ts';
import type { Answered, Pipeline } from '../pipeline.ts';
import { createRefuse, UNREADABLE, type Refusal, type RefuseParts } from '../refusal.ts';
import { headOf, isStream, sendAnswer, wholeOf } from '../send.ts';
import type { Work } from './admission.ts';
import type { AnswerRepeat } from './arrivals.ts';
import { addressGroup, clientAddress, forwardedAddress } from './client-address.ts';
import { isGone, type Exchange } from './connection-book.ts';
import type { Answering, Room } from './listener.ts';
import { createPlaces } from './places.ts';
import { createSlowRefusals } from './slow-refusals.ts';

/** A call that was refused before the pipeline saw it. */
export type RefusedRequest = {
  readonly requestId: string;
  readonly asked: Pick<Asked, 'method' | 'path' | 'query'>;
  readonly status: number;
  /** Milliseconds from the request to the refusal. */
  readonly ms: number;
};

type GateParts = RefuseParts &
  Pick<Pipeline, 'answer'> & {
    readonly writeHead: WriteHead;
    readonly log: Pick<Log, 'error'>;
    readonly clock: Pick<Clock, 'sleep'>;
    /** Whether the answer is cached, so that it is sent at once. */
    readonly isCached: (asked: Asked) => boolean;
    readonly requestRefused: (refused: RefusedRequest) => void;
  };

/** Requests that monitor or stop the service must get through, however busy it is. */
const NEVER_REFUSED = ['/livez', '/readyz', '/metrics'];

/** Answers an exchange now, or when its turn comes. */
export function createGate(room: Room, parts: GateParts): Answering {
  const { admission, nowMs, soon, maxPerForwardedAddress } = room;
  const refuse = createRefusals(parts, nowMs);
  const countAddress = createAddressCounts(maxPerForwardedAddress);
  const slow = createSlowRefusals({ nowMs, sleep: (ms) => parts.clock.sleep(ms) });
  const countBody = createBodyCounts(maxPerForwardedAddress !== null, soon);

  function answer(exchange: Exchange, asked: Asked, work: Work | null): void {
    const share: Share = { work, admit: () => admitPart(admission, exchange) };
    const send = async (): Promise<void> => {
      const answered = await parts.answer(asked, share);
      if (answered.answer.status === 401) {
        // A refusal that is waiting to be sent does not count as work.
        work?.ends();
        await slow(clientAddress(exchange.request, maxPerForwardedAddress !== null));
      }
      sendAnswer(exchange, parts.writeHead, answered);
    };
    const sent = send();
    void sent.catch((error: unknown) => cut(exchange, error)).finally(() => work?.ends());
  }

  /** Cuts a connection whose answer cannot be sent. The service continues. */
  function cut({ response }: Exchange, error: unknown): void {
    parts.log.error('could not send an answer', { error: describeError(error) });
    response.destroy();
  }

  function begin(exchange: Exchange): void {
    const { request, response } = exchange;
    const asked = askedOf(exchange, countBody, maxPerForwardedAddress !== null);
    if (asked === null) {
      response.shouldKeepAlive = false;
      refuse.unreadable(exchange);
      return;
    }
    if (NEVER_REFUSED.includes(asked.path)) {
      answer(exchange, asked, null);
      return;
    }
    const sinceMs = nowMs();
    const leave = countAddress(maxPerForwardedAddress === null ? null : forwardedAddress(request));
    if (leave === null) {
      refuse.overloaded(exchange, asked, { sinceMs, seconds: admission.retryAfterSeconds() });
      return;
    }
    // A stream, or an answer that is read slowly, counts as in progress for as long as it is sent.
    if (maxPerForwardedAddress !== null) response.once('close', leave);
    admission.enter({
      caller: callerOf(request),
      isGone: () => isGone(exchange),
      refuse: (seconds) => refuse.overloaded(exchange, asked, { sinceMs, seconds }),
      start: (work) => answer(exchange, asked, work),
    });
  }

  return { begin, again: repeatsBy(parts, room, { countAddress, slow }) };
}

type AddressLimits = {
  readonly countAddress: ReturnType<typeof createAddressCounts>;
  readonly slow: ReturnType<typeof createSlowRefusals>;
};

/** Answers a request that node:http has not read, if its answer is cached and there is room for it now. */
function repeatsBy(
  { answer, isCached, writeHead }: GateParts,
  { admission, maxPerForwardedAddress }: Room,
  { countAddress, slow }: AddressLimits,
): AnswerRepeat {
  const admit = () => Promise.resolve({ retryAfterSeconds: admission.retryAfterSeconds() });
  return ({ fields, address, peer }, target) => {
    const place = addressOf(target, fields.get('host') ?? '');
    if (place === null) return null;
    const { path, query } = place;
    const asked = { method: 'GET', path, query, target, headers: fields, body: null, peer: null };
    if (!isCached(asked)) return null;
    const leave = countAddress(address);
    const work = leave === null ? null : admission.enterAtOnce();
    if (leave === null || work === null) {
      leave?.();
      return null;
    }
    return (send) => {
      const sendAnswered = (answered: Answered): void => {
        const { status, body } = answered.answer;
        // An answer that is cached, or found out of date and computed again, is never a stream.
        const whole = wholeOf(isStream(body) ? null : body);
        const length = whole.bytes.length + whole.text.length;
        send(headLines(status, headOf(writeHead, answered, length)), whole, leave);
        work.ends();
      };
      void answer(asked, { work, admit }).then((answered) => {
        if (answered.answer.status !== 401) return sendAnswered(answered);
        work.ends();
        return slow(maxPerForwardedAddress === null ? peer : address).then(() =>
          sendAnswered(answered),
        );
      });
    };
  };
}

/** Sends the refusals of calls that the pipeline never sees; each is counted and logged. */
function createRefusals(parts: GateParts, nowMs: () => number) {
  const sendOverloaded = createRefuse(OVERLOADED, parts);
  const sendUnreadable = createRefuse(UNREADABLE, parts);
  type Since = { readonly sinceMs: number; readonly seconds: number };
  const note = (asked: RefusedRequest['asked'], refusal: Refusal, ms: number): void =>
    parts.requestRefused({ ...refusal, asked, ms });
  return {
    overloaded: (exchange: Exchange, asked: Asked, { sinceMs, seconds }: Since): void =>
      note(asked, sendOverloaded(exchange, seconds), nowMs() - sinceMs),
    unreadable: (exchange: Exchange): void => {
      const { method = '', url = '' } = exchange.request;
      const path = url.split('?', 1)[0] ?? '';
      note({ method, path, query: '' }, sendUnreadable(exchange, null), 0);
    },
  };
}

/** Requests room for a part of a call in progress; there is none for a client that has disconnected. */
function admitPart(admission: Room['admission'], exchange: Exchange) {
  const { promise, resolve } = Promise.withResolvers<
    Work | { readonly retryAfterSeconds: number }
  >();
  admission.enter({
    caller: callerOf(exchange.request),
    isGone: () => {
      const hasGone = isGone(exchange);
      if (hasGone) resolve({ retryAfterSeconds: 1 });
      return hasGone;
    },
    refuse: (retryAfterSeconds) => resolve({ retryAfterSeconds }),
    start: resolve,
  });
  return promise;
}

/**
 * Returns the caller, for the turns. The key is not checked yet. A client that invents keys gets as many turns as calls,
 * which is the order of arrival.
 */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? '';
}

const UNCOUNTED = (): void => undefined;

/** Counts the requests in progress by forwarded address. Null if the address has too many already. */
function createAddressCounts(most: number | null) {
  const take = createPlaces({ inAll: Infinity, ofOne: most ?? Infinity });
  return (address: string | null): (() => void) | null => {
    if (most === null || address === null) return UNCOUNTED;
    const leave = take(address);
    return typeof leave === 'string' ? null : leave;
  };
}

/** Each arriving body may occupy 64 KB. */
const MAX_IN_ALL = 256;
const MAX_OF_ADDRESS = 32;

const WHOLE: ExpectedBody = { kind: 'whole' };

/** Counts the arriving bodies by client address, behind a proxy by the forwarded address. */
function createBodyCounts(behindProxy: boolean, soon: (run: () => void) => void) {
  const take = createPlaces({ inAll: MAX_IN_ALL, ofOne: MAX_OF_ADDRESS });
  return async (request: IncomingMessage): Promise<ExpectedBody> => {
    // By the next turn of the event loop Node has read the bytes that arrived with the head.
    await new Promise<void>((resolve) => soon(resolve));
    if (request.complete) return WHOLE;
    const { remoteAddress = '' } = request.socket;
    const address = clientAddress(request, behindProxy) ?? addressGroup(remoteAddress) ?? '';
    const came = take(address);
    return typeof came === 'string' ? { kind: 'refused' } : { kind: 'coming', came };
  };
}
